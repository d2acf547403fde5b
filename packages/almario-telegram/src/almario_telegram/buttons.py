"""Proposals in a chat: what would change is shown, and two buttons answer it. Only the owner's count."""

import hashlib
import re

from almario.apps.cli.i18n import _, refusal
from almario.domain.plain_text import in_one_line, visible
from almario.domain.proposal import Proposal
from almario.errors import AlmarioError
from almario.soul import Soul
from almario_telegram.bot_api import Api, BotRefused, Unreachable
from almario_telegram.sending import LONGEST, TelegramChat, parted
from almario_telegram.updates import Pressed

# A change is accepted only where all of it was shown; a longer one is answered at the terminal.
_LONGEST = 4 * LONGEST
_ACCEPT, _REJECT = "a", "r"
_DATA = re.compile(r"([ar]):([0-9a-f]{8}):([0-9a-f]{8})")
# So long a text fits in what is shown over a chat when a button is pressed.
_NOTICE = 200
_STATES = {
    "open": "It is still waiting.",
    "accepted": "Accepted.",
    "undone": "It was accepted, and undone.",
    "rejected": "Rejected.",
    "stale": "It no longer fits and cannot be accepted.",
    "refused": "It was refused.",
    "expired": "It has expired.",
}


def show(proposal: Proposal, chat: TelegramChat) -> None:
    """Show what a proposal would change, with buttons."""
    text = _proposal_text(proposal)
    mark = _mark(proposal)
    buttons = [
        (_("Accept"), f"{_ACCEPT}:{proposal.id}:{mark}"),
        (_("Reject"), f"{_REJECT}:{proposal.id}:{mark}"),
    ]
    if len(text) > _LONGEST:
        sentence = 'It is too long to show here: "almario proposals show {id}".'
        text, buttons = f"{text[:LONGEST]}…\n\n{_(sentence, id=proposal.id)}", buttons[1:]
    chat.say(text, buttons)


def press(soul: Soul, api: Api, pressed: Pressed, chat: TelegramChat, *, is_owner: bool) -> None:
    """Answer a proposal by a pressed button: the owner's, in a chat with nobody else."""
    if not is_owner or pressed.chat != pressed.sender.id:
        _notice(api, pressed, _("Only my human can answer this."))
        return
    match = _DATA.fullmatch(pressed.data)
    try:
        proposal = soul.proposals.get(match[2]) if match else None
        if match is None or proposal is None:
            _notice(api, pressed, _("This button is no longer valid."))
            return
        if proposal.state == "open" and match[3] != _mark(proposal):
            _notice(api, pressed, _("The proposal has changed since; look at it again."))
            show(proposal, chat)
            return
        if proposal.state == "open":
            answer = soul.proposals.accept if match[1] == _ACCEPT else soul.proposals.reject
            outcome = _(_STATES[answer(proposal.id).state])
        else:
            outcome = _("This proposal is no longer open. {state}", state=_(_STATES[proposal.state]))
    except AlmarioError as exc:
        outcome = refusal(exc)
    _notice(api, pressed, outcome)
    _settle(pressed, chat, f"{_title(proposal)}\n\n{outcome}" if proposal else outcome)


def _settle(pressed: Pressed, chat: TelegramChat, text: str) -> None:
    """Take the buttons away, and say in their place what became of the proposal."""
    chat.surely(lambda: chat.change(pressed.message, parted(text)[0]))


def _notice(api: Api, pressed: Pressed, text: str) -> None:
    try:
        api("answerCallbackQuery", callback_query_id=pressed.id, text=text[:_NOTICE], show_alert=True)
    except (BotRefused, Unreachable):  # it was pressed too long ago
        return


def _title(proposal: Proposal) -> str:
    about, reason = proposal.file or _("memory"), in_one_line(_(proposal.reason))
    return _("The agent proposes a change to {file}: {reason}", file=about, reason=reason)


def _proposal_text(proposal: Proposal) -> str:
    """Tell a proposal with all that it would change, and nothing that cannot be seen."""
    lines = [_title(proposal)]
    if proposal.origin == "untrusted":
        lines.append("⚠ " + _("It is based on what an untrusted person said."))
    if proposal.warning:
        lines.append("⚠ " + _("Careful: {why}.", why=_(proposal.warning)))
    # The names of the two files say nothing here.
    changed = [visible(line) for line in proposal.diff.split("\n")[2:]]
    return "\n".join([*lines, "", *changed]).strip()


def _mark(proposal: Proposal) -> str:
    """Return what changes when a proposal does."""
    return hashlib.sha256(proposal.diff.encode("utf-8", "replace")).hexdigest()[:8]

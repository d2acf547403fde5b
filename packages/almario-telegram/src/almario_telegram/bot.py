"""The bot: whose message it is, where it was said, who hears the answer.

Whoever is paired is the owner; everybody else is a stranger, whose words are data. A stranger who writes
in private has a session of their own, apart from the owner's. A group counts only once the owner is in it,
and others are taken to be present there from the first word on.
"""

import re
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from almario.apps.cli.i18n import _, refusal
from almario.domain.audiences import SHARED_ONLY
from almario.domain.memories import Origin
from almario.domain.messages import Sentence, naming
from almario.domain.plain_text import regex
from almario.domain.turns import session_key
from almario.errors import AlmarioError, LLMError
from almario.soul import Soul
from almario_telegram import buttons
from almario_telegram.bot_api import Api
from almario_telegram.pairing import Pairing
from almario_telegram.polling import PollingWork
from almario_telegram.sending import StreamedMessage, TelegramChat, Time
from almario_telegram.settings import TelegramSettings
from almario_telegram.updates import Added, Me, Pressed, Received, understood

if TYPE_CHECKING:
    from almario import Answer

_CHANNEL = "telegram"
_COMMAND = regex(r"/(\w{1,32})(?:@\w+)?(?=\s|$)", re.ASCII)
_HOUR = 3600.0
# So many messages of one stranger are kept in an hour, in private and in a group, and so many of all; who
# sends more is flooding.
_KEPT_ALONE, _KEPT_IN_GROUP, _KEPT = 60, 500, 5000
# So many sentences of ours strangers get in an hour, of one and of all.
_HINTS_EACH, _HINTS = 5, 60
# What the owner asks for in plain words, by name.
_WISHES = ("remember", "rule", "forget", "off_record", "undo")
_OFF = "off the record until /on: what you say is not written down and is gone when you leave"
_HELP = {
    "new": "Begin a new conversation; I learn from this one first.",
    "undo": "Undo the latest change of my memory.",
    "off": "Go off the record: what follows is not written down.",
    "on": "Go back on the record.",
    "keep": "Bring back what my last notice took out.",
    "proposals": "See the changes I propose to my soul, and accept or reject them.",
    "help": "List the commands.",
}


def _typed(line: str) -> str:
    """Return how a command is typed here; or where else it can be."""
    name = line.rsplit(maxsplit=1)[-1]
    return f"/{name}" if name in _HELP else Sentence("{command} (in a terminal)", command=line)


def _from_memory() -> str:
    return f"· {_('from your memory')}"


class Allowance:
    """So much may happen in an hour, all together and for each person."""

    def __init__(self, time: Time, *, every: int, each: int) -> None:
        self._time = time
        self._every = every
        self._each = each
        self._taken: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    def take(self, person: int) -> bool:
        """Return whether it may happen once more for a person, and count it then."""
        with self._lock:
            while self._taken and self._taken[0][0] <= self._time.now() - _HOUR:
                self._taken.popleft()
            own = sum(who == person for _at, who in self._taken)
            if len(self._taken) >= self._every or own >= self._each:
                return False
            self._taken.append((self._time.now(), person))
            return True


class Bot:
    """Answers on Telegram with one soul."""

    def __init__(
        self, soul: Soul, api: Api, me: Me, pairing: Pairing, settings: TelegramSettings, time: Time
    ) -> None:
        self._soul = soul
        self._api = api
        self._me = me
        self._pairing = pairing
        self._groups = settings.groups
        self._time = time
        answers = settings.stranger_answers
        # One person takes at most half of what there is for all.
        self._answers = Allowance(time, every=answers, each=(answers + 1) // 2)
        self._kept_alone = Allowance(time, every=_KEPT, each=_KEPT_ALONE)
        self._kept_in_group = Allowance(time, every=_KEPT, each=_KEPT_IN_GROUP)
        self._hints = Allowance(time, every=_HINTS, each=_HINTS_EACH)
        # The chats in which others are known to be, by what was found when they were first looked for.
        self._declared: set[str] = set()
        self._has_checked = False
        # Why the model did not answer last, in each of the owner's chats.
        self._reasons: dict[str, str] = {}

    def take(self, update: Mapping[str, Any]) -> PollingWork | None:
        """Make work of an update; None if there is nothing to do."""
        got = understood(update, self._me)
        if isinstance(got, Received):
            return PollingWork(f"{got.chat}/{got.topic}", lambda: self._receive(got))
        if isinstance(got, Pressed):
            return PollingWork(f"press {got.sender.id}", lambda: self._press(got))
        if isinstance(got, Added):
            return PollingWork(f"{got.chat}/0", lambda: self._join(got))
        return None

    @naming(_typed)
    def _receive(self, message: Received) -> None:
        is_owner = message.sender.is_person and self._pairing.is_owner(message.sender.id)
        if not message.is_private:
            self._hear_in_group(message, is_owner=is_owner)
        elif message.chat != message.sender.id:
            return  # a private chat has the number of whoever writes there
        elif not is_owner:
            self._hear_guest(message)
        elif command := _COMMAND.match(message.text):
            self._command(message, command[1].lower())
        else:
            self._talk(message, _session(message), is_owner=True)
        with suppress(AlmarioError):  # whoever comes next shows it in MEMORY.md
            self._soul.finish()

    def _hear_in_group(self, message: Received, *, is_owner: bool) -> None:
        """Keep what is said in a group that the owner is in, and answer if that is wanted."""
        group = session_key(_CHANNEL, str(message.chat))
        if is_owner:
            self._declare(group)
        elif not self._is_declared(group) or not self._kept_in_group.take(message.sender.id):
            return
        is_wanted = self._groups == "always" or (self._groups == "mentioned" and message.is_called)
        if is_wanted and (is_owner or self._answers.take(message.sender.id)):
            self._talk(message, _session(message), is_owner=is_owner)
        else:
            self._keep(message, _session(message), is_owner=is_owner)

    def _hear_guest(self, message: Received) -> None:
        """Pair whoever sends the code; anybody else is answered as a stranger, in a session of their own."""
        sender, chat = message.sender, self._chat(message)
        word = message.text.removeprefix("/start").strip()
        outcome = self._pairing.tried(sender.id, sender.name, word)
        hint = ""
        if outcome == "paired":
            chat.say(_("Paired. {greeting}", greeting=self._greeting()))
            return
        if outcome == "wrong":
            hint = _("That code is wrong or has expired.")
        elif not self._pairing.owners():
            hint = _(
                'I do not know you yet. If I am yours, run "almario telegram pair" and send me the code.'
            )
        elif message.text.startswith("/start"):
            hint = _("Hello, I am {name}. My human can read what you write to me.", name=self._soul.name)
        if hint:
            if self._hints.take(sender.id):
                chat.say(hint)
            return
        if not self._kept_alone.take(sender.id):
            return
        session = _session(message, guest=True)
        if self._answers.take(sender.id):
            self._talk(message, session, is_owner=False)
        else:
            self._keep(message, session, is_owner=False)

    def _join(self, added: Added) -> None:
        if self._pairing.is_owner(added.sender.id):
            self._declare(session_key(_CHANNEL, str(added.chat)))

    def _press(self, pressed: Pressed) -> None:
        chat, is_owner = (
            TelegramChat(self._api, pressed.chat, self._time),
            self._pairing.is_owner(pressed.sender.id),
        )
        buttons.press(self._soul, self._api, pressed, chat, is_owner=is_owner)

    def _declare(self, place: str) -> None:
        """Say that others are present in a chat, before anything is said there; the owner may trust them."""
        if not self._is_declared(place, anew=True):
            self._soul.presence.trust(place, hears=SHARED_ONLY)
            self._declared.add(place)

    def _is_declared(self, place: str, *, anew: bool = False) -> bool:
        """Say whether others are known to be in a chat; *anew*, also by what another process said since."""
        if place not in self._declared and (anew or not self._has_checked):
            self._declared |= {each.session for each in self._soul.presence.places()}
            self._has_checked = True
        return place in self._declared

    def _keep(self, message: Received, session: str, *, is_owner: bool) -> None:
        for place, document in enumerate(message.pasted):
            self._soul.append(session, "user", document, origin="untrusted", ref=f"{message.ref}/{place}")
        speaker = message.sender.speaker
        origin: Origin = "owner" if is_owner else "untrusted"
        self._soul.append(session, "user", message.text, origin=origin, speaker=speaker, ref=message.ref)

    def _talk(self, message: Received, session: str, *, is_owner: bool) -> None:
        chat = self._chat(message)
        chat.show_typing()
        stream = StreamedMessage(chat)
        try:
            answer = self._soul.talk(
                message.text,
                session,
                hear=stream.hear,
                pasted=message.pasted,
                origin="owner" if is_owner else "untrusted",
                speaker="" if is_owner and message.is_private else message.sender.speaker,
                ref=message.ref,
            )
        except LLMError as exc:
            chat.say(self._excuse(message, exc, is_owner=is_owner))
            return
        stream.finish(answer.text)
        if is_owner:
            self._reasons.pop(session, None)
            self._tell_done(answer, chat, is_private=message.is_private)

    def _excuse(self, message: Received, exc: LLMError, *, is_owner: bool) -> str:
        """Return what is said in the place of an answer; why there is none is the owner's affair."""
        if not is_owner or not message.is_private:
            return _("I cannot answer right now.")
        place, reason = _session(message), refusal(exc)
        is_known = self._reasons.get(place) == reason
        self._reasons[place] = reason
        why = _("The model still does not answer.") if is_known else reason
        found = self._soul.unaided(message.text)
        return "\n".join(filter(None, (found.text, _from_memory() if found.recalled else "", why)))

    def _tell_done(self, answer: "Answer", chat: TelegramChat, *, is_private: bool) -> None:
        """Say what was done for the owner's message, and ask for what it proposes."""
        lines = [_from_memory()] if is_private and answer.is_memory and answer.recalled else []
        lines += [_(sentence) for sentence in answer.told] if is_private else []
        # Those of wishes know who is present; a tool's may tell what only the owner may hear.
        for action in (
            answer.done if is_private else [action for action in answer.done if action.name in _WISHES]
        ):
            sign = "·" if action.is_error else "✓"
            lines += [f"{sign} {_(sentence)}" for sentence in action.told[len(action.proposals) :]]
        if lines:
            chat.say("\n".join(lines), quietly=True)
        for proposal in [each for action in answer.done for each in action.proposals] if is_private else ():
            buttons.show(self._soul.proposals.get(proposal), chat)

    def _command(self, message: Received, name: str) -> None:
        chat = self._chat(message)
        if name == "start":
            chat.say(self._greeting())
        elif name == "help":
            chat.say("\n".join(f"/{word} {_(_HELP[word])}" for word in _HELP))
        elif name == "new":
            chat.show_typing()
            self._soul.end_session(_session(message), clear=True)
            chat.say(_("Here begins a new conversation."))
        elif name == "undo":
            self._talk(message._replace(text=name), _session(message), is_owner=True)
        elif name in ("off", "on"):
            self._soul.off_record(_session(message), off=name == "off")
            chat.say(_(_OFF if name == "off" else "back on the record"))
        elif name == "keep":
            chat.say(self._kept(message))
        elif name == "proposals":
            found = self._soul.proposals.list()
            for proposal in found:
                buttons.show(proposal, chat)
            if not found:
                chat.say(_("No changes are proposed."))
        else:
            chat.say(_("/{name} is not a command; /help lists them", name=name))

    def _kept(self, message: Received) -> str:
        """Bring back what the last notice took out: off the record, or as it may be a secret."""
        if self._soul.put_back(_session(message)):
            return _("Back on the record.")
        if message.is_private and self._soul.memory.withheld():
            return _("Used from now on: {what}", what=", ".join(self._soul.memory.keep()))
        return _("Nothing was taken out that could come back.")

    def _greeting(self) -> str:
        sentence = "I am {name}. Just write to me; /help lists the commands."
        return _(sentence, name=self._soul.name)

    def _chat(self, message: Received) -> TelegramChat:
        answers = 0 if message.is_private else message.id
        return TelegramChat(self._api, message.chat, self._time, topic=message.topic, answers=answers)


def _session(message: Received, *, guest: bool = False) -> str:
    """Return the session of a message: a chat's or a topic's.

    A stranger's is never the one that an owner had in the same chat, before or after.
    """
    chat = session_key(_CHANNEL, str(message.chat)) + (":guest" if guest else "")
    return f"{chat}:topic-{message.topic}" if message.topic else chat

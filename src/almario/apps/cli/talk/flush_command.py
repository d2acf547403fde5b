"""`almario flush`: learn now from what was said."""

from collections.abc import Sequence
from datetime import timedelta

import click

from almario.apps.cli.common import CommandCall, flag, make_command, need_session, takes, tell
from almario.apps.cli.i18n import _, word
from almario.apps.cli.printing import fitted, print_below, print_json
from almario.domain.memories import IN_FILES, Memory
from almario.domain.messages import CommandLine, Sentence
from almario.domain.vocabulary import KINDS
from almario.errors import LLMError, LLMUnavailable
from almario.memory.rules.admission import is_guess

_QUIET = timedelta(minutes=15)
# Where a hindrance is known, what to do about it.
_HINDRANCES = {
    "no model": "there is no language model to learn with; what was said will wait until there is one",
    "learning is switched off": "learning is switched off; set flush.enabled = true",
}
_OUTCOMES = {
    "extracted": "Learned from {session}, turns {first} to {last}:",
    "empty": "Nothing to remember in {session}, turns {first} to {last}.",
    "busy": "Another process is learning now; {session} (turns {first} to {last}) has to wait.",
}
_SIGNS = {"new": "+", "superseded": "+", "renewed": "=", "linked": "=", "refused": "-"}


@make_command(
    "flush",
    "Learn now from conversations that have not been learned from yet: facts, events, and "
    "how you want the agent to behave. The chat does this on its own.",
    "almario flush",
    "almario flush --session cli:main",
    "almario flush --json",
)
@takes("--session", "Learn only from this session.", metavar=_("KEY"), default="")
@flag(
    "--left",
    "Learn only from conversations that have been quiet for 15 minutes, those of coding agents for 5.",
)
def command(call: CommandCall, session: str, left: bool) -> None:
    soul = call.soul()
    need_session(soul, session or None)
    done = soul.learning.learn_left(_QUIET) if left and not session else soul.flush(session)
    if call.as_json:
        print_json(done)
    elif not done:
        click.echo(_("Nothing new to learn from."))
    for each in done:
        memories = [(receipt.outcome, receipt.memory) for receipt in each.receipts if receipt.memory]
        if not call.as_json:
            turns = {"first": each.after + 1, "last": each.to}
            _print(_(_OUTCOMES.get(each.outcome, ""), session=each.session, **turns), memories)
        tell([sentence for receipt in each.receipts for sentence in receipt.told])
        if each.dropped:
            tell(
                [
                    Sentence(
                        "left out because the conversation does not support it: {count}", count=each.dropped
                    )
                ]
            )
    for each in done:
        if each.why in _HINDRANCES:
            raise LLMUnavailable(_HINDRANCES[each.why])
        if each.outcome == "queued":
            raise LLMError(
                "{session} could not be learned from yet: {why}", session=each.session, why=each.why
            )


def _print(heading: str, memories: Sequence[tuple[str, Memory]]) -> None:
    if heading:
        click.echo(heading)
    for outcome, memory in memories:
        text = memory.value if memory.kind in IN_FILES else memory.text
        text += f" ({_('a guess')})" if is_guess(memory) else ""
        kind = word(memory.kind, KINDS)
        click.echo(f"{_SIGNS[outcome]} [{kind}] {fitted(text, len(kind) + 5)}")
    if memories:
        undo = CommandLine(f"almario undo {memories[0][1].seq}")
        print_below([_('"{undo}" undoes it', undo=undo)], dim=True)

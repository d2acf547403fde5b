"""`almario reflect` and `almario improve`: the agent examines its days, or you say what should change."""

import sys
from datetime import date

import click

from almario.apps.cli import i18n
from almario.apps.cli.arguments import SINCE
from almario.apps.cli.common import CommandCall, flag, make_command, takes, tell, text_of
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_below, print_json, print_line
from almario.apps.repl import screens
from almario.apps.repl.screens import choose
from almario.becoming.rules.reflections import ReflectionOutcome, outcome_blocks
from almario.domain.messages import CommandLine, Sentence
from almario.domain.proposal import Proposal
from almario.errors import LLMError

_PHASES = {
    "gather": "gathering the past days",
    "explorer": "looking for open questions on the web",
    "architect": "looking at them, and at what should change",
    "apply": "proposing it",
}
# Of a proposal, this is told.
_SHOWN = ("id", "file", "state", "reason", "why", "origin", "evidence", "diff")


@make_command(
    "reflect",
    "Have the agent reflect on what has happened since the last time: what it did, whom it "
    "met, what it owes. Changes it wants to its soul wait as proposals; it may update its "
    "goals and focus.",
    "almario reflect",
    "almario reflect --since 2026-11-01",
)
@takes("--since", "Look again from this day on, such as 2026-11-14.", type=SINCE, metavar=_("DATE"))
def reflect(call: CommandCall, since: date | None) -> None:
    soul = call.soul()
    done = soul.reflection.run(since=since, hear=_hear)
    tell(done.told)
    if done.material and (count := done.material.left_out):
        sentence = "{count} older ones did not fit"
        tell([Sentence(sentence, count=count)])
    if call.as_json:
        material = done.material
        counts = {
            "sources": len(material.sources) if material else 0,
            "left_out": material.left_out if material else 0,
        }
        print_json({name: value for name, value in done._asdict().items() if name != "material"} | counts)
    elif done.material and not done.material.sources:
        click.echo(_("Nothing new since the last reflection."))
    elif done.findings or not done.why:
        _show(done.outcome)
        if done.entry:
            click.echo(_("Reflection {id} is in {path}.", id=done.id, path=done.entry))
            _show_what_waits(done.applied.proposals)
    if done.why:
        raise LLMError("the reflection is waiting: {why}", why=done.why)


def _hear(phase: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        click.secho(f"· {_(_PHASES[phase])}…", err=True, dim=True)


def _show(outcome: ReflectionOutcome) -> None:
    blocks = outcome_blocks(outcome, i18n.current())
    if not blocks:
        click.echo(_("It found nothing worth noting."))
    for block in blocks:
        click.secho(block.title, bold=True)
        for line in block.lines:
            print_line(line, lead="- ")
        click.echo()


def _show_what_waits(proposals: tuple[Proposal, ...]) -> None:
    waiting = [proposal.id for proposal in proposals if proposal.state == "open"]
    if waiting:
        show, accept = (CommandLine(f"almario proposals {verb} {waiting[0]}") for verb in ("show", "accept"))
        print_below(
            [_('"{show}" shows what is proposed; "{accept}" does it', show=show, accept=accept)], dim=True
        )


@make_command(
    "improve",
    "Say in your own words what should change about your agent. Each change is proposed for "
    "the file it belongs to, or as a memory; nothing changes until you accept.",
    _('almario improve "stop apologising, and remember that I hate calls"'),
)
@click.argument("words", nargs=-1, required=True, metavar=_("WORDS..."))
@flag("--accept", "Accept every proposal without asking.")
def improve(call: CommandCall, words: tuple[str, ...], accept: bool) -> None:
    wish = text_of("-") if words == ("-",) else " ".join(words)
    soul = call.soul()
    if at_terminal() and (model := soul.model_names.background):
        tell([Sentence("{model} is thinking…", model=model)])
    done = soul.improve(wish)
    # The difference that an accepted one made to memory is none any more, so it is told as it was.
    proposals = [
        each._replace(state=soul.proposals.accept(each.id).state) if accept and each.state == "open" else each
        for each in done.proposals
    ]
    value = [{name: getattr(each, name) for name in _SHOWN} for each in proposals]
    if call.gave_json({"proposals": value, "told": [_(sentence) for sentence in done.told]}):
        return
    for proposal in proposals:
        if proposal.state == "open" and at_terminal():
            screens.settle_proposal(soul, choose, proposal.id)
        else:
            screens.show_proposal(proposal)
            screens.tell_answered(proposal)
    tell(done.told)

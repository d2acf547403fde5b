"""`almario proposals`: what the agent wants changed in its soul, and your yes or no."""

import click

from almario.apps.cli.common import CommandCall, ask, edited, flag, from_source, make_group, takes, text_of
from almario.apps.cli.i18n import _, word
from almario.apps.cli.printing import at_terminal, day, print_diff, print_line, when
from almario.domain.messages import CommandLine
from almario.domain.plain_text import visible
from almario.domain.proposal import Proposal
from almario.domain.vocabulary import ANSWERS, MAKERS
from almario.soul import Soul

_id = click.argument("proposal", metavar="ID")


@make_group(
    "proposals",
    "List the changes the agent proposes to its soul, and answer them.",
    "almario proposals",
    "almario proposals show 3f9a2c1b",
    "almario proposals accept 3f9a2c1b",
)
@flag("--all", "Include answered and refused ones.", "every")
def command(call: CommandCall, every: bool) -> None:
    soul = call.soul()
    found = soul.proposals.list(every=every)
    rows = [_row(soul, proposal) for proposal in found]
    heads = ["ID", _("File"), _("When"), _("State"), _("Until"), _("Why")]
    call.give_table(found, rows, heads=heads, if_empty=_("No changes are proposed."))


@command.make(
    "show",
    "Show what a proposal would change, why, and what it is based on.",
    "almario proposals show 3f9a2c1b",
)
@_id
def show(call: CommandCall, proposal: str) -> None:
    soul = call.soul()
    found = soul.proposals.get(proposal)
    if not call.gave_json(found):
        _print(soul, found)


@command.make(
    "accept",
    'Accept a proposal. The old version stays in the history; "almario soul restore" brings it back.',
    "almario proposals accept 3f9a2c1b",
)
@_id
def accept(call: CommandCall, proposal: str) -> None:
    _accept(call, call.soul(), proposal)


@command.make("reject", "Reject a proposal.", _('almario proposals reject 3f9a2c1b "not you"'))
@_id
@click.argument("reason", required=False, default="", metavar=_("[WHY]"))
@takes("--why", "Why not; it is kept with the proposal.", default="")
def reject(call: CommandCall, proposal: str, reason: str, why: str) -> None:
    done = call.soul().proposals.reject(proposal, reason or why)
    call.give(done, _("Proposal {id} was rejected.", id=done.id))


@command.make(
    "edit",
    "Rewrite a proposal. In your editor, or from a file or a pipe.",
    "almario proposals edit 3f9a2c1b",
    "almario proposals edit 3f9a2c1b --from soul.md --yes",
)
@_id
@from_source
@flag("--yes", "Accept it without asking.")
def edit(call: CommandCall, proposal: str, source: str | None, yes: bool) -> None:
    soul = call.soul()
    found = soul.proposals.get(proposal)
    text = text_of(source) if source is not None else edited(found.after)
    found = soul.proposals.rewrite(found.id, text, base=found.before)
    if not call.as_json:
        _print(soul, found)
    if yes or (at_terminal() and not call.as_json and ask(_("Accept it?"))):
        _accept(call, soul, found.id)
    else:
        accept = CommandLine(f"almario proposals accept {found.id}")
        call.give(found, _('Waiting: "{accept}" accepts it.', accept=accept))


def tell_doubts(proposal: Proposal) -> None:
    """Say what speaks for looking twice."""
    if proposal.origin == "untrusted":
        click.secho(_("It is based on what an untrusted person said."), fg="yellow")
    if proposal.warning:
        click.secho(_("Careful: {why}.", why=_(proposal.warning)), fg="yellow")
    if proposal.rebased:
        print_line(_("The file has changed since; this is what the proposal would change in it now."))


def _accept(call: CommandCall, soul: Soul, proposal: str) -> None:
    done = soul.proposals.accept(proposal)
    of_file = "Proposal {id} was accepted: {file} was changed."
    of_memory = "Proposal {id} was accepted: memories were changed."
    call.give(done, _(of_file if done.file else of_memory, id=done.id, file=done.file))


def _print(soul: Soul, found: Proposal) -> None:
    about, at = found.file or _("memory"), when(found.at, soul.zone)
    click.secho(f"{found.id}  {about}  {at}  {_(ANSWERS[found.state])}", bold=True)
    for line in filter(None, (found.reason, found.why)):
        print_line(_(line))
    if found.by:
        print_line(f"{word(found.by, MAKERS)} {found.reflection}".strip())
    if found.evidence:
        print_line(_("Based on: {evidence}", evidence=", ".join(found.evidence)))
    if found.until and found.state == "open":
        click.echo(_("It will wait until {day}.", day=when(found.until, soul.zone)))
    tell_doubts(found)
    click.echo()
    print_diff(found.diff)


def _row(soul: Soul, proposal: Proposal) -> list[str]:
    mark = f" ({_('not trusted')})" if proposal.origin == "untrusted" else ""
    about, at = proposal.file or _("memory"), when(proposal.at, soul.zone)
    ends = proposal.until if proposal.state == "open" else None
    until = day(ends.astimezone(soul.zone).date()) if ends else "-"
    why = proposal.why if proposal.state == "refused" else proposal.reason
    state = _(ANSWERS[proposal.state]) + mark
    return [proposal.id, about, at, state, until, "! " * bool(proposal.warning) + visible(_(why))]

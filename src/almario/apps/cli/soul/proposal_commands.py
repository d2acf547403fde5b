"""`almario proposals`: what the agent wants changed in its soul, and your yes or no."""

from typing import Any

import click

from almario.apps.cli.common import Call, InOrder, ask, from_source, helped, standard, text_of
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_diff, print_json, print_line, print_table, when
from almario.domain.plain_text import visible
from almario.domain.proposal import Proposal
from almario.errors import SoulError
from almario.soul import Soul

_STATES = {
    "open": "open",
    "accepted": "accepted",
    "rejected": "rejected",
    "stale": "stale",
    "refused": "refused",
    "expired": "has expired",
}
_MAKERS = {"reflection": "reflection", "improve": "your words", "chat": "the chat"}
_id = click.argument("proposal", metavar="ID")


@click.group(
    "proposals",
    cls=InOrder,
    invoke_without_command=True,
    help=helped(
        _("List the changes the agent proposes to its soul, and answer them."),
        "almario proposals",
        "almario proposals show 3f9a2c1b",
        "almario proposals accept 3f9a2c1b",
    ),
)
@click.option("--all", "every", is_flag=True, help=_("Include answered and refused ones."))
@standard()
def command(call: Call, every: bool) -> None:
    if click.get_current_context().invoked_subcommand:
        return
    soul = call.soul()
    found = soul.proposals.list(every=every)
    if call.as_json:
        print_json([_fields(proposal) for proposal in found])
    elif not found:
        click.echo(_("No changes are proposed."))
    else:
        rows = [_row(soul, proposal) for proposal in found]
        heads = ["ID", _("File"), _("When"), _("State"), _("Until"), _("Drift"), _("Why")]
        print_table(rows, heads=heads)


@command.command(
    "show",
    help=helped(
        _("Show what a proposal would change, why, and what it is based on."),
        ("almario proposals show 3f9a2c1b"),
    ),
)
@_id
@standard()
def show(call: Call, proposal: str) -> None:
    soul = call.soul()
    found = soul.proposals.get(proposal)
    if call.as_json:
        print_json(_fields(found))
    else:
        _print(soul, found)


@command.command(
    "accept",
    help=helped(
        _('Accept a proposal. The old version stays in the history; "almario soul restore" brings it back.'),
        "almario proposals accept 3f9a2c1b",
    ),
)
@_id
@standard()
def accept(call: Call, proposal: str) -> None:
    _accept(call, call.soul(), proposal)


@command.command(
    "reject",
    help=helped(_("Reject a proposal."), _('almario proposals reject 3f9a2c1b --why "not you"')),
)
@_id
@click.option("--why", default="", help=_("Why not; it is kept with the proposal."))
@standard()
def reject(call: Call, proposal: str, why: str) -> None:
    done = call.soul().proposals.reject(proposal, why)
    if call.as_json:
        print_json(_fields(done))
    else:
        click.echo(_("Proposal {id} was rejected.", id=done.id))


@command.command(
    "edit",
    help=helped(
        _("Rewrite a proposal. In your editor, or from a file or a pipe."),
        "almario proposals edit 3f9a2c1b",
        "almario proposals edit 3f9a2c1b --from soul.md --yes",
    ),
)
@_id
@from_source
@click.option("--yes", is_flag=True, help=_("Accept it without asking."))
@standard()
def edit(call: Call, proposal: str, source: str | None, yes: bool) -> None:
    soul = call.soul()
    found = soul.proposals.get(proposal)
    text = text_of(source) if source is not None else _edited(found)
    found = soul.proposals.rewrite(found.id, text, base=found.before)
    if not call.as_json:
        _print(soul, found)
    if yes or (at_terminal() and not call.as_json and ask(_("Accept it?"))):
        _accept(call, soul, found.id)
    elif call.as_json:
        print_json(_fields(found))
    else:
        click.echo(_('Waiting: "almario proposals accept {id}" accepts it.', id=found.id))


def tell_doubts(proposal: Proposal) -> None:
    """Say what speaks for looking twice."""
    if proposal.origin == "untrusted":
        click.secho(_("It is based on what an untrusted person said."), fg="yellow")
    if proposal.warning:
        click.secho(_("Careful: {why}.", why=_(proposal.warning)), fg="yellow")
    if proposal.rebased:
        print_line(_("The file has changed since; this is what the proposal would change in it now."))


def _edited(proposal: Proposal) -> str:
    """Return what the owner makes of a proposed text in an editor."""
    if not at_terminal():
        raise SoulError('there is no terminal for an editor; use "--from FILE", or "--from -" for a pipe')
    try:
        text = click.edit(proposal.after, extension=".md")
    except click.ClickException as exc:
        raise SoulError("the editor could not be opened: {why}", why=exc.message) from exc
    return proposal.after if text is None else text


def _accept(call: Call, soul: Soul, proposal: str) -> None:
    done = soul.proposals.accept(proposal)
    if call.as_json:
        print_json(_fields(done))
    elif done.file:
        print_line(_("Proposal {id} was accepted: {file} was changed.", id=done.id, file=done.file))
    else:
        click.echo(_("Proposal {id} was accepted: memories were changed.", id=done.id))


def _print(soul: Soul, found: Proposal) -> None:
    about, at = found.file or _("memory"), when(found.at, soul.zone)
    click.secho(f"{found.id}  {about}  {at}  {_(_STATES[found.state])}", bold=True)
    for line in (found.reason, found.why):
        if line:
            print_line(_(line))
    if found.by:
        by = f"{_(_MAKERS.get(found.by, found.by))} {found.reflection}".strip()
        print_line(_("Made by: {by}", by=by))
    if found.evidence:
        print_line(_("Based on: {evidence}", evidence=", ".join(found.evidence)))
    if found.drift:
        click.echo(_("Drift: {drift}", drift=_drift(found)))
    if found.until and found.state == "open":
        click.echo(_("It will wait until {day}.", day=when(found.until, soul.zone)))
    tell_doubts(found)
    click.echo()
    print_diff(found.diff)


def _row(soul: Soul, proposal: Proposal) -> list[str]:
    mark = f" ({_('not trusted')})" if proposal.origin == "untrusted" else ""
    about, at = proposal.file or _("memory"), when(proposal.at, soul.zone)
    ends = proposal.until if proposal.state == "open" else None
    until = f"{ends.astimezone(soul.zone):%Y-%m-%d}" if ends else "-"
    why = proposal.why if proposal.state == "refused" else proposal.reason
    return [
        proposal.id,
        about,
        at,
        _(_STATES[proposal.state]) + mark,
        until,
        _drift(proposal),
        visible(_(why)),
    ]


def _drift(proposal: Proposal) -> str:
    if proposal.drift is None:
        return "-"
    return f"{proposal.drift.score:.2f}{' !' if proposal.warning else ''}"


def _fields(proposal: Proposal) -> dict[str, Any]:
    hidden = ("before", "after")
    own = {name: value for name, value in proposal._asdict().items() if name not in hidden}
    return own | {"drift": proposal.drift._asdict() if proposal.drift else None, "diff": proposal.diff}

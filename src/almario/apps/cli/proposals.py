"""`almario proposals`: what the agent wants changed in its soul, and your yes or no."""

from typing import Any

import click

from almario.apps.cli.common import Call, InOrder, helped, print_diff, print_json, print_table, standard, when
from almario.apps.cli.words import _
from almario.domain.proposals import Proposal
from almario.domain.text import visible
from almario.soul import Soul

_STATES = {"open": "open", "accepted": "accepted", "rejected": "rejected", "stale": "stale"}
_id = click.argument("proposal", metavar="ID")


@click.group(
    "proposals",
    cls=InOrder,
    invoke_without_command=True,
    help=helped(
        _(
            "List the changes that the agent wants to its soul, and answer them. "
            "Nothing changes before you accept."
        ),
        "almario proposals",
        "almario proposals show 3f9a2c1b",
        "almario proposals accept 3f9a2c1b",
    ),
)
@click.option("--all", "every", is_flag=True, help=_("List the answered ones, too."))
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
        print_table(rows, heads=["ID", _("File"), _("When"), _("State"), _("Why")])


@command.command(
    "show",
    help=helped(
        _("Show what a proposal would change, why, and what it rests on."), "almario proposals show 3f9a2c1b"
    ),
)
@_id
@standard()
def show(call: Call, proposal: str) -> None:
    soul = call.soul()
    found = soul.proposals.get(proposal)
    if call.as_json:
        print_json(_fields(found))
        return
    about, at = found.file or _("memory"), when(found.at, soul.zone)
    click.secho(f"{found.id}  {about}  {at}  {_(_STATES[found.state])}", bold=True)
    for line in (found.reason, _(found.why) if found.why else ""):
        if line:
            click.echo(visible(line))
    if found.evidence:
        click.echo(_("It rests on: {evidence}", evidence=visible(", ".join(found.evidence))))
    if found.origin == "untrusted":
        click.secho(_("It rests on what was said by someone who is not trusted."), fg="yellow")
    click.echo()
    print_diff(found.diff)


@command.command(
    "accept",
    help=helped(
        _(
            "Accept a proposal. The file as it was stays in its history; "
            '"almario soul restore" brings it back.'
        ),
        "almario proposals accept 3f9a2c1b",
    ),
)
@_id
@standard()
def accept(call: Call, proposal: str) -> None:
    done = call.soul().proposals.accept(proposal)
    if call.as_json:
        print_json(_fields(done))
    elif done.file:
        click.echo(_("Proposal {id} was accepted: {file} was changed.", id=done.id, file=done.file))
    else:
        click.echo(_("Proposal {id} was accepted: memories were changed.", id=done.id))


@command.command(
    "reject",
    help=helped(_("Reject a proposal."), _('almario proposals reject 3f9a2c1b --why "not you"')),
)
@_id
@click.option("--why", default="", help=_("Why not, for the agent."))
@standard()
def reject(call: Call, proposal: str, why: str) -> None:
    done = call.soul().proposals.reject(proposal, why)
    if call.as_json:
        print_json(_fields(done))
    else:
        click.echo(_("Proposal {id} was rejected.", id=done.id))


def _row(soul: Soul, proposal: Proposal) -> list[str]:
    mark = f" ({_('not trusted')})" if proposal.origin == "untrusted" else ""
    about, at = proposal.file or _("memory"), when(proposal.at, soul.zone)
    return [proposal.id, about, at, _(_STATES[proposal.state]) + mark, visible(proposal.reason)]


def _fields(proposal: Proposal) -> dict[str, Any]:
    hidden = ("before", "after")
    own = {name: value for name, value in proposal._asdict().items() if name not in hidden}
    return own | {"diff": proposal.diff}

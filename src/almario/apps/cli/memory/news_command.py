"""`almario news`: what is new since the owner was last here."""

import click

from almario.apps.cli.common import CommandCall, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import at_most, line, short
from almario.apps.cli.printing import print_below, when
from almario.domain.memories import ERASED


@make_command(
    "news",
    "Show what was learned and forgotten since you were last here. Whoever comes back within the hour sees "
    "the same again.",
    "almario news",
    "almario news --line 120",
)
@takes("--line", "Since this line of the journal.", "number", type=click.IntRange(0, 10**12), metavar="N")
@at_most(20, largest=100_000)
def news(call: CommandCall, number: int | None, limit: int) -> None:
    soul = call.soul()
    if number is None:
        soul.visit(door="cli")
    found = soul.news(line=number, limit=limit)
    if call.gave_json(found):
        return
    since = when(found.since, soul.zone) if found.since else ""
    click.secho(_("Since {since}", since=since) if since else _("Since the beginning"), bold=True)
    print_below(line(soul, memory) for memory in found.learned)
    if found.total > len(found.learned):
        click.secho(_("Also learned: {count}; --limit shows more.", count=found.total - len(found.learned)))
    if not found.learned:
        click.echo(_("Nothing was learned."))
    known = [soul.memory.get(each.change["id"]) for each in found.gone]
    lost = [memory for memory in known if memory.value != ERASED]
    if lost:
        click.echo(_("Put out of mind:"))
        print_below(line(soul, memory) for memory in lost)
    if found.proposals:
        click.echo(
            _('Proposals that wait for you: {count}; "almario proposals" shows them.', count=found.proposals)
        )
    if found.learned:
        one = click.unstyle(short(found.learned[0].id))
        hint = _(
            '"almario memory confirm {id}", "reject {id}" or "almario forget {id}" sets one right', id=one
        )
        print_below([hint], dim=True)

"""`almario flight`: how an answer came about."""

import click

from almario.apps.cli.common import CommandCall, flag, make_command, need_session, takes
from almario.apps.cli.i18n import _, number
from almario.apps.cli.memory.screens import at_most, line
from almario.apps.cli.printing import print_below, print_fitted, when
from almario.domain.flight import FlightSection
from almario.domain.memories import EVERY
from almario.soul import Soul


@make_command(
    "flight",
    "Show how an answer came about. What the model was told, and what of it mattered; without an answer, "
    "the latest are listed.",
    "almario flight",
    "almario flight cli:main#12",
    "almario flight cli:main#12 --text",
)
@click.argument("turn", required=False, metavar=_("[SESSION#N]"))
@takes("--session", "Only the answers of this session.", default="", metavar=_("SESSION"))
@flag("--text", "Show the whole prompt.")
@at_most(20, largest=100_000)
def flight(call: CommandCall, turn: str | None, session: str, limit: int, text: bool) -> None:
    soul = call.soul()
    if turn is None:
        need_session(soul, session or None)
        found = soul.flights.list(session, limit=limit)
        rows = [
            [each.turn, when(each.at, soul.zone), str(each.tokens), str(len(each.told)), str(len(each.used))]
            for each in found
        ]
        heads = [_("Answer"), _("When"), _("Tokens"), _("Memories told"), _("Drawn on")]
        call.give_table(found, rows, heads=heads, if_empty=_("No answers are kept yet."))
    else:
        _show(call, soul, turn, text=text)


def _show(call: CommandCall, soul: Soul, turn: str, *, text: bool) -> None:
    found = soul.flights.get(turn)
    if call.gave_json(found):
        return
    for spoken in soul.flights.turns(found):
        click.secho(f"{spoken.id} · {when(spoken.at, soul.zone)}", bold=True)
        print_below([spoken.text])
    click.echo()
    _print_sections(found.sections)
    texts = soul.flights.texts(found)
    if found.found:
        click.echo(_("Came to mind:"))
        marks = {True: _("yes"), False: _("no")}
        rows = [[number(e.score, 2), marks[e.told], e.name[:20], texts[e.name]] for e in found.found]
        print_fitted(rows, heads=[_("Score"), _("Told"), "ID", _("Text")])
    used = soul.memory.list(EVERY._replace(ids=(*found.used, ""))) if found.used else []
    if used:
        click.echo(_("The answer drew on:"))
        print_below(line(soul, memory) for memory in used)
    for section in found.sections if text else ():
        click.secho(f"\n[{section.name}]", bold=True)
        click.echo(section.text)


def _print_sections(sections: tuple[FlightSection, ...]) -> None:
    rows = [[each.name, str(each.tokens), str(each.left_out or ""), each.source] for each in sections]
    print_fitted(rows, heads=[_("Section"), _("Tokens"), _("Left out"), _("Source")])

"""Erasing for good: what will be erased is shown first, and the owner is asked."""

from collections.abc import Sequence

import click

from almario import wiring
from almario.apps.cli.common import Call, ask, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import fields, line
from almario.apps.cli.printing import at_terminal, print_json, print_line
from almario.domain.memories import Memory
from almario.domain.messages import Sentence
from almario.errors import SoulError
from almario.soul import Soul


def erase(call: Call, soul: Soul, *, ids: Sequence[str] = (), older_than: int = 0, yes: bool) -> None:
    """Erase these memories, or else what expired so many days ago, if the owner agrees."""
    plan = soul.memory.plan_purge(*ids) if ids else soul.memory.plan_purge_expired(older_than)
    told = {
        "memories": [fields(soul, memory) for memory in plan.memories],
        "turns": plan.turns,
        "files": plan.places,
        "out_of_reach": plan.out_of_reach,
    }
    if not plan.memories and not call.as_json:
        click.echo(_("Nothing has expired that long ago, so there is nothing to erase."))
        return
    if not plan.memories:
        print_json({"erased": False, **told})
        return
    if not call.as_json:
        _show(soul, plan.memories, plan.turns, plan.places)
    if not yes and (call.as_json or not at_terminal()):
        if call.as_json:
            print_json({"erased": False, **told})
        raise SoulError("nothing was erased: there is nobody to ask; add --yes")
    if not yes and not ask(_("Erase it permanently?")):
        click.echo(_("Nothing was erased."))
        return
    cleaned = soul.memory.purge(plan)
    kept = wiring.backups(call.home, settings=call.settings)
    made = [str(each.path) for each in kept.all()]
    if call.as_json:
        print_json({"erased": True, **told, "cleaned": cleaned, "backups": made})
    else:
        _show_receipt(cleaned, plan.out_of_reach, made)
    if not kept.clear():
        tell([Sentence("A backup is being made right now, and may contain it too.")])


def _show(soul: Soul, memories: Sequence[Memory], turns: Sequence[str], places: Sequence[str]) -> None:
    click.secho(_("This will be permanently erased:"), bold=True)
    for memory in memories:
        click.echo("  " + line(soul, memory))
    if turns:
        click.echo(_("with what was said in:"))
        _list(turns)
    click.echo(_("in these files:"))
    _list(places)


def _show_receipt(cleaned: Sequence[str], beyond: Sequence[str], backups: Sequence[str]) -> None:
    click.echo(_("Erased. Cleaned:"))
    _list(cleaned)
    print_line(
        _(
            "Out of reach, so check them yourself: backups, synced folders, editors' swap files, shell "
            "history."
        )
    )
    if beyond:
        click.echo(_("Files of other programs that may still hold it:"))
        _list(beyond)
    if backups:
        click.echo(_("Earlier backups that still contain it until you delete them:"))
        _list(backups)


def _list(names: Sequence[str]) -> None:
    for name in names:
        click.echo(f"  {name}")

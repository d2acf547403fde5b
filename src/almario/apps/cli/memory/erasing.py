"""Erasing for good: what will be erased is shown first, and the owner is asked."""

from collections.abc import Sequence

import click

from almario import wiring
from almario.apps.cli.common import Call, ask, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import fields, line
from almario.apps.cli.printing import at_terminal, print_below, print_line
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
    if not plan.memories:
        nothing = _("Nothing has expired that long ago, so there is nothing to erase.")
        call.give({"erased": False, **told}, nothing)
        return
    if not call.as_json:
        _show(soul, plan.memories, plan.turns, plan.places)
    if not yes and (call.gave_json({"erased": False, **told}) or not at_terminal()):
        raise SoulError("nothing was erased: there is nobody to ask; add --yes")
    if not yes and not ask(_("Erase it for good?")):
        click.echo(_("Nothing was erased."))
        return
    cleaned = soul.memory.purge(plan)
    kept = wiring.backups(call.home, settings=call.settings)
    made = [str(each.path) for each in kept.all()]
    if not call.gave_json({"erased": True, **told, "cleaned": cleaned, "backups": made}):
        _show_receipt(cleaned, plan.out_of_reach, made)
    if not kept.clear():
        tell([Sentence("A backup is being made at this moment, which may hold it too.")])


def _show(soul: Soul, memories: Sequence[Memory], turns: Sequence[str], places: Sequence[str]) -> None:
    click.secho(_("This will be erased for good:"), bold=True)
    print_below(line(soul, memory) for memory in memories)
    _list(_("with what was said in:"), turns)
    _list(_("in these files:"), places)


def _show_receipt(cleaned: Sequence[str], beyond: Sequence[str], backups: Sequence[str]) -> None:
    _list(_("Erased. Cleaned:"), cleaned)
    print_line(
        _("Out of reach, so look yourself: backups, synced folders, editors' swap files, shell history.")
    )
    _list(_("Files of other programs that may still hold it:"), beyond)
    _list(_("Backups that were made before, and still hold it until you delete them:"), backups)


def _list(heading: str, names: Sequence[str]) -> None:
    """Print names under their heading; nothing if there is none."""
    if names:
        click.echo(heading)
        print_below(names)

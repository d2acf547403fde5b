"""What is remembered: listed, shown and counted."""

from collections.abc import Sequence
from typing import Any

import click

from almario.apps.cli.common import Call, flag, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import KIND, ORIGIN, by_name, fields, named, print_found, time_word
from almario.apps.cli.printing import when
from almario.apps.cli.vocabulary import Words, word
from almario.domain.memories import ORIGINS, STATES, Wanted


@make_command(
    "list",
    "List memories, oldest first.",
    "almario memory list",
    "almario memory list --kind correction",
    _("almario memory list --key job --state all"),
)
@takes("--kind", "Only this kind; repeatable.", "kinds", multiple=True, type=KIND)
@takes("--key", "Only under this key; repeatable.", "keys", multiple=True, metavar=_("KEY"))
@takes("--origin", "Only from this origin; repeatable.", "origins", multiple=True, type=ORIGIN)
@takes(
    "--state", "Only in this state.", type=Words([*STATES, "all"]), default="live", show_default=word("live")
)
@takes("--text", "Only memories containing this text.", default="", metavar=_("TEXT"))
@flag("--untrusted", "Include what untrusted people said.")
def listed(call: Call, state: Any, text: str, untrusted: bool, **given: Sequence[Any]) -> None:
    soul = call.soul()
    origins = tuple(given["origins"])
    wanted = Wanted(
        keys=tuple(given["keys"]),
        kinds=tuple(given["kinds"]),
        states=STATES if state == "all" else (state,),
        origins=(*(origins or ORIGINS), "untrusted") if untrusted else origins,
        text=text,
    )
    found = soul.memory.list(wanted)
    nothing = _("Nothing matches.") if wanted != Wanted(states=("live",)) else ""
    print_found(call, soul, found, nothing=nothing, states=state == "all")


@make_command("show", "Show a memory with all its fields.", "almario memory show 3f9a2c1b")
@by_name
def show(call: Call, target: tuple[str, ...]) -> None:
    soul = call.soul()
    memory = named(call, soul, target)
    if call.gave_json(fields(soul, memory)):
        return
    shown = {
        "ID": memory.id,
        _("Key"): memory.key,
        _("Value"): memory.value,
        _("Kind"): word(memory.kind),
        _("State"): word(soul.memory.state(memory)),
        _("Source"): word(memory.source),
        _("Origin"): word(memory.origin),
        _("Learned"): when(memory.at, soul.zone),
        _("Confirmed"): when(memory.renewed, soul.zone),
        _("Time"): time_word(memory),
        _("True since"): when(memory.valid_from, soul.zone),
        _("True until"): when(memory.valid_to, soul.zone) if memory.valid_to else "",
        _("Replaced by"): memory.by,
        _("Evidence"): ", ".join(memory.evidence),
        _("Support"): "" if memory.support is None else f"{memory.support:.0%}",
        _("File"): memory.path,
        _("Journal line"): str(memory.seq),
    }
    _print_named(shown)


@make_command("keys", "List the keys in use. Shows which may mean the same.", "almario memory keys")
def keys(call: Call) -> None:
    found = call.soul().memory.keys()
    rows = [[use.key, str(use.memories), ", ".join(use.like)] for use in found]
    heads, nothing = [_("Key"), _("Memories"), _("Possibly the same")], _("No memories yet.")
    call.give_table([use._asdict() for use in found], rows, heads=heads, nothing=nothing)


@make_command("stats", "Count memories.", "almario memory stats")
def stats(call: Call) -> None:
    found = call.soul().memory.stats()
    if call.gave_json(found._asdict()):
        return
    shown = {
        _("Memories"): _counted(found.states),
        _("In use, by kind"): _counted(found.kinds),
        _("by source"): _counted(found.sources),
        _("by origin"): _counted(found.origins),
        _("Keys"): str(found.keys),
        _("Passages to search"): str(found.passages),
        _("Not embedded yet"): str(found.without_vector),
    }
    _print_named(shown)


def _print_named(shown: dict[str, str]) -> None:
    """Print each value that is not empty beside its name."""
    width = max(map(len, shown))
    for name, value in shown.items():
        if value:
            first, *rest = value.splitlines()
            click.echo(f"{click.style(name.ljust(width), bold=True)}  {first}")
            for each in rest:
                click.echo(f"{' ' * width}  {each}")


def _counted(counts: dict[str, int]) -> str:
    return " · ".join(f"{word(name)} {count}" for name, count in counts.items()) or "0"

"""How memories are shown: as JSON, in a table, in a line."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, TypeVar

import click

from almario.apps.cli.arguments import SINCE, UNTIL, day_begins
from almario.apps.cli.common import CommandCall, flag, make_command, takes, tell
from almario.apps.cli.i18n import Translated, _, number, word
from almario.apps.cli.printing import (
    at_terminal,
    day,
    fitted,
    one_line,
    print_below,
    print_fitted,
    print_json,
    print_line,
)
from almario.domain import vocabulary
from almario.domain.memories import KINDS, ORIGINS, STATES, Memory, Recorded, Wanted
from almario.domain.messages import Sentence
from almario.domain.places import HOME, WORK, project_of
from almario.domain.validity import Validity, read, time_phrase_of
from almario.domain.withheld import where_shown
from almario.errors import SoulError
from almario.soul import Soul

KIND = Translated(KINDS, vocabulary.KINDS)
STATE = Translated([*STATES, "all"], vocabulary.STATES | {"all": Sentence("all")})
ORIGIN = Translated(ORIGINS, vocabulary.ORIGINS)
# Ids are random: so much of one names it.
SHORT = 8
Item = TypeVar("Item")
# What a memory is named by.
by_name = click.argument("target", nargs=-1, required=True, metavar=_("ID|KEY|WORDS..."))
# The session whose people are told.
for_session = takes(
    "--for", "Only what those present in this session may hear.", "session", metavar=_("SESSION")
)


def at_most(count: int, *, largest: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command `--limit`."""
    numbers = click.IntRange(1, largest)
    return takes(
        "--limit", "Maximum number of results.", type=numbers, metavar="N", default=count, show_default=True
    )


def named(call: CommandCall, soul: Soul, target: Sequence[str], *, in_use: bool = True) -> Memory:
    """Return the memory that an id, a key or words mean; of several, the one that the owner chooses.

    One that is *in_use*, or else out of use, is meant rather than another.
    """
    name = " ".join(target)
    found = soul.memory.find(name)
    fitting = [memory for memory in found if (memory.state == "live") == in_use]
    chosen = picked(call, [(line(soul, memory), memory) for memory in fitting or found], name)
    if len(chosen) != 1:
        raise click.Abort
    return chosen[0]


def picked(call: CommandCall, items: Sequence[tuple[str, Item]], name: str) -> list[Item]:
    """Return the things that the owner chooses by their numbers; SoulError if nobody can be asked."""
    if len(items) == 1:
        return [items[0][1]]
    can_ask = at_terminal() and not call.as_json
    click.echo(_("This could mean several things:"), err=not can_ask)
    for place, (shown, _item) in enumerate(items, 1):
        click.echo(f"  {place}  {shown}", err=not can_ask)
    if not can_ask:
        raise SoulError('"{target}" could mean several things; name one by its id', target=name)
    reply = str(click.prompt(_("Which one? Its number, or Enter for none"), default="", show_default=False))
    numbers = {int(word) for word in reply.replace(",", " ").split() if word.isdecimal() and len(word) < 6}
    return [item for number, (_shown, item) in enumerate(items, 1) if number in numbers]


def short(memory_id: str) -> str:
    return click.style(memory_id[:SHORT], dim=True)


def line(soul: Soul, memory: Memory) -> str:
    """Return a memory in one line: its id, its text, and its state if it is out of use."""
    state = memory.state
    mark = "" if state == "live" else f"  ({_out_of_use(soul, memory, state)})"
    text = fitted(memory.text, SHORT + len(mark) + 6)  # it may stand indented by four
    return f"{short(memory.id)}  {text}" + (click.style(mark, dim=True) if mark else "")


def _out_of_use(soul: Soul, memory: Memory, state: str) -> str:
    """Say why a memory is out of use; nobody forgot one whose making was undone."""
    if state == "retired" and is_unmade(soul.memory.history(memory.id)):
        return _("not remembered")
    return word(state, vocabulary.STATES) if state != "live" else ""


def is_unmade(life: Sequence[Recorded]) -> bool:
    """Return whether what happened to a memory last is that its making was undone."""
    first, *later = life
    verbs, last = {change.verb for change in later if change.seq != first.seq}, life[-1]
    return verbs == {"undone"} or (last.verb == "undone" and last.of == first.seq)


def print_memories(soul: Soul, memories: Sequence[Memory], heading: str) -> None:
    """Print a heading and a line for each memory; nothing if there is none."""
    if memories:
        click.echo(heading)
        print_below(line(soul, memory) for memory in memories)


def project_in(folder: str, home: str) -> str:
    """Return the project in a folder."""
    from almario.projects import project_at  # noqa: PLC0415 - seldom needed

    project = project_at(os.path.abspath(folder), home) if os.path.isdir(folder) else ""
    if not project:
        raise SoulError('"{folder}" is not the folder of a project', folder=folder)
    return project


def place_named(soul: Soul, named: str, home: str) -> str:
    """Return the place that somebody names: home, work, or a project by its name or its folder."""
    if named in (WORK, "home"):
        return WORK if named == WORK else HOME
    known = {project_of(each.session) for each in soul.sessions.list()} - {HOME}
    return named if named in known else project_in(named, home)


def place_word(memory: Memory) -> str:
    """Say where a memory belongs; nothing of what is of home."""
    if memory.place == WORK:
        return _("Told to coding agents in every project.")
    return _("Told to coding agents in the project {name}.", name=memory.place) if memory.place else ""


def time_word(memory: Memory) -> str:
    """Say when a memory was, or since and until when it holds; nothing if that was not said."""
    phrase = time_phrase_of(memory.dated, memory.at.date())
    return _(phrase) if phrase else ""


def _print_table(soul: Soul, memories: Sequence[Memory], *, states: bool = False) -> None:
    times = [read(memory.dated) or Validity() for memory in memories]
    since = [
        day(validity.first or memory.valid_from.astimezone(soul.zone).date())
        for memory, validity in zip(memories, times, strict=True)
    ]
    columns = {"ID": [short(memory.id) for memory in memories], _("Since"): since}
    if any(validity.last for validity in times):
        columns[_("Until")] = [validity.last and day(validity.last) for validity in times]
    columns[_("Kind")] = [word(memory.kind, vocabulary.KINDS) for memory in memories]
    if states:
        found = [memory.state for memory in memories]
        columns[_("State")] = [word(state, vocabulary.STATES) for state in found]
    if any(memory.origin == "untrusted" for memory in memories):
        columns[_("Origin")] = [word(memory.origin, vocabulary.ORIGINS) for memory in memories]
    columns[_("Key")] = [one_line(memory.key) for memory in memories]
    columns[_("Value")] = [memory.value for memory in memories]
    print_fitted(list(zip(*columns.values(), strict=True)), heads=list(columns))


def print_found(
    call: CommandCall, soul: Soul, found: Sequence[Memory], *, if_empty: str = "", states: bool = False
) -> None:
    """Print memories as JSON or in a table, or *if_empty* if there are none; *states* on request."""
    if call.as_json:
        print_json(found)
    elif found:
        _print_table(soul, found, states=states)
        tell(where_shown(memory.value for memory in found))
    else:
        click.echo(if_empty or _('No memories yet; "almario remember" adds the first.'))


def print_counts(counts: Mapping[str, int], *, names: Mapping[str, Sentence] = vocabulary.KINDS) -> None:
    """Print how many there are of each kind, or what else they are counted by."""
    said = [f"{word(name, names)} {number(count)}" for name, count in counts.items()]
    if said:
        print_line(_("Memories: {counts}", counts=", ".join(said)), dim=True)


@make_command(
    "list",
    "List memories, oldest first.",
    "almario memory list",
    "almario memory list --kind instruction",
    _("almario memory list --key job --state all"),
    "almario memory list --as-of 2026-11-14",
)
@takes("--kind", "Only this kind; repeatable.", "kinds", multiple=True, type=KIND)
@takes("--key", "Only under this key; repeatable.", "keys", multiple=True, metavar=_("KEY"))
@takes("--origin", "Only from this origin; repeatable.", "origins", multiple=True, type=ORIGIN)
@takes("--state", "Only in this state (default: in-use).", type=STATE, default="live")
@takes("--text", "Only memories containing this text.", default="", metavar=_("TEXT"))
@takes("--since", "Only learned from this day on.", type=SINCE, metavar=_("DATE"))
@takes("--until", "Only learned up to this day.", type=UNTIL, metavar=_("DATE"))
@takes(
    "--as-of",
    "What was true at the end of a day instead, as known now.",
    "then",
    type=UNTIL,
    metavar=_("DATE"),
)
@flag("--believed", "With --as-of, what was believed then, right or wrong.")
@flag("--unused", "Only what has not been confirmed or used since.")
@flag("--newest", "Newest first.")
@takes("--limit", "Maximum number of results.", type=click.IntRange(0, 10**6), metavar="N", default=0)
def listed(call: CommandCall, state: Any, text: str, **given: Any) -> None:
    soul = call.soul()
    if given["then"]:
        _list_as_of(call, soul, given["then"], believed=given["believed"])
        return
    wanted = Wanted(
        since=day_begins(given["since"], soul.zone),
        until=day_begins(given["until"], soul.zone, after=1),
        unused=given["unused"],
        newest=given["newest"],
        limit=given["limit"],
        keys=tuple(given["keys"]),
        kinds=tuple(given["kinds"]),
        states=STATES if state == "all" else (state,),
        origins=tuple(given["origins"]),
        text=text,
    )
    found = soul.memory.list(wanted)
    if_empty = _("Nothing matches.") if wanted != Wanted(states=("live",)) else ""
    print_found(call, soul, found, if_empty=if_empty, states=state == "all")


def _list_as_of(call: CommandCall, soul: Soul, then: date, *, believed: bool) -> None:
    found = soul.memory.list(as_of=datetime.combine(then, time.max, soul.zone), believed=believed)
    if_empty = _("Nothing was believed then.") if believed else _("Nothing is known of that time.")
    print_found(call, soul, found, if_empty=if_empty)

"""Why something is believed, what has changed, and what was true or believed before."""

from collections.abc import Sequence
from datetime import date, datetime

import click

from almario.apps.cli.arguments import SINCE, WHEN, day_begins, instant
from almario.apps.cli.common import Call, as_typed, flag, make_command, takes
from almario.apps.cli.i18n import _, word
from almario.apps.cli.memory.screens import (
    at_most,
    by_name,
    line,
    named,
    print_found,
    short,
    time_word,
)
from almario.apps.cli.printing import fitted, one_line, print_below, print_fitted, when
from almario.domain.memories import ERASED, EVERY, KINDS, Memory, Recorded
from almario.domain.withheld import MASK, withheld
from almario.memory.rules.lives import deed_of
from almario.soul import Soul

_DEEDS = {
    "remembered": "remembered",
    "learned": "learned from a conversation",
    "renewed": "confirmed",
    "linked": "said in other words",
    "trusted": "vouched for",
    "forgotten": "forgotten",
    "restored": "restored",
    "imported": "imported",
    "edited": "written in MEMORY.md",
    "consolidated": "compared with others",
    "superseded": "replaced by another",
    "removed": "removed from MEMORY.md",
    "accepted": "accepted by you",
    "amended": "changed",
    "ended": "ended",
    "rejected": "called wrong by you",
    "shared": "shared",
    "unshared": "private again",
    "taken back": "taken off the record",
    "kept": "called no secret by you",
    "set aside": "set aside",
    "reminded": "brought up, as you wanted",
}
_SAID_BY = {
    ("explicit", "owner"): "You said so yourself.",
    ("auto", "owner"): "It was learned from what you said.",
    ("explicit", "imported"): "It was in MEMORY.md before the agent knew of it.",
    ("auto", "imported"): "It came from outside.",
    ("explicit", "agent"): "The agent was asked to keep it.",
    ("auto", "agent"): "The agent concluded it on its own.",
    (
        "explicit",
        "untrusted",
    ): "It comes from someone you do not trust: it is told as theirs, and recalled on request.",
    (
        "auto",
        "untrusted",
    ): "It comes from someone you do not trust: it is told as theirs, and recalled on request.",
}
_STATES = {
    "live": "It is in use.",
    "superseded": "It is out of use: it was replaced.",
    "retired": 'It is out of use: it was forgotten. "almario memory restore {id}" brings it back.',
    "ended": 'It has ended. "almario memory restore {id}" brings it back without an end date.',
    "expired": (
        'It has expired: nobody has confirmed it for a long time. "almario memory restore {id}" '
        "brings it back."
    ),
}


@make_command(
    "why",
    "Explain why something is believed. Shows who said it, what it is based on, and what became of it.",
    _("almario memory why job"),
    _("almario memory why the cat"),
    "almario memory why 3f9a2c1b",
)
@by_name
def why(call: Call, target: tuple[str, ...]) -> None:
    soul = call.soul()
    found = soul.memory.why(named(call, soul, target).id)
    memory, said = found.memory, soul.memory.evidence(found.memory)
    value = found._asdict() | {"evidence": said}
    if call.gave_json(value):
        return
    click.secho(one_line(memory.text), bold=True)
    print_below(_grounds(soul, memory, found.state))
    if MASK in memory.value:
        parts = next((each.suspected for each in soul.memory.withheld() if each.name == memory.id), ())
        print_below([as_typed(_(withheld(parts)))])
    quotes = [(f"{turn.id} · {when(turn.at, soul.zone)}  ", turn.text) for turn in said if turn.text.strip()]
    print_below(place + fitted(words, len(place) + 4) for place, words in quotes)
    if found.cues:
        print_below([_("What brings it to mind:"), *(f"  {each}" for each in found.cues)])
    if found.replaced:
        print_below([_("It replaced:"), *("  " + line(soul, each) for each in found.replaced)])
    if found.replaced_by:
        print_below([_("It was replaced by:"), "  " + line(soul, found.replaced_by)])
    click.echo()
    _print_history(soul, found.history, {memory.id: memory}, one=True)


@make_command(
    "history",
    'List the changes, newest first. To one memory or to all; "undo" reverses one by its line.',
    "almario memory history",
    "almario memory history 3f9a2c1b",
)
@click.argument("target", nargs=-1, metavar=_("[ID|KEY|WORDS...]"))
@at_most(20, largest=1_000_000)
def history(call: Call, target: tuple[str, ...], limit: int) -> None:
    soul = call.soul()
    changes = soul.memory.history(named(call, soul, target).id if target else "")
    shown = changes[-limit:]
    if call.gave_json(shown[::-1]):
        return
    if not changes:
        click.echo(_("No memories yet."))
        return
    known = soul.memory.list(EVERY)
    _print_history(soul, shown, {memory.id: memory for memory in known}, one=bool(target))
    if len(shown) < len(changes):
        left = len(changes) - len(shown)
        click.secho(_("Earlier: {count}; --limit shows more.", count=left), dim=True)


@make_command(
    "as-of",
    "List what was true or believed on a date. What was true is told as known now; a day means its end.",
    "almario memory as-of 2026-11-14",
    'almario memory as-of "2026-11-14 13:30" --believed',
)
@click.argument("then", type=WHEN, metavar=_("DATE"))
@flag("--believed", "What was believed then, right or wrong.")
def as_of(call: Call, then: date | datetime, believed: bool) -> None:
    soul = call.soul()
    found = soul.memory.as_of(instant(then, soul.zone), believed=believed)
    nothing = _("Nothing was believed then.") if believed else _("Nothing is known of that time.")
    print_found(call, soul, found, nothing=nothing)


@make_command(
    "timeline",
    "Show how many memories were learned on each day, by kind.",
    "almario memory timeline",
    "almario memory timeline --since 2026-11-01",
)
@takes("--since", "Only from this day on, such as 2026-11-14 or yesterday.", type=SINCE, metavar=_("DATE"))
def timeline(call: Call, since: date | None) -> None:
    soul = call.soul()
    found = soul.memory.timeline(EVERY._replace(since=day_begins(since, soul.zone)))
    kinds = [kind for kind in KINDS if any(kind in each.kinds for each in found)]
    rows = [[each.day.isoformat(), *(str(each.kinds.get(kind, 0)) for kind in kinds)] for each in found]
    heads, nothing = [_("Day"), *(word(kind) for kind in kinds)], _("No memories yet.")
    call.give_table(found, rows, heads=heads, nothing=nothing)


def _grounds(soul: Soul, memory: Memory, state: str) -> list[str]:
    """Say who a memory comes from, whether it is in use, when it was true and what it rests on."""
    since = when(memory.valid_from, soul.zone)
    until = when(memory.valid_to, soul.zone) if memory.valid_to else ""
    time = time_word(memory)
    said = [_(_SAID_BY[memory.source, memory.origin]), _(_STATES[state], id=memory.id)]
    if time and state in ("live", "ended"):
        said.append(_("Time: {time}.", time=time))
    elif until:
        said.append(_("It was true from {since} to {until}.", since=since, until=until))
    else:
        said.append(_("It has been true since {since}.", since=since))
    if memory.evidence:
        said.append(_("Based on {evidence}.", evidence=", ".join(memory.evidence)))
    return said


def _print_history(soul: Soul, changes: Sequence[Recorded], known: dict[str, Memory], *, one: bool) -> None:
    """Print changes, newest first; those of *one* memory need not say which."""
    heads = [_("Line"), _("When"), _("Who"), *([] if one else ["ID"]), _("What happened")]
    rows = []
    for each in reversed(changes):
        memory = known.get(each.change["id"])
        if memory is None or (memory.key, memory.value) == (ERASED, ERASED):
            what = _("erased for good")
        else:
            what = _deed(each) + ("" if one else _text(each, memory))
        which = [] if one else [short(each.change["id"])]
        rows.append([str(each.seq), when(each.at, soul.zone), _(each.actor), *which, what])
    print_fitted(rows, heads=heads)


def _deed(recorded: Recorded) -> str:
    """Say what a change did to its memory."""
    deed = deed_of(recorded)
    if deed == "undone":
        return _("line {line} undone", line=recorded.of)
    said = recorded.change.get("said", "")
    return _(_DEEDS.get(deed, deed)) + (f" «{said}»" if said else "")


def _text(recorded: Recorded, memory: Memory) -> str:
    """Return the memory's text as the change left it."""
    value = recorded.change.get("set", {}).get("value")
    return f": {(memory._replace(value=value) if value else memory).text}"

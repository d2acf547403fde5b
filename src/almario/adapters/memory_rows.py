"""Memories as rows of a table, and the conditions under which they are wanted, in SQL."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from almario.domain.memories import (
    ORIGINS,
    STATES,
    AsOf,
    Memory,
    Wanted,
    as_compared,
    plain,
    same_key,
    same_value,
)
from almario.domain.records import written
from almario.domain.withheld import MASK
from almario.errors import Damaged
from almario.named_tuples import NamedTuple

COLUMNS = ", ".join(Memory._fields)
# What a row has besides, by which it is found.
ALL_COLUMNS = (*Memory._fields, "same_key", "same_value")
CORE_FIRST = "CASE kind WHEN 'instruction' THEN 0 WHEN 'profile' THEN 1 ELSE 2 END, number DESC"
_MIDDLE_AGES = 1000
_TEXT = "same_key || ': ' || same_value"
# A condition, and what fills its places.
Condition = tuple[str, Sequence[Any]]


class Dialect(NamedTuple):
    """What databases say in different words.

    That a column has one of some values, that a text has another in it, that a memory rests on some turns or
    that its words were erased; the name of a column that is compared with and not looked up; a text as it can
    be asked for.
    """

    place: str
    among: Callable[[str, Sequence[str]], Condition]
    has: str
    rests: str
    erased: str
    compared: str
    stored: Callable[[str], str]


def condition(wanted: Wanted, dialect: Dialect) -> tuple[str, list[Any]]:
    """Return the condition of a query and what fills its places."""
    found = [*_listed(wanted, dialect), *_others(wanted, dialect)]
    given = [
        [dialect.stored(each) for each in value] if isinstance(value, list) else dialect.stored(value)
        for _, values in found
        for value in values
    ]
    where = " AND ".join(f"({condition})" for condition, _ in found) or "true"
    return where.replace("?", dialect.place), given


def _listed(wanted: Wanted, dialect: Dialect) -> Iterator[Condition]:
    if len(wanted.ids) == 1:  # a beginning is enough
        [one] = wanted.ids
        yield "id = ? OR (id >= ? AND id < ?)", (one, one, one + "\U0010ffff")
    listed = {
        "id": wanted.ids if len(wanted.ids) > 1 else (),
        "same_key": wanted.keys,
        "kind": wanted.kinds,
        "state": _written(wanted) if set(wanted.states) != set(STATES) else (),
        "origin": wanted.origins if set(wanted.origins) != set(ORIGINS) else (),
        "path": (wanted.path,) if wanted.path else (),
        "same_value": wanted.values,
        "by": (wanted.by,) if wanted.by else (),
    }
    # What few memories have is looked up, and the rest compared: a database would guess.
    few = (wanted.ids, wanted.keys, wanted.values, wanted.path, wanted.evidence, wanted.dated)
    # The best or the newest are read in the order of an index, and texts as they stand in the table.
    is_sought = any(few) or wanted.most or wanted.newest or wanted.text
    for column, values in listed.items():
        if values:
            is_compared = is_sought and column in ("kind", "state", "origin")
            yield dialect.among(dialect.compared.format(column) if is_compared else column, values)
    if wanted.evidence:
        turns, given = dialect.among("turn", wanted.evidence)
        yield dialect.rests.format(turns), given


def _others(wanted: Wanted, dialect: Dialect) -> Iterator[Condition]:
    if wanted.dated:
        yield "dated <> ''", ()
    instants = {"at >= ?": wanted.since, "at < ?": wanted.until}
    instants |= {"valid_from <= ? OR at <= ?": wanted.true_at}
    instants |= {"valid_to IS NULL OR valid_to > ?": wanted.true_at}
    for condition, instant in instants.items():
        if instant:
            yield condition, [_moment(instant)] * condition.count("?")
    if wanted.unused:
        yield "renewed <= at", ()
    if wanted.kept:
        yield f"NOT (value = 'erased' AND {dialect.erased})", ()
    if wanted.standing and wanted.states and set(wanted.states) != set(STATES):
        states = ", ".join(f"'{state}'" for state in wanted.states)
        now, given = _state_at(wanted.standing)
        yield f"{now} IN ({states})", given
    if wanted.text == MASK:  # as it is written, so that an index which has only these is looked at
        yield dialect.has.format("value").replace("?", f"'{MASK}'"), ()
    elif wanted.text:
        yield dialect.has.format(_TEXT), [as_compared(wanted.text)]


def _moment(at: datetime) -> str:
    """Return an instant as it is compared; one that UTC has not is before or after all others."""
    try:
        return written(at)
    except OverflowError:
        return "" if at.year < _MIDDLE_AGES else "~"


def _written(wanted: Wanted) -> tuple[str, ...]:
    if not wanted.standing:
        return wanted.states
    return tuple(dict.fromkeys("live" if state in ("ended", "expired") else state for state in wanted.states))


def _state_at(as_of: AsOf) -> Condition:
    """Return what tells the state of a memory at an instant, as `domain.memories.state_at` does."""
    expired = as_of.expired()
    over = "CASE WHEN valid_to <= ? THEN 'ended' ELSE 'live' END"
    passed = " ".join(
        f"WHEN kind = '{kind}' AND renewed <= ? AND valid_from <= ? THEN 'expired'" for kind in expired
    )
    now = (
        f"CASE WHEN state <> 'live' THEN state WHEN valid_to IS NOT NULL THEN {over} {passed} ELSE 'live' END"
    )
    return now, [written(as_of.now), *(written(last) for last in expired.values() for _ in range(2))]


def select_columns(columns: Sequence[str], as_of: AsOf | None) -> list[str]:
    """Return what tells each of the columns by which memories are counted."""
    now, given = _state_at(as_of) if as_of else ("state", ())
    now = now.replace("?", "'{}'").format(*given)
    known = {"state": now, "hour": "substr(at, 1, 13)", "minute": "substr(at, 1, 16)"}
    return [known.get(column, column) for column in columns]


def row_of(memory: Memory) -> tuple[Any, ...]:
    """Return a memory as a row of `ALL_COLUMNS`."""
    fields = {name: plain(value) for name, value in memory._asdict().items()}
    fields["evidence"] = json.dumps(memory.evidence, ensure_ascii=False)
    return (*fields.values(), same_key(memory.key), same_value(memory.value))


def memory_of(row: Sequence[Any]) -> Memory:
    """Return a memory; what no memory can be was changed by a disk or a hand, in the log of the database."""
    fields = list(row)
    try:
        for place in _INSTANTS:
            if fields[place] is not None:
                fields[place] = _instant(fields[place])
        fields[_EVIDENCE] = _turns(fields[_EVIDENCE])
        return Memory(*fields)
    except (TypeError, ValueError, IndexError) as exc:
        raise Damaged("{path} is damaged: {why}", path=".index", why=str(exc)) from exc


_INSTANTS = [Memory._fields.index(name) for name in ("at", "renewed", "valid_from", "valid_to")]
_EVIDENCE = Memory._fields.index("evidence")
# Thousands of memories are read for one question, and what was learned at once shares both.
_instant = lru_cache(4096)(datetime.fromisoformat)


@lru_cache(4096)
def _turns(listed: str) -> tuple[str, ...]:
    return () if listed == "[]" else tuple(json.loads(listed))

"""Memories that were read are kept in memory, with what few of them have: keys, turns, paths."""

import json
from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from almario.adapters.memory_rows import COLUMNS, memory_of
from almario.adapters.sqlite.rows_held import Rows
from almario.domain.memories import Memory, Wanted, state_at

if TYPE_CHECKING:
    from apsw import Connection

_LISTED = "(SELECT value FROM json_each(?))"
# How memories are found by what few of them have.
_SOUGHT = {
    "key": f"SELECT same_key, id FROM memories WHERE same_key IN {_LISTED}",
    "turn": f"SELECT turn, id FROM evidence WHERE turn IN {_LISTED}",
    "path": f"SELECT path, id FROM memories WHERE path <> '' AND path IN {_LISTED}",
}
_ANY = Wanted()
# So many memories, and names of what they have, are kept in memory.
HELD = 1 << 12
# What more than so many memories have is read from the file each time, and more than so many memories are.
_MANY, _MOST = 100, 4000


def is_at_hand(wanted: Wanted) -> bool:
    """Say whether few memories are wanted, by what they are kept in memory by; one id may be a beginning."""
    rest = wanted._replace(
        ids=(), keys=(), evidence=(), path="", kinds=(), states=(), origins=(), standing=None
    )
    is_sought = wanted.ids or wanted.keys or wanted.evidence or wanted.path
    return bool(is_sought) and len(wanted.ids) != 1 and rest == _ANY


def chosen(connection: "Connection", held: Rows, wanted: Wanted) -> list[Memory] | None:
    """Return what is wanted of what is kept in memory, where what is read stays; None if it is many."""
    paths = (wanted.path,) if wanted.path else ()
    sought = {"key": wanted.keys, "turn": wanted.evidence, "path": paths}
    found = [_having(connection, held, what, names) for what, names in sought.items() if names]
    few = [each for each in found if each is not None]
    if len(few) < len(found):
        return None
    ids = set.intersection(*few, *([set(wanted.ids)] if wanted.ids else []))
    if len(ids) > _MOST:
        return None
    then = wanted.standing
    return [
        memory
        for memory in read(connection, held, ids)
        if (not wanted.kinds or memory.kind in wanted.kinds)
        and (not wanted.states or (state_at(memory, *then) if then else memory.state) in wanted.states)
        and (not wanted.origins or memory.origin in wanted.origins)
    ]


def read(connection: "Connection", held: Rows, ids: Collection[str]) -> list[Memory]:
    """Return memories by their ids, oldest first; what is read stays in memory."""
    if unread := [each for each in ids if each not in held]:
        rows = connection.execute(
            f"SELECT number, {COLUMNS} FROM memories WHERE id IN {_LISTED}", _list(unread)
        )
        held |= dict.fromkeys(unread) | {row[1]: (row[0], memory_of(row[1:])) for row in rows}
    found = [row for each in ids if (row := held[each])]
    return [memory for _, memory in sorted(found, key=itemgetter(0))]


def _having(connection: "Connection", held: Rows, what: str, names: Sequence[str]) -> set[str] | None:
    """Return the ids of the memories that have one of some keys, turns or paths; None if they are many."""
    if unread := [name for name in names if f"{what}:{name}" not in held]:
        found: Rows = {f"{what}:{name}": [] for name in unread}
        for name, memory_id in connection.execute(_SOUGHT[what], _list(unread)):
            found[f"{what}:{name}"].append(memory_id)
        held |= {name: ids if len(ids) <= _MANY else None for name, ids in found.items()}
    having = [held[f"{what}:{name}"] for name in names]
    return None if None in having else {each for ids in having for each in ids}


def _list(names: Sequence[str]) -> tuple[str]:
    return (json.dumps(list(map(stored, names)), ensure_ascii=False),)


def stored(text: str) -> str:
    """Return a text as it can be asked for: what is not valid Unicode is stored nowhere, and fits nothing."""
    return text.encode("utf-8", "backslashreplace").decode()

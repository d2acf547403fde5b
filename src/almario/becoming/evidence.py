"""Whose word a proposal rests on: where each piece of its evidence comes from."""

import posixpath
import re

from almario.becoming.register import LEAST_ID, any_state
from almario.domain.documents.daily import has_mark
from almario.domain.memories import UNTRUSTED, Origin, lowest
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.plain_text import regex
from almario.domain.turn_ids import turn_id
from almario.errors import DocumentError, SoulError
from almario.memory.facade import Memories
from almario.memory.rules.sources import (
    EXPLORED,
    NOTES,
    REFLECTIONS,
    SNAPSHOTS,
    entries_of,
    is_filed,
    places_of,
)
from almario.ports import Store

# Nothing has so many lines that a number is longer.
_LONGEST_NUMBER = 20
_URL = regex(r"[a-z][a-z0-9+.-]*://|www\.", re.IGNORECASE)


def origin_of(named: str, vault: Store, memory: Memories) -> Origin | None:
    """Return where a memory, a turn, a place in a file or a URL comes from, by its name.

    None for what names nothing, which says nothing either way.
    """
    named = named.strip()
    if _URL.search(named):
        return UNTRUSTED
    name, _, number = named.rpartition("#") if "#" in named else (named, "", "")
    number = number if len(number) <= _LONGEST_NUMBER else "?"
    path = posixpath.normpath(name)
    if path.casefold().startswith((EXPLORED, NOTES, SNAPSHOTS)):
        return UNTRUSTED
    try:
        if path.casefold().endswith(".md"):
            return _of_file(vault, path, number)
        return _of_turn(vault, named) if number else _of_memory(memory, named)
    except DocumentError:  # it cannot be read, or lies elsewhere: anybody's words may be in it
        return UNTRUSTED
    except SoulError:  # no session can have such a name
        return None


def _of_memory(memory: Memories, memory_id: str) -> Origin | None:
    found = memory.list(any_state(memory_id)) if len(memory_id) >= LEAST_ID else ()
    return lowest(*(each.origin for each in found)) if found else None


def _of_turn(vault: Store, named: str) -> Origin | None:
    session, n = turn_id(named)
    turns = vault.transcripts.read(session, after=n - 1) if session else []
    return next((turn.origin for turn in turns if turn.n == n), None)


def _of_file(vault: Store, path: str, number: str) -> Origin | None:
    if path in (*SOUL_FILES, CORE_MEMORY):
        return "owner"
    texts = [vault.read(place).text for place in places_of(path)]
    if not any(texts):
        return None
    line = int(number) if number.isdecimal() else 0
    entry = next((e for e in entries_of(path, texts[0]) if e.line <= line < e.line + e.lines), None)
    is_trusted = entry.is_trusted if entry else not any(map(has_mark, texts))
    if not is_trusted:
        return UNTRUSTED
    return "agent" if is_filed(path) or path.startswith(REFLECTIONS) else "imported"

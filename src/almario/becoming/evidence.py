"""Whose word a proposal rests on: where each piece of its evidence comes from."""

import posixpath
import re

from almario.becoming.register import LEAST_ID, any_state
from almario.domain.documents.daily import has_mark
from almario.domain.memories import UNTRUSTED, Origin, lowest
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.plain_text import regex
from almario.errors import DocumentError, SoulError
from almario.memory.facade import Memories
from almario.memory.rules.sources import EXPLORED, REFLECTIONS, SNAPSHOTS, entries_of, is_filed, places_of
from almario.ports import Store

# Nothing has so many lines or turns that its number is longer.
_LONGEST_NUMBER = 20
_URL = regex(r"[a-z][a-z0-9+.-]*://|www\.", re.IGNORECASE)


class Evidence:
    """Looks up what evidence names: memories, turns, places in files, URLs."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory

    def origin(self, named: str) -> Origin | None:
        """Return where one piece comes from; None for what names nothing, which says nothing either way."""
        named = named.strip()
        if _URL.search(named):
            return UNTRUSTED
        name, _, number = named.rpartition("#") if "#" in named else (named, "", "")
        number = number if len(number) <= _LONGEST_NUMBER else "?"
        path = posixpath.normpath(name)
        if path.casefold().startswith((EXPLORED, SNAPSHOTS)):
            return UNTRUSTED
        try:
            if path.casefold().endswith(".md"):
                return self._of_file(path, number)
            return self._of_turn(name, number) if number else self._of_memory(named)
        except DocumentError:  # it cannot be read, or lies elsewhere: anybody's words may be in it
            return UNTRUSTED
        except SoulError:  # no session can have such a name
            return None

    def _of_memory(self, memory_id: str) -> Origin | None:
        found = self._memory.list(any_state(memory_id)) if len(memory_id) >= LEAST_ID else ()
        return lowest(*(memory.origin for memory in found)) if found else None

    def _of_turn(self, session: str, number: str) -> Origin | None:
        if not number.isdecimal():
            return None
        turns = self._vault.transcripts.read(session, after=int(number) - 1)
        return next((turn.origin for turn in turns if turn.n == int(number)), None)

    def _of_file(self, path: str, number: str) -> Origin | None:
        if path in (*SOUL_FILES, CORE_MEMORY):
            return "owner"
        texts = [self._vault.read(place).text for place in places_of(path)]
        if not any(texts):
            return None
        line = int(number) if number.isdecimal() else 0
        entry = next((e for e in entries_of(path, texts[0]) if e.line <= line < e.line + e.lines), None)
        is_trusted = entry.is_trusted if entry else not any(map(has_mark, texts))
        if not is_trusted:
            return UNTRUSTED
        return "agent" if is_filed(path) or path.startswith(REFLECTIONS) else "imported"

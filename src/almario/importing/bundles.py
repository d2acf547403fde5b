"""What an agent of Almario's wrote out: a bundle, as docs/moving.md describes it, or its memories alone."""

import json
from collections.abc import Iterator
from functools import partial
from itertools import groupby

from almario.domain.journal_lines import is_seal
from almario.domain.memories import ORIGINS, UNTRUSTED, lowest
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES
from almario.domain.turns import ROLES
from almario.errors import SoulError
from almario.importing.arrivals import (
    Arrival,
    ImportedMessage,
    ImportedTalk,
    Kind,
    MemoryLines,
    Skipped,
    SoulText,
)
from almario.importing.fields import SAYS_NOTHING, Fields, first_row, rows, unread
from almario.importing.source import TOO_LONG, WHOLE, Entry, Export
from almario.memory.transfer import Note

_NEWEST = 1
_HEAD, _MEMORIES, _CONVERSATIONS, _DAYS = "bundle.json", "memories.jsonl", "conversations.jsonl", "days.jsonl"
_FOR_PEOPLE = ("files/MEMORY.md", "files/memory/HISTORY.md")


def _version(source: Export) -> int:
    """Return which form a bundle has; 0 if it is none."""
    head = source.top(_HEAD)
    try:
        found = Fields(json.loads(head.content()) if head else None)["almario_bundle"]
    except (ValueError, RecursionError, OSError):
        return 0
    return found if isinstance(found, int) else 0


def _fits(source: Export) -> bool:
    if _version(source) or len(source.entries) != 1:
        return bool(_version(source))
    [entry] = source.entries
    start = entry.start().decode("utf-8-sig", "replace").lstrip()
    if not start.startswith("{"):  # others' arrays may be one long line
        return False
    first = first_row(entry)
    return is_seal(start) or ("id" in first and "value" in first)


def _read(source: Export) -> Iterator[Arrival]:
    if _version(source) > _NEWEST:
        raise SoulError("{path} was written by a newer Almario; update this one", path=str(source.path))
    if lines := source.top(_CONVERSATIONS):
        yield from _conversations(lines)
    memories = source.top(_MEMORIES) or (None if _version(source) else source.entries[0])
    if memories:
        count = sum(bool(line.strip()) and not is_seal(line) for line in _lines(memories))
        yield MemoryLines(partial(_lines, memories), count)
    for name in SOUL_FILES:
        if entry := source.top(f"soul/{name}"):
            try:
                yield SoulText(name, entry.text(), entry.name, is_whole=True)
            except (ValueError, OSError) as exc:
                yield unread(entry.name, exc)
    if days := source.top(_DAYS):
        yield from map(_day, rows(days))
    for name in filter(source.top, _FOR_PEOPLE):
        yield Skipped(name, Sentence("what it says besides memories is for you to read"))


def _lines(entry: Entry) -> Iterator[str]:
    try:
        for line in entry.lines():
            if len(line) > WHOLE:
                raise ValueError(TOO_LONG)
            yield line.decode("utf-8-sig").rstrip("\n")
    except ValueError as exc:
        raise SoulError("{path} is damaged, or no UTF-8 text", path=entry.name) from exc


def _conversations(entry: Entry) -> Iterator[Arrival]:
    for session, found in groupby(rows(entry), lambda row: isinstance(row, Fields) and row.text("session")):
        read = [_message(row) for row in found]
        yield from (each for each in read if isinstance(each, Skipped))
        messages = tuple(each for each in read if isinstance(each, ImportedMessage))
        if messages and session:
            yield ImportedTalk(session, session, messages, of_ours=True)


def _message(row: Fields | Skipped) -> ImportedMessage | Skipped:
    if isinstance(row, Skipped):
        return row
    number, words, role, origin = (row[each] for each in ("n", "text", "role", "origin"))
    if not (isinstance(number, int) and row.text("text") and role in ROLES and row.text("session")):
        return unread(row.place, SAYS_NOTHING)
    whose = lowest("imported", origin if origin in ORIGINS else UNTRUSTED)
    return ImportedMessage(str(number), role, words, row.instant("at"), row.text("speaker"), whose)


def _day(row: Fields | Skipped) -> Arrival:
    if isinstance(row, Skipped):
        return row
    log, at = row.text("text"), row.instant("at")
    if row["trusted"] is False:
        return Skipped(row.place, Sentence("somebody who is not trusted said it"))
    return Note(log, "", "episode", at, place=row.place) if log and at else unread(row.place, SAYS_NOTHING)


KIND = Kind("bundle", Sentence("an agent's bundle"), _fits, _read)

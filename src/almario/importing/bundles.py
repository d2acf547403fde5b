"""What an agent of Almario's wrote out: a bundle, as docs/export.md describes it, or its memories alone."""

import io
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any

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
from almario.importing.fields import first_of, instant, mapping, text, unread
from almario.importing.json_streams import lines
from almario.importing.source import WHOLE, Entry, Export
from almario.memory.transfer import Note

_NEWEST = 1
_HEAD, _MEMORIES, _CONVERSATIONS, _DAYS = "bundle.json", "memories.jsonl", "conversations.jsonl", "days.jsonl"
_FOR_PEOPLE = ("files/MEMORY.md", "files/memory/HISTORY.md")


def _version(source: Export) -> int:
    head = source.top(_HEAD)
    found = mapping(first_of(head)).get("almario_bundle") if head else 0
    return found if isinstance(found, int) else 0


def _fits(source: Export) -> bool:
    if _version(source) or len(source.entries) != 1:
        return bool(_version(source))
    with source.entries[0].stream() as stream:
        first = mapping(next(lines(stream), (0, None))[1])
    return {"id", "value"} <= first.keys()


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
                yield unread(entry.name, str(exc))
    if days := source.top(_DAYS):
        yield from _days(days)
    for name in filter(source.top, _FOR_PEOPLE):
        yield Skipped(name, Sentence("what it says besides memories is for you to read"))


def _lines(entry: Entry) -> Iterator[str]:
    """Yield a file's lines; only a line feed ends one, as a text may hold others that look like an end."""
    try:
        with entry.stream() as stream, io.BufferedReader(stream) as reader:  # type: ignore[type-var]
            while line := reader.readline(WHOLE + 1):
                if len(line) > WHOLE:
                    raise ValueError("it is too long")
                yield line.decode("utf-8-sig").rstrip("\n")
    except ValueError as exc:
        raise SoulError("{path} is damaged, or no UTF-8 text", path=entry.name) from exc


def _conversations(entry: Entry) -> Iterator[Arrival]:
    for session, rows in groupby(_rows(entry), lambda row: text(row[1].get("session"))):
        messages = []
        for place, found in rows:
            number, words, role, origin = (found.get(each) for each in ("n", "text", "role", "origin"))
            if isinstance(number, int) and text(words) and role in ROLES and session:
                whose = lowest("imported", origin if origin in ORIGINS else UNTRUSTED)
                at, speaker = instant(found.get("at")), text(found.get("speaker"))
                messages.append(ImportedMessage(str(number), role, str(words), at, speaker, whose))
            else:
                yield unread(place, "it says nothing")
        if messages:
            yield ImportedTalk(session, session, tuple(messages), of_ours=True)


def _days(entry: Entry) -> Iterator[Arrival]:
    for place, found in _rows(entry):
        log, at = text(found.get("text")), instant(found.get("at"))
        if found.get("trusted") is False:
            yield Skipped(place, Sentence("somebody who is not trusted said it"))
        elif log and at:
            yield Note(log, "", "episode", at, place=place)
        else:
            yield unread(place, "it says nothing")


def _rows(entry: Entry) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each line's place and its fields; one that is no object has none."""
    with entry.stream() as stream:
        for number, value in lines(stream):
            yield f"{entry.name}:{number}", mapping(value)


KIND = Kind("bundle", Sentence("an agent's bundle"), _fits, _read)

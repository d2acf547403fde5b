"""mem0: its JSON as its interface returns it; its Markdown export, and its own store."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from typing import Any
from urllib.parse import quote

from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, Kind, Skipped
from almario.importing.fields import SAYS_NOTHING, Fields, by_entry, instant, text, unread
from almario.importing.source import Entry, Export
from almario.plugins import Note, Sentence
from almario_formats.json_streams import objects, whole
from almario_formats.markdown import as_exported, plain

_BLOCK = regex(r"(?m)^---[ \t]*$")
_FIELD = regex(r"(?m)^(id|created_at|categories|type):[ \t]*(.*)$")
_SQLITE = b"SQLite format 3\x00"
_HISTORY = "SELECT memory_id, new_memory, event, created_at FROM history ORDER BY created_at, rowid"
_IS_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'history'"
# A store of other memories has no longer text, and is read in so many steps, told of each time.
_LONGEST, _STEPS, _ROUNDS = 2**20, 1_000_000, 2_000


def _fits(source: Export) -> bool:
    entry = source.entries[0]
    if len(source.entries) > 1:
        return False
    if entry.start(16) == _SQLITE:
        return source.name == "history.db"
    return any(_items(source)) or (entry.last.startswith("mem0-export") and entry.last.endswith(".md"))


def _read(source: Export) -> Iterator[Arrival]:
    entry = source.entries[0]
    if entry.start(16) == _SQLITE:
        yield from _history(source)
    elif entry.last.endswith(".md"):
        yield from _blocks(entry)
    else:
        yield from map(_item, _items(source))


def _items(source: Export) -> Iterator[Fields | Skipped]:
    """Yield mem0's items, however they were asked for."""
    found = whole(source)
    if "memory" in found:  # the first of an array
        yield from objects(source.entries[0])
    else:
        items = found.every("results") or found.every("memories")
        yield from (item for item in items if "memory" in item)


def _item(found: Fields | Skipped) -> Arrival:
    if isinstance(found, Skipped):
        return found
    place, fact = found.text("id") or found.place, plain(found.text("memory"))
    note = Note(fact, since=found.instant("created_at"), place=place)
    return (
        as_exported(note, found.inner("metadata").inner("almario")) if fact else unread(place, SAYS_NOTHING)
    )


@by_entry
def _blocks(entry: Entry) -> Iterator[Arrival]:
    """Yield the memories of a Markdown export: front matter and text in turn, between lines of dashes."""
    parts = _BLOCK.split(entry.text())[1:]
    for front, fact in zip(parts[::2], parts[1::2], strict=False):
        fields = dict(_FIELD.findall(front))
        if said := plain(fact):
            yield Note(said, since=instant(fields.get("created_at")), place=fields.get("id") or entry.name)


def _history(source: Export) -> Iterator[Arrival]:
    """Yield what mem0's own store says last of each memory that it did not delete."""
    latest: dict[str, tuple[str, Any]] = {}
    rounds = count()
    address = f"file:{quote(str(source.path))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as store:
            store.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            store.set_progress_handler(lambda: next(rounds) >= _ROUNDS, _STEPS)
            if not store.execute(_IS_TABLE).fetchone():
                yield unread(source.name, Sentence("it is damaged"))
                return
            for name, fact, event, at in store.execute(_HISTORY):
                latest[str(name)] = ("" if event == "DELETE" else plain(text(fact)), at)
    except (sqlite3.Error, MemoryError) as exc:
        yield unread(source.name, exc)
    for name, (fact, at) in latest.items():
        if fact:
            yield Note(fact, since=instant(at), place=name)


KIND = Kind("mem0", Sentence("mem0's memories"), _fits, _read)

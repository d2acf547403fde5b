"""Other memories: mem0's exports and history, the file of the MCP memory server, Letta's agent files."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import groupby
from typing import Any
from urllib.parse import quote

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.domain.turns import Role
from almario.importing.arrivals import Arrival, ImportedMessage, ImportedTalk, Kind, Skipped, SoulText
from almario.importing.fields import as_exported, first_of, instant, listed, mapping, text, unread, whole
from almario.importing.json_streams import elements, lines
from almario.importing.markdown import plain, statements
from almario.importing.source import Export
from almario.memory.transfer import Note

_BLOCK = regex(r"(?m)^---[ \t]*$")
_FIELD = regex(r"(?m)^(id|created_at|categories|type):[ \t]*(.*)$")
_SQLITE = b"SQLite format 3\x00"
_HISTORY = "SELECT memory_id, new_memory, event, created_at FROM history ORDER BY created_at, rowid"
_IS_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'history'"
# A store of other memories has no longer text, and is read in so many steps, told of each time.
_LONGEST, _STEPS, _ROUNDS = 2**20, 1_000_000, 2_000
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant"}


def _items(source: Export) -> list[Any]:
    """Return mem0's items, however they were asked for; an empty list if it is something else."""
    found = whole(source)
    if isinstance(found, dict) and "memory" in found:  # the first of an array
        with source.entries[0].stream() as stream:
            return list(elements(stream))
    results = mapping(found).get("results") or mapping(found).get("memories")
    return [each for each in listed(results) if "memory" in mapping(each)]


def _is_mem0(source: Export) -> bool:
    entry = source.entries[0] if len(source.entries) == 1 else None
    if entry is None:
        return False
    if entry.start(16) == _SQLITE:
        return source.path.name == "history.db"
    return bool(_items(source)) or (entry.last.startswith("mem0-export") and entry.last.endswith(".md"))


def _mem0(source: Export) -> Iterator[Arrival]:
    entry = source.entries[0]
    if entry.start(16) == _SQLITE:
        yield from _history(source)
    elif entry.last.endswith(".md"):
        yield from _blocks(entry.text(), entry.name)
    else:
        try:
            items = _items(source)
        except ValueError as exc:
            yield unread(entry.name, str(exc))
            return
        for number, found in enumerate(map(mapping, items), 1):
            place = text(found.get("id")) or f"{entry.name} [{number}]"
            fact = plain(text(found.get("memory")))
            since = instant(found.get("created_at"))
            note = as_exported(
                Note(fact, since=since, place=place), mapping(found.get("metadata")).get("almario")
            )
            yield note if fact else unread(place, "it says nothing")


def _blocks(content: str, name: str) -> Iterator[Arrival]:
    """Yield the memories of a Markdown export: front matter and text in turn, between lines of dashes."""
    parts = _BLOCK.split(content)[1:]
    for front, fact in zip(parts[::2], parts[1::2], strict=False):
        fields = dict(_FIELD.findall(front))
        if words := plain(fact):
            yield Note(words, since=instant(fields.get("created_at")), place=fields.get("id") or name)


def _history(source: Export) -> Iterator[Arrival]:
    """Yield what mem0's own store says last of each memory that it did not delete."""
    latest: dict[str, tuple[str, Any]] = {}
    try:
        with closing(
            sqlite3.connect(f"file:{quote(str(source.path))}?mode=ro&immutable=1", uri=True)
        ) as store:
            store.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            store.set_progress_handler(_patience().__next__, _STEPS)
            if not store.execute(_IS_TABLE).fetchone():
                yield unread(source.name, "it is damaged")
                return
            for name, fact, event, at in store.execute(_HISTORY):
                latest[str(name)] = ("" if event == "DELETE" else plain(text(fact)), at)
    except (sqlite3.Error, MemoryError) as exc:
        yield unread(source.name, str(exc))
    for name, (fact, at) in latest.items():
        if fact:
            yield Note(fact, since=instant(at), place=name)


def _patience() -> Iterator[int]:
    """Yield 0 as long as a store may go on, then 1, which ends it."""
    yield from (0 for _ in range(_ROUNDS))
    yield from iter(lambda: 1, 0)


def _is_mcp(source: Export) -> bool:
    entry = source.entries[0] if len(source.entries) == 1 else None
    if entry is None or not entry.last.endswith((".jsonl", ".json")):
        return False
    with entry.stream() as stream:
        _, first = next(lines(stream), (0, None))
    found = mapping(first)
    return found.get("type") in ("entity", "relation") and (
        "observations" in found or "relationType" in found
    )


def _mcp(source: Export) -> Iterator[Arrival]:
    with source.entries[0].stream() as stream:
        for number, value in lines(stream):
            found, place = mapping(value), f"{source.name}:{number}"
            name = text(found.get("name"))
            if found.get("type") == "entity" and name:
                for fact in map(text, listed(found.get("observations"))):
                    yield Note(fact, name, place=place) if fact else unread(place, "it says nothing")
            elif found.get("type") == "relation" and text(found.get("from")) and text(found.get("to")):
                how = text(found.get("relationType")).replace("_", " ")
                yield Note(
                    f"{text(found['from'])} {how} {text(found['to'])}", text(found["from"]), place=place
                )
            else:
                yield unread(place, "it is neither an entity nor a relation")


def _is_letta(source: Export) -> bool:
    found = mapping(whole(source))
    return isinstance(found.get("agents"), list) and isinstance(found.get("blocks"), list)


def _letta(source: Export) -> Iterator[Arrival]:
    found = mapping(first_of(source.entries[0]))
    for block in map(mapping, listed(found.get("blocks"))):
        label, fact = text(block.get("label")), text(block.get("value"))
        if label == "persona" and fact:
            yield SoulText("SOUL.md", fact, label)
        else:
            own = map(mapping, listed(mapping(block.get("metadata")).get("almario")))
            by_point: dict[str, list[Mapping[str, Any]]] = {}
            for remark in own:
                by_point.setdefault(text(remark.get("point")), []).append(remark)
            for heading, statement in statements(fact):
                left = by_point.get(statement)
                note = Note(statement, heading, place=f"{label or '?'}")
                yield as_exported(note, left.pop(0) if left else None)
    for agent in map(mapping, listed(found.get("agents"))):
        name = text(agent.get("name")) or "?"
        messages = [each for one in listed(agent.get("messages")) if (each := _message(mapping(one)))]
        if mapping(found.get("metadata")).get("made_by") == "almario":
            for session, turns in groupby(messages, lambda each: each.id.rpartition("#")[0]):
                numbered = (each._replace(id=each.id.rpartition("#")[2]) for each in turns)
                yield ImportedTalk(session, session, tuple(numbered), of_ours=True)
        elif messages:  # its own ids count within a file: another file has the same for others
            stated = (each._replace(id=f"{each.at} {each.role} {each.text}") for each in messages)
            yield ImportedTalk(name, name, tuple(stated))
        if tools := len(listed(agent.get("tool_ids"))):
            yield Skipped(name, Sentence("tools of the agent: {count}", count=tools))


def _message(found: Mapping[str, Any]) -> ImportedMessage | None:
    role = _ROLES.get(text(found.get("role")))
    content = found.get("content")
    parts = [text(mapping(each).get("text")) for each in listed(content)] or [text(content)]
    fact, name = "\n\n".join(filter(None, parts)), text(found.get("otid")) or text(found.get("id"))
    return (
        ImportedMessage(name, role, fact, instant(found.get("created_at")))
        if role and fact and name
        else None
    )


MEM0 = Kind("mem0", Sentence("mem0's memories"), _is_mem0, _mem0)
MCP_MEMORY = Kind("mcp-memory", Sentence("the file of the MCP memory server"), _is_mcp, _mcp)
LETTA = Kind("letta", Sentence("a Letta agent file"), _is_letta, _letta)

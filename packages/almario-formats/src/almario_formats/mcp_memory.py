"""The file of the MCP memory server: entities with what was observed of them, and how they are related."""

from collections.abc import Iterator

from almario.importing.arrivals import Arrival, Kind, Skipped
from almario.importing.fields import SAYS_NOTHING, Fields, first_row, rows, text, unread
from almario.importing.source import Export
from almario.plugins import Note, Sentence


def _fits(source: Export) -> bool:
    entry = source.entries[0]
    if len(source.entries) > 1 or not entry.last.endswith((".jsonl", ".json")):
        return False
    first = first_row(entry)
    return first["type"] in ("entity", "relation") and ("observations" in first or "relationType" in first)


def _read(source: Export) -> Iterator[Arrival]:
    for row in rows(source.entries[0]):
        yield from [row] if isinstance(row, Skipped) else _stated(row)


def _stated(row: Fields) -> Iterator[Arrival]:
    name, one, other = row.text("name"), row.text("from"), row.text("to")
    if row["type"] == "entity" and name:
        for fact in map(text, row.listed("observations")):
            yield Note(fact, name, place=row.place) if fact else unread(row.place, SAYS_NOTHING)
    elif row["type"] == "relation" and one and other:
        how = row.text("relationType").replace("_", " ")
        yield Note(f"{one} {how} {other}", one, place=row.place)
    else:
        yield unread(row.place, Sentence("it is neither an entity nor a relation"))


KIND = Kind("mcp-memory", Sentence("the file of the MCP memory server"), _fits, _read)

"""Agents that live in a folder of Markdown: OpenClaw's workspace, nanobot's, Hermes' memories."""

from collections.abc import Iterator

from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, Kind, Skipped, SoulText
from almario.importing.fields import SAYS_NOTHING, by_entry, rows, unread
from almario.importing.source import Entry, Export
from almario.plugins import Note, Sentence
from almario_formats.markdown import as_exported, day_named, parted, plain, points, remarked

_SOULS = ("SOUL.md", "IDENTITY.md")
_DAY = regex(r"(?:.*/)?memory/(?:.*/)?(\d{4}-\d\d-\d\d)(?:-[^/]*)?\.md")
_TRIGGER = regex(r"<!--\s*trigger:(.*?)-->")
# Between the entries of a file of Hermes.
_BETWEEN = regex(r"(?m)^§[ \t]*$")


def _is_openclaw(source: Export) -> bool:
    souls = sum(source.top(name) is not None for name in (*_SOULS, "USER.md"))
    return souls >= 2 and any(map(source.top, ("AGENTS.md", "MEMORY.md", "BOOTSTRAP.md")))


def _is_nanobot(source: Export) -> bool:
    return bool(source.top("memory/history.jsonl") and (source.top("SOUL.md") or source.top("USER.md")))


def _is_hermes(source: Export) -> bool:
    memory = source.top("memories/MEMORY.md") or source.top("MEMORY.md")
    return bool(memory and _BETWEEN.search(memory.start(2**16).decode("utf-8", "replace")))


def _openclaw(source: Export) -> Iterator[Arrival]:
    yield from _souls(source)
    for entry in source.entries:
        if entry.name in ("MEMORY.md", "USER.md") or _DAY.fullmatch(entry.name):
            yield from _remembered(entry)


def _nanobot(source: Export) -> Iterator[Arrival]:
    yield from _souls(source)
    for entry in filter(None, map(source.top, ("USER.md", "memory/MEMORY.md"))):
        yield from _remembered(entry)
    for history in filter(None, [source.top("memory/history.jsonl")]):
        for row in rows(history):
            if isinstance(row, Skipped):
                yield row
            elif fact := plain(row.text("content")):
                yield Note(fact, "", "episode", row.instant("timestamp"), place=row.place)
            else:
                yield unread(row.place, SAYS_NOTHING)


def _hermes(source: Export) -> Iterator[Arrival]:
    for entry in source.entries:
        if entry.last in ("MEMORY.md", "USER.md"):
            yield from _parted(entry)
        elif entry.last == "SOUL.md":
            yield from _soul(entry)


def _souls(source: Export) -> Iterator[Arrival]:
    for entry in filter(None, map(source.top, _SOULS)):
        yield from _soul(entry)


@by_entry
def _soul(entry: Entry) -> Iterator[Arrival]:
    if entry.text().strip():
        yield SoulText(entry.last, entry.text(), entry.name)


@by_entry
def _parted(entry: Entry) -> Iterator[Arrival]:
    for fact in filter(None, map(plain, _BETWEEN.split(entry.text()))):
        yield Note(fact, place=entry.name)


@by_entry
def _remembered(entry: Entry) -> Iterator[Arrival]:
    """Yield what a file of memory states; what is of a day happened then."""
    day = _DAY.fullmatch(entry.name)
    since = day_named(day[1]) if day else None
    for point in points(parted(entry.text())[1]):
        statement, own = remarked(point)
        triggers = [cue for found in _TRIGGER.findall(point.text) for cue in found.split(",")]
        cues = tuple(each for cue in triggers if (each := cue.strip()))
        note = Note(statement, point.heading, since=point.day, cues=cues, place=entry.name)
        if statement:
            yield as_exported(note._replace(key="", kind="episode", since=since) if day else note, own)


OPENCLAW = Kind("openclaw", Sentence("an OpenClaw workspace"), _is_openclaw, _openclaw)
NANOBOT = Kind("nanobot", Sentence("a nanobot workspace"), _is_nanobot, _nanobot)
HERMES = Kind("hermes", Sentence("Hermes' memories"), _is_hermes, _hermes)

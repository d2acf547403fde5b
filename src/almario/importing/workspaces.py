"""Agents that live in a folder of Markdown: OpenClaw's workspace, nanobot's, and Hermes' memories."""

from collections.abc import Iterator

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, Kind, SoulText
from almario.importing.fields import as_exported, instant, mapping, text, unread
from almario.importing.json_streams import lines
from almario.importing.markdown import parted, plain, points, remarked
from almario.importing.source import Entry, Export
from almario.memory.transfer import Note

_SOULS = ("SOUL.md", "IDENTITY.md")
_FILES = (*_SOULS, "USER.md")
_DAY = regex(r"(?:.*/)?memory/(?:.*/)?(\d{4}-\d\d-\d\d)(?:-[^/]*)?\.md")
_TRIGGER = regex(r"<!--\s*trigger:(.*?)-->")
# Between the entries of a file of Hermes.
_BETWEEN = regex(r"(?m)^§[ \t]*$")


def _is_openclaw(source: Export) -> bool:
    souls = sum(source.top(name) is not None for name in _FILES)
    return souls >= 2 and bool(
        source.top("AGENTS.md") or source.top("MEMORY.md") or source.top("BOOTSTRAP.md")
    )


def _is_nanobot(source: Export) -> bool:
    return bool(source.top("memory/history.jsonl") and (source.top("SOUL.md") or source.top("USER.md")))


def _is_hermes(source: Export) -> bool:
    memory = source.top("memories/MEMORY.md") or source.top("MEMORY.md")
    return bool(memory and _BETWEEN.search(memory.start(2**16).decode("utf-8", "replace")))


def _openclaw(source: Export) -> Iterator[Arrival]:
    yield from _souls(source)
    for entry in source.entries:
        day = _DAY.fullmatch(entry.name)
        if entry.name in ("MEMORY.md", "USER.md") or day:
            yield from _remembered(entry, day[1] if day else "")


def _nanobot(source: Export) -> Iterator[Arrival]:
    yield from _souls(source)
    for name in ("USER.md", "memory/MEMORY.md"):
        if memory := source.top(name):
            yield from _remembered(memory, "")
    history = source.top("memory/history.jsonl")
    if history is None:
        return
    with history.stream() as stream:
        for number, value in lines(stream):
            place, found = f"{history.name}:{number}", mapping(value)
            fact = plain(text(found.get("content")))
            since = instant(found.get("timestamp"))
            yield Note(fact, "", "episode", since, place=place) if fact else unread(place, "it says nothing")


def _hermes(source: Export) -> Iterator[Arrival]:
    for entry in source.entries:
        try:
            if entry.last in ("MEMORY.md", "USER.md"):
                for fact in map(plain, _BETWEEN.split(entry.text())):
                    if fact:
                        yield Note(fact, place=entry.name)
            elif entry.last == "SOUL.md":
                yield SoulText("SOUL.md", entry.text(), entry.name)
        except (ValueError, OSError) as exc:
            yield unread(entry.name, str(exc))


def _souls(source: Export) -> Iterator[Arrival]:
    for name in _SOULS:
        entry = source.top(name)
        try:
            soul = entry.text() if entry else ""
        except (ValueError, OSError) as exc:
            yield unread(name, str(exc))
        else:
            if soul.strip():
                yield SoulText(name, soul, name)


def _remembered(entry: Entry, day: str) -> Iterator[Arrival]:
    """Yield what a file of memory states; what is of a *day* happened then."""
    try:
        _, body = parted(entry.text())
    except (ValueError, OSError) as exc:
        yield unread(entry.name, str(exc))
        return
    since = instant(f"{day}T12:00:00") if day else None
    for heading, raw in points(body):
        statement, own = remarked(raw)
        triggers = [cue for found in _TRIGGER.findall(raw) for cue in found.split(",")]
        cues = tuple(each for cue in triggers if (each := cue.strip()))
        key, kind = ("", "episode") if day else (heading, "fact")
        if statement:
            note = Note(statement, key, kind, since, cues=cues, place=entry.name)  # type: ignore[arg-type]
            yield as_exported(note, own)


OPENCLAW = Kind("openclaw", Sentence("an OpenClaw workspace"), _is_openclaw, _openclaw)
NANOBOT = Kind("nanobot", Sentence("a nanobot workspace"), _is_nanobot, _nanobot)
HERMES = Kind("hermes", Sentence("Hermes' memories"), _is_hermes, _hermes)

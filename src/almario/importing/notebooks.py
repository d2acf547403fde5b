"""Folders of Markdown notes: basic-memory's, an Obsidian vault, or anybody's."""

from collections.abc import Iterator

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, Kind, Skipped
from almario.importing.fields import as_exported, instant, unread
from almario.importing.markdown import LONGEST, parted, points, remarked
from almario.importing.source import Entry, Export
from almario.memory.transfer import Note

_DAY = regex(r"(\d{4}-\d\d-\d\d)")
# basic-memory's points: `- [category] what it is #tag (context)`, and `- relates to [[Other]]`.
_OBSERVED = regex(r"^\[([^\[\]]{1,40})\][ \t]+(.*)$")
_SINCE = ("created", "date", "created_at")


def _fits(source: Export) -> bool:
    notes = sum(1 for _ in source.ending(".md"))
    return notes > 0 and (source.path.is_dir() or notes * 2 > len(source.entries))


def _read(source: Export) -> Iterator[Arrival]:
    for entry in source.entries:
        if entry.name.lower().endswith(".md"):
            yield from _note(entry)
        else:
            yield Skipped(entry.name, Sentence("it is no Markdown note"))


def _note(entry: Entry) -> Iterator[Arrival]:
    """Yield what a note states, each under its title; a note of a day tells what happened then."""
    try:
        fields, body = parted(entry.text())
    except (ValueError, OSError) as exc:
        yield unread(entry.name, str(exc))
        return
    title = fields.get("title") or entry.last.removesuffix(".md")
    day = _DAY.fullmatch(title)
    since = (
        instant(f"{title}T12:00:00")
        if day
        else next(filter(None, map(instant, map(fields.get, _SINCE))), None)
    )
    found = [each for _, raw in points(body) if (each := remarked(raw))[0]]
    if not found:
        yield Skipped(entry.name, Sentence("it states nothing"))
    for statement, own in found:
        observed = _OBSERVED.match(statement)
        words = observed[2] if observed else statement
        if own:
            yield as_exported(Note(statement, title, since=since, place=entry.name), own)
        elif len(words) > LONGEST:
            yield Skipped(
                entry.name, Sentence("a paragraph is longer than a memory: {start}…", start=words[:60])
            )
        elif day:
            yield Note(words, "", "episode", since, place=entry.name)
        else:
            yield Note(words, title, since=since, place=entry.name)


KIND = Kind("markdown", Sentence("Markdown notes"), _fits, _read)

"""Folders of Markdown notes: basic-memory's, an Obsidian vault, or anybody's."""

from collections.abc import Iterator

from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, Kind, Skipped
from almario.importing.fields import Fields, by_entry
from almario.importing.source import Entry, Export
from almario.plugins import Note, Sentence
from almario_formats.markdown import as_exported, day_named, parted, points, remarked

# basic-memory's points: `- [category] what it is #tag (context)`, and `- relates to [[Other]]`.
_OBSERVED = regex(r"^\[([^\[\]]{1,40})\][ \t]+(.*)$")
# What is longer is a paper and no statement.
_LONGEST = 600


def _fits(source: Export) -> bool:
    notes = sum(1 for _ in source.ending(".md"))
    return notes > 0 and (source.path.is_dir() or notes * 2 > len(source.entries))


def _read(source: Export) -> Iterator[Arrival]:
    for entry in source.entries:
        if entry.name.lower().endswith(".md"):
            yield from _note(entry)
        else:
            yield Skipped(entry.name, Sentence("it is no Markdown note"))


@by_entry
def _note(entry: Entry) -> Iterator[Arrival]:
    """Yield what a note states, each under its title; what stands under a day happened then."""
    front, body = parted(entry.text())
    title = front.get("title") or entry.last.removesuffix(".md")
    noon = day_named(title)
    created = Fields(front).instant("created", "date", "created_at")
    found = [(*each, point.day or noon) for point in points(body) if (each := remarked(point))[0]]
    if not found:
        yield Skipped(entry.name, Sentence("it states nothing"))
    for statement, own, day in found:
        observed = _OBSERVED.match(statement)
        words = observed[2] if observed else statement
        note = Note(words, title, since=day or created, place=entry.name)
        if own.all:
            yield as_exported(note._replace(text=statement), own)
        elif len(words) > _LONGEST:
            why = Sentence("a paragraph or block is longer than a memory: {start}…", start=words[:60])
            yield Skipped(entry.name, why)
        elif day:
            yield note._replace(key="", kind="episode")
        else:
            yield note


# Any folder of notes may hold the others' files.
KIND = Kind("markdown", Sentence("Markdown files"), _fits, _read, rank=2)

"""Folders of Markdown notes: basic-memory's, an Obsidian vault, or anybody's.

Written, there is a note for each topic, and one for each day.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from almario.domain.plain_text import regex
from almario.exporting.outgoing import OutFile, Outgoing, OutKind
from almario.importing.arrivals import Arrival, Kind, Skipped
from almario.importing.fields import Fields, by_entry, instant
from almario.importing.source import Entry, Export
from almario.plugins import Note, Sentence
from almario_formats.markdown import flat, parted, points, remarked
from almario_formats.writing import as_exported, by_day, point, topics

_DAY = regex(r"(\d{4}-\d\d-\d\d)")
# basic-memory's points: `- [category] what it is #tag (context)`, and `- relates to [[Other]]`.
_OBSERVED = regex(r"^\[([^\[\]]{1,40})\][ \t]+(.*)$")
# What is longer is a paper and no statement.
_LONGEST = 600
# What no file of some system, or no link of some program, may have in its name.
_UNFIT = regex(r"[\\/:*?\"<>|#^\[\]%\x00-\x1f]+")
_LONGEST_NAME = 80


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
    """Yield what a note states, each under its title; a note of a day tells what happened then."""
    front, body = parted(entry.text())
    title = front.get("title") or entry.last.removesuffix(".md")
    is_day = bool(_DAY.fullmatch(title))
    since = instant(f"{title}T12:00:00") if is_day else Fields(front).instant("created", "date", "created_at")
    found = [each for _, raw in points(body) if (each := remarked(raw))[0]]
    if not found:
        yield Skipped(entry.name, Sentence("it states nothing"))
    for statement, own in found:
        observed = _OBSERVED.match(statement)
        words = observed[2] if observed else statement
        if own.all:
            yield as_exported(Note(statement, title, since=since, place=entry.name), own)
        elif len(words) > _LONGEST:
            why = Sentence("a paragraph is longer than a memory: {start}…", start=words[:60])
            yield Skipped(entry.name, why)
        else:
            note = Note(words, title, since=since, place=entry.name)
            yield note._replace(key="", kind="episode") if is_day else note


def _files(agent: Outgoing) -> Iterator[OutFile]:
    taken: set[str] = set()
    for key, notes in topics(agent):
        yield OutFile(f"{_file_name(key, taken)}.md", _page(key, notes))
    for day, notes in by_day(agent):
        yield OutFile(f"{day}.md", chain([f"# {day}\n\n"], map(point, notes)))


def _page(key: str, notes: Iterable[Note]) -> Iterator[str]:
    head = f'---\ntitle: "{flat(key) if key else "Notes"}"\ntags: [almario]\n---\n'
    title = parted(head)[0]["title"]
    return chain([head, "\n"], (point(note, heading=title) for note in notes))


def _file_name(key: str, taken: set[str]) -> str:
    """Return a name that is no other note's, whatever its letters' case, and no day's."""
    plain = _UNFIT.sub("-", flat(key))[:_LONGEST_NAME].strip(" .-") if key else "Notes"
    name, count = plain or "Notes", 1
    name = f"{name} (topic)" if name[:4].isdecimal() else name
    while name.casefold() in taken:
        count += 1
        name = f"{plain or 'Notes'} {count}"
    taken.add(name.casefold())
    return name


# Any folder of notes may hold the others' files.
KIND = Kind("markdown", Sentence("Markdown notes"), _fits, _read, rank=2)
OUT = OutKind("markdown", "", ("memories", "days"), _files)

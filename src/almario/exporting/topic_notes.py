"""Plain Markdown for any program of notes: a note for each topic, and one for each day."""

from collections.abc import Iterable, Iterator
from itertools import chain

from almario.domain.plain_text import regex
from almario.exporting.formats import OutFile, OutKind
from almario.exporting.outgoing import Outgoing
from almario.exporting.remarks import point
from almario.importing.markdown import flat, parted
from almario.memory.transfer import Note

# What no file of some system, or no link of some program, may have in its name.
_UNFIT = regex(r"[\\/:*?\"<>|#^\[\]%\x00-\x1f]+")
_LONGEST = 80


def _files(agent: Outgoing) -> Iterator[OutFile]:
    taken: set[str] = set()
    for key, notes in agent.topics():
        yield OutFile(f"{_file_name(key, taken)}.md", _page(key, notes))
    for day, notes in agent.by_day():
        yield OutFile(f"{day}.md", chain([f"# {day}\n\n"], map(point, notes)))


def _page(key: str, notes: Iterable[Note]) -> Iterator[str]:
    head = f'---\ntitle: "{flat(key) if key else "Notes"}"\ntags: [almario]\n---\n'
    title = parted(head)[0]["title"]
    return chain([head, "\n"], (point(note, heading=title) for note in notes))


def _file_name(key: str, taken: set[str]) -> str:
    """Return a name that is no other note's, whatever its letters' case, and no day's."""
    plain = _UNFIT.sub("-", flat(key))[:_LONGEST].strip(" .-") if key else "Notes"
    name, count = plain or "Notes", 1
    name = f"{name} (topic)" if name[:4].isdecimal() else name
    while name.casefold() in taken:
        count += 1
        name = f"{plain or 'Notes'} {count}"
    taken.add(name.casefold())
    return name


KIND = OutKind("markdown", "", ("memories", "days"), _files)

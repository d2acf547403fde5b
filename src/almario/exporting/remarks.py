"""How memories are written down for other programs, so that they can be read back as they were."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from almario.domain.records import written
from almario.importing.markdown import flat, plain, statements
from almario.memory.transfer import Note

_ANY = "any"


def remark(note: Note, *, heading: str | None = None) -> dict[str, Any]:
    """Return what a program has no field of its own for; under a *heading*, what that does not say."""
    own: dict[str, Any] = {"kind": note.kind, "since": written(note.since) if note.since else ""}
    own |= {"key": note.key} if heading != note.key else {}
    own |= {"dated": note.dated} if note.dated else {}
    own |= {"cues": list(note.cues)} if note.cues else {}
    return own | ({"text": note.text} if line(note, heading=heading) != note.text else {})


def line(note: Note, *, heading: str | None = None) -> str:
    """Return what a note says in one line; where no *heading* names its topic, that stands before it."""
    return flat(note.text if heading is not None or not note.key else f"{note.key}: {note.text}")


def words(note: Note) -> str:
    """Return what a note says to a program that reads it as Markdown, too: something, in any case."""
    whole = f"{note.key}: {note.text}" if note.key else note.text
    return whole if plain(whole) else flat(whole)


def point(note: Note, *, heading: str | None = None) -> str:
    """Return a note as a point of a list in Markdown, with a remark that only a program sees."""
    encoded = json.dumps(remark(note, heading=heading))  # ASCII: no sign in it ends a line
    unseen = encoded.replace("<", r"\u003c").replace(">", r"\u003e")
    return f"- {line(note, heading=heading)} <!-- almario {unseen} -->\n"


def headed(key: str, notes: Iterable[Note]) -> Iterator[str]:
    """Yield notes as points under a heading that says their key."""
    title = flat(key) if key else "Notes"
    [(heading, _)] = statements(f"## {title}\n- {_ANY}")
    yield f"## {title}\n\n"
    yield from (point(note, heading=heading) for note in notes)
    yield "\n"


def streamed(value: Any) -> Iterator[str]:
    """Yield a value as JSON; an iterator in it is a list that is written as it comes."""
    try:
        yield json.dumps(value, ensure_ascii=False)
    except TypeError:
        is_list = isinstance(value, Iterator)
        yield "[" if is_list else "{"
        for place, item in enumerate(value):
            yield ",\n" if place else "\n"
            if not is_list:
                yield f"{json.dumps(item)}: "
            yield from streamed(item if is_list else value[item])
        yield "\n]" if is_list else "\n}"

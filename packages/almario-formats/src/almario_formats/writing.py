"""How an agent is written down for other programs, so that it can be read back as it was."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from almario.domain import validity
from almario.domain.documents.lines import without_comments
from almario.domain.memories import IN_FILES, KINDS
from almario.domain.records import written
from almario.exporting.outgoing import Outgoing
from almario.importing.fields import Fields
from almario.plugins import Note
from almario_formats.markdown import flat, plain, statements

PERSONA = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md")


def persona(agent: Outgoing) -> str:
    """Return who the agent is in one text: its soul and what moves it, without remarks to the owner."""
    soul = agent.soul()
    parts = [without_comments(soul.get(name, "")).strip() for name in ("SOUL.md", "MOTIVATIONS.md")]
    return "\n\n".join(filter(None, parts))


def topics(agent: Outgoing) -> list[tuple[str, list[Note]]]:
    """Return what is remembered by what it is about, but for what happened on a day."""
    return _grouped((note.key, note) for note in agent.notes() if note.kind not in IN_FILES)


def by_day(agent: Outgoing) -> list[tuple[str, list[Note]]]:
    """Return what happened on each day."""
    dated = ((note, note.since) for note in agent.notes() if note.kind in IN_FILES)
    return _grouped((f"{at.astimezone(agent.zone):%Y-%m-%d}", note) for note, at in dated if at)


def _grouped(named: Iterable[tuple[str, Note]]) -> list[tuple[str, list[Note]]]:
    groups: dict[str, list[Note]] = {}
    for name, note in named:
        groups.setdefault(name, []).append(note)
    return sorted(groups.items())


def remark(note: Note, *, heading: str | None = None) -> dict[str, Any]:
    """Return what a program has no field of its own for; under a *heading*, what that does not say."""
    own: dict[str, Any] = {"kind": note.kind, "since": written(note.since) if note.since else ""}
    own |= {"key": note.key} if heading != note.key else {}
    own |= {"dated": note.dated} if note.dated else {}
    own |= {"cues": list(note.cues)} if note.cues else {}
    return own | ({"text": note.text} if line(note, heading=heading) != note.text else {})


def as_exported(note: Note, own: Fields) -> Note:
    """Return a note with what a remark of ours says of it; its words count as they stand there now."""
    exact, kind, dated = own["text"], own["kind"], own.text("dated")
    told = (each(whole) for whole in (f"{exact}", f"{own['key']}: {exact}") for each in (flat, plain))
    return note._replace(
        text=exact if isinstance(exact, str) and note.text in told else note.text,
        key=own.text("key") if "key" in own else note.key,
        kind=kind if kind in KINDS else note.kind,
        since=own.instant("since") or note.since,
        dated=dated if validity.read(dated) or validity.is_written(dated) else note.dated,
        cues=tuple(own.texts("cues")) if own.all else note.cues,
    )


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
    [(heading, _)] = statements(f"## {title}\n- any")
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

"""An OpenClaw workspace: the soul, what is known of the owner, and memory by topic and by day."""

from collections.abc import Iterable, Iterator
from itertools import chain

from almario.domain.memories import IN_FILES
from almario.exporting.formats import OutFile, OutKind
from almario.exporting.outgoing import Outgoing
from almario.exporting.remarks import as_note, headed, point
from almario.memory.transfer import Note

_FIELDS = ("name", "emoji", "vibe")


def _files(agent: Outgoing) -> Iterator[OutFile]:
    soul = agent.soul()
    fields = {each: agent.identity(each) for each in _FIELDS}
    named = [f"- **{name.capitalize()}:** {said}\n" for name, said in fields.items() if said]
    yield OutFile("SOUL.md", [agent.persona(), "\n"])
    yield OutFile("IDENTITY.md", ["# IDENTITY.md\n\n", *named])
    yield from (OutFile(name, [soul[name]]) for name in ("USER.md", "AGENTS.md", "TOOLS.md") if name in soul)
    yield OutFile("MEMORY.md", by_topic(agent))
    yield from by_day(agent, "memory/{day}.md")


def by_topic(agent: Outgoing) -> Iterator[str]:
    """Yield what is remembered, but for what happened on a day, under its keys."""
    yield "# Memory\n\n"
    for name, notes in agent.grouped(lambda note: "" if note.kind in IN_FILES else f"/{note.key}"):
        if name:
            yield from headed(name[1:], notes)


def by_day(agent: Outgoing, name: str) -> Iterator[OutFile]:
    """Yield a file for each day of which something is known that happened then."""
    lines: dict[str, list[Note]] = {}
    for line in agent.days():
        lines.setdefault(line.at.date().isoformat(), []).append(as_note(line))
    found = dict(agent.grouped(lambda note: _day(agent, note) if note.kind in IN_FILES else ""))
    for day in sorted({*found, *lines} - {""}):
        notes: Iterable[Note] = chain(found.get(day, ()), lines.get(day, ()))
        yield OutFile(name.format(day=day), chain([f"# {day}\n\n"], map(point, notes)))


def _day(agent: Outgoing, note: Note) -> str:
    return note.since.astimezone(agent.zone).date().isoformat() if note.since else ""


_SOUL = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md", "USER.md", "AGENTS.md", "TOOLS.md")
KIND = OutKind("openclaw", "", (*_SOUL, "memories", "cues", "days"), _files)

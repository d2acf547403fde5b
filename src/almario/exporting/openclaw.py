"""An OpenClaw workspace: the soul, what is known of the owner, and memory by topic and by day."""

from collections.abc import Iterator
from itertools import chain

from almario.exporting.formats import OutFile, OutKind
from almario.exporting.outgoing import Outgoing
from almario.exporting.remarks import headed, point

_FIELDS = ("name", "emoji", "vibe")
_AS_THEY_ARE = ("USER.md", "AGENTS.md", "TOOLS.md")


def _files(agent: Outgoing) -> Iterator[OutFile]:
    soul = agent.soul()
    fields = {each: agent.identity(each) for each in _FIELDS}
    named = [f"- **{name.capitalize()}:** {value}\n" for name, value in fields.items() if value]
    yield OutFile("SOUL.md", [agent.persona(), "\n"])
    yield OutFile("IDENTITY.md", ["# IDENTITY.md\n\n", *named])
    yield from (OutFile(name, [soul[name]]) for name in _AS_THEY_ARE if name in soul)
    topics = (headed(key, notes) for key, notes in agent.topics())
    yield OutFile("MEMORY.md", chain(["# Memory\n\n"], chain.from_iterable(topics)))
    for day, notes in agent.by_day():
        yield OutFile(f"memory/{day}.md", chain([f"# {day}\n\n"], map(point, notes)))


_CARRIES = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md", *_AS_THEY_ARE, "memories", "days")
KIND = OutKind("openclaw", "", _CARRIES, _files)

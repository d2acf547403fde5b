"""What a model found when it read conversations again, which changes nothing until the owner accepts it.

A file holds one reading. Its lines are JSON: what was to be read, each part that was read with what it
taught, what the owner turned down, and that it is done.
"""

import json
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any

from almario.domain.memories import Memory
from almario.domain.records import plain, read
from almario.domain.relearned import ReadingWish
from almario.domain.turn_ids import turn_ids
from almario.domain.validity import bounds
from almario.domain.validity import read as validity_in
from almario.memory.rules.admission import Proposed
from almario.memory.rules.erasure import holds
from almario.named_tuples import NamedTuple

# Where readings are kept, each under its name.
READINGS = "relearned/"


class FoundFact(NamedTuple):
    """Something that a model found: its number in the reading, and when it was said."""

    n: int
    told: datetime
    fact: Proposed

    @property
    def name(self) -> str:
        """What later findings of the same reading call it."""
        return f"f{self.n}"

    @property
    def as_memory(self) -> Memory:
        """What was found, as if it were known since it was said."""
        fact, told, validity = self.fact, self.told, validity_in(self.fact.dated)
        return Memory(
            *(self.name, fact.key, fact.value, "fact", "auto", fact.origin, told, told, told),
            valid_to=bounds(validity, told.date(), told.tzinfo or UTC)[1] if validity else None,
            evidence=fact.evidence,
            dated=fact.dated,
            support=fact.support,
            seq=self.n,
        )


class PartRead(NamedTuple):
    """The turns of a session after *after*, up to *to*, and what reading them took and taught.

    So many findings were *dropped*, as the turns do not say them. One that *failed* taught nothing, and is to
    be read once more.
    """

    session: str
    after: int
    to: int
    found: tuple[FoundFact, ...] = ()
    tokens: int = 0
    model: str = ""
    failed: bool = False
    dropped: int = 0


class ReadingFile(NamedTuple):
    """A reading as its file tells it; *declined* are the numbers, and the ids of memories, turned down."""

    name: str
    wish: ReadingWish = ReadingWish()
    parts: tuple[PartRead, ...] = ()
    declined: frozenset[str] = frozenset()
    is_done: bool = False

    @property
    def found(self) -> list[FoundFact]:
        return [each for part in self.parts for each in part.found]

    @property
    def turns(self) -> set[str]:
        """The ids of the turns that were read."""
        read = [part for part in self.parts if not part.failed]
        return {each for part in read for each in turn_ids(part.session, range(part.after + 1, part.to + 1))}

    def failures(self, session: str, after: int) -> int:
        """Return how often what follows a turn was read in vain."""
        return sum(part.failed and (part.session, part.after) == (session, after) for part in self.parts)


def line_of(name: str, value: Any) -> bytes:
    """Return a line of a reading: a `wish`, a `part`, what is `declined`, or that it is `done`."""
    return (json.dumps({name: plain(value)}, ensure_ascii=False, separators=(",", ":")) + "\n").encode(
        "utf-8", "replace"
    )


def reading_in(name: str, text: str) -> ReadingFile:
    """Return the reading that a file tells; what is no line of ours is passed over."""
    found = ReadingFile(name)
    for kind, value in _lines(text):
        try:
            if kind == "part":
                found = found._replace(parts=(*found.parts, read(PartRead, value)))
            elif kind == "wish":
                found = found._replace(wish=read(ReadingWish, value))
            elif kind == "declined":
                found = found._replace(declined=found.declined | set(map(str, value)))
            elif kind == "done":
                found = found._replace(is_done=True)
        except (KeyError, TypeError, ValueError):
            continue
    return found


def without_findings(text: str, turns: Collection[str], texts: Collection[str]) -> str:
    """Return a reading without what rests on these turns, or tells one of the texts.

    A line that cannot be read goes as a whole if it may do so.
    """
    kept: list[str] = []
    for line in text.split("\n"):
        found = dict(_lines(line))
        try:
            part = read(PartRead, found["part"])
        except (KeyError, TypeError, ValueError):
            kept += [] if holds(line, texts) or any(turn in line for turn in turns) else [line]
            continue
        left = tuple(each for each in part.found if not _is_of(each.fact, turns, texts))
        is_clean = len(left) == len(part.found)
        kept.append(line if is_clean else line_of("part", part._replace(found=left)).decode().rstrip())
    return "\n".join(kept)


def _is_of(fact: Proposed, turns: Collection[str], texts: Collection[str]) -> bool:
    text = "\n".join([f"{fact.key}: {fact.value}", *fact.cues])
    return not set(fact.evidence).isdisjoint(turns) or holds(text, texts)


def _lines(text: str) -> Iterator[tuple[str, Any]]:
    for line in text.split("\n"):
        try:
            found = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and len(found) == 1:
            yield from found.items()

"""Memories as JSON lines: taken out whole, and put back as they were."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from almario.domain.audiences import Audience
from almario.domain.events import Filing, MemoriesChanged
from almario.domain.memories import (
    IN_FILES,
    KINDS,
    ORIGINS,
    SOURCES,
    Change,
    Memory,
    Wanted,
    applied,
    fields_of,
    read_field,
)
from almario.domain.messages import Sentence
from almario.domain.redaction import Redactor
from almario.domain.sources import is_filed
from almario.errors import SoulError
from almario.memory.keeping import Keeping, Progress, Write

# So many memories come in with one line of the journal.
_BATCH = 500
_STORED = ("live", "superseded", "retired")
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


class Imported(NamedTuple):
    """How many memories came in, and how many were there already or stayed as they are here."""

    new: int
    known: int
    different: int


class Transfer:
    """Exports and imports memories."""

    def __init__(self, keeping: Keeping, redact: Redactor) -> None:
        self._keeping = keeping
        self._shelf = keeping.ledger.shelf
        self._redact = redact

    def lines(self, audience: Audience) -> Iterator[str]:
        """Yield the memories that an audience may be told as lines of JSON; to others, those in use."""
        for memory in self._shelf.select(Wanted()):
            is_told = audience.is_private or (memory.is_live and audience.hears_of(memory))
            if is_told and not self._keeping.ledger.is_erased(memory):
                yield json.dumps(as_fields(memory), ensure_ascii=False)

    def changes(self, lines: Iterable[str]) -> list[Change]:
        """Read exported memories; SoulError names the first line that is not one."""
        given = [change for number, line in enumerate(lines, 1) if (change := _read(line, number))]
        for change in given:
            fields = change["set"]
            fields["value"] = self._redact(fields["value"], fields["key"]).text
            fields["key"] = self._redact.text(fields["key"])
        return given

    def take_in(
        self,
        write: Write,
        given: Sequence[Change],
        owed: Callable[[Sequence[Memory]], list[Filing]],
        *,
        actor: str,
        progress: Progress | None = None,
    ) -> Imported:
        """Put exported memories back; one that is here already, or was erased here, stays as it is."""
        here = {memory.id: memory for memory in self._shelf.select(Wanted())}
        new = {c["id"]: c for c in given if c["id"] not in here and not self._was_purged(c)}
        known = [change for change in given if change["id"] in here]
        same = sum(_is_same(here[change["id"]], change) for change in known)
        changes = list(new.values())
        for start in range(0, len(changes), _BATCH):
            batch = tuple(changes[start : start + _BATCH])
            made = [applied(None, change, seq=0, at=_NEVER) for change in batch]
            filings = owed([memory for memory in made if memory.is_live])
            write.commit(MemoriesChanged("imported", batch), actor=actor, filings=filings)
            if progress:
                progress(start + len(batch), len(changes))
        return Imported(len(changes), same, len(given) - len(changes) - same)

    def _was_purged(self, change: Change) -> bool:
        return self._keeping.ledger.was_purged(change["set"]["value"])


def as_fields(memory: Memory) -> dict[str, Any]:
    """Return a memory as plain values, for JSON."""
    return {"id": memory.id, **fields_of(memory), "evidence": list(memory.evidence)}


def _is_same(memory: Memory, change: Change) -> bool:
    taken = applied(None, change, seq=memory.seq, at=memory.at)
    return taken == memory


def _read(line: str, number: int) -> Change | None:
    if not line.strip():
        return None
    try:
        fields = json.loads(line)
        change: Change = {
            "id": _text(fields.pop("id")),
            "evidence": [_text(turn) for turn in _list(fields.pop("evidence", []))],
            "set": {str(name): value for name, value in fields.items()},
        }
        for name, value in fields.items():
            read_field(name, value)
        memory = applied(None, change, seq=0, at=_NEVER)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as exc:
        raise _unfit(number, Sentence("it is not a memory as JSON")) from exc
    for name, allowed in (("kind", KINDS), ("source", SOURCES), ("origin", ORIGINS), ("state", _STORED)):
        if getattr(memory, name) not in allowed:
            raise _unfit(
                number, Sentence("{name} must be one of {allowed}", name=name, allowed=", ".join(allowed))
            )
    if memory.path and (memory.kind not in IN_FILES or not is_filed(memory.path)):
        raise _unfit(number, Sentence("{path} is no daily log and no HISTORY.md", path=memory.path))
    if not memory.id or not memory.key.strip() or not memory.value.strip():
        raise _unfit(number, Sentence("it has no id, no key or no value"))
    return change


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _unfit(number: int, why: Sentence) -> SoulError:
    return SoulError("line {number} cannot be imported: {why}; nothing was imported", number=number, why=why)

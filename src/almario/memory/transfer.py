"""Memories as JSON lines: taken out whole, and put back as they were.

Anybody can write such lines. Only those under the home's own seal are believed
in what they say about who said it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from almario.domain.audiences import Audience
from almario.domain.cues import tidy
from almario.domain.documents.daily import entry_text
from almario.domain.events import Actor, Cued, MemoriesChanged
from almario.domain.journal_lines import parted, sealed
from almario.domain.memories import (
    IN_FILES,
    INSTANTS,
    KINDS,
    ORIGINS,
    SOURCES,
    YEARS,
    AnyKind,
    Change,
    Memory,
    Wanted,
    applied,
    fields_of,
    lowest,
    read_field,
)
from almario.domain.messages import Sentence
from almario.domain.places import HOME
from almario.domain.plain_text import regex
from almario.domain.records import written
from almario.errors import SoulError, StoreError
from almario.memory.rules.admission import unfit
from almario.memory.rules.sources import kind_filed
from almario.memory.telling import hears_memory
from almario.memory.writer import Progress, Write
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from almario.memory.memory_parts import MemoryParts

# Memories imported per journal line; others write in between.
_BATCH = 500
_STORED = ("live", "superseded", "retired")
# As `new_id` makes it.
_ID = regex(r"[0-9a-f]{12}")
_FOREIGN = Sentence(
    "this file was not exported by this home, or has been changed since: its memories came in as "
    "imported, not as your word"
)
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


class Imported(NamedTuple):
    """How many memories came in, and how many were there already or stayed as they are here."""

    new: int
    known: int
    different: int
    told: tuple[Sentence, ...] = ()


class Note(NamedTuple):
    """One thing that another program has kept: its text, what it is about, and since when it holds.

    *dated* is its time as far as it was said (see `domain.validity`), *cues* by what it should come to mind,
    *place* where it stands there. The same *id* is the same note in whichever words; without one they say it.
    """

    text: str
    key: str = ""
    kind: AnyKind = "fact"
    since: datetime | None = None
    dated: str = ""
    cues: tuple[str, ...] = ()
    place: str = ""
    id: str = ""


def lines_of(notes: Iterable[Note]) -> Iterator[str]:
    """Yield notes as lines of JSON that can be imported; the same note has the same id each time."""
    for note in notes:
        fields = {"key": note.key, "value": note.text, "kind": note.kind}
        fields |= {"valid_from": written(note.since)} if note.since else {}
        text = json.dumps(fields, ensure_ascii=False, sort_keys=True)
        yield json.dumps({"id": sha256(text.encode("utf-8", "replace")).hexdigest()[:12], **fields})


class Given(NamedTuple):
    """A memory that is to come in, as it was read; *agent* is whose it is, if this home exported it."""

    change: Change
    agent: str | None
    cued: Cued | None = None


# Gives the turns on which a memory rests here for those on which it rested elsewhere.
Restored = Callable[[Sequence[str]], list[str]]


def exported(parts: "MemoryParts", audience: Audience, *, forgotten: bool = True) -> Iterator[str]:
    """Yield the memories that an audience may be told as lines of JSON, then the seal of the home.

    Others are told what is in use; not *forgotten*, nobody is told what was put out of mind. Where no
    key can be written there is no seal.
    """
    ledger = parts.writer.ledger
    gone = frozenset() if forgotten else ledger.forgotten_ids()
    memories: Iterator[Memory] = (
        memory
        for memory in ledger.every()
        if memory.id not in gone
        and not ledger.is_erased(memory)
        and (audience.is_private or (memory.is_live and hears_memory(audience, memory)))
    )
    if audience.is_private:
        memories = map(ledger.whole, memories)
    cued = dict(ledger.every_cued()) if audience.is_private else {}
    cued |= {one: cued[one]._replace(once=True) for one in ledger.intentions() if one in cued}
    lines = (
        json.dumps(as_fields(memory) | _cues_of(cued.get(memory.id)), ensure_ascii=False)
        for memory in memories
    )
    try:
        key = parts.key().made()
    except StoreError:
        return lines
    return sealed(lines, key, _agent(parts))


def imported(
    parts: "MemoryParts",
    writing: Callable[[], AbstractContextManager[Write]],
    lines: Iterable[str],
    evidence: Restored,
    *,
    actor: Actor,
    progress: Progress | None = None,
) -> Imported:
    """Put exported memories back; one that is here already, or was erased here, stays as it is.

    What this home did not export is nobody's word here: it comes in as imported. The turns of another
    agent would be others here: *evidence* gives those on which its memories rest. SoulError names the first
    line that is no memory; then nothing comes in.
    """
    given, new, same = _given(parts, lines), 0, 0
    for start in range(0, len(given), _BATCH):
        with writing() as write:
            came, known = _brought(parts, write, given[start : start + _BATCH], evidence, actor)
        new, same = new + came, same + known
        if progress:
            progress(min(start + _BATCH, len(given)), len(given))
    notices = () if all(each.agent is not None for each in given) else (_FOREIGN,)
    return Imported(new, same, len(given) - new - same, notices)


def _brought(
    parts: "MemoryParts", write: Write, given: Sequence[Given], evidence: Restored, actor: Actor
) -> tuple[int, int]:
    """Put some memories back; return how many came in, and how many were here and are the same."""
    ledger = parts.writer.ledger
    ids = tuple({change["id"] for change, _, _ in given})
    here = {memory.id: memory for memory in ledger.table.select(Wanted(ids=ids))}
    new = {
        change["id"]: change if agent is not None else _capped(change)
        for change, agent, _ in given
        if change["id"] not in here and not ledger.was_purged(change["set"]["value"])
    }
    own = _agent(parts)
    for change, agent, _ in given:
        if agent != own and change["id"] in new:
            new[change["id"]]["evidence"] = evidence(change["evidence"])
    known = [change for change, _, _ in given if change["id"] in here]
    same = sum(_is_same(here[change["id"]], change) for change in known)
    cued = {each.cued.id: each.cued for each in given if each.cued and each.cued.cues}
    if changes := tuple(new.values()):
        made = [applied(None, change, seq=0, at=_NEVER) for change in changes]
        filings = parts.episodes.owed([memory for memory in made if memory.is_live])
        cues = tuple(cued[change["id"]] for change in changes if change["id"] in cued)
        write.commit(MemoriesChanged("imported", changes, cues=cues), actor=actor, filings=filings)
    return len(changes), same


def _agent(parts: "MemoryParts") -> str:
    first = parts.writer.vault.journal.first()
    return first.id if first else ""


def _given(parts: "MemoryParts", lines: Iterable[str]) -> list[Given]:
    """Read exported memories, and take the secrets out of them."""
    redact, given = parts.redact, []
    for number, line, agent in parted(lines, parts.key().read()):
        change, cued = _read(line, number, is_own=agent is not None)
        cues = tidy(map(redact.text, cued.cues), change["set"]["value"])
        given.append(Given(change, agent, cued._replace(cues=cues)))
    for change, _, _ in given:
        fields = change["set"]
        value = entry_text(fields["value"]) if fields.get("kind") in IN_FILES else fields["value"]
        hidden = redact(value, fields["key"])
        fields["value"] = hidden.text
        if hidden.suspected:
            change["whole"] = hidden.whole
        fields["key"] = redact.whole(fields["key"])
    return given


def _capped(change: Change) -> Change:
    """Return what anybody could have written as no more than that.

    Nobody else shares it either.
    """
    fields = change["set"]
    origin = lowest("imported", fields.get("origin", "imported"))
    return {**change, "set": fields | {"origin": origin, "source": "auto", "audience": "", "place": HOME}}


def as_fields(memory: Memory) -> dict[str, Any]:
    """Return a memory as plain values, for JSON."""
    return {"id": memory.id, **fields_of(memory), "evidence": list(memory.evidence)}


def _cues_of(cued: Cued | None) -> dict[str, Any]:
    once = {"once": True} if cued and cued.once else {}
    return {"cues": list(cued.cues), **once} if cued and cued.cues else {}


def _is_same(memory: Memory, change: Change) -> bool:
    taken = applied(None, change, seq=memory.seq, at=memory.at)
    return taken == memory


def _read(line: str, number: int, *, is_own: bool) -> tuple[Change, Cued]:
    try:
        fields = json.loads(line)
        cues = tuple(_text(each) for each in _list(fields.pop("cues", [])))
        cued = Cued(_text(fields["id"]), cues, once=fields.pop("once", False) is True)
        change: Change = {
            "id": _text(fields.pop("id")),
            "evidence": [_text(turn) for turn in _list(fields.pop("evidence", []))],
            "set": {"key": "", **{str(name): value for name, value in fields.items()}},
        }
        for name, value in fields.items():
            _check_field(name, value, number)
        memory = applied(None, change, seq=0, at=_NEVER)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as exc:
        raise _unfit(number, Sentence("it is not a memory as JSON")) from exc
    if why := _problem(memory) or (None if is_own else _foreign_problem(memory)):
        raise _unfit(number, why)
    return change, cued


def _check_field(name: str, value: Any, number: int) -> None:
    try:
        read_field(name, value)
    except ValueError as exc:
        if name not in INSTANTS:
            raise
        why = Sentence(
            "{name} must be a date and time with a time zone, in the years {years}", name=name, years=YEARS
        )
        raise _unfit(number, why) from exc


def _problem(memory: Memory) -> Sentence | None:
    for name, allowed in (("kind", KINDS), ("source", SOURCES), ("origin", ORIGINS), ("state", _STORED)):
        if getattr(memory, name) not in allowed:
            return Sentence("{name} must be one of {allowed}", name=name, allowed=", ".join(allowed))
    if memory.path and kind_filed(memory.path) != memory.kind:
        return Sentence("{path} is neither a daily log nor HISTORY.md", path=memory.path)
    if not memory.id or not memory.value.strip():
        return Sentence("it has no id or no value")
    return None


def _foreign_problem(memory: Memory) -> Sentence | None:
    for name, value in (("id", memory.id), ("by", memory.by or memory.id)):
        if not _ID.fullmatch(value):
            return Sentence("{name} must be 12 characters, each 0-9 or a-f", name=name)
    return unfit(memory.key, memory.value, memory.kind, memory.origin)


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

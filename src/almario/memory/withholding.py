"""What is withheld until the owner says that it may be used: what may be a secret, and what was set aside."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from almario.domain.memories import Memory, Wanted
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn
from almario.domain.withheld import MASK, Withheld
from almario.errors import SoulError
from almario.memory.ledger import LEAST_ID
from almario.memory.writer import Write
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from almario.memory.memory_parts import MemoryParts

# The most messages searched per session, where none is indexed.
_HEARD = 20


class Released(NamedTuple):
    """What may be used from now on: messages, with the lines that set them aside, and suspected secrets."""

    lines: tuple[int, ...]
    messages: tuple[str, ...]
    spans: tuple[str, ...]


def waiting(parts: "MemoryParts") -> Sequence[Withheld]:
    """Return what waits for the owner's word, latest first."""
    ledger, redact, now = parts.writer.ledger, parts.redact, parts.writer.vault.now()
    found, forgotten = [], ledger.out_of_mind()
    for memory in _masked(parts):
        whole = ledger.whole(memory)
        suspected = redact.suspected(whole.value, whole.key)
        found.append(Withheld(memory.id, memory.renewed, whole.text, suspected))
    for session, ids in sorted(parts.indexing.withholding().items()):
        found += [
            Withheld(turn.id, turn.at, turn.text, redact.suspected(turn.text))
            for turn in _heard(parts, session, ids)
            if turn.role == "user" and turn.origin == "owner" and not turn.is_off and turn.id not in forgotten
        ]
    files = [Withheld(name, now, "", spans) for name, spans in parts.handwritten.withheld()]
    aside = [each for turns in _aside(parts).values() for each in turns]
    every = sorted((*found, *aside), key=lambda each: each.at, reverse=True)
    return [each for each in (*every, *files) if each.suspected]


def meant(parts: "MemoryParts", what: str, *, every: bool) -> Released:
    """Return what an id, a file or words mean of it; of no words, what was withheld last."""
    known, aside = waiting(parts), _aside(parts)
    meant = known if every else [each for each in known if what and _is_meant(each, what)]
    meant = meant or ([] if what else known[:1])
    words = " ".join(what.split())
    lines = tuple(line for line, turns in aside.items() if any(each in meant for each in turns))
    messages = tuple(each.text for line in lines for each in aside[line])
    spans = dict.fromkeys(span for each in meant for span in each.suspected if span not in messages)
    named = [span for each in known for span in each.suspected if " ".join(span.split()) == words]
    chosen = Released(lines, messages, tuple(spans or dict.fromkeys(named)))
    if chosen.spans or chosen.messages:
        return chosen
    unknown = '"{what}" was not left out; "almario keep --list" shows what was'
    raise SoulError(unknown if what else "nothing was left out", what=what)


def kept(parts: "MemoryParts", write: Write, chosen: Released) -> Sequence[str]:
    """Use from now on what the owner chose; return it."""
    for line in chosen.lines:
        parts.amending.undo(write, line, actor="owner")
    if chosen.spans:
        parts.amending.keep(write, chosen.spans, lambda: _masked(parts))
    return [*chosen.messages, *chosen.spans]


def _heard(parts: "MemoryParts", session: str, ids: Collection[str] | None) -> Sequence[Turn]:
    if ids is None:  # none is indexed
        return parts.writer.vault.transcripts.read(session, last=_HEARD)
    return parts.writer.vault.turns(sorted(ids, key=turn_id))


def _masked(parts: "MemoryParts") -> Sequence[Memory]:
    return parts.writer.ledger.table.select(Wanted(text=MASK, states=("live",)))


def _aside(parts: "MemoryParts") -> dict[int, list[Withheld]]:
    """Return the owner's messages that were set aside, by the line that says so."""
    found = {}
    for line, ids in parts.writer.ledger.set_aside().items():
        turns = parts.writer.vault.turns(ids)
        own_turns = [turn for turn in turns if turn.origin == "owner" and turn.text]
        found[line] = [Withheld(turn.id, turn.at, turn.text, (turn.text,)) for turn in own_turns]
    return found


def _is_meant(each: Withheld, what: str) -> bool:
    is_id = len(what) >= LEAST_ID and "#" not in each.name and each.name.startswith(what)
    return each.name == what or (is_id and "." not in each.name)

"""Which memories stand behind what was found, and whether they still hold."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from almario.domain.memories import Memory, Wanted, same_key, state_at
from almario.domain.passages import Passage
from almario.memory.keeping import Keeping
from almario.memory.rules.ranking import Scored
from almario.memory.rules.rivals import replaced
from almario.memory.rules.sources import LOG, STRANGER, SUMMARY, homes_of, line_name

# What is in use speaks for a passage; else what was forgotten does, so that nothing brings it back.
_STATES = ("live", "untrusted", "retired", "superseded", "ended", "expired")


class Backed(NamedTuple):
    """A candidate with the memories that it tells, or that rest on it, and their state.

    *memory* is the one whose state it is, *by* the one that took its place.
    """

    scored: Scored
    memories: tuple[Memory, ...] = ()
    state: str = "live"
    memory: Memory | None = None
    by: Memory | None = None


class Backing:
    """Knows what stands behind passages."""

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping
        self._table = keeping.ledger.table

    def of(self, found: Sequence[Scored]) -> list[Backed]:
        """Return each of the candidates with what stands behind it."""
        behind = self._behind(found)
        out, cleared = self._keeping.ledger.out_of_mind(), self._cleared(found)
        memories = {memory.id: memory for each in behind for memory in each}
        rivals = self._rivals(list(memories.values()))
        backed = []
        for scored, told in zip(found, behind, strict=True):
            if scored.passage.role == STRANGER:
                backed.append(Backed(scored, told, "untrusted"))
                continue
            if self._is_out_of_mind(scored, out, cleared):
                backed.append(Backed(scored, told, "retired"))
                continue
            states = [(self._state(memory, rivals), memory) for memory in told]
            state, memory = min(states, key=lambda each: _STATES.index(each[0]), default=("live", None))
            by = rivals.get(memory.id) if memory else None
            if memory and memory.by and not by:
                by = next(iter(self._table.select(Wanted(ids=(memory.by,)))), None)
            backed.append(Backed(scored, told, state, memory, by))
        return backed

    def _cleared(self, found: Sequence[Scored]) -> dict[str, int]:
        """Return up to which turn each session was cleared away."""
        sessions = {each.passage.turn.rpartition("#")[0] for each in found if each.passage.turn}
        return {session: self._keeping.ledger.session(session).out_of_mind for session in sessions}

    def _is_out_of_mind(self, scored: Scored, out: Collection[str], cleared: Mapping[str, int]) -> bool:
        """Say whether what was said or logged told what is forgotten, or was cleared away."""
        passage = scored.passage
        if passage.kind in (LOG, SUMMARY):
            return bool(out) and line_name(passage.path, passage.text) in out
        session, _, number = passage.turn.rpartition("#")
        is_cleared = bool(session) and int(number) <= cleared[session]
        return is_cleared or not scored.turns.isdisjoint(out)

    def _state(self, memory: Memory, rivals: dict[str, Memory]) -> str:
        if memory.is_live and memory.origin == "untrusted":
            return "untrusted"
        state = self._state_now(memory)
        return "superseded" if state in ("live", "expired") and memory.id in rivals else state

    def _rivals(self, memories: Sequence[Memory]) -> dict[str, Memory]:
        keys = tuple({same_key(memory.key) for memory in memories if memory.is_live and memory.key})
        if not keys:
            return {}
        alike = self._table.select(Wanted(keys=keys, states=("live",)))
        # What has ended gives way to nothing, and nothing to it.
        there = (each for each in alike if each.origin != "untrusted" and self._state_now(each) != "ended")
        return replaced(there, self._keeping.vault.now(), are_apart=self._keeping.ledger.are_apart)

    def _state_now(self, memory: Memory) -> str:
        return state_at(memory, self._keeping.vault.now(), self._keeping.ledger.lifetimes)

    def _behind(self, found: Sequence[Scored]) -> list[tuple[Memory, ...]]:
        passages = [each.passage for each in found]
        ids = tuple({passage.memory for passage in passages if passage.memory})
        own = {memory.id: memory for memory in self._table.select(Wanted(ids=ids))} if ids else {}
        paths = {passage.path for passage in passages if passage.kind in (LOG, SUMMARY)}
        filed = {
            path: [memory for home in homes_of(path) for memory in self._table.select(Wanted(path=home))]
            for path in paths
        }
        turns = tuple({turn for each in found for turn in each.turns})
        taught = self._table.select(Wanted(evidence=turns)) if turns else []

        def behind(each: Scored) -> tuple[Memory, ...]:
            passage = each.passage
            if passage.memory:
                return (own[passage.memory],) if passage.memory in own else ()
            if passage.path in filed:
                return tuple(memory for memory in filed[passage.path] if _is_line_of(passage, memory))
            return tuple(memory for memory in taught if not each.turns.isdisjoint(memory.evidence))

        return [behind(each) for each in found]


def _is_line_of(passage: Passage, memory: Memory) -> bool:
    """Say whether a line of a file is a memory's: the same text may be the owner's and a stranger's."""
    return passage.text == memory.value and (passage.role == STRANGER) == (memory.origin == "untrusted")

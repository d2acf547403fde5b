"""Which memories a question brings to mind by their cues."""

from collections.abc import Collection, Mapping

from almario.domain.memories import Wanted
from almario.domain.model import Hit
from almario.memory.embedding import Embedding
from almario.memory.keeping import Keeping
from almario.memory.rules.cueing import Cue, cues_for, lent
from almario.ports import Vector
from almario.text.questions import QuestionKind


class CueSearch:
    """Looks for cues; those of a memory that was replaced count for what took its place."""

    def __init__(self, keeping: Keeping, embedding: Embedding) -> None:
        self._keeping = keeping
        self._embedding = embedding

    def fitting(self, asked: QuestionKind, vector: Vector | None) -> Mapping[str, Cue]:
        """Return the cues that fit a question, by the memory in use that each brings to mind."""
        keeping, embedding = self._keeping, self._embedding
        if not keeping.has_cues:
            return {}
        index = keeping.derived.cues
        found = cues_for(index, asked.timeless, vector, embedding.model, embedding.background)
        return lent(found, self._heirs(found))

    def named(self, hits: list[Hit], cues: Mapping[str, Cue]) -> list[Hit]:
        """Say by which cue each hit came to mind."""
        places = {hit.memory: cues[hit.memory].place for hit in hits if hit.memory in cues}
        if not places:
            return hits
        told = self._keeping.derived.cues.passages(sorted(places.values()))
        texts = {memory: told[place].text for memory, place in places.items() if place in told}
        return [hit._replace(cue=texts.get(hit.memory, "")) for hit in hits]

    def _heirs(self, ids: Collection[str]) -> dict[str, str]:
        """Return for each of these memories the one in use: itself, or what took its place in the end."""
        heirs, next_ones = dict[str, str](), {one: one for one in ids}
        while next_ones:
            wanted = Wanted(ids=tuple(next_ones.values()))
            there = {memory.id: memory for memory in self._keeping.ledger.table.select(wanted)}
            reached = {one: memory for one, by in next_ones.items() if (memory := there.get(by))}
            heirs |= {one: memory.id for one, memory in reached.items() if memory.is_live}
            next_ones = {
                one: memory.by
                for one, memory in reached.items()
                if memory.state == "superseded" and memory.by and memory.by != one
            }
        return heirs

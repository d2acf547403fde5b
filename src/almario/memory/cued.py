"""Which memories a question brings to mind by their cues."""

from collections.abc import Mapping

from almario.domain.memories import Wanted
from almario.domain.model import Hit
from almario.memory.embedding import Embedding
from almario.memory.rules.cueing import Cue, cues_for, lent
from almario.memory.writer import MemoryWriter
from almario.ports import Vector
from almario.text.questions import QuestionKind


class CueSearch:
    """Looks for cues; those of a memory that was replaced count for what took its place."""

    def __init__(self, writer: MemoryWriter, embedding: Embedding) -> None:
        self._writer = writer
        self._embedding = embedding

    def fitting(self, question: QuestionKind, vector: Vector | None) -> Mapping[str, Cue]:
        """Return the cues that fit a question, by the memory in use that each brings to mind."""
        writer, embedding = self._writer, self._embedding
        if not writer.has_cues:
            return {}
        index = writer.derived.cues
        found = cues_for(index, question.timeless, vector, embedding.model, embedding.background)
        # Each of these memories lends to the one in use: itself, or what took its place in the end.
        ledger = self._writer.ledger
        heirs = ledger.heirs(ledger.table.select(Wanted(ids=tuple(found)))) if found else {}
        return lent(found, {one: heir.id for one, heir in heirs.items() if heir.is_live})

    def named(self, hits: list[Hit], cues: Mapping[str, Cue]) -> list[Hit]:
        """Say by which cue each hit came to mind."""
        places = {hit.memory: cues[hit.memory].place for hit in hits if hit.memory in cues}
        if not places:
            return hits
        passages = self._writer.derived.cues.passages(sorted(places.values()))
        texts = {memory: passages[place].text for memory, place in places.items() if place in passages}
        return [hit._replace(cue=texts.get(hit.memory, "")) for hit in hits]

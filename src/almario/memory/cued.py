"""Which memories a question brings to mind by their cues: short texts, written for where a memory may fit.

A cue is no fact, and tells nobody anything. It lends its memory a little of its own likeness to what was
said, never so much that it outranks what says the thing itself.
"""

import math
from collections.abc import Mapping

from almario.domain.candidates import Search
from almario.domain.memories import Wanted
from almario.domain.model import Hit
from almario.domain.words import query_words
from almario.memory.embedding import Embedding
from almario.memory.rules.scored import Cue
from almario.memory.writer import MemoryWriter
from almario.ports import Vector
from almario.text.questions import QuestionKind

# How many cues are compared by words, and by meaning.
_POOL, _NEAREST = 60, 60
# A cosine that stands out farther says no more.
_FARTHEST = 4.0


class CueSearch:
    """Looks for cues; those of a memory that was replaced count for what took its place."""

    def __init__(self, writer: MemoryWriter, embedding: Embedding) -> None:
        self._writer = writer
        self._embedding = embedding

    def fitting(self, question: QuestionKind, vector: Vector | None) -> Mapping[str, Cue]:
        """Return the cues that fit a question, the best of each memory in use that they bring to mind."""
        if not self._writer.derived.cues.count()[0]:
            return {}
        found, ledger = self._found(question.timeless, vector), self._writer.ledger
        heirs = ledger.heirs(ledger.table.select(Wanted(ids=tuple(found)))) if found else {}
        lent: dict[str, Cue] = {}
        for memory, cue in found.items():
            if memory in heirs and (heir := heirs[memory]).is_live:
                lent[heir.id] = cue.or_stronger(lent.get(heir.id))
        return lent

    def _found(self, question: str, vector: Vector | None) -> dict[str, Cue]:
        from almario.memory.rules.scoring import contrast_of, shares_of  # noqa: PLC0415 - numpy takes 100 ms

        words, model = tuple(query_words(question)), self._embedding.model
        wanted = Search(words, _POOL, vector, model, by_meaning=_NEAREST)
        found = self._writer.derived.cues.candidates(wanted)
        mean, spread = contrast_of(found.near, self._embedding.background)
        best: dict[str, Cue] = {}
        each_one = zip(found.table.passages, found.cosines.tolist(), shares_of(found), strict=True)
        for passage, cosine, share in each_one:
            meaning = 0.0 if math.isnan(cosine) else min(_FARTHEST, max(0.0, (cosine - mean) / spread))
            cue = Cue(meaning, share, passage.id)
            if cue.strength > 0:
                best[passage.memory] = cue.or_stronger(best.get(passage.memory))
        return best

    def named(self, hits: list[Hit], cues: Mapping[str, Cue]) -> list[Hit]:
        """Say by which cue each hit came to mind."""
        places = {hit.memory: cues[hit.memory].place for hit in hits if hit.memory in cues}
        if not places:
            return hits
        passages = self._writer.derived.cues.passages(sorted(places.values()))
        texts = {memory: passages[place].text for memory, place in places.items() if place in passages}
        return [hit._replace(cue=texts.get(hit.memory, "")) for hit in hits]

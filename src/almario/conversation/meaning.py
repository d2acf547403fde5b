"""How near texts are in meaning, also across languages."""

from collections.abc import Sequence
from operator import mul

from almario.domain.words import sentences_in
from almario.errors import EmbedderUnavailable, MissingExtra
from almario.memory.rules.provenance import UNRELATED, Ground
from almario.named_tuples import NamedTuple
from almario.ports import Embedder, Vector
from almario.text.claims import senses_in

# In a short text, its closing mark would weigh as much as a word.
_MARKS = " .,;!¡…"
# A longer text is near to nothing as a whole.
_LONGEST = 400


class Nearness(NamedTuple):
    """The text nearest to another, and their cosine."""

    cosine: float = 0.0
    text: str = ""


class Meaning:
    """Compares texts by an embedder; without one, nothing is near."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {}

    def nearest(self, text: str, others: Sequence[str]) -> Nearness:
        """Return which of the others is nearest to a text."""
        if not self._embedder or not others:
            return Nearness()
        try:
            one, *vectors = self._embedded(self._embedder, [text, *others])
        except (EmbedderUnavailable, MissingExtra):  # words alone decide
            self._embedder = None
            return Nearness()
        cosines = [sum(map(mul, one, vector)) for vector in vectors]
        return max(Nearness(float(cosine), other) for cosine, other in zip(cosines, others, strict=True))

    def support(
        self,
        text: str,
        sources: Sequence[str],
        ground: Ground,
        answers: Sequence[str] = (),
        *,
        alone: bool = False,
    ) -> float:
        """Return how much of a text its sources say, by their words (*ground*) or by their meaning.

        *answers* are some of them with the questions that they answer, which say nothing by themselves.
        *alone*, nobody else was heard. Of two texts without a common word, one that denies what the other
        does not is not near.
        """
        near = self.nearest(text, passages_of(sources))
        if near.cosine >= UNRELATED:
            near = max(near, self.nearest(text, answers))
        is_turned = not ground.touched and senses_in(text).isdisjoint(senses_in(near.text))
        return ground.support(0.0 if is_turned else near.cosine, alone=alone)

    def _embedded(self, embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors |= zip(new, embedder.embed([text.strip(_MARKS) for text in new]), strict=True)
        return [self._vectors[text] for text in texts]


def passages_of(texts: Sequence[str]) -> list[str]:
    """Return the sentences of texts, and the texts themselves if they are short."""
    sentences = [each for text in texts for each in sentences_in(text)]
    return list(dict.fromkeys([*sentences, *(text for text in texts if len(text) <= _LONGEST)]))

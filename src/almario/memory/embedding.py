"""Vectors for what can be found: made after the write, up to a limit before a search, or all at once."""

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import lru_cache
from itertools import combinations
from operator import mul
from threading import Lock
from typing import cast

from almario.domain.candidates import BACKGROUND
from almario.domain.messages import Sentence, sentence_of
from almario.domain.passages import text_hash
from almario.errors import EmbedderUnavailable, MissingExtra, StoreError
from almario.memory.rules.answers import BACKGROUND as ANSWERED
from almario.memory.rules.answers import DIMENSIONS, towards_answers
from almario.memory.writer import MemoryWriter, Progress
from almario.named_tuples import NamedTuple
from almario.ports import Embedder, Index, Vector
from almario.text.questions import QuestionKind

# Of the newest texts without a vector so many are embedded before a search, and so many characters of them:
# that takes a tenth of a second.
_BEFORE_SEARCH, _CHARACTERS = 64, 6_000
_BATCH = 64
_ALL = 10_000_000
_INCOMPLETE = Sentence(
    'not everything can be found by meaning yet; "almario recall" and the daemon work on it, '
    '"almario memory reindex" does it at once'
)
# How many questions' vectors are cached.
_CACHED = 256
# Short texts that have nothing in common, to see how near to each other a model puts such.
_APART = (
    "My sister's train leaves at nine.",
    "Leo is allergic to walnuts.",
    "The printer in the office needs new toner.",
    "We painted the kitchen yellow last spring.",
    "Works as a nurse on the night shift.",
    "The bicycle has a flat tyre again.",
    "A mi abuela le gustan las novelas policiales.",
    "El alquiler sube en enero.",
    "Aprendió a tocar el violín de chica.",
    "La reunión del club es los jueves.",
    "El perro se llama Toto y duerme mucho.",
    "Se mudaron a un pueblo cerca del mar.",
)
# Their cosines in the model that scores are fitted to, which has other texts, too; and the least spread: a
# model that sees no difference would let the smallest count.
_MEAN, _SPREAD, _LEAST_SPREAD = 0.114, 0.057, 0.01


class Aim(NamedTuple):
    """What passages are compared with, and how its cosines with those that have nothing to do with it lie."""

    vector: Vector | None
    background: tuple[float, float]


class Embedding:
    """Turns the texts of one agent into vectors, if there is something that can."""

    def __init__(
        self, writer: MemoryWriter, embedder: Embedder | None, comparer: Embedder | None = None
    ) -> None:
        """*comparer* tells what means the same: how its cosines are to be read is known."""
        self.comparer = comparer
        self._writer = writer
        self._embedder = embedder
        self._making = Lock()
        self._is_known = embedder is None or (comparer is not None and embedder.model == comparer.model)
        self._background = BACKGROUND if self._is_known else None
        # In a process that lives for long, the same is asked again.
        self._cached = lru_cache(_CACHED)(self._embedded)
        self.vector_of = lru_cache(_CACHED)(self._to_compare)

    @property
    def model(self) -> str:
        """The name of the space that vectors are in; empty without an embedder."""
        return self._embedder.model if self._embedder else ""

    def all(self, progress: Progress | None = None) -> int:
        """Give every text its vector; return how many got one."""
        if self._embedder is None or not self._embedder.is_available():
            return 0
        done = 0
        derived = self._writer.derived
        for index in (derived.past, derived.live, derived.cues):
            texts = list(index.lacking(self.model, _ALL).items())
            total = done + len(texts)
            for start in range(0, len(texts), _BATCH):
                done += self._keep(index, dict(texts[start : start + _BATCH]))
                if progress:
                    progress(done, total)
        return done

    @property
    def _searched(self) -> tuple[Index, ...]:
        """What every search looks at: what can be told, and the cues that bring it to mind, if there are."""
        return self._writer.derived.live, self._writer.derived.cues

    def newest(self) -> bool:
        """Give the newest texts their vectors, if that can be now; say whether others are left."""
        if self._embedder is None:
            return False
        try:
            return True in [self._newest(index) for index in self._searched]
        except (StoreError, EmbedderUnavailable, MissingExtra):  # the next search tries it again
            return False

    def _newest(self, index: Index) -> bool:
        lacking = index.lacking(self.model, _BATCH)
        self._keep(index, lacking)
        return len(lacking) == _BATCH and lacking.keys().isdisjoint(index.lacking(self.model, 1))

    def of(self, text: str) -> tuple[Vector | None, list[Sentence]]:
        """Return a text's vector, or None and why there is none."""
        if self._embedder is None or not text.strip():
            return None, []
        try:
            with self._writer.derived.reading():
                lacking = [(each, each.lacking(self.model, _BEFORE_SEARCH)) for each in self._searched]
            is_incomplete = True in [self._prepared(index, text, some) for index, some in lacking]
            vector = self._cached(text)
        except (EmbedderUnavailable, MissingExtra) as exc:
            return None, [Sentence("found by words alone: {why}", why=sentence_of(exc))]
        return vector, [_INCOMPLETE] if is_incomplete else []

    def _prepared(self, index: Index, question: str, lacking: Mapping[str, str]) -> bool:
        """Give some texts their vectors before a search; say whether there are many more."""
        if lacking:
            # Of several threads one embeds what is new, and the others find it done.
            with self._making, suppress(StoreError):  # the next search does it
                lacking = index.lacking(self.model, _BEFORE_SEARCH)
                self._keep(index, _some(question, lacking))
        return len(lacking) == _BEFORE_SEARCH

    @property
    def background(self) -> tuple[float, float]:
        """The mean and the spread of the cosines of texts that have nothing in common.

        Each model has its own, so another than the one that scores are fitted to is asked once.
        """
        return self._background or BACKGROUND

    def aim(self, vector: Vector | None, question: QuestionKind) -> Aim:
        """Return where to look for what answers a question, or has to do with a remark."""
        if vector is None or not (self._is_known and question.is_question and len(vector) == DIMENSIONS):
            return Aim(vector, self.background)
        return Aim(towards_answers(vector), ANSWERED)

    def _embedded(self, text: str) -> Vector:
        if self._embedder is None:
            return ()
        text = _quiet(text)
        if self._background:
            return self._embedder.embed([text])[0]
        vector, *others = self._embedder.embed([text, *_APART])
        cosines = [sum(map(mul, one, other)) for one, other in combinations(others, 2)]
        middle = sum(cosines) / len(cosines)
        spread = max(math.dist(cosines, [middle] * len(cosines)) / math.sqrt(len(cosines)), _LEAST_SPREAD)
        mean, wide = BACKGROUND
        self._background = middle + (mean - _MEAN) / _SPREAD * spread, wide / _SPREAD * spread
        return vector

    def likeness(self, one: str, other: str) -> float | None:
        """Return how nearly two texts mean the same, as a cosine; None if nothing can tell."""
        with suppress(EmbedderUnavailable, MissingExtra):
            first, second = self.vector_of(one), self.vector_of(other)
            return cosine_of(first, second) if len(first) and len(second) else None
        return None

    def _to_compare(self, text: str) -> Vector:
        """Return a vector of length 1; of no length, nothing."""
        vector: Vector = ()
        if self.comparer and self.comparer.model == self.model:  # most often the index has it
            known = self._writer.derived.live.vectors(self.model, [text_hash(text)])
            vector = next(iter(known.values()), ())
        if self.comparer and not len(vector):
            [vector] = self.comparer.embed([_quiet(text)])
        if not len(vector):
            return ()
        import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

        row = np.asarray(vector, dtype=float)
        length = math.sqrt(row @ row)
        return cast("Vector", row / length) if length else ()

    def cosines(self, vector: Vector | None, texts: Mapping[str, str]) -> Mapping[str, float]:
        """Return how near texts that have vectors are, by their names, as the encoder that ships measures."""
        if vector is None:
            return {}
        hashes = {name: text_hash(text) for name, text in texts.items()}
        known = self._writer.derived.live.vectors(self.model, list(set(hashes.values())))
        (mean, spread), (own_mean, own_spread) = BACKGROUND, self.background
        return {
            name: mean + (cosine_of(known[key], vector) - own_mean) * spread / own_spread
            for name, key in hashes.items()
            if key in known
        }

    def many(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of texts; none, if nothing can make them."""
        with suppress(EmbedderUnavailable, MissingExtra):
            return list(self._embedder.embed(list(texts))) if self._embedder and texts else []
        return []

    def _keep(self, index: Index, lacking: Mapping[str, str]) -> int:
        """Give these texts their vectors; the lock is not held while they are made."""
        if self._embedder is None or not lacking:
            return 0
        vectors = self._embedder.embed(list(lacking.values()))
        derived = self._writer.derived
        with nullcontext() if derived.is_private else self._writer.vault.writing(), derived.writing():
            index.add_vectors(self.model, dict(zip(lacking, vectors, strict=True)))
        return len(lacking)


def _quiet(text: str) -> str:
    """Return a message in small letters if it is shouted: to an embedder, capitals are other words."""
    letters = [letter for letter in text if letter.isalpha()]
    return text.lower() if letters and all(map(str.isupper, letters)) else text


def cosine_of(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of length 1."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    return float(np.dot(one, other))


def _some(question: str, lacking: Mapping[str, str]) -> dict[str, str]:
    """Return as many texts as are quickly embedded, at least one.

    The question itself, which was said a moment ago, is none of them: nobody who asks it looks for it.
    """
    some: dict[str, str] = {}
    left = _CHARACTERS
    for key, text in lacking.items():
        if text != question and (left >= len(text) or not some):
            some[key] = text
            left -= len(text)
    return some

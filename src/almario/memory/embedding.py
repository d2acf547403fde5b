"""Vectors for what can be found: made after the write, up to a limit before a search, or all at once."""

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import lru_cache
from itertools import combinations
from operator import mul
from threading import Lock
from typing import cast

from almario.domain.candidates import BACKGROUND, Search
from almario.domain.memories import Memory
from almario.domain.messages import Sentence, sentence_of
from almario.domain.opening_kinds import ASKING, BEYOND, DANGER, GROUP_OF, OPENINGS, REPLIES, TELLING, TO_DO
from almario.domain.passages import text_hash
from almario.domain.plain_text import regex
from almario.errors import EmbedderUnavailable, MissingExtra, StoreError
from almario.memory.rules.answers import BACKGROUND as ANSWERED
from almario.memory.rules.answers import towards_answers
from almario.memory.writer import MemoryWriter, Progress
from almario.named_tuples import NamedTuple
from almario.ports import Embedder, Index, Vector
from almario.text.answers import sure_reply
from almario.text.corrections import chances, kind_of, likeliest
from almario.text.fitted import DIMENSIONS
from almario.text.outdated import replaces
from almario.text.questions import QuestionKind, begins_as_question, is_question
from almario.text.reader import LIKELY, Reading, opening_of, parts_of, read
from almario.text.wishes import wish_in

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
_CACHED = 1000
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
# Passages compared to find memories that mean nearly the same.
_AKIN = 50
# Small talk is no longer than this.
_SHORT, _TWO_LETTERS = 60, regex(r"[^\W\d_]{2}|[\u3040-\u30ff\u4e00-\u9fff]")
# What is in danger is heard in a clause from this chance on; a reply, and what is to be done.
_IN_DANGER, _REPLIED, _JOTTED = 0.85, 0.5, 0.8
# How many texts' readings are cached. By letters alone, a text counts as sensitive from this
# chance on.
_READ, _BY_LETTERS = 4096, 0.4
# What means the same in other words has so much more in common than the likelihood that it goes on about it.
_OF_THE_SAME = 0.2


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
        self.reading_of = lru_cache(_CACHED)(self._reading_of)
        self._heard = lru_cache(_CACHED)(self._vectors_heard)
        self._is_sensitive = lru_cache(_CACHED)(
            lambda text: read(text, self._vector_to_read(text)).sensitive >= LIKELY
        )
        self._seems_sensitive = lru_cache(_READ)(lambda text: read(text).sensitive >= _BY_LETTERS)
        # The vector of the message that was heard last: recall asks for it next.
        self._latest: dict[str, Vector] = {}
        # Of texts that have a vector, whether they seem to be nobody's business.
        self._sensitive: dict[str, bool] = {}

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
        if (known := self._latest.get(text)) is not None:
            return known
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

    def likeness_of_parts(self, text: str, other: str) -> float:
        """Return how nearly a text, or a clause of it, means the same as another; 0 if nothing can tell."""
        return max(self.likeness(each, other) or 0.0 for each in (text, *parts_of(text)))

    def replaces(self, new: str, old: str) -> float:
        """Return how likely what is told takes the place of what was told before; 0 if nothing can tell."""
        with suppress(EmbedderUnavailable, MissingExtra):
            vectors = [self.vector_of(each) for each in (new, *parts_of(new))]
            return replaces(new, old, vectors, self.vector_of(old))
        return 0.0

    def change(self, old: str, new: str) -> str:
        """Return whether a message `corrects` what was told, takes it `back`, or neither."""
        with suppress(EmbedderUnavailable, MissingExtra):
            vector = self._vector_to_read(new)
            return kind_of(old, new, self.vector_of(old), () if vector is None else vector)
        return kind_of(old, new, (), ())

    def going_on(self, old: str, new: str) -> float:
        """Return how likely what was said goes on about something else: changes it, or says it anew."""
        with suppress(EmbedderUnavailable, MissingExtra):
            before, vector = self.vector_of(old), self.vector_of(new)
            if len(before) and len(vector):
                kinds = chances(old, new, before, vector, likeliest(old, new).chance)
                return max(*kinds.values(), self.replaces(new, old), cosine_of(before, vector) - _OF_THE_SAME)
        return 0.0

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

    def read(self, text: str, *, by_parts: bool = False) -> Reading:
        """Read what kind of message or fact a text is: with its vector, if something can make it.

        *by_parts* takes a little longer, and hears more of what a message wants.
        """
        with suppress(EmbedderUnavailable, MissingExtra):
            if by_parts and self.comparer and text.strip():
                return read(text, *self._heard(text))
        return read(text, self._vector_to_read(text))

    def opening(self, text: str, *, chance: float = LIKELY, among: Sequence[str] = OPENINGS) -> str:
        """Return which opening a message is, such as a greeting, if that has a *chance*; or nothing.

        By letters and words alone it must be likely. What opens a question in Spanish says nothing about
        it, and moves the vector of a short one.
        """
        text = text.replace("¿", "").replace("¡", "").strip()
        vector = self._vector_to_read(text)
        return opening_of(text, vector, chance=LIKELY if vector is None else chance, among=among)

    def _vector_to_read(self, text: str) -> Vector | None:
        with suppress(EmbedderUnavailable, MissingExtra):
            if self.comparer and text.strip():
                return self._cached(text) if self._embedder and self._is_known else self.vector_of(text)
        return None

    def is_to_do(self, text: str) -> bool:
        """Return whether something is jotted down to be done; "blue backpack, I mean" may seem so."""
        return self.opening(text, chance=_JOTTED) == TO_DO

    def openings(self, text: str) -> list[str]:
        """Return which openings the clauses of a message are, each once: "hi, I'm Tom, what can you do"."""
        return list(dict.fromkeys(filter(None, map(self.opening, parts_of(text) or [text]))))

    def danger(self, text: str) -> str:
        """Return which danger somebody speaks of, such as despair, whatever else a message says; or nothing.

        Help that is named in vain is the lesser harm; but what likelier asks something else speaks of none.
        Of several it is the first: the answer to that says what helps in the others, too.
        """

        def has(text: str, danger: str, chance: float) -> bool:
            return self.opening(text, chance=chance, among=(danger, ASKING)) == danger

        clauses = parts_of(text)
        found = (
            danger
            for danger in DANGER
            if has(text, danger, LIKELY) or any(has(each, danger, _IN_DANGER) for each in clauses)
        )
        return next(found, "")

    def reply(self, text: str) -> str:
        """Return `yes`, `no` or `which` (of several), if a message says that to a question; or nothing."""
        read = "" if "?" in text else self.opening(text, chance=_REPLIED, among=REPLIES)
        return sure_reply(text) or read

    def asks(self, text: str) -> bool:
        """Return whether a message asks something; an order does not.

        Without a question mark, what it is read as says more than its first word: "what a day" asks nothing.
        """
        opening = self.opening(text) if wish_in(text) is None else ""
        is_ended = text.rstrip().endswith((".", "!"))  # as no question is that lacks its sign
        if (opening == ASKING and not is_ended) or (begins_as_question(text) and opening in (TELLING, "")):
            return True
        is_told = opening in (TELLING, TO_DO) or GROUP_OF.get(opening) in ("courtesy", "feeling", "danger")
        return is_question(text) and ("?" in text or not is_told)

    def is_beside(self, clause: str, *, chance: float = LIKELY) -> bool:
        """Return whether a clause asks, or orders work, beside what others tell; in doubt it does not."""
        opening = self.opening(clause, chance=chance)
        is_answered = opening == BEYOND or GROUP_OF.get(opening) == "itself"
        return is_answered or (is_question(clause) and self.asks(clause))

    def is_small_talk(self, text: str) -> bool:
        """Return whether something short that was said tells nothing: a greeting, "yes", "7"."""
        if len(text) > _SHORT:
            return False
        is_bare = _TWO_LETTERS.search(text) is None
        is_read = self.reading_of(text).small_talk >= LIKELY
        return is_bare or is_read or GROUP_OF.get(self.opening(text)) in ("itself", "courtesy")

    def _vectors_heard(self, text: str) -> tuple[Vector, Sequence[Vector]]:
        """Return a message's vector and those of its parts, made in one go: that takes half as long."""
        assert self.comparer
        vectors = self.comparer.embed([_quiet(each) for each in (text, *parts_of(text))])
        if self._embedder and self._is_known:
            self._latest = {text: vectors[0]}
        return vectors[0], vectors[1:]

    def _reading_of(self, text: str) -> Reading:
        """Read a sentence that was said before: most often the index has its vector."""
        with suppress(EmbedderUnavailable, MissingExtra):
            return read(text, self.vector_of(text))
        return read(text)

    def sensitive(self, texts: Sequence[str], *, by_letters: bool = False) -> set[str]:
        """Return which texts seem to be nobody's business: where no embedder can tell, none.

        What is so new that it has no vector yet is read by its letters. On request so is all, where nothing
        else can tell; that sees less, so more is taken for sensitive.
        """
        if not (self._embedder and self._is_known):
            return {each for each in texts if by_letters and self._seems_sensitive(each)}
        if len(self._sensitive) > _READ:
            self._sensitive = {}
        seems = self._sensitive  # another thread may begin anew
        unread = {text_hash(each): each for each in texts if each not in seems}
        if unread:
            known = self._writer.derived.live.vectors(self.model, list(unread))
            readings = {unread[key]: read(unread[key], vector) for key, vector in known.items()}
            seems |= {each: reading.sensitive >= LIKELY for each, reading in readings.items()}
        new = {each for each in texts if each not in seems and read(each).sensitive >= LIKELY}
        return {each for each in texts if seems.get(each)} | new

    def is_sensitive(self, text: str) -> bool:
        """Return whether a text that is no memory seems to be private."""
        return (self._seems_sensitive if self._vector_to_read(text) is None else self._is_sensitive)(text)

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

    def akin(self, memories: Sequence[Memory]) -> dict[tuple[str, str], float]:
        """Return the cosines of these memories and of those nearest to each in meaning, by their ids."""
        live, found = self._writer.derived.live, dict[tuple[str, str], float]()
        if self._embedder is None or not memories:
            return found
        try:
            with suppress(StoreError):
                self._keep(live, live.lacking(self.model, _BATCH))
            vectors = self._embedder.embed([memory.text for memory in memories])
        except (EmbedderUnavailable, MissingExtra):  # words propose the others
            return found
        for memory, vector in zip(memories, vectors, strict=True):
            near = live.candidates(Search(vector=vector, model=self.model, by_meaning=_AKIN))
            for passage, cosine in zip(near.table.passages, near.cosines.tolist(), strict=True):
                if passage.memory and passage.memory != memory.id:
                    pair = min(memory.id, passage.memory), max(memory.id, passage.memory)
                    found[pair] = cosine
        return found

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

"""An index of plain dictionaries: slow, and plainly right, to compare the others with."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from statistics import fmean, pstdev

from almario.domain.candidates import Asking, Near, Search
from almario.domain.columns import Candidates, Table, gathered, table_of
from almario.domain.passages import PLACE_BITS, Passage, embedded_text, in_unicode, text_hash
from almario.ports import Vector


class PlainIndex:
    """An index of plain dictionaries; *terms* gives a passage's words, by default those of its text."""

    def __init__(self, terms: Callable[[Passage], Sequence[str]] | None = None) -> None:
        self._terms = terms or (lambda passage: passage.text.lower().split())
        self._fingerprints: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._next = 1
        self._passages: dict[int, Passage] = {}
        self._words: dict[int, frozenset[str]] = {}
        self._vectors: dict[tuple[str, str], list[float]] = {}

    def sources(self) -> Mapping[str, str]:
        """Return each source that has a fingerprint, with it."""
        return {source: each for source, each in self._fingerprints.items() if each}

    def put(self, source: str, fingerprint: str, passages: Iterable[Passage], *, keep: int = 0) -> None:
        """Make these the passages of a source after its first *keep*."""
        if source not in self._numbers:
            self._numbers[source] = self._next
            self._next += 1
        number = self._numbers[source]
        old = sorted(each for each in self._passages if each >> PLACE_BITS == number)
        for each in old[keep:]:
            del self._passages[each], self._words[each]
        first = (number << PLACE_BITS) + min(keep, len(old))
        for place, passage in enumerate(map(in_unicode, passages), first):
            words = self._terms(passage)
            self._passages[place] = passage._replace(id=place, length=len(words))
            self._words[place] = frozenset(words)
        self._fingerprints[source] = fingerprint
        if not fingerprint and not any(each >> PLACE_BITS == number for each in self._passages):
            del self._fingerprints[source], self._numbers[source]
        used = {_hash(passage) for passage in self._passages.values()}
        self._vectors = {name: kept for name, kept in self._vectors.items() if name[1] in used}

    def put_each(self, sources: Mapping[str, Sequence[Passage]]) -> None:
        """Make these the passages of many sources at once, none of which has a fingerprint."""
        for source, passages in sources.items():
            self.put(source, "", passages)

    def places(self, sources: Collection[str]) -> Mapping[str, int]:
        """Return the id of the first passage of each of the sources that are there."""
        return {each: self._numbers[each] << PLACE_BITS for each in sources if each in self._numbers}

    def count(self) -> tuple[int, float]:
        """Return how many passages there are, and how many words they have on average."""
        lengths = [passage.length for passage in self._passages.values()]
        return len(lengths), sum(lengths) / len(lengths) if lengths else 0.0

    def candidates(self, wanted: Search) -> Candidates:
        """Return what is found by words, by meaning and by time, all at once, and its neighbours."""
        return gathered(self, wanted)

    def having(self, term: str) -> Sequence[int]:
        """Return the ids of the passages with a term, in order; a term that ends in `*` is a beginning."""
        if term.endswith("*"):
            found = [n for n, words in self._words.items() if any(map(_begins(term[:-1]), words))]
        else:
            found = [n for n, words in self._words.items() if term in words]
        return sorted(found)

    def asking(self) -> Asking:
        """Return the passages that only ask."""
        asking = {n: passage.length for n, passage in self._passages.items() if not passage.tells}
        return Asking(sorted(asking), sum(asking.values()))

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        """Return the latest passages that speak of those days, or of some of them, in order."""
        found = {
            each: max(begun for begun, ended in passage.moments if begun <= last and ended >= first)
            for each, passage in self._passages.items()
            if any(begun <= last and ended >= first for begun, ended in passage.moments)
        }
        return sorted(sorted(found, key=lambda each: found[each], reverse=True)[:limit])

    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        """Return those of the passages that exist, with their texts."""
        return {each: self._passages[each] for each in ids if each in self._passages}

    def table(self, ids: Sequence[int]) -> Table:
        """Return those of the passages that exist, without their texts."""
        return table_of({each: passage._replace(text="") for each, passage in self.passages(ids).items()})

    def nearest(self, vector: Vector, model: str, limit: int) -> Near:
        """Return the passages nearest to a vector."""
        scores = self._scores(vector, model)
        best = sorted(scores, key=lambda each: (-scores[each], each))[: max(limit, 0)]
        background = (fmean(scores.values()), pstdev(scores.values())) if scores else (0.0, 0.0)
        return Near(best, *background, len(scores))

    def cosines(self, vector: Vector, model: str, ids: Sequence[int]) -> Sequence[float]:
        """Return the cosine of each of the passages; NaN if it has no vector."""
        scores = self._scores(vector, model)
        return [scores.get(each, math.nan) for each in ids]

    def _scores(self, vector: Vector, model: str) -> dict[int, float]:
        return {
            each: sum(a * b for a, b in zip(vector, kept, strict=True))
            for each, passage in self._passages.items()
            if (kept := self._vectors.get((model, _hash(passage))))
        }

    def lacking(self, model: str, limit: int) -> Mapping[str, str]:
        """Return texts that have no vector of that model yet, by their hash, newest first."""
        newest = sorted(self._passages.values(), key=lambda p: (p.day or date.min, p.id), reverse=True)
        texts = {_hash(p): embedded_text(p) for p in newest if (model, _hash(p)) not in self._vectors}
        return dict(list(texts.items())[: max(limit, 0)])

    def add_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by their text's hash; one that is there already stays as it is."""
        used = {_hash(passage) for passage in self._passages.values()}
        for each in used.intersection(vectors):
            self._vectors.setdefault((model, each), list(vectors[each]))

    def vectors(self, model: str, hashes: Collection[str]) -> Mapping[str, Vector]:
        """Return the vectors of those of the texts that have one, by their hash."""
        return {each: self._vectors[model, each] for each in hashes if (model, each) in self._vectors}


def _hash(passage: Passage) -> str:
    return text_hash(embedded_text(passage))


def _begins(start: str) -> Callable[[str], bool]:
    return lambda word: bool(start) and word.startswith(start)

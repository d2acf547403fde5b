"""An index in memory, for tests of searching."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from statistics import fmean, pstdev

from almario.domain.candidates import Asking, Near, Search
from almario.domain.columns import Candidates, Table, gathered, table_of
from almario.domain.passages import PLACE_BITS, Passage
from almario.domain.words import index_terms
from almario.text.timewords import with_gist

TODAY = date(2026, 11, 15)


class MemoryTable:
    """Passages by source; vectors are given by text."""

    def __init__(self, vectors: Mapping[str, Sequence[float]] | None = None) -> None:
        self._passages: dict[int, Passage] = {}
        self._terms: dict[str, list[int]] = {}
        self._vectors = vectors or {}
        self._sources = 0

    def talk(self, *turns: str, day: date | None = None, roles: Sequence[str] = ()) -> "MemoryTable":
        """Add a session; a turn is `speaker: text` or a text."""
        self._sources += 1
        for n, turn in enumerate(turns):
            speaker, _, text = turn.rpartition(": ")
            role = roles[n % len(roles)] if roles else ""
            self._add(Passage(text, "sessions/a.jsonl", n, "turn", day, speaker, role, f"a#{n}"), n)
        return self

    def days(self, *turns: tuple[date, str]) -> "MemoryTable":
        """Add one session that goes over several days."""
        self._sources += 1
        for n, (day, text) in enumerate(turns):
            self._add(Passage(text, "sessions/a.jsonl", n, "turn", day, turn=f"a#{n}"), n)
        return self

    def facts(self, *texts: str, day: date | None = None) -> "MemoryTable":
        self._sources += 1
        for n, text in enumerate(texts):
            self._add(Passage(text, "ledger", n, "fact", day, memory=f"m{n}"), n)
        return self

    def _add(self, passage: Passage, place: int) -> None:
        one = self._sources << PLACE_BITS | place
        terms = index_terms(passage.text, passage.speaker)
        self._passages[one] = with_gist(passage)._replace(id=one, length=len(terms))
        for term in terms:
            self._terms.setdefault(term, []).append(one)

    def count(self) -> tuple[int, float]:
        lengths = [passage.length for passage in self._passages.values()]
        return len(lengths), sum(lengths) / max(1, len(lengths))

    def having(self, term: str) -> Sequence[int]:
        if not term.endswith("*"):
            return self._terms.get(term, ())
        found = (ids for known, ids in self._terms.items() if known.startswith(term[:-1]))
        return sorted({one for ids in found for one in ids})

    def asking(self) -> Asking:
        lengths = {one: passage.length for one, passage in self._passages.items() if not passage.tells}
        return Asking(sorted(lengths), sum(lengths.values()))

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        return [
            one
            for one, passage in self._passages.items()
            if any(begun <= last and ended >= first for begun, ended in passage.moments)
        ][-limit:]

    def candidates(self, wanted: Search) -> Candidates:
        return gathered(self, wanted)

    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        return {one: self._passages[one] for one in ids if one in self._passages}

    def table(self, ids: Sequence[int]) -> Table:
        return table_of({one: passage._replace(text="") for one, passage in self.passages(ids).items()})

    def nearest(self, vector: Sequence[float], model: str, limit: int) -> Near:
        known = [one for one, passage in self._passages.items() if passage.text in self._vectors]
        cosines = dict(zip(known, self.cosines(vector, model, known), strict=True))
        best = sorted(cosines, key=lambda one: -cosines[one])[:limit]
        background = (fmean(cosines.values()), pstdev(cosines.values())) if cosines else (0.0, 0.0)
        return Near(best, *background, len(cosines))

    def cosines(self, vector: Sequence[float], model: str, ids: Sequence[int]) -> Sequence[float]:
        lacking = [math.nan] * len(vector)
        others = [self._vectors.get(self._passages[one].text, lacking) for one in ids]
        return [sum(a * b for a, b in zip(vector, other, strict=True)) for other in others]

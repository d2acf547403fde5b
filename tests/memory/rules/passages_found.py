"""An index in memory, for tests of searching."""

from collections.abc import Mapping, Sequence
from datetime import date

from almario.domain.passages import Passage, embedded_text, text_hash
from almario.domain.words import index_terms
from almario.text.timewords import with_gist
from tests.plain_index import PlainIndex

TODAY = date(2026, 11, 15)


class MemoryTable(PlainIndex):
    """Passages by source; vectors are given by text."""

    def __init__(self, vectors: Mapping[str, Sequence[float]] | None = None) -> None:
        super().__init__(lambda passage: index_terms(passage.text, passage.speaker))
        self._given = vectors or {}

    def talk(self, *turns: str, day: date | None = None, roles: Sequence[str] = ()) -> "MemoryTable":
        """Add a session; a turn is `speaker: text` or a text."""
        passages = []
        for n, turn in enumerate(turns):
            speaker, _, text = turn.rpartition(": ")
            role = roles[n % len(roles)] if roles else ""
            passages.append(Passage(text, "sessions/a.jsonl", n, "turn", day, speaker, role, f"a#{n}"))
        return self._with(passages)

    def days(self, *turns: tuple[date, str]) -> "MemoryTable":
        """Add one session that goes over several days."""
        return self._with(
            [
                Passage(text, "sessions/a.jsonl", n, "turn", day, turn=f"a#{n}")
                for n, (day, text) in enumerate(turns)
            ]
        )

    def facts(self, *texts: str, day: date | None = None) -> "MemoryTable":
        return self._with(
            [Passage(text, "ledger", n, "fact", day, memory=f"m{n}") for n, text in enumerate(texts)]
        )

    def _with(self, passages: Sequence[Passage]) -> "MemoryTable":
        self.put(f"source {self._next}", "f", map(with_gist, passages))
        known = [each for each in passages if each.text in self._given]
        self.add_vectors("", {text_hash(embedded_text(each)): self._given[each.text] for each in known})
        return self

"""Find what is known about a question: by word and by meaning, ranked together.

A word search always works. When no embedder can be reached, recall is poorer,
says so, and still answers. Texts are embedded behind the write: the newest
ones here, before a search, and all of them by `embed_all`.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import NamedTuple

from almario.domain import ranking
from almario.domain.documents.guards import bullet
from almario.domain.memories import Memory, Wanted, same_key, state_at
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, Hit, Recalled, Scope
from almario.domain.passages import Passage
from almario.domain.sources import LOG, REFLECTIONS, STRANGER, SUMMARY, homes_of
from almario.errors import AlmarioError, EmbedderUnavailable, MissingExtra, SoulError, StoreError
from almario.memory.keeping import Keeping, Progress
from almario.memory.settings import AutoRecallSettings, SearchSettings
from almario.ports import Embedder, Index, Vector

# How a question may be answered: as measured best, or by a classic; without meaning; by the oldest of all.
MODES = ("best", "weighted", "words", "tfidf")
# So many of the newest texts without a vector are embedded before a search.
_BEFORE_SEARCH = 16
_BATCH = 64
_ALL = 10_000_000
# So many may be worth telling: most of them may be told already, as core facts or as this session's turns.
_CANDIDATES = 200
# The best three are among the first of so many; on LoCoMo even of the best ten only one in 300 is not.
_FEW = 50
# So many passages are looked at for memories that mean nearly the same as one.
_AKIN = 50
_FARTHEST = 100
# What would be shown as 0.00 has nothing to do with the question.
_LEAST = 0.005
# So many more are ranked than are wanted: some tell what is out of use, or say the same again.
_SPARE, _SPARE_HITS = 2, 20
_HOW = {(True, True): "both", (True, False): "keyword", (False, True): "vector", (False, False): "context"}
# What a search leaves out unless it is asked for.
_OUT_OF_USE = ("superseded", "retired", "untrusted")


class Query(NamedTuple):
    """A question and how it is to be answered."""

    question: str
    limit: int = 5
    min_score: float = 0.0
    scope: Scope = Scope()
    mode: str = ""
    neighbours: int = 0
    explain: bool = False
    # How many passages are looked at closely for their words.
    pool: int = ranking.Query._field_defaults["pool"]


class Recall:
    """Answers questions from the passages of one agent."""

    def __init__(
        self, keeping: Keeping, embedder: Embedder | None, search: SearchSettings, auto: AutoRecallSettings
    ) -> None:
        self._keeping = keeping
        self._ledger = keeping.ledger
        self._embedder = embedder
        self._search = search
        self._auto = auto

    @property
    def model(self) -> str:
        """The name of the space that vectors are in; empty without an embedder."""
        return self._embedder.model if self._embedder else ""

    def search(self, query: Query) -> Recalled:
        """Return the best hits, best first."""
        if query.mode and query.mode not in MODES:
            sentence = '"{mode}" is no way to search; use {modes}'
            raise SoulError(sentence, mode=query.mode, modes=", ".join(MODES))
        vector, told = self._vector(query)
        cabinet = self._keeping.cabinet
        with cabinet.reading():
            found = self._hits(cabinet.live, query, vector)
            if set(query.scope.include) & set(_OUT_OF_USE):
                found += self._hits(cabinet.past, query, vector)
                found.sort(key=lambda hit: -hit.score)
        recalled = Recalled(self._placed(_without_repeats(found)[: query.limit]))
        recalled.told = tuple(told)
        return recalled

    def candidates(self, message: str) -> Recalled:
        """Return what may be worth knowing for a reply.

        The reflection journal says in other words what may have been forgotten since: it is not recalled
        unasked.
        """
        settings = self._auto
        if not settings.enabled or not self._search.enabled or len(message.strip()) < settings.min_chars:
            return Recalled()
        found = self.search(Query(message, _CANDIDATES, settings.min_score, pool=_FEW))
        recalled = Recalled(hit for hit in found if not hit.place.startswith(REFLECTIONS))
        recalled.told = found.told
        return recalled

    def worth_telling(self, found: Recalled, skip: Collection[str]) -> Recalled:
        """Return the best of what was found, leaving out the places, memories and turns in *skip*."""
        said = set(skip) - {""}
        fresh = [
            hit
            for hit in found
            if not hit.state and said.isdisjoint((hit.memory, hit.place.partition("#")[0], hit.turn))
        ]
        recalled = Recalled(fresh[: self._auto.limit])
        recalled.told = found.told
        return recalled

    def embed_all(self, progress: Progress | None = None) -> int:
        """Give every text its vector; return how many got one."""
        if self._embedder is None or not self._embedder.is_available():
            return 0
        done = 0
        for index in (self._keeping.cabinet.live, self._keeping.cabinet.past):
            texts = list(index.lacking(self.model, _ALL).items())
            total = done + len(texts)
            for start in range(0, len(texts), _BATCH):
                done += self._keep_vectors(index, dict(texts[start : start + _BATCH]))
                if progress:
                    progress(done, total)
        return done

    def embed_newest(self) -> None:
        """Give the newest texts their vectors; if that cannot be now, the next search tries it again."""
        live = self._keeping.cabinet.live
        if self._embedder is not None:
            with suppress(StoreError, EmbedderUnavailable, MissingExtra):
                self._keep_vectors(live, live.lacking(self.model, _BATCH))

    def akin(self, memories: Sequence[Memory]) -> dict[tuple[str, str], float]:
        """Return the cosines of these memories and of those nearest to each in meaning, by their ids."""
        live, found = self._keeping.cabinet.live, dict[tuple[str, str], float]()
        if self._embedder is None or not memories:
            return found
        try:
            with suppress(StoreError):
                self._keep_vectors(live, live.lacking(self.model, _BATCH))
            vectors = self._embedder.embed([memory.text for memory in memories])
        except (EmbedderUnavailable, MissingExtra):  # words propose the others
            return found
        for memory, vector in zip(memories, vectors, strict=True):
            cosines = live.nearest(vector, self.model, _AKIN)
            for place, passage in live.passages(list(cosines), text=False).items():
                if passage.memory and passage.memory != memory.id:
                    found[min(memory.id, passage.memory), max(memory.id, passage.memory)] = cosines[place]
        return found

    def _vector(self, query: Query) -> tuple[Vector | None, list[Sentence]]:
        """Return the question's vector, or None and why there is none."""
        if self._embedder is None or query.mode in ("words", "tfidf") or not query.question.strip():
            return None, []
        try:
            live = self._keeping.cabinet.live
            with suppress(StoreError):  # the next search does it
                self._keep_vectors(live, _besides(query.question, live.lacking(self.model, _BEFORE_SEARCH)))
            [vector] = self._embedder.embed([query.question])
        except (EmbedderUnavailable, MissingExtra) as exc:
            return None, [Sentence("found by words alone: {why}", why=sentence_of(exc))]
        return vector, []

    def _keep_vectors(self, index: Index, lacking: Mapping[str, str]) -> int:
        """Give these texts their vectors; the lock is not held while they are made."""
        if self._embedder is None or not lacking:
            return 0
        vectors = self._embedder.embed(list(lacking.values()))
        cabinet = self._keeping.cabinet
        with nullcontext() if cabinet.is_private else self._keeping.vault.writing(), cabinet.writing():
            index.add_vectors(self.model, dict(zip(lacking, vectors, strict=True)))
        return len(lacking)

    def _hits(self, index: Index, query: Query, vector: Vector | None) -> list[Hit]:
        scored = ranking.search(
            index,
            ranking.Query(
                query.question,
                self._keeping.vault.now().date(),
                vector,
                self.model,
                limit=query.limit * _SPARE + _SPARE_HITS,
                min_score=query.min_score,
                explain=query.explain,
                mode=self._search.fusion if query.mode in ("", "words") else query.mode,
                keep=(lambda passage: _fits(passage, query.scope)) if query.scope != Scope() else None,
                blend=(self._search.meaning_weight, self._search.word_weight),
                pool=query.pool,
            ),
        )
        states = self._states([each.passage for each in scored])
        hits = []
        for each in scored:
            state = states.get(each.passage.id, "live")
            is_fact = bool(each.passage.memory)
            if each.passage.role == STRANGER and "untrusted" not in query.scope.include:
                continue
            is_told = state in query.scope.include or (not is_fact and state in ("expired", "superseded"))
            if each.score >= _LEAST and (state == "live" or is_told):
                hits.append(self._hit(index, each, state, query))
        return hits

    def _placed(self, hits: list[Hit]) -> list[Hit]:
        """Find the line of MEMORY.md on which each fact stands; one not there yet has the file alone."""
        if not any(hit.memory for hit in hits):
            return hits
        try:
            text = "\n" + self._keeping.vault.read(CORE_MEMORY).text
        except AlmarioError:  # told when it was to be rendered
            text = ""

        def place(hit: Hit) -> str:
            spot = text.find("\n" + bullet(hit.text, "\n"))
            return f"{CORE_MEMORY}#{text.count(chr(10), 0, spot) + 1}" if spot >= 0 else CORE_MEMORY

        return [hit._replace(place=place(hit)) if hit.memory else hit for hit in hits]

    def _states(self, passages: Sequence[Passage]) -> dict[int, str]:
        """Return the state of what a passage tells, if that is a memory, a line of one, or its evidence."""
        ids = tuple(passage.memory for passage in passages if passage.memory)
        memories = {m.id: m for m in self._ledger.shelf.select(Wanted(ids=ids))} if ids else {}
        found = {p.id: self._state(memories[p.memory]) for p in passages if p.memory in memories}
        found |= {p.id: "untrusted" for p in passages if p.role == STRANGER}
        for path in {passage.path for passage in passages if passage.kind in (LOG, SUMMARY)}:
            homes = [self._ledger.shelf.select(Wanted(path=home)) for home in homes_of(path)]
            told = [memory for memories in homes for memory in memories]
            for passage in (p for p in passages if p.path == path):
                found |= self._of_all(passage, [m for m in told if _is_line_of(passage, m)])
        turns = tuple({passage.turn for passage in passages if passage.turn})
        rest = self._ledger.shelf.select(Wanted(evidence=turns)) if turns else []
        for passage in passages if rest else ():
            found |= self._of_all(passage, [m for m in rest if passage.turn in m.evidence])
        return found

    def _of_all(self, passage: Passage, memories: Sequence[Memory]) -> dict[int, str]:
        """Return the state that all the memories of a passage have left it in; nothing if one is in use."""
        states = [self._state(memory) for memory in memories]
        return {passage.id: states[-1]} if states and "live" not in states else {}

    def _state(self, memory: Memory) -> str:
        if memory.is_live and memory.origin == "untrusted":
            return "untrusted"
        return state_at(memory, self._keeping.vault.now(), self._ledger.lifetimes)

    def _hit(self, index: Index, scored: ranking.Scored, state: str, query: Query) -> Hit:
        passage = scored.passage
        around: list[str] = []
        if query.neighbours:
            reach = min(query.neighbours, _FARTHEST)
            span = range(passage.id - reach, passage.id + reach + 1)
            beside = index.passages([place for place in span if place != passage.id]).values()
            is_asked = "untrusted" in query.scope.include
            near = [p for p in beside if p.path == passage.path and (is_asked or p.role != STRANGER)]
            around = [f"{other.speaker}: {other.text}" if other.speaker else other.text for other in near]
        return Hit(
            kind=passage.kind,
            text=passage.text,
            day=passage.day,
            score=scored.score,
            how=_HOW[scored.by_word, scored.by_meaning],
            place=passage.place,
            key=passage.key,
            memory=passage.memory,
            state="" if state == "live" else state,
            speaker=passage.speaker,
            turn=passage.turn,
            reasons=tuple((part.name, part.where, part.value) for part in scored.parts),
            around=tuple(around),
        )


def _besides(question: str, lacking: Mapping[str, str]) -> dict[str, str]:
    """Leave out the question itself, which was said a moment ago: nobody who asks it looks for it."""
    return {key: text for key, text in lacking.items() if text != question}


def _is_line_of(passage: Passage, memory: Memory) -> bool:
    """Say whether a line of a file is a memory's: the same text may be the owner's and a stranger's."""
    return passage.text == memory.value and (passage.role == STRANGER) == (memory.origin == "untrusted")


def _fits(passage: Passage, scope: Scope) -> bool:
    """Say whether a passage is one of those that a search looks at."""
    if scope.kinds and passage.kind not in scope.kinds:
        return False
    if scope.sources and ("session" if passage.turn else "memory") not in scope.sources:
        return False
    if scope.keys and same_key(passage.key) not in scope.keys:
        return False
    if scope.since or scope.until:
        day = passage.day
        return day is not None and (scope.since or day) <= day <= (scope.until or day)
    return True


def _without_repeats(hits: Sequence[Hit]) -> list[Hit]:
    """Leave out what says the same words as a better hit, or stands in the same turn."""
    kept: dict[tuple[str, str], Hit] = {}
    turns: set[str] = set()
    for hit in hits:
        said = (hit.key, " ".join(hit.text.split()))
        if said not in kept and not (hit.turn and hit.turn in turns):
            kept[said] = hit
            turns.add(hit.turn)
    return list(kept.values())

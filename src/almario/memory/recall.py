"""Bring to mind what is known about a question, or worth knowing for a reply.

One thing is one hit: a fact, what was said of it, and the line of a log that tells it. Of rivals the one
in use is told; what was replaced only where the question asks for what was. A question that names a time
is answered from that time, and one that names nothing else by a timeline.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.candidates import Filter, Passage
from almario.domain.memories import OUT_OF_USE
from almario.domain.model import CORE_MEMORY, Hit, Query, Recalled
from almario.domain.validity import last_day
from almario.errors import AlmarioError, SoulError
from almario.memory.embedding import Embedding
from almario.memory.keeping import Keeping
from almario.memory.rules import ranking
from almario.memory.rules.mirror import parse
from almario.memory.rules.provenance import is_guess
from almario.memory.rules.sources import LOG, REFLECTIONS, STRANGER
from almario.memory.settings import AutoRecallSettings, SearchSettings
from almario.memory.things import Backed, Backing, one_of_each
from almario.ports import Index, Vector
from almario.text.questions import Asked, asked_in

# How a question may be answered: as measured best, or by a classic; without meaning; by the oldest of all.
MODES = ("best", "weighted", "words", "tfidf")
# So many may be worth telling: most of them may be told already, as core facts or as this session's turns.
_CANDIDATES = 20
# For a reply, so many passages are looked at closely: the best three are nearly always among them.
_FEW = 40
_FARTHEST = 100
# So many more are ranked than are wanted: some tell what is out of use, or say the same again.
_SPARE, _SPARE_HITS = 2, 10
_HOW = {(True, True): "both", (True, False): "keyword", (False, True): "vector", (False, False): "context"}
# So much of an answer is told with what was said.
_ANSWER = 400


class Recall:
    """Answers questions from the passages of one agent."""

    def __init__(
        self,
        keeping: Keeping,
        embedding: Embedding,
        backing: Backing,
        search: SearchSettings,
        auto: AutoRecallSettings,
    ) -> None:
        self._keeping = keeping
        self._embedding = embedding
        self._backing = backing
        self._search = search
        self._auto = auto

    def search(self, query: Query) -> Recalled:
        """Return the best hits, best first; of a question of nothing but a time, in the order of time."""
        if query.mode and query.mode not in MODES:
            sentence = '"{mode}" is not a search mode; use {modes}'
            raise SoulError(sentence, mode=query.mode, modes=", ".join(MODES))
        asked = asked_in(query.question, self._keeping.vault.now().date())
        by_words = query.mode in ("words", "tfidf")
        vector, told = (None, []) if by_words else self._embedding.of(query.question)
        derived = self._keeping.derived
        with derived.reading():
            found = self._found(derived.live, query, asked, vector)
            # What is out of use is looked at, too: whoever said the same in other words tells nothing better.
            if derived.past.count()[0]:
                found += self._found(derived.past, query, asked, vector)
        found.sort(key=lambda each: (asked.only_time and _eventful(each.scored), -each.scored.score))
        include = {*query.scope.include, *(["superseded"] if asked.about_the_past else [])}
        least = self._search.min_score if query.min_score is None else query.min_score

        wanted = Filter(query.scope)

        def may_come(each: Backed) -> bool:
            is_wanted = each.scored.score >= least and wanted.fits(each.scored.passage)
            return is_wanted and self._may_come(each, asked, include) and _may_be_told(each, query.audience)

        things = one_of_each(found, may_come, query.limit)
        if asked.only_time:
            things.sort(key=lambda thing: _when(thing.best.scored.passage, asked))
        recalled = Recalled(self._placed([self._hit(thing.best, thing.places, query) for thing in things]))
        recalled.told = tuple(told)
        if query.explain and not query.audience.is_private:
            every = self.search(query._replace(audience=OWNER_ALONE, explain=False))
            recalled.kept_out = len({hit.name for hit in every} - {hit.name for hit in recalled})
        return recalled

    def candidates(self, asked: Query) -> Recalled:
        """Return what may be worth knowing for a reply; hidden are the turns that the model sees anyway.

        The reflection journal says in other words what may have been forgotten since: it is not recalled
        unasked.
        """
        settings = self._auto
        is_short = len(asked.question.strip()) < settings.min_chars
        if not settings.enabled or not self._search.enabled or is_short:
            return Recalled()
        found = self.search(asked._replace(limit=_CANDIDATES, min_score=settings.min_score, pool=_FEW))
        recalled = Recalled(hit for hit in found if not hit.place.startswith(REFLECTIONS))
        recalled.told, recalled.kept_out = found.told, found.kept_out
        return recalled

    def worth_telling(self, found: Recalled, skip: Collection[str]) -> Recalled:
        """Return the best of what was found, leaving out the places, memories and turns in *skip*."""
        said = set(skip) - {""}
        fresh = [hit for hit in found if said.isdisjoint(_sayings(hit))]
        recalled = Recalled(fresh[: self._auto.limit])
        recalled.told, recalled.kept_out = found.told, found.kept_out
        return recalled

    def _found(self, index: Index, query: Query, asked: Asked, vector: Vector | None) -> list[Backed]:
        live = self._keeping.derived.live
        scored = ranking.search(
            index,
            ranking.Query(
                asked,
                vector,
                self._embedding.model,
                limit=query.limit * _SPARE + _SPARE_HITS,
                explain=query.explain,
                mode=self._search.fusion if query.mode in ("", "words") else query.mode,
                # What is out of use is looked at wherever it is, for what echoes it.
                filter=_filter(query) if index is live else None,
                hidden=query.hidden,
                pool=query.pool,
                blend=(self._search.meaning_weight, self._search.word_weight),
            ),
        )
        return self._backing.of(scored)

    def _may_come(self, each: Backed, asked: Asked, include: Collection[str]) -> bool:
        """Say whether what stands behind a candidate lets it be told."""
        is_stranger = each.scored.passage.role == STRANGER
        if (is_stranger or each.state == "untrusted") and "untrusted" not in include:
            return False
        if each.state not in ("live", "ended", "expired") and each.state not in include:
            return False
        memory = each.memory if each.scored.passage.memory else None
        if not asked.filters or memory is None:
            return True
        until = each.by.valid_from if each.by else memory.valid_to
        holds = asked.holds(memory.valid_from.date(), until.date() if until else None)
        return holds or (each.state != "superseded" and asked.fits(each.scored.passage.moments))

    def _placed(self, hits: list[Hit]) -> list[Hit]:
        """Find the line of MEMORY.md on which each fact stands; one not there yet has the file alone."""
        if not any(hit.memory for hit in hits):
            return hits
        try:
            lines = _lines(self._keeping.vault.read(CORE_MEMORY).text)
        except AlmarioError:  # told when it was to be rendered
            lines = {}

        def place(hit: Hit) -> str:
            line = lines.get(" ".join(hit.text.split()))
            return f"{CORE_MEMORY}#{line}" if line else CORE_MEMORY

        return [hit._replace(place=place(hit)) if hit.memory else hit for hit in hits]

    def _hit(self, each: Backed, evidence: Sequence[str], query: Query) -> Hit:
        scored, passage = each.scored, each.scored.passage
        hears, hears_of = query.audience.hears, query.audience.hears_of
        memory = each.memory
        last: date | None = None
        if memory and each.state == "expired":
            last = memory.renewed.astimezone(self._keeping.vault.zone).date()
        elif memory and memory.valid_to and each.state == "ended":
            last = last_day(memory.valid_to, self._keeping.vault.zone)
        elif memory and each.state == "superseded":
            ended = each.by.valid_from if each.by else memory.valid_to
            last = ended.astimezone(self._keeping.vault.zone).date() if ended else None
        return Hit(
            kind=passage.kind,
            text=_exchanged(scored),
            day=passage.day,
            score=scored.score,
            how=_HOW[scored.by_word, scored.by_meaning],
            place=passage.place,
            key=passage.key,
            memory=passage.memory,
            state="" if each.state == "live" else each.state,
            speaker=passage.speaker,
            turn=passage.turn,
            reasons=tuple((part.name, part.measure, part.value) for part in scored.parts),
            around=self._around(passage, query) if query.neighbours and hears((passage.turn,)) else (),
            last=last,
            dated=memory.dated if memory and passage.memory else "",
            guess=memory is not None and memory.id == passage.memory and is_guess(memory),
            quote=memory.is_quote if memory and passage.memory else passage.role == "user",
            by=each.by.value if each.by and each.state == "superseded" and hears_of(each.by) else "",
            evidence=tuple(
                place for place in (*sorted(scored.turns - {passage.turn}), *evidence) if hears((place,))
            ),
        )

    def _around(self, passage: Passage, query: Query) -> tuple[str, ...]:
        reach = min(query.neighbours, _FARTHEST)
        span = range(passage.id - reach, passage.id + reach + 1)
        beside = self._keeping.derived.live.passages(
            [place for place in span if place != passage.id]
        ).values()
        is_asked = "untrusted" in query.scope.include
        near = [p for p in beside if p.path == passage.path and (is_asked or p.role != STRANGER)]
        return tuple(f"{other.speaker}: {other.text}" if other.speaker else other.text for other in near)


@lru_cache(2)
def _lines(text: str) -> Mapping[str, int]:
    """Return the line of MEMORY.md on which each fact stands first."""
    return {" ".join(fact.value.split()): fact.first + 1 for fact in reversed(parse(text).facts)}


def _sayings(hit: Hit) -> Iterator[str]:
    """Yield where a hit's thing is said: memories, turns and files, by their names."""
    yield from (hit.memory, hit.turn, *hit.evidence)
    yield from (place.partition("#")[0] for place in (hit.place, *hit.evidence) if ".md" in place)


def _exchanged(scored: ranking.Scored) -> str:
    """Return what was said with the answer to it."""
    answer = " ".join(each.text for each in scored.answer)
    if not answer:
        return scored.passage.text
    return f"{scored.passage.text} → {answer if len(answer) <= _ANSWER else answer[:_ANSWER].rstrip() + '…'}"


def _eventful(scored: ranking.Scored) -> int:
    """Return the place of a candidate in a timeline's choice: what was noted that day, learned, then said."""
    return 0 if scored.passage.kind == LOG else 1 if scored.passage.memory else 2


def _when(passage: Passage, asked: Asked) -> tuple[date, int]:
    """Return where a passage stands in a timeline: by the day that it speaks of."""
    fitting = [first for first, last in passage.moments if asked.fits(((first, last),))]
    return min(fitting, default=passage.day or date.min), passage.id


def _may_be_told(each: Backed, audience: Audience) -> bool:
    """Say whether an audience may be told a candidate: what was said there, or a memory that it may hear."""
    if audience.is_private and not audience.project:
        return True
    if each.state in OUT_OF_USE and not audience.is_private:
        return False
    if each.scored.passage.turn:
        return audience.hears(each.scored.turns | {each.scored.passage.turn})
    return (bool(each.memories) or audience.is_private) and all(map(audience.hears_of, each.memories))


def _filter(query: Query) -> Filter:
    """Return which passages need be looked at: what was said elsewhere is nothing for others."""
    audience = query.audience
    return Filter(query.scope, None if audience.is_private else audience.session, audience.project)

"""Bring to mind what is known about a question, or worth knowing for a reply.

One thing is one hit: a fact, what was said of it, and the line of a log that tells it. What was replaced is
told only where the question asks for what was; what merely seems to be, always, after the newer. A question
that names a time is answered from that time, and one that names nothing else by a timeline.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import repeat
from types import MappingProxyType

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.candidates import Filter, Passage
from almario.domain.documents.identity import identity_value
from almario.domain.memories import OUT_OF_USE, Memory, Wanted
from almario.domain.model import CORE_MEMORY, Hit, Query, Recalled
from almario.domain.validity import last_day
from almario.domain.words import forms_of
from almario.errors import AlmarioError, SoulError
from almario.memory.embedding import Embedding
from almario.memory.keeping import Keeping, source_of_memory
from almario.memory.rules import ranking
from almario.memory.rules.admission import is_guess
from almario.memory.rules.cueing import Cue, cues_for, lent
from almario.memory.rules.exchanges import ASSISTANT
from almario.memory.rules.mirror import parse
from almario.memory.rules.sources import LOG, REFLECTIONS, STRANGER
from almario.memory.settings import AutoRecallSettings, SearchSettings
from almario.memory.things import Backed, Backing, one_of_each, owners_first
from almario.ports import Index, Vector
from almario.text.claims import sentences_in
from almario.text.questions import Asked, asked_in
from almario.text.reader import LIKELY

# How a question may be answered: as measured best, or by a classic; without meaning; by the oldest of all.
MODES = ("best", "weighted", "words", "tfidf")
# So many may be worth telling: as many as a prompt has room for.
_CANDIDATES = 40
# Of memories, so many come by their rank alone, however unlikely: which one matters, a model sees better.
_BEST = 15
# For a reply, so many passages are looked at closely: the best three are nearly always among them.
_FEW = 40
_FARTHEST = 100
# So many more are ranked than are wanted: some tell what is out of use, or say the same again.
_SPARE, _SPARE_HITS = 2, 10
_HOW = {(True, True): "both", (True, False): "keyword", (False, True): "vector", (False, False): "context"}
# What somebody said in one sentence is not longer.
_QUOTE = 300
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
        # By its text and evidence, whether a memory rests on what the owner said of themselves.
        self._of_owner: dict[tuple[str, ...], bool] = {}

    def search(self, query: Query) -> Recalled:
        """Return the best hits, best first; of a question of nothing but a time, in the order of time."""
        return self._searched(query)

    def _searched(self, query: Query, *, for_reply: bool = False) -> Recalled:
        if query.mode and query.mode not in MODES:
            sentence = '"{mode}" is not a search mode; use {modes}'
            raise SoulError(sentence, mode=query.mode, modes=", ".join(MODES))
        asked = asked_in(query.question, self._keeping.vault.now().date())
        by_words = query.mode in ("words", "tfidf")
        vector, told = (None, []) if by_words else self._embedding.of(query.question)
        with self._keeping.derived.reading():  # nothing is embedded and kept in here
            recalled = self._answered(query, asked, vector, for_reply=for_reply)
        recalled.told = tuple(told)
        if query.explain and not query.audience.is_private:
            every = self.search(query._replace(audience=OWNER_ALONE, explain=False))
            recalled.kept_out = len({hit.name for hit in every} - {hit.name for hit in recalled})
        return recalled

    def _answered(self, query: Query, asked: Asked, vector: Vector | None, *, for_reply: bool) -> Recalled:
        derived = self._keeping.derived
        cues = {} if query.mode == "tfidf" else self._cued(asked, vector)
        others = for_reply and self._quotes(query)
        found = self._found(derived.live, query, asked, vector, others=others, cues=cues)
        # What is out of use is looked at, too: whoever said the same in other words tells nothing better.
        if derived.past.count()[0]:
            found += self._found(derived.past, query, asked, vector)
        if query.audience.project and query.audience.is_private:
            found += self._of_oneself(query, asked, vector)
        include = {*query.scope.include, *(["superseded"] if asked.about_the_past else [])}
        least = self._search.min_score if query.min_score is None else query.min_score

        wanted = Filter(query.scope)

        def may_be_told(each: Backed) -> bool:
            return self._may_come(each, asked, include) and self._may_hear(query.audience, each)

        def may_come(each: Backed) -> bool:
            # However a model sees it, who looks for a word finds it.
            is_likely = each.scored.score >= least or (each.scored.has_all and query.min_score is None)
            return is_likely and wanted.fits(each.scored.passage) and may_be_told(each)

        quoted = [each for each in found if each.scored.fits]
        found = owners_first([each for each in found if not each.scored.fits], may_be_told, alone=for_reply)
        found.sort(key=lambda each: _place(each.scored, asked))
        if not asked.about_the_past:
            found = self._backing.newest_first(found, query.question, least)
        things = one_of_each(found, may_come, query.limit)
        if asked.only_time:
            things.sort(key=lambda thing: _when(thing.best.scored, asked))
        hits = [self._hit(thing.best, thing.places, query) for thing in things]
        recalled = Recalled(self._placed(self._with_cues(hits, cues) if query.audience.is_private else hits))
        recalled += self._quoted(quoted, query)
        return recalled

    def candidates(self, asked: Query) -> Recalled:
        """Return what may be worth knowing for a reply; hidden are the turns that the model sees anyway.

        The reflection journal says in other words what may have been forgotten since: it is not recalled
        unasked.
        """
        settings = self._auto
        message = asked.question.strip()
        if not settings.enabled or not self._search.enabled or not message:
            return Recalled()
        asked = asked._replace(limit=_CANDIDATES, min_score=0.0, pool=_FEW)
        if self._embedding.read(asked.question).small_talk >= LIKELY:
            nothing = Recalled()
            nothing.is_small_talk = True
            return nothing
        if len(message) < settings.min_chars:
            return Recalled()
        found = self._searched(asked, for_reply=True)
        best = {hit.memory for hit in [hit for hit in found if hit.memory][:_BEST]}
        recalled = Recalled(
            hit
            for hit in found
            if (hit.memory in best or hit.score >= self._search.min_score)
            and not hit.place.startswith(REFLECTIONS)
        )
        recalled.told, recalled.kept_out = found.told, found.kept_out
        return recalled

    def _quotes(self, query: Query) -> bool:
        """Say whether others' words may be told: to the owner alone, who has not switched that off."""
        return self._auto.others and query.audience.is_private and not query.audience.trusted

    def _quoted(self, fitting: Sequence[Backed], query: Query) -> list[Hit]:
        """Return what somebody said, or the owner pasted, that fits best: one sentence at most."""
        if not fitting:
            return []
        agent = identity_value(self._keeping.vault.read("IDENTITY.md").text, "name")
        for each in fitting:
            scored, passage = each.scored, each.scored.passage
            if self._may_quote(passage.turn) and query.audience.hears((passage.turn,)):
                said = _quotable(passage, scored.words, agent)
                quote = scored._replace(passage=passage._replace(text=said))
                if said:
                    return [self._hit(each._replace(scored=quote), (), query)]
        return []

    def _may_quote(self, name: str) -> bool:
        """Say whether a turn is a person's or was pasted, and neither forgotten nor off the record."""
        session, _, number = name.rpartition("#")
        ledger, turns = self._keeping.ledger, self._keeping.vault.transcripts
        if name in ledger.out_of_mind() or int(number) <= ledger.session(session).out_of_mind:
            return False
        return any(
            turn.role == "user" and not turn.is_off for turn in turns.read(session, after=int(number) - 1)[:1]
        )

    def _of_oneself(self, query: Query, asked: Asked, vector: Vector | None) -> list[Backed]:
        """Return what the owner said of themselves in other projects, in their words alone."""
        from almario.text.personal import personal_part  # noqa: PLC0415 - for projects alone

        found = []
        for each in self._found(self._keeping.derived.live, query, asked, vector, elsewhere=True):
            said = each.scored.passage._replace(text=personal_part(each.scored.passage.text))
            if said.text:
                found.append(each._replace(scored=each.scored._replace(passage=said, answer=())))
        return found

    def _may_hear(self, audience: Audience, each: Backed) -> bool:
        """Say whether an audience may be told a candidate; the owner alone, what they said of themselves."""
        if _may_be_told(each, audience):
            return True
        if not audience.is_private or each.scored.passage.role not in ("", "user"):
            return False
        from almario.text.personal import is_personal  # noqa: PLC0415 - as above

        if each.scored.passage.turn:
            return is_personal(each.scored.passage.text)
        return all(audience.hears_of(memory) or self._is_of_oneself(memory) for memory in each.memories)

    def _is_of_oneself(self, memory: Memory) -> bool:
        """Say whether a memory rests on a sentence that the owner said of themselves."""
        known = (memory.value, *memory.evidence)
        if known not in self._of_owner:
            self._of_owner[known] = memory.origin == "owner" and any(
                map(self._tells_of_oneself, memory.evidence, repeat(memory.value))
            )
        return self._of_owner[known]

    def _tells_of_oneself(self, name: str, value: str) -> bool:
        """Say whether the sentence of a turn that tells this is said of oneself."""
        from almario.text.personal import is_personal  # noqa: PLC0415 - as above

        session, _, number = name.rpartition("#")
        said = self._keeping.vault.transcripts.read(session, after=int(number) - 1)[:1]
        words = {form for forms in forms_of(value) for form in forms}
        owners = [turn.text for turn in said if (turn.role, turn.origin) == ("user", "owner")]
        sentences = [each for text in owners for each in sentences_in(text)]
        return bool(sentences) and is_personal(max(sentences, key=lambda each: _shared(each, words)))

    def _cued(self, asked: Asked, vector: Vector | None) -> Mapping[str, Cue]:
        """Return the cues that fit a question, by the memory in use that each brings to mind."""
        keeping, embedding = self._keeping, self._embedding
        if not keeping.has_cues:
            return {}
        index = keeping.derived.cues
        found = cues_for(index, asked.timeless, vector, embedding.model, embedding.background)
        return lent(found, self._heirs(found))

    def _heirs(self, ids: Collection[str]) -> dict[str, str]:
        """Return for each of these memories the one in use: itself, or what took its place in the end."""
        heirs, next_ones = dict[str, str](), {one: one for one in ids}
        while next_ones:
            wanted = Wanted(ids=tuple(next_ones.values()))
            there = {memory.id: memory for memory in self._keeping.ledger.table.select(wanted)}
            reached = {one: memory for one, by in next_ones.items() if (memory := there.get(by))}
            heirs |= {one: memory.id for one, memory in reached.items() if memory.is_live}
            next_ones = {
                one: memory.by
                for one, memory in reached.items()
                if memory.state == "superseded" and memory.by and memory.by != one
            }
        return heirs

    def _with_cues(self, hits: list[Hit], cues: Mapping[str, Cue]) -> list[Hit]:
        """Say by which cue each hit came to mind."""
        places = {hit.memory: cues[hit.memory].place for hit in hits if hit.memory in cues}
        if not places:
            return hits
        told = self._keeping.derived.cues.passages(sorted(places.values()))
        texts = {memory: told[place].text for memory, place in places.items() if place in told}
        return [hit._replace(cue=texts.get(hit.memory, "")) for hit in hits]

    def _found(
        self,
        index: Index,
        query: Query,
        asked: Asked,
        vector: Vector | None,
        *,
        others: bool = False,
        elsewhere: bool = False,
        cues: Mapping[str, Cue] = MappingProxyType({}),
    ) -> list[Backed]:
        live = self._keeping.derived.live
        also = live.places(list(map(source_of_memory, cues))).values() if cues else ()
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
                filter=_filter(query, elsewhere=elsewhere) if index is live else None,
                hidden=query.hidden,
                pool=query.pool,
                blend=(self._search.meaning_weight, self._search.word_weight),
                background=self._embedding.background,
                others=others,
                cues={memory: (cue.meaning, cue.words) for memory, cue in cues.items()},
                also=tuple(sorted(also)),
            ),
        )
        return self._backing.of(scored)

    def _may_come(self, each: Backed, asked: Asked, include: Collection[str]) -> bool:
        """Say whether what stands behind a candidate lets it be told."""
        is_stranger = each.scored.passage.role == STRANGER
        if (is_stranger or each.state == "untrusted") and "untrusted" not in include:
            return False
        if each.state not in ("live", "earlier", "ended", "expired") and each.state not in include:
            return False
        memory = each.memory if each.scored.passage.memory else None
        if not asked.filters or memory is None:
            return True
        until = each.by.valid_from if each.by and each.state == "superseded" else memory.valid_to
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
        text, agent_said = _exchanged(scored)
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
            text=text,
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
            agent_said=agent_said,
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


def _quotable(passage: Passage, words: Collection[str], agent: str) -> str:
    """Return the sentence that has most of the words; nothing if it may be meant for the agent."""
    from almario.text.addressing import is_plain_talk, may_mean_agent  # noqa: PLC0415 - seldom needed

    best = max(sentences_in(passage.text), key=lambda sentence: _shared(sentence, words))
    # A document speaks to its reader somewhere; what a person said in a group is looked at as a whole.
    said = passage.text if passage.speaker else best
    is_fit = len(best) <= _QUOTE and not may_mean_agent(passage.text, agent) and is_plain_talk(said)
    return best if is_fit else ""


@lru_cache(2)
def _lines(text: str) -> Mapping[str, int]:
    """Return the line of MEMORY.md on which each fact stands first."""
    return {" ".join(fact.value.split()): fact.first + 1 for fact in reversed(parse(text).facts)}


def _exchanged(scored: ranking.Scored) -> tuple[str, str]:
    """Return what was said with the answer to it, and what of that the agent said."""
    said = scored.passage.text
    answer = " ".join(each.text for each in scored.answer)
    if not answer:
        return said, said if scored.passage.role == ASSISTANT else ""
    answer = answer if len(answer) <= _ANSWER else answer[:_ANSWER].rstrip() + "…"
    return f"{said} → {answer}", answer if scored.answer[0].role == ASSISTANT else ""


def _place(scored: ranking.Scored, asked: Asked) -> tuple[int, float, bool]:
    """Return by what candidates are sorted: the agent's own words come after the owner's that are as good."""
    return _eventful(scored, asked) if asked.only_time else 0, -scored.score, scored.is_agents


def _eventful(scored: ranking.Scored, asked: Asked) -> int:
    """Return the place of a candidate in a timeline's choice: what was noted that day, learned, then said.

    What merely held then comes last.
    """
    passage = scored.passage
    if passage.kind == LOG or not passage.memory:
        return 0 if passage.kind == LOG else 2
    began = ((first, first) for first, _ in passage.moments)
    return 1 if asked.fits(began) else 3


def _when(scored: ranking.Scored, asked: Asked) -> tuple[date, int, int]:
    """Return where a passage stands in a timeline: by the day that it speaks of."""
    passage = scored.passage
    fitting = [first for first, last in passage.moments if asked.fits(((first, last),))]
    return min(fitting, default=passage.day or date.min), _eventful(scored, asked), passage.id


def _may_be_told(each: Backed, audience: Audience) -> bool:
    """Say whether an audience may be told a candidate: what was said there, or a memory that it may hear."""
    if audience.is_private and not audience.project:
        return True
    if each.state in OUT_OF_USE and not audience.is_private:
        return False
    if each.scored.passage.turn:
        return audience.hears(each.scored.turns | {each.scored.passage.turn})
    return (bool(each.memories) or audience.is_private) and all(map(audience.hears_of, each.memories))


def _filter(query: Query, *, elsewhere: bool = False) -> Filter:
    """Return which passages need be looked at: what was said elsewhere is nothing for others."""
    audience = query.audience
    session = None if audience.is_private else audience.session
    return Filter(query.scope, session, audience.project, elsewhere)


def _shared(sentence: str, words: Collection[str]) -> int:
    """Return how many of these words a sentence has."""
    return len({form for forms in forms_of(sentence) for form in forms}.intersection(words))

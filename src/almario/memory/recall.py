"""Bring to mind what is known about a question, or worth knowing for a reply.

One thing is one hit: a fact, what was said of it, and the line of a log that tells it. What was replaced is
told only where the question asks for what was; what merely seems to be, always, after the newer. A question
that names a time is answered from that time, and one that names nothing else by a timeline.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from types import MappingProxyType

from almario.domain.audiences import OWNER_ALONE
from almario.domain.candidates import Filter
from almario.domain.memories import UNTRUSTED
from almario.domain.model import CORE_MEMORY, Hit, Query, Recalled
from almario.domain.passages import Passage, embedded_text
from almario.domain.places import HOME, project_of
from almario.domain.plans import is_plan
from almario.domain.validity import next_time
from almario.errors import AlmarioError, SoulError
from almario.memory.cued import CueSearch
from almario.memory.embedding import Aim, Embedding
from almario.memory.others_words import Quotes
from almario.memory.rules.admission import is_guess
from almario.memory.rules.exchanges import ASSISTANT
from almario.memory.rules.mirror import parse
from almario.memory.rules.scored import Cue, RankingQuery, Scored
from almario.memory.rules.sources import LOG, REFLECTIONS, STRANGER
from almario.memory.settings import AutoRecallSettings, SearchSettings
from almario.memory.statements import Statements
from almario.memory.telling import SURE, Listener, is_worth_a_line, may_tell, nearness
from almario.memory.told_of_home import told_of_home
from almario.memory.topics import Backed, EvidenceLookup, Topic, one_of_each, owners_first
from almario.memory.writer import MemoryWriter, source_of_memory
from almario.ports import Index, Vector
from almario.text.questions import QuestionKind, is_small_talk, read_question

# How a question may be answered: as measured best, or without meaning.
MODES = ("best", "words")
# How many candidates are considered: as many as a prompt has room for.
_CANDIDATES = 26
# Of memories, so many come by their rank alone, however unlikely: which one matters, a model sees better.
_BEST = 15
# For a reply, so many passages are looked at closely: the best three are nearly always among them.
_FEW = 40
_FARTHEST = 100
# As many again are looked at, within these bounds: some are out of use, or say the same again.
_LEAST_SPARE, _MOST_SPARE = 10, 20
_HOW = {(True, True): "both", (True, False): "keyword", (False, True): "vector", (False, False): "context"}
# Who is told one of these is told what took its place, too.
_REPLACED = ("superseded", "earlier", UNTRUSTED)
# How much of an answer is shown with a quote.
_ANSWER = 400


class Recall:
    """Answers questions from the passages of one agent."""

    def __init__(
        self,
        writer: MemoryWriter,
        embedding: Embedding,
        evidence: EvidenceLookup,
        statements: Statements,
        search: SearchSettings,
        auto: AutoRecallSettings,
    ) -> None:
        self._writer = writer
        self._embedding = embedding
        self._evidence = evidence
        self._search = search
        self._auto = auto
        self._statements = statements
        self._cued = CueSearch(writer, embedding)

    def search(self, query: Query) -> Recalled:
        """Return the best hits, best first; of a question of nothing but a time, in the order of time.

        What seems to be small talk comes last, whatever words it has.
        """
        found = self._searched(query)
        found.sort(key=_is_small_talk)
        return found

    def _searched(self, query: Query, *, for_reply: bool = False) -> Recalled:
        if query.mode and query.mode not in MODES:
            sentence = '"{mode}" is not a search mode; use {modes}'
            raise SoulError(sentence, mode=query.mode, modes=", ".join(MODES))
        question = read_question(query.question, self._writer.vault.now().date())
        vector, notices = (None, []) if query.mode == "words" else self._embedding.of(query.question)
        with self._writer.derived.reading():  # nothing is embedded and kept in here
            recalled = self._answered(query, question, vector, for_reply=for_reply)
        recalled.told = tuple(notices)
        if query.explain and not query.audience.is_private:
            every = self.search(query._replace(audience=OWNER_ALONE, explain=False))
            recalled.kept_out = len({hit.name for hit in every} - {hit.name for hit in recalled})
        return recalled

    def _answered(
        self, query: Query, question: QuestionKind, vector: Vector | None, *, for_reply: bool
    ) -> Recalled:
        derived = self._writer.derived
        cues = self._cued.fitting(question, vector)
        include = {*query.scope.include, *(["superseded"] if question.about_the_past else [])}
        # What is out of use is looked at, too: whoever said the same in other words tells nothing better.
        # For a reply, what was said does not come by its rank alone.
        said = self._search.min_score if for_reply and not query.audience.project else 0.0
        aim = self._embedding.aim(vector, question)
        past = self._found(derived.past, query, question, aim, said) if derived.past.count()[0] else []
        # What held at the time that is asked about answers, whatever was said at others.
        held = question.filters and any(
            each.scored.by_word and self._may_come(each, question, include) for each in past
        )
        found = self._found(derived.live, query, question, aim, said, cues=cues, held=held) + past
        listener = Listener.of(query.audience, query.question)
        if listener.audience.project:
            found = self._measured(found, vector)
        others = self._others(query, found) if for_reply else None
        least = self._search.min_score if query.min_score is None else query.min_score
        wanted = Filter(query.scope)

        def may_be_shown(each: Backed) -> bool:
            if others and each.scored.passage.role == STRANGER:
                return each.state == UNTRUSTED and others.of(each) is not None
            return self._may_come(each, question, include) and may_tell(each, listener)

        def may_come(each: Backed) -> bool:
            # However a model sees it, who looks for a word finds it.
            is_likely = each.scored.score >= least or (each.scored.has_all and query.min_score is None)
            return is_likely and wanted.fits(each.scored.passage) and may_be_shown(each)

        found = owners_first(found, may_be_shown, alone=for_reply)
        found.sort(key=lambda each: _place(each.scored, question))
        if not question.about_the_past:
            found = self._evidence.newest_first(found, query.question, least)
        topics = one_of_each(found, may_come, query.limit)
        if for_reply and query.audience.project:
            topics = self._worth_a_line(topics, vector)
        if question.only_time:
            topics.sort(key=lambda topic: _when(topic.best.scored, question))
        topics = self._evidence.with_changes(topics)
        hits = [self._hit(topic.best, topic.places, query, others) for topic in topics]
        return Recalled(self._placed(self._cued.named(hits, cues) if query.audience.is_private else hits))

    def _worth_a_line(self, topics: Sequence[Topic], vector: Vector | None) -> list[Topic]:
        """Return what a coding agent is told with a message, best first.

        What is surely near comes with what was answered, but for an answer that was given from what is of
        home; of the rest comes the sentence that matters.
        """
        worthy = [topic for topic in topics if is_worth_a_line(topic.best)]
        names = [each.turn for topic in worthy for each in _answers(topic.best.scored)]
        of_home = told_of_home(names, self._writer.vault.transcripts, self._writer.ledger)
        lines: list[Topic] = []
        for topic in worthy:
            scored = topic.best.scored
            passage = scored.passage
            if passage.turn in of_home:
                continue
            if any(each.turn in of_home for each in scored.answer):
                scored = scored._replace(answer=())
            if passage.role == "user" and passage.tells and nearness(topic.best) < SURE:
                statement = self._statements.best(passage.text, vector, scored.words)
                scored = scored._replace(passage=passage._replace(text=statement), answer=())
            told = topic._replace(best=topic.best._replace(scored=scored))
            lines += [told] if scored.passage.text and is_worth_a_line(told.best) else []
        return lines

    def candidates(self, query: Query) -> Recalled:
        """Return what may be worth knowing for a reply; hidden are the turns that the model sees anyway.

        The reflection journal says in other words what may have been forgotten since: it is not recalled
        unasked.
        """
        settings = self._auto
        message = query.question.strip()
        if not settings.enabled or not self._search.enabled or not message:
            return Recalled()
        query = query._replace(limit=_CANDIDATES, min_score=0.0, pool=_FEW)
        if is_small_talk(message):
            none = Recalled()
            none.is_small_talk = True
            return none
        if len(message) < settings.min_chars:
            return Recalled()
        found = self._searched(query, for_reply=True)
        if query.audience.project:
            return found
        best = {hit.memory for hit in [hit for hit in found if hit.memory][:_BEST]}
        recalled = Recalled(
            hit
            for hit in found
            if (hit.memory in best or hit.score >= self._search.min_score)
            and not hit.place.startswith(REFLECTIONS)
        )
        recalled.told, recalled.kept_out = found.told, found.kept_out
        return recalled

    def _others(self, query: Query, found: Sequence[Backed]) -> Quotes | None:
        """Return what quotes others: to the owner alone, who has not switched that off."""
        audience = query.audience
        if not self._auto.others or not audience.is_private or audience.trusted:
            return None
        return Quotes(self._writer, audience, found)

    def _found(
        self,
        index: Index,
        query: Query,
        question: QuestionKind,
        aim: Aim,
        min_score: float,
        *,
        cues: Mapping[str, Cue] = MappingProxyType({}),
        held: bool = False,
    ) -> list[Backed]:
        from almario.memory.rules.ranking import search  # noqa: PLC0415 - numpy takes 100 ms

        live, wanted = self._writer.derived.live, _filter(query)
        also = live.places(list(map(source_of_memory, cues))).values() if cues else ()
        scored = search(
            index,
            RankingQuery(
                question,
                aim.vector,
                self._embedding.model,
                limit=query.limit + min(max(query.limit, _LEAST_SPARE), _MOST_SPARE),
                min_score=min_score,
                explain=query.explain,
                # What is out of use is looked at wherever it is, for what echoes it.
                filter=wanted if index is live else None,
                hidden=query.hidden,
                pool=query.pool,
                background=aim.background,
                cues=cues,
                also=tuple(sorted(also)),
                in_passing=bool(query.audience.project),
                held=held,
            ),
        )
        backed = self._evidence.of(scored)
        if index is not live or not wanted.project:
            return backed
        own = (each if wanted.is_here(each.scored.passage) else self._from_elsewhere(each) for each in backed)
        return [each for each in own if each]

    def _from_elsewhere(self, each: Backed) -> Backed | None:
        """Return what of something that was said elsewhere may come to mind in a project."""
        if project_of(each.scored.passage.turn) != HOME:
            return self._statements.of_oneself(each)
        return each._replace(scored=each.scored._replace(answer=()))

    def _measured(self, found: Sequence[Backed], vector: Vector | None) -> list[Backed]:
        """Return candidates with how near each is to the message."""
        passages = [each.scored.passage for each in found]
        texts = {str(n): embedded_text(passage) for n, passage in enumerate(passages)}
        near = self._embedding.cosines(vector, texts)
        return [
            each._replace(scored=each.scored._replace(cosine=near.get(str(n))))
            for n, each in enumerate(found)
        ]

    def _may_come(self, each: Backed, question: QuestionKind, include: Collection[str]) -> bool:
        """Return whether what stands behind a candidate lets it be told."""
        is_stranger = each.scored.passage.role == STRANGER
        if (is_stranger or each.state == "untrusted") and "untrusted" not in include:
            return False
        if each.state not in ("live", "earlier", "ended", "expired") and each.state not in include:
            return False
        memory = each.memory if each.scored.passage.memory else None
        if not question.filters or memory is None:
            return True
        until = each.by.valid_from if each.by and each.state == "superseded" else memory.valid_to
        # What was planned held on its day, and not on those before.
        is_ahead = is_plan(memory.dated, min(memory.at, memory.valid_from))
        holds = not is_ahead and question.holds(memory.valid_from.date(), until.date() if until else None)
        if question.only_time and next_time(memory.dated, question.today):  # Monday's yoga, asked for Tuesday
            times = ((next_time(memory.dated, time.first), time.last) for time in question.times)
            holds = holds and any(when and when.first_day <= last for when, last in times)
        return holds or (each.state != "superseded" and question.fits(each.scored.passage.moments))

    def _placed(self, hits: list[Hit]) -> list[Hit]:
        """Find the line of MEMORY.md on which each fact stands; one not there yet has the file alone."""
        if not any(hit.memory for hit in hits):
            return hits
        try:
            lines = _lines(self._writer.vault.read(CORE_MEMORY).text)
        except AlmarioError:  # told when it was to be rendered
            lines = {}

        def place(hit: Hit) -> str:
            line = lines.get(" ".join(hit.text.split()))
            return f"{CORE_MEMORY}#{line}" if line else CORE_MEMORY

        return [hit._replace(place=place(hit)) if hit.memory else hit for hit in hits]

    def _hit(self, each: Backed, evidence: Sequence[str], query: Query, others: Quotes | None = None) -> Hit:
        scored, passage = each.scored, each.scored.passage
        text, agent_text = _exchanged(scored)
        quote = others.of(each) if others and passage.role == STRANGER else None
        text, speaker, turn = quote or (text, passage.speaker, passage.turn)
        hears, hears_of = query.audience.hears, query.audience.hears_of
        memory = each.memory
        last: date | None = None
        if memory and each.state == "expired":
            last = memory.renewed.astimezone(self._writer.vault.zone).date()
        elif memory and memory.valid_to and each.state == "ended":
            last = (memory.valid_to.astimezone(self._writer.vault.zone) - timedelta(microseconds=1)).date()
        elif memory and each.state == "superseded":
            ended = each.by.valid_from if each.by else memory.valid_to
            last = ended.astimezone(self._writer.vault.zone).date() if ended else None
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
            speaker=speaker,
            turn=turn,
            reasons=scored.parts,
            around=self._around(passage, query) if query.neighbours and hears((passage.turn,)) else (),
            last=last,
            dated=memory.dated if memory and passage.memory else "",
            guess=memory is not None and memory.id == passage.memory and is_guess(memory),
            quote=memory.is_quote if memory and passage.memory else passage.role == "user",
            by=each.by.value if each.by and each.state in _REPLACED and hears_of(each.by) else "",
            evidence=tuple(
                place for place in (*sorted(scored.turns - {passage.turn}), *evidence) if hears((place,))
            ),
            agent_said=agent_text,
            since=tuple(dict.fromkeys((word, now.value) for word, now in each.since if hears_of(now))),
        )

    def _around(self, passage: Passage, query: Query) -> tuple[str, ...]:
        reach = min(query.neighbours, _FARTHEST)
        span = range(passage.id - reach, passage.id + reach + 1)
        beside = self._writer.derived.live.passages([place for place in span if place != passage.id]).values()
        with_untrusted = "untrusted" in query.scope.include
        near = [p for p in beside if p.path == passage.path and (with_untrusted or p.role != STRANGER)]
        return tuple(f"{other.speaker}: {other.text}" if other.speaker else other.text for other in near)


def _is_small_talk(hit: Hit) -> bool:
    """Return whether a hit is a greeting, thanks or the like that the owner said, whatever was answered."""
    return bool(hit.turn) and hit.quote and is_small_talk(hit.text.split(" → ")[0])


@lru_cache(2)
def _lines(text: str) -> Mapping[str, int]:
    """Return the line of MEMORY.md on which each fact stands first."""
    return {" ".join(fact.value.split()): fact.first + 1 for fact in reversed(parse(text).facts)}


def _exchanged(scored: Scored) -> tuple[str, str]:
    """Return what was said with the answer to it, and what of that the agent said."""
    text = scored.passage.text
    answer = " ".join(each.text for each in scored.answer)
    if not answer:
        return text, text if scored.passage.role == ASSISTANT else ""
    answer = answer if len(answer) <= _ANSWER else answer[:_ANSWER].rstrip() + "…"
    return f"{text} → {answer}", answer if scored.answer[0].role == ASSISTANT else ""


def _answers(scored: Scored) -> list[Passage]:
    """Return what the agent said of an exchange."""
    return [each for each in (scored.passage, *scored.answer) if each.role == ASSISTANT]


def _place(scored: Scored, question: QuestionKind) -> tuple[int, float, bool]:
    """Return by what candidates are sorted: the agent's own words come after the owner's that are as good."""
    return _eventful(scored, question) if question.only_time else 0, -scored.score, scored.is_agents


def _eventful(scored: Scored, question: QuestionKind) -> int:
    """Return the place of a candidate in a timeline's choice: what was noted that day, learned, then said.

    What merely held then comes last.
    """
    passage = scored.passage
    if passage.kind == LOG or not passage.memory:
        return 0 if passage.kind == LOG else 2
    began = ((first, first) for first, _ in passage.moments)
    return 1 if question.fits(began) else 3


def _when(scored: Scored, question: QuestionKind) -> tuple[date, int, int]:
    """Return where a passage stands in a timeline: by the day that it speaks of."""
    passage = scored.passage
    fitting = [first for first, last in passage.moments if question.fits(((first, last),))]
    return min(fitting, default=passage.day or date.min), _eventful(scored, question), passage.id


def _filter(query: Query) -> Filter:
    """Return which passages need be looked at: what was said elsewhere is nothing for others."""
    audience = query.audience
    session = None if audience.is_private else audience.session
    return Filter(query.scope, session, audience.project, elsewhere=audience.is_private)

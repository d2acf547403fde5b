"""Bring to mind what is known about a question, or worth knowing for a reply.

One thing is one hit: a fact, what was said of it, and the line of a log that tells it. What was replaced is
told only where the question asks for what was; what merely seems to be, always, after the newer. A question
that names a time is answered from that time, and one that names nothing else by a timeline.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache, partial
from itertools import takewhile
from types import MappingProxyType
from typing import Literal

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.candidates import Filter
from almario.domain.memories import UNTRUSTED, Memory
from almario.domain.model import (
    BELOW,
    CORE_MEMORY,
    KEPT_OUT,
    NO_ROOM,
    TOLD,
    Hit,
    LeftOut,
    Query,
    Reason,
    Recalled,
)
from almario.domain.passages import Passage, embedded_text
from almario.domain.places import HOME, project_of
from almario.domain.plain_text import shortened
from almario.errors import AlmarioError, SoulError
from almario.memory.cued import CueSearch
from almario.memory.embedding import Aim, Embedding
from almario.memory.others_words import Quotes
from almario.memory.rules.admission import has_content, is_guess
from almario.memory.rules.exchanges import ASSISTANT
from almario.memory.rules.mirror import parse
from almario.memory.rules.scored import Cue, RankingQuery, Scored
from almario.memory.rules.sources import ACT, LESSON, STRANGER
from almario.memory.said_since import SaidSince
from almario.memory.settings import AutoRecallSettings, SearchSettings
from almario.memory.statements import Statements, shared
from almario.memory.telling import (
    Findings,
    Listener,
    Telling,
    Told,
    hears_memory,
    hears_turns,
    is_in_use,
    is_of_its_time,
)
from almario.memory.topics import Backed, EvidenceLookup, Topic
from almario.memory.writer import MemoryWriter, source_of_memory
from almario.ports import Index, Vector
from almario.text.oneself import speaks_of_oneself
from almario.text.questions import QuestionKind, is_small_talk, read_question

# How a question may be answered: as measured best, without meaning, or as it can be followed with a pencil.
MODES = ("best", "words", "tfidf")
# With a message so many are found, whatever there is room for, and so many looked at closely for their words:
# the best three are nearly always among them. Who asks has more looked at.
_FOUND, _FEW, _POOL = 26, 40, 80
_FARTHEST = 100
# As many again are looked at, within these bounds: some are out of use, or say the same again.
_LEAST_SPARE, _MOST_SPARE = 10, 20
_HOW = {(True, True): "both", (True, False): "keyword", (False, True): "vector", (False, False): "context"}
# Who is told one of these is told what took its place, too.
_REPLACED = ("superseded", "earlier", UNTRUSTED)
# So many passages after an answer are looked at for what was done.
_DONE = 5
# How much of an answer is shown with a quote.
_ANSWER = 400


class Recall:
    """Finds what passages of one agent answer a question, or go with a message."""

    def __init__(
        self,
        writer: MemoryWriter,
        embedding: Embedding,
        evidence: EvidenceLookup,
        statements: Statements,
        search: SearchSettings,
        auto: AutoRecallSettings,
        said: SaidSince,
    ) -> None:
        self._writer = writer
        self._embedding = embedding
        self._evidence = evidence
        self._search = search
        self._auto = auto
        self._statements = statements
        self._cued = CueSearch(writer, embedding)
        self._telling = Telling(writer, evidence, statements, said)

    def recall(self, query: Query, listener: Listener) -> Recalled:
        """Return what a listener is told, best first; what answers nothing but a time, in the order of time.

        What seems to be small talk comes last, whatever words it has, and brings nothing to mind by itself.
        """
        if query.mode and query.mode not in MODES:
            sentence = '"{mode}" is not a search mode; use {modes}'
            raise SoulError(sentence, mode=query.mode, modes=", ".join(MODES))
        is_apt = listener.has_asked or query.call or self._brings_to_mind(query.question)
        if not (is_apt and has_content(query.question)):
            nothing = Recalled()
            nothing.is_small_talk = is_small_talk(query.question)
            return nothing
        question = read_question(query.question, self._writer.vault.now().date())
        vector, notices = (None, []) if query.mode in MODES[1:] else self._embedding.of(query.question)
        with self._writer.derived.reading():  # nothing is embedded and kept in here
            found, cues = self._come_to_mind(query, question, vector, listener)
            told = self._telling.told(found, listener)
            hits = _followed([self._hit(topic, query, found, listener) for topic in told.topics])
            if listener.audience.is_private:
                hits = self._cued.named(hits, cues)
        recalled = Recalled(sorted(self._placed(hits), key=_is_small_talk))
        recalled.told = tuple(notices)
        if query.explain:
            self._explain(recalled, told, query, listener)
        return recalled

    def fate(self, memory: Memory, query: Query, audience: Audience) -> Reason | Literal["told"]:
        """Say whether a memory is told to an audience that asks something, or why it is not."""
        found = self.recall(query._replace(explain=True), Listener(audience))
        if any(memory.id in hit.names for hit in found):
            return TOLD
        why: dict[str, Reason] = {each.name: each.why for each in found.left_out}
        may_tell = memory.is_live and memory.origin != UNTRUSTED and hears_memory(audience, memory)
        return why.get(memory.id, BELOW) if may_tell else KEPT_OUT

    def _brings_to_mind(self, message: str) -> bool:
        is_long = len(message.strip()) >= max(1, self._auto.min_chars)
        return self._auto.enabled and self._search.enabled and is_long and not is_small_talk(message)

    def _explain(self, recalled: Recalled, told: Told, query: Query, listener: Listener) -> None:
        """Say what was looked at and not told, and why; of what may not be told, only how much there is."""
        recalled.kept_out = len(told.kept_out)
        if not listener.audience.is_private:  # what was said elsewhere was not even looked at
            every = self.recall(query._replace(explain=False), listener._replace(audience=OWNER_ALONE))
            recalled.kept_out = len({hit.name for hit in every} - {hit.name for hit in recalled})
        why: tuple[tuple[Reason, Sequence[Backed]], ...] = ((BELOW, told.below), (NO_ROOM, told.no_room))
        recalled.left_out = tuple(_left_out(each, reason) for reason, some in why for each in some)

    def _come_to_mind(
        self, query: Query, question: QuestionKind, vector: Vector | None, listener: Listener
    ) -> tuple[Findings, Mapping[str, Cue]]:
        """Return what comes to mind, whoever is told, and the cues that brought it."""
        derived, project = self._writer.derived, listener.audience.project
        cues = {} if query.mode == "tfidf" else self._cued.fitting(question, vector)
        states = {*query.scope.include, *(["superseded"] if question.about_the_past else [])}
        find = partial(self._found, query, question, self._embedding.aim(vector, question), listener)
        # What is out of use is looked at, too: whoever said the same in other words tells nothing better.
        past = find(derived.past) if derived.past.count()[0] else []
        # What held at the time that is asked about answers, whatever was said at others.
        held = question.filters and any(
            each.scored.by_word and is_in_use(each, states) and is_of_its_time(each, question)
            for each in past
        )
        candidates = find(derived.live, cues=cues, held=held) + past
        if project and not query.call:
            candidates = self._measured(candidates, vector)
        found = Findings(
            candidates,
            question,
            vector,
            wanted=Filter(query.scope),
            states=frozenset(states),
            floor=self._search.min_score,
            quotes=Quotes(self._writer, candidates) if self._auto.others and not listener.has_asked else None,
            speaks_of_self=bool(project) and not query.call and speaks_of_oneself(query.question),
            is_of_call=query.call is not None,
        )
        return found, cues

    def _found(
        self,
        query: Query,
        question: QuestionKind,
        aim: Aim,
        listener: Listener,
        index: Index,
        *,
        cues: Mapping[str, Cue] = MappingProxyType({}),
        held: bool = False,
    ) -> list[Backed]:
        from almario.memory.rules import acting, ranking, tfidf  # noqa: PLC0415 - numpy takes 100 ms

        search = tfidf.search if query.mode == "tfidf" else acting.search if query.call else ranking.search
        live, wanted, project = self._writer.derived.live, _filter(query, listener), listener.audience.project
        also = live.places(list(map(source_of_memory, cues))).values() if cues else ()
        room = listener.room if listener.has_asked else max(listener.room, _FOUND)
        scored = search(
            index,
            RankingQuery(
                question,
                aim.vector,
                self._embedding.model,
                limit=room + min(max(room, _LEAST_SPARE), _MOST_SPARE),
                explain=query.explain,
                # What is out of use is looked at wherever it is, for what echoes it.
                filter=wanted if index is live else None,
                hidden=query.hidden,
                pool=_POOL if listener.has_asked else _FEW,
                background=aim.background,
                cues=cues,
                also=tuple(sorted(also)),
                in_passing=bool(project),
                held=held,
                meaning_weight=self._search.meaning_weight,
                call=query.call,
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

    def _hit(self, topic: Topic, query: Query, found: Findings, listener: Listener) -> Hit:
        each, audience = topic.best, listener.audience
        scored, passage = each.scored, each.scored.passage
        text, agent_text = _exchanged(scored)
        if done := self._done_for(scored):
            text, agent_text = f"{text} [{done}]", f"{agent_text} {done}".strip()
        is_quoted = found.quotes and passage.role == STRANGER and not listener.has_asked
        quote = found.quotes.of(each) if found.quotes and is_quoted else None
        text, speaker, turn = quote or (text, passage.speaker, passage.turn)
        memory = each.memory
        heir = each.by if each.state in _REPLACED else None
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
            around=self._around(passage, query) if hears_turns(audience, [passage.turn]) else (),
            last=last,
            dated=memory.dated if memory and passage.memory else "",
            guess=memory is not None and memory.id == passage.memory and is_guess(memory),
            quote=memory.is_quote if memory and passage.memory else passage.role == "user",
            by=heir.value if heir and hears_memory(audience, heir) else "",
            evidence=tuple(
                each
                for each in (*sorted(scored.turns - {passage.turn}), *topic.places)
                if hears_turns(audience, [each])
            ),
            agent_said=agent_text,
            follows=each.follows,
            since=tuple(
                dict.fromkeys((word, now.value) for word, now in each.since if hears_memory(audience, now))
            ),
        )

    def _done_for(self, scored: Scored) -> str:
        """Return what the agent did for a message, what has most of the question's words first."""
        passage = scored.passage
        if passage.role != "user" or not passage.turn:
            return ""
        last = max((each.id for each in scored.answer), default=passage.id)
        beside = self._writer.derived.live.passages(range(last + 1, last + 1 + _DONE)).values()
        after = takewhile(lambda each: each.path == passage.path and each.role != "user", beside)
        lines = [line for each in after if each.role in (ACT, LESSON) for line in each.text.splitlines()]
        lines.sort(key=lambda line: -shared(line, scored.words))
        return shortened("; ".join(lines), _ANSWER)

    def _around(self, passage: Passage, query: Query) -> tuple[str, ...]:
        reach = min(query.neighbours, _FARTHEST)
        if not reach:
            return ()
        span = range(passage.id - reach, passage.id + reach + 1)
        beside = self._writer.derived.live.passages([place for place in span if place != passage.id]).values()
        with_untrusted = "untrusted" in query.scope.include
        near = [p for p in beside if p.path == passage.path and (with_untrusted or p.role != STRANGER)]
        return tuple(f"{other.speaker}: {other.text}" if other.speaker else other.text for other in near)


def _followed(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits, of strangers' words those marked of which the same person said something newer."""
    newer = {hit.follows: hit.text for hit in hits if hit.follows}
    return [
        hit._replace(by=hit.by or newer.get(hit.name, "")) if hit.state == UNTRUSTED else hit for hit in hits
    ]


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


def _left_out(each: Backed, why: Reason) -> LeftOut:
    passage = each.scored.passage
    return LeftOut(why, each.scored.score, passage.memory or passage.turn or passage.place, passage.text)


def _filter(query: Query, listener: Listener) -> Filter:
    """Return which passages need be looked at: what was said elsewhere is nothing for others."""
    audience = listener.audience
    session = None if audience.is_private else audience.session
    return Filter(query.scope, session, audience.project, elsewhere=audience.is_private)

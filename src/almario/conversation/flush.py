"""Flush: what was said in a session since it was last learned from becomes memories, or stays queued.

The model is asked while only the flush lock is held, so that nothing else
waits for it. What it taught enters the journal in one line, with the turns it
came from: a flush has happened or it has not.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Literal

from almario.conversation.batches import (
    batch_of,
    ends_of,
    exchanges_before,
    first_stretch,
    sides,
    texts_of_others,
)
from almario.conversation.extraction import Extraction, learned, nearest, question
from almario.conversation.file_reading import turns_in_mind
from almario.conversation.grounding import Conversation, heard
from almario.conversation.meaning import Meaning
from almario.conversation.sessions import Sessions
from almario.conversation.settings import FlushSettings
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.events import Event, Learning, SessionQueued
from almario.domain.memories import MIRRORED, OWN_PASSAGE, Memory, Wanted
from almario.domain.messages import NOTHING, Sentence, sentence_of
from almario.domain.model import Mode
from almario.domain.places import project_of
from almario.domain.turns import SOON, Turn, messages, named_in
from almario.errors import EditConflict, LLMError, LLMUnavailable, MissingExtra
from almario.memory.admission import Receipt
from almario.memory.facade import Memories
from almario.memory.lessons import Lesson
from almario.memory.rules.exchanges import answered
from almario.memory.rules.session_state import SessionState
from almario.memory.telling import hears_memory
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Store
from almario.structured_reply import ask_for
from almario.text.claims import plain_words

NO_MODEL = Sentence("no model")
OFF = Sentence("learning is switched off")
BUSY = Sentence("another process is learning from this agent's sessions; try again when it is done")
# Each failure halves the batch, so that it fits a small model; at most this often.
_HALVINGS = 3
# A failure is tried again after this long, then twice as long, up to the longest.
_FIRST_WAIT, _LONGEST_WAIT = timedelta(minutes=5), timedelta(days=1)
# What was planned is shown for so long after it, so that what came of it can be dated.
_OVER = timedelta(days=90)
# Whoever holds the lock for longer is asking a model.
_PATIENCE = 0.2
# Among so many turns, tools included, the exchanges before are looked for.
_LOOKED_BACK = 50
# A question unanswered for this long will not be answered.
_UNANSWERED = timedelta(minutes=10)
# How far a session is learned from: to its end; as far as it is time to, after a message; or as far as it
# went when a process looked for what others had left, which is an instant.
ALL, DUE = "all", "due"
Upto = str | datetime


class Flushed(NamedTuple):
    """What became of the turns of a session after *after*, up to *to*.

    *outcome* is `extracted`, `empty`, `queued` (*why* says for what reason) or
    `busy` (another process is learning now); *dropped* is how much of what the
    model said had no ground in the conversation. With *is_outage*, any other
    session would be queued for the same reason now.
    """

    session: str
    after: int
    to: int
    outcome: Learning | Literal["queued", "busy"]
    receipts: tuple[Receipt, ...] = ()
    why: Sentence = NOTHING
    dropped: int = 0
    is_outage: bool = False

    @property
    def news(self) -> list[Receipt]:
        """The receipts of what was not known before."""
        return [receipt for receipt in self.receipts if receipt.outcome in ("new", "superseded")]


class _Waiting(NamedTuple):
    """How a session with turns that wait stands, and the last of them: its number, and when it was said."""

    state: SessionState
    to: int
    at: datetime


class Flush:
    """Learns from sessions, one batch of turns after the other."""

    def __init__(
        self,
        vault: Store,
        memory: Memories,
        sessions: Sessions,
        llm: Callable[[], LLM | None],
        settings: FlushSettings | None = None,
        *,
        language: str = "en",
        audience: Callable[[str, Mode], Audience] = lambda session, mode: OWNER_ALONE,
    ) -> None:
        """*llm* gives the model that learns, or None if there is none; it is asked for when it is needed.

        *audience* says who is present in a session, in a mode.
        """
        self._audience = audience
        self._vault = vault
        self._memory = memory
        self._sessions = sessions
        self._llm = llm
        self._settings = settings or FlushSettings()
        self._language = language
        # What waited when the journal ended with a line: by session, with the mark that its files had.
        self._known: tuple[Event | None, dict[str, tuple[object, _Waiting | None]]] = (None, {})

    def flush(
        self, session: str, upto: Upto = ALL, *, is_over: Callable[[], bool] = lambda: False
    ) -> list[Flushed]:
        """Learn from the turns of a session that wait; return what became of each batch, in order.

        It ends with the first that fails, whose turns stay queued with those after them; and when it
        *is_over*, with the one that is under way.
        """
        last = self._last(session, upto)
        if not last:
            return []
        with self._vault.lease("flush", seconds=_PATIENCE) as is_held:
            if is_held:
                return self._flush_all(session, last, is_over)
            flushed = self._memory.session(session).flushed
            return [Flushed(session, flushed, last, "busy", why=BUSY)]

    def now(self) -> datetime:
        """Return the present instant, by the agent's clock."""
        return self._vault.now()

    def left(self, quiet: timedelta = timedelta()) -> list[str]:
        """Return the sessions with turns that wait and are to be tried now.

        One in which something was said less than *quiet* ago may still go on, and is none of them; of a
        coding agent's, less than SOON ago.
        """
        return [
            session
            for session, waiting in self._all_waiting()
            if self._is_left(waiting, min(quiet, SOON) if project_of(session) else quiet)
        ]

    def is_overdue(self, session: str) -> bool:
        """Return whether a message of a session that goes on waits for so long that others should know of it.

        What failed waits until it is to be tried again, and what nothing can learn until a session begins.
        """
        state, waiting = self._waiting(session)
        said = [turn for turn in answered(waiting) if turn.role == "user"]
        may_try = state.why not in (OFF, NO_MODEL) and self._is_due(state)
        return may_try and bool(said) and self.now() - said[0].at >= SOON

    def is_wanted(self, session: str) -> bool:
        """Return whether some of a session should be learned from after a message.

        So is what was said before it began anew; the rest once since then or
        since turns went to the archive, when enough messages wait; when it has
        become too long for the window; and when an attempt that failed is to be
        made again.
        """
        return self._last(session, DUE) > 0

    def _last(self, session: str, upto: Upto) -> int:
        """Return the last turn to be learned from; 0 if there is none.

        A question waits for its answer, unless the session is over.
        """
        state, waiting = self._waiting(session)
        over = [turn for turn in waiting if turn.n <= state.fresh]
        going = waiting[len(over) :]
        if isinstance(upto, datetime):
            going = [turn for turn in going if turn.at < upto]
            is_over = going and upto - going[-1].at >= _UNANSWERED
            going = going if is_over else answered(going)
        elif upto == DUE:
            over, going = self._due(session, state, over, answered(going))
        found = going or over
        return found[-1].n if found else 0

    def _due(
        self, session: str, state: SessionState, over: list[Turn], going: list[Turn]
    ) -> tuple[list[Turn], list[Turn]]:
        """Return what it is time to learn from, of turns before the session began anew and of those since."""
        if not self._is_due(state):
            return [], []
        if over and self.hindrance and state.queued >= over[-1].n:
            over = []
        is_first = max(state.flushed, state.queued) <= self._sessions.begun(session)
        is_time = (
            self._sessions.is_long(session)
            or (state.queued > state.fresh and not self.hindrance)
            or (is_first and len(messages(going)) >= self._settings.threshold)
        )
        return over, going if is_time else []

    def _flush_all(self, session: str, last: int, is_over: Callable[[], bool]) -> list[Flushed]:
        """Learn from what waits up to a turn, from each stretch that the session has had by itself."""
        done: list[Flushed] = []
        while True:
            line = self._vault.journal.tail().seq
            state, waiting = self._waiting(session)
            waiting = [turn for turn in waiting if turn.n <= last]
            if not waiting or (done and state.flushed <= done[-1].after):
                return done
            flushed = self._flush_some(session, state, waiting, line)
            done.append(flushed)
            if flushed.outcome == "queued" or is_over():
                return done

    def _flush_some(self, session: str, state: SessionState, waiting: Sequence[Turn], line: int) -> Flushed:
        """Learn from some turns, as they were when the journal ended with *line*."""
        batch = batch_of(first_stretch(waiting, state.edges), halvings=min(state.times, _HALVINGS))
        turns = self.in_mind(batch)
        after, to = state.flushed, batch[-1].n
        if turns and (hindrance := self.hindrance):
            return self._queue(session, state, waiting[-1].n, hindrance)
        try:
            found = self._learn(self._llm(), turns, batch, (*state.edges, state.fresh))
        except (LLMError, MissingExtra) as exc:
            if self._is_erased_since(line):  # what it says may quote that
                return Flushed(session, after, to, "busy")
            queued = self._queue(session, state, waiting[-1].n, sentence_of(exc))
            return queued._replace(is_outage=isinstance(exc, LLMUnavailable) and exc.passes)
        lesson = Lesson(session, after, to, found.facts, found.summary, tuple(named_in(batch, "used")), line)
        lesson = lesson._replace(model=llm.model if (llm := self._llm()) else "")
        receipts = self._memory.take_lesson(lesson)
        if receipts is None:  # somebody was faster, without the lock, or has erased something
            return Flushed(session, after, to, "busy")
        return Flushed(session, after, to, lesson.outcome, tuple(receipts), dropped=found.dropped)

    def _before(self, first: Turn, edges: Sequence[int]) -> list[Turn]:
        turns = self._vault.transcripts.read(first.session, after=max(0, first.n - 1 - _LOOKED_BACK))
        return exchanges_before(turns, first, edges)

    def in_mind(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return the turns that say something, as a model may see them."""
        told = tuple(named_in(turns, "told"))
        # What was forgotten since is not to come back by what the agent said of it.
        is_gone = bool(told) and bool(self._memory.list(Wanted(ids=told, states=("retired",))))
        every, redact = turns_in_mind(turns, self._memory.out_of_mind()), self._memory.redact.text
        texts = [(turn, heard(turn, with_promises=not is_gone)) for turn in every]
        return [turn._replace(text=redact(text), more={}) for turn, text in texts if text]

    def _learn(
        self,
        llm: LLM | None,
        spoken: Sequence[Turn],
        batch: Sequence[Turn],
        edges: Sequence[int],
    ) -> Extraction:
        """Ask about the trusted turns, and apart from them about the others: no stranger speaks for you."""
        (trusted, strangers), (own, theirs) = (
            sides(spoken),
            sides(self.in_mind(self._before(batch[0], edges))),
        )
        given = self._given(batch)
        others = texts_of_others(strangers, batch)
        among = bool(others) or any(turn.origin == "untrusted" for turn in batch)
        found = Extraction()
        for turns, known, earlier in ((trusted, self._live(trusted), own), (strangers, (), theirs)):
            if turns and llm:
                talk = Conversation(tuple(turns), self._vault.zone, self._language, known, given)
                talk = talk._replace(before=ends_of(earlier))
                talk = talk._replace(known=self._words_known(), embedder=self._memory.embedding.comparer)
                talk = talk._replace(strangers=others, among_strangers=among)
                one = learned(talk, ask_for(llm, question(talk)))
                found = Extraction(
                    found.facts + one.facts, found.summary or one.summary, found.dropped + one.dropped
                )
        return found

    def _queue(self, session: str, state: SessionState, to: int, why: Sentence) -> Flushed:
        """Enter that turns wait, and why; what hinders every attempt is entered once."""
        why = why.fit_to_keep(self._memory.redact.text)
        is_known = why == self.hindrance and (state.queued, state.why) == (to, why)
        if not is_known:
            self._memory.record(SessionQueued(session, state.flushed, to, why))
        return Flushed(session, state.flushed, to, "queued", why=why)

    def _is_erased_since(self, line: int) -> bool:
        try:
            self._vault.need_nothing_erased(line)
        except EditConflict:
            return True
        return False

    @property
    def hindrance(self) -> Sentence:
        """Why nothing that is said is learned, if so."""
        return OFF if not self._settings.enabled else NO_MODEL if self._llm() is None else NOTHING

    def _waiting(self, session: str) -> tuple[SessionState, list[Turn]]:
        state = self._memory.session(session)
        return state, self._vault.transcripts.read(session, after=state.flushed)

    def _all_waiting(self) -> list[tuple[str, _Waiting]]:
        """Return all sessions with turns that wait; only what has changed since the last time is read."""
        line = self._vault.journal.tail().last
        known = self._known[1] if self._known[0] == line else {}
        now: dict[str, tuple[object, _Waiting | None]] = {}
        for session, mark in sorted(self._vault.transcripts.marks().items()):
            now[session] = known.get(session, (None, None))
            if now[session][0] != mark:
                state = self._memory.session(session)
                latest = self._vault.transcripts.read(session, after=state.flushed, last=1)
                now[session] = (mark, _Waiting(state, latest[0].n, latest[0].at) if latest else None)
        self._known = (line, now)  # one assignment: threads see the old or the new
        return [(session, waiting) for session, (_, waiting) in now.items() if waiting]

    def _is_left(self, waiting: _Waiting, quiet: timedelta) -> bool:
        state, to, at = waiting
        # What was said in the future was said by a clock that was wrong.
        if at <= self._vault.now() < at + quiet:
            return False
        if self.hindrance:
            return (state.queued, state.why) != (to, self.hindrance)
        return self._is_due(state)

    def _is_due(self, state: SessionState) -> bool:
        """Return whether what failed is to be tried again; at once, if what hindered it is gone."""
        if not state.queued or state.why in (OFF, NO_MODEL):
            return True
        failed = datetime.fromisoformat(state.at)
        wait = min(_FIRST_WAIT * 2 ** min(state.times - 1, 20), _LONGEST_WAIT)
        # What failed in the future failed by a clock that was wrong.
        return not failed <= self._vault.now() < failed + wait

    def _live(self, turns: Sequence[Turn]) -> tuple[Memory, ...]:
        """Return the memories in use that these turns may renew, replace or end, and may be named there."""
        if not turns:
            return ()
        audience = self._audience(turns[0].session, "")
        since = turns[0].at - _OVER
        over = self._memory.list(Wanted(kinds=OWN_PASSAGE, states=("ended",)))
        known = self._memory.list(Wanted(kinds=OWN_PASSAGE))
        known += [each for each in over if not each.valid_to or each.valid_to > since]
        heard_of = [memory for memory in known if hears_memory(audience, memory)]
        meaning = Meaning(self._memory.embedding.comparer)
        return nearest(heard_of, [heard(turn) for turn in turns], meaning)

    def _words_known(self) -> frozenset[str]:
        """Return the words of what is or was known: who is named there is nobody new."""
        facts = self._memory.list(Wanted(kinds=MIRRORED, states=("live", "superseded", "expired")))
        return frozenset(word for memory in facts for word in plain_words(memory.text))

    def _given(self, batch: Sequence[Turn]) -> tuple[str, ...]:
        ids = tuple({*named_in(batch, "told"), *named_in(batch, "used")})
        return tuple(memory.text for memory in self._memory.list(Wanted(ids=ids))) if ids else ()

"""Sessions: what of a conversation the model is told, when it begins anew, what goes to the archive.

All of it follows from the transcript and the journal; nothing is kept beside them.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from almario.conversation.discretion import Discretion
from almario.conversation.file_reading import TranscriptsInMind, turns_in_mind
from almario.conversation.following import Following
from almario.conversation.settings import SessionSettings
from almario.domain.events import Reset, SessionReset
from almario.domain.memories import Wanted
from almario.domain.messages import Sentence
from almario.domain.model import IMPORTED
from almario.domain.turn_ids import turn_id
from almario.domain.turns import ANSWERS, Turn, Window, bears, messages
from almario.former_names import answering
from almario.memory.facade import Memories
from almario.memory.rules.session_state import SessionState, Summary
from almario.named_tuples import NamedTuple
from almario.ports import Store

# The longest running summary, in characters.
SUMMARY_CHARS = 2000
# The beginning of the window moves in steps that are counted anew after so many windows of turns.
_STRETCH = 4
# How many windows back to look for a user's message, if the window has none.
_FARTHEST = 8
# How many of the last turns are searched for a message that may have arrived before.
_NEWEST = 400


class SessionView(NamedTuple):
    """One session at a glance: *waiting* messages have not been learned from, *why* if that was tried.

    *is_off*: what is said there now is off the record, in this process.
    """

    session: str
    turns: int
    first: datetime | None
    last: datetime | None
    flushed: int
    waiting: int
    why: Sentence
    resets: int
    archived: int
    is_off: bool = False
    # The last turn that was there when it was cleared; 0 if it never was.
    cleared: int = 0


class Sessions:
    """Reads the sessions of one agent, begins them anew, and keeps their files short."""

    def __init__(
        self,
        vault: Store,
        memory: Memories,
        settings: SessionSettings | None = None,
        discretion: Discretion | None = None,
    ) -> None:
        self._discretion = discretion or Discretion(memory, vault.transcripts, vault.now)
        self._vault = vault
        self._transcripts = TranscriptsInMind(vault.transcripts, memory.out_of_mind)
        self._memory = memory
        self._settings = settings or SessionSettings()
        # By session, its view, and what that follows from.
        self._views: dict[str, tuple[object, SessionView]] = {}

    def window(self, session: str) -> Window:
        """Return the part of a session that the model sees."""
        state = self._memory.session(session)
        turns = windowed(self._lately(session, state.fresh), self._settings.window)
        older = [
            each
            for each in state.summaries
            if turns and each.after >= state.fresh and each.after + 1 < turns[0].n
        ]
        return Window(_running(self._unseen(older)) if older else "", tuple(turns))

    def reset_if_due(self, session: str) -> bool:
        """Begin a session anew if that is due, and say so; what another process adds meanwhile is the new."""
        last = self._last(session)
        why = self._why_due(last) if last and last.n > self._memory.session(session).fresh else ""
        return self.reset(session, why) if why else False

    def _why_due(self, last: Turn) -> Reset | Literal[""]:
        now = self._vault.now()
        if self._settings.daily_reset and last.at < latest_reset(now, self._settings.reset_hour):
            return "daily"
        # Both in UTC: in one zone, Python would count the hours of the clock on the wall.
        quiet = now.astimezone(UTC) - last.at.astimezone(UTC)
        idle = self._settings.idle_minutes
        return "idle" if idle and quiet >= timedelta(minutes=idle) else ""

    def reset(self, session: str, why: Reset) -> bool:
        """Start a session afresh after its last turn; return whether it had any turns."""
        last = self._last(session)
        if last is None or last.n <= self._memory.session(session).fresh:
            return False
        self._memory.record(SessionReset(session, last.n, why))
        self._discretion.end(session)
        return True

    def last_day(self, session: str) -> date | None:
        """Return the day of the last turn before a session began anew."""
        fresh = self._memory.session(session).fresh
        before = next(iter(self._transcripts.read(session, after=fresh - 1)), None) if fresh else None
        return before.at.astimezone(self._vault.zone).date() if before else None

    def is_long(self, session: str) -> bool:
        """Return whether a session has more than two windows of messages that are not in the archive."""
        after = max(self._memory.session(session).fresh, self._transcripts.archived(session))
        most = 2 * self._settings.window
        return len(messages(self._latest(session, after, lambda turns: len(messages(turns)) > most))) > most

    def begun(self, session: str) -> int:
        """Return the last turn that was there when a session last began anew, or last went to the archive.

        Of the latter it is known that as many messages stayed as the window holds.
        """
        fresh, archived = self._memory.session(session).fresh, self._transcripts.archived(session)
        if archived <= fresh:
            return fresh
        kept = messages(self._transcripts.read(session, after=archived))[: self._settings.window]
        return kept[-1].n if kept else archived

    def compact_if_long(self, session: str) -> int:
        """Move what may go to the archive once a session has become too long; return how many turns."""
        return self.compact(session) if self.is_long(session) else 0

    def compact(self, session: str) -> int:
        """Move to the archive what is older than a window and has an outcome; return how many turns.

        An outcome is to have been learned from, or to be queued with a reason.
        """
        state, size = self._memory.session(session), self._settings.window
        kept = messages(self._latest(session, state.fresh, lambda turns: len(messages(turns)) >= size))[
            -size:
        ]
        last = self._last(session)
        first = kept[0].n if kept else last.n + 1 if last else 0
        upto = min(first - 1, max(state.flushed, state.queued))
        return self._vault.archive_turns(session, upto) if upto > 0 else 0

    def unflushed(self, session: str) -> list[Turn]:
        """Return the turns of a session that have not been learned from."""
        return self._transcripts.read(session, after=self._memory.session(session).flushed)

    def turns(self, session: str, *, last: int = 0) -> list[Turn]:
        """Return a session's turns, archived ones included; *last* limits it to the latest."""
        return self._transcripts.read(session, last=last)

    def brought(self, session: str, ref: str) -> list[Turn]:
        """Return what was kept of a message that its channel calls *ref*: it may be brought twice."""
        return [turn for turn in self._newest(session, ref) if bears(turn, ref)]

    def went_on(self, turn: Turn) -> bool:
        """Return whether the owner said something after a message."""
        later = self._transcripts.read(turn.session, after=turn.n)
        return any(each.role == "user" and each.origin == "owner" for each in later)

    def answer_to(self, session: str, ref: str) -> list[Turn]:
        """Return what was said in answer to such a message; nothing if that was never finished."""
        found = [turn for turn in self._newest(session, ref) if turn.more.get(ANSWERS) == ref]
        return found if found and not found[-1].more.get("calls") else []

    def _newest(self, session: str, ref: str) -> list[Turn]:
        return self._transcripts.read(session, last=_NEWEST) if ref else []

    def current(self, session: str) -> list[Turn]:
        """Return the turns of a session since it last began anew."""
        return self._transcripts.read(session, after=self._memory.session(session).fresh)

    def following(self, since: datetime | None = None) -> Following:
        """Return what tells all that is said from now on, or *since* an instant, wherever it is said."""
        return Following(self._transcripts, since)

    def list(self) -> Sequence[SessionView]:
        """Return every session with a transcript, most recently active first; imported ones, if in mind.

        A transcript is read again only when something was said there since, learned from or forgotten.
        """
        states, gone = self._memory.sessions(), dict[str, set[str]]()
        for name in self._memory.out_of_mind():
            if name.startswith(IMPORTED):
                gone.setdefault(turn_id(name).session, set()).add(name)
        known, now = self._views, dict[str, tuple[object, SessionView]]()
        for session, mark in sorted(self._transcripts.marks().items()):
            state = states.get(session, SessionState())
            follows_from = (mark, state, gone.get(session), self._discretion.is_off(session))
            held = known.get(session)
            is_same = held is not None and held[0] == follows_from
            now[session] = held if held and is_same else (follows_from, self._view(session, state))
        self._views = now  # one assignment: threads see the old or the new
        views = [view for _, view in now.values() if view.turns or view.session not in gone]
        return sorted(views, key=lambda view: view.last or datetime.min.replace(tzinfo=UTC), reverse=True)

    def view(self, session: str) -> SessionView:
        """Return an overview of one session."""
        return self._view(session, self._memory.session(session))

    def _view(self, session: str, state: SessionState) -> SessionView:
        read, is_export = self._transcripts.read, session.startswith(IMPORTED)
        # An export has its conversations in any order.
        lasts = read(session, after=0 if is_export else max(state.flushed - 1, 0)) or read(session, last=1)
        first = lasts if is_export else [self._transcripts.first(session)]
        times = [turn.at for turn in (*first, *lasts[-1:]) if turn]
        return SessionView(
            session=session,
            turns=len(lasts) if is_export else lasts[-1].n if lasts else 0,
            first=min(times, default=None),
            last=max(times, default=None),
            flushed=state.flushed,
            waiting=len(messages([turn for turn in lasts if turn.n > state.flushed])),
            why=state.why,
            resets=state.resets,
            archived=self._transcripts.archived(session),
            is_off=self._discretion.is_off(session),
            cleared=state.cleared,
        )

    if not TYPE_CHECKING:
        __getattr__ = answering("sessions")

    def _lately(self, session: str, fresh: int) -> Sequence[Turn]:
        """Return turns enough for a window, from one on that stays the first for long."""
        size, last = self._settings.window, self._last(session)
        stretch = _STRETCH * size
        after = fresh + max(0, last.n - fresh if last else 0) // stretch * stretch
        while True:
            heard = self._discretion.heard(self._transcripts.read(session, after=after))
            turns = self._in_mind(session, list(heard))
            question = next((place for place, turn in enumerate(turns) if turn.role == "user"), len(turns))
            is_enough = len(messages(turns[question:])) >= size or question >= size * _FARTHEST
            if after <= fresh or is_enough:
                return turns
            after -= stretch

    def _in_mind(self, session: str, turns: Sequence[Turn]) -> Sequence[Turn]:
        """Return the turns that do not tell what is forgotten; what is being answered is heard."""
        question = max((turn.n for turn in turns if turn.role == "user"), default=0)
        earlier = turns_in_mind(
            [turn for turn in turns if turn.n < question], self._discretion.out_of_mind(session)
        )
        return [*earlier, *(turn for turn in turns if turn.n >= question)]

    def _unseen(self, summaries: Sequence[Summary]) -> Sequence[Summary]:
        gone = self._memory.list(Wanted(kinds=("summary",), states=("retired",)))
        texts = {memory.value for memory in gone}
        return [each for each in summaries if each.text not in texts]

    def _latest(
        self, session: str, after: int, is_enough: Callable[[Sequence[Turn]], bool]
    ) -> Sequence[Turn]:
        count = 2 * self._settings.window
        while True:
            turns = self._transcripts.read(session, after=after, last=count)
            if len(turns) < count or is_enough(turns):
                return turns
            count *= 2

    def _last(self, session: str) -> Turn | None:
        return next(iter(self._transcripts.read(session, last=1)), None)


def windowed(turns: Sequence[Turn], size: int) -> list[Turn]:
    """Return at least the last *size* messages, with the tool results between them.

    They begin with a message of the user. The beginning moves on in steps of
    half that size, counted from the first of the turns: until the next one,
    a conversation only grows at its end.
    """
    numbers = {turn.n for turn in messages(turns)}
    spoken = [place for place, turn in enumerate(turns) if turn.n in numbers]
    questions = [place for place in spoken if turns[place].role == "user"]
    if questions:
        spoken = [place for place in spoken if place >= questions[0]]
    step = max(1, size // 2)
    start = spoken[max(0, len(spoken) - size) // step * step] if spoken else len(turns)
    if questions:
        start = max(place for place in questions if place <= start)
    else:
        start = next((place for place in spoken if place >= start and _is_whole(turns, place)), len(turns))
    return [turn for turn in turns[start:] if turn.role != "system"]


def latest_reset(now: datetime, hour: int) -> datetime:
    """Return the instant, in UTC, when it was last that hour on the clock of *now*'s zone.

    An hour that the clock skips is taken at the skip, one that it repeats at the first.
    """
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if today.astimezone(UTC) <= now.astimezone(UTC):
        return today.astimezone(UTC)
    return (today - timedelta(days=1)).astimezone(UTC)


def _is_whole(turns: Sequence[Turn], place: int) -> bool:
    wanted = {call.get("id") for call in turns[place].more.get("calls", ())}
    return wanted <= {turn.more.get("call") for turn in turns[place + 1 :] if turn.role == "tool"}


def _running(summaries: Sequence[Summary]) -> str:
    """Return what the summaries say, the newest that fit, oldest first."""
    texts: list[str] = []
    left = SUMMARY_CHARS
    for each in reversed(summaries):
        if len(each.text) > left:
            texts += [each.text[: left - 1] + "…"] if not texts else []
            break
        texts.append(each.text)
        left -= len(each.text) + 1
    return "\n".join(reversed(texts))

"""Off the record: what is said and not kept, taken back, set aside, and brought back."""

from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from almario.domain.forgotten import Forgotten
from almario.domain.plain_text import without_spans
from almario.domain.turn_ids import turn_id
from almario.domain.turns import AHEAD, OFF, PERHAPS, PREVIOUS, THIS, Turn, Utterance
from almario.memory.facade import Memories
from almario.ports import Clock, Transcripts
from almario.text.claims import terms_of

if TYPE_CHECKING:
    from almario.text.reader import Reading

# An exchange has no more turns, with all its tools.
_FAR = 200
# How long after an announcement the next message counts as a confidence.
_SOON = timedelta(hours=1)
# Replaces what an answer repeated from off the record.
_LEFT_OUT = "[off the record]"


class Discretion:
    """Knows what of each session is off the record or set aside, and keeps what is said there accordingly.

    Off the record is the message that says so and its answer, or all until the owner takes that back. What
    only may be meant so is set aside: it is kept, but neither learned from nor brought up.
    """

    def __init__(self, memory: Memories, transcripts: Transcripts, clock: Clock) -> None:
        self._memory = memory
        self._transcripts = transcripts
        self._clock = clock
        # Of which sort each session's present exchange is, and those that are off until it is taken back.
        self._exchange: dict[str, str] = {}
        self._until_on: set[str] = set()
        # By session and number, the turns with their words; and those that the last notice was about.
        self._whispered: dict[str, dict[int, Turn]] = {}
        self._noticed: dict[str, int] = {}
        # The sessions in which the last notice was about something else that is withheld.
        self._elsewhere: set[str] = set()

    def is_off(self, session: str) -> bool:
        """Return whether what is said in a session now is off the record."""
        return self._exchange.get(session) == THIS or session in self._until_on

    def is_kept_out(self, session: str) -> bool:
        """Return whether nothing of what is said in a session now is to be learned."""
        return self.is_off(session) or session in self._exchange

    def listen(self, session: str, message: str, reading: "Reading") -> str:
        """Hear in an owner's message whether it is off the record: `this`, `perhaps`, or nothing.

        `previous` says that what was said before it is to be. How the message is *read* is a guess.
        """
        from almario.conversation.wishing import SURE, wanted_in  # noqa: PLC0415 - only for what was said

        self._exchange.pop(session, None)
        wanted = wanted_in(message, reading)
        wish, before = wanted.off, self._announcement(session)
        sorts = (wish, before.more[AHEAD] if before else "")
        if THIS in sorts or session in self._until_on:
            self._exchange[session] = THIS
        elif PERHAPS in sorts and wanted.remember != SURE:
            self._exchange[session] = PERHAPS
        now = self._exchange.get(session, "")
        return wish if wish == PREVIOUS and now != THIS else now

    def announced(self, session: str, message: str, reading: "Reading") -> dict[str, str]:
        """Return what to mark on a message that only says that the next is a confidence."""
        from almario.conversation.wishing import announced_in  # noqa: PLC0415 - as above

        sort = self._exchange.get(session)
        ahead = announced_in(message, reading) if sort and session not in self._until_on else ""
        return {AHEAD: ahead} if ahead else {}

    def switch(self, session: str, *, off: bool) -> None:
        """Let all that follows in a session be off the record, or on it again."""
        if off:
            self._until_on.add(session)
        else:
            self._until_on.discard(session)
            self._exchange.pop(session, None)

    def keep_off(self, session: str) -> None:
        """Let the answer be off the record, too: the message was, and perhaps another process heard it."""
        self._exchange[session] = THIS

    def keep(self, session: str, utterances: Sequence[Utterance]) -> Sequence[Turn]:
        """Keep what was said; off the record, only that somebody spoke, and the words for this process."""
        off = self.is_off(session)
        turns = self._memory.append(session, [each._replace(off=off) for each in utterances])
        if off:
            self._whispered.setdefault(session, {}).update({turn.n: turn for turn in turns})
            if turns[-1].role == "user":
                self._noticed[session] = turns[0].n
                self._elsewhere.discard(session)
        return turns

    def heard_again(self, session: str, turns: Sequence[Turn], text: str) -> Sequence[Turn]:
        """Return a message that comes again as it was kept; off the record, with its words as they come."""
        if not turns[-1].is_off:
            return turns
        self._exchange[session] = THIS
        whispered = turns[-1]._replace(text=text)
        self._whispered.setdefault(session, {})[whispered.n] = whispered
        return [*turns[:-1], whispered]

    def put_aside(self, turns: Sequence[Turn]) -> Forgotten:
        """Set a message aside: it is neither learned from nor brought up, and so is the answer to it."""
        self._noticed.pop(turns[-1].session, None)
        self._elsewhere.discard(turns[-1].session)
        return self._memory.put_aside([turn.id for turn in turns])

    def take_back(
        self, session: str, *, order: Turn | None = None, alone: bool = True, previous: bool = False
    ) -> Forgotten | None:
        """Take the latest exchange off the record, and the *previous* one; return what goes, or None.

        It is not told, learned or searched from now on, and erased when the session ends. Without an
        *order* it is the one that goes on, and its words are still heard; an order goes with what was said
        before it, if it stands *alone* in its message.
        """
        heard = order is None
        before = self._transcripts.read(session, last=_FAR)
        turns = last_exchange([turn for turn in before if order is None or turn.n < order.n])
        if previous and turns:
            turns = [*last_exchange([turn for turn in before if turn.n < turns[0].n]), *turns]
        out = self.out_of_mind(session)
        written = [turn for turn in turns if not turn.is_off and turn.id not in out]
        whispered = self._whispered.setdefault(session, {})
        for turn in turns if not heard else ():
            whispered.pop(turn.n, None)
        if heard:
            self._exchange[session] = THIS
            whispered.update({turn.n: turn._replace(more={**turn.more, OFF: True}) for turn in written})
        self._noticed.pop(session, None)
        if not written:
            return None
        gone = self._memory.take_back([turn.id for turn in (*written, *([order] if order and alone else []))])
        own = (turn for turn in written if turn.role == "user" and turn.origin == "owner")
        gone.said = tuple(self._memory.without_secrets(turn.text) for turn in own)
        return gone

    def note_secret(self, session: str) -> None:
        """Take note that the last notice in a session was about a secret: who keeps that means no other."""
        self._elsewhere.add(session)

    def keep_noticed(self, session: str) -> list[Turn]:
        """Bring back what the last notice took out, if that was a message off the record or set aside."""
        if session in self._elsewhere:
            self._elsewhere.discard(session)
            return []
        return self.put_back(session)

    def put_back(self, session: str) -> list[Turn]:
        """Bring back what was taken out last in a session: what was said there, as it is now."""
        if first := self._noticed.pop(session, 0):
            known = self._whispered[session]
            held = [known.pop(n) for n in sorted(known) if n >= first]
            self._exchange.pop(session, None)
            utterances = [
                Utterance(turn.role, turn.text, turn.origin, turn.speaker, turn.at, _without_marks(turn))
                for turn in held
            ]
            return list(self._memory.append(session, utterances))
        away = {**self._memory.taken_back(), **self._memory.set_aside()}
        lines = [line for line, turns in away.items() if turn_id(turns[0]).session == session]
        if not lines:
            return []
        self._memory.undo(max(lines))
        self._exchange.pop(session, None)
        for each in away[max(lines)]:
            self._whispered.get(session, {}).pop(turn_id(each).n, None)
        back = frozenset(away[max(lines)])
        return [turn for turn in self._transcripts.read(session, last=_FAR) if turn.id in back]

    def heard(self, turns: Sequence[Turn]) -> Iterator[Turn]:
        """Yield turns with their words; those that only another process heard are left out."""
        for turn in turns:
            known = self._whispered.get(turn.session, {}).get(turn.n) if turn.is_off else turn
            if known:
                yield known

    def out_of_mind(self, session: str) -> Collection[str]:
        """Return what is out of mind for a model that talks in a session: what is set aside there is not."""
        aside = (each for turns in self._memory.set_aside().values() for each in turns)
        return set(self._memory.out_of_mind()).difference(
            each for each in aside if turn_id(each).session == session
        )

    def without_whispers(self, session: str, answer: str) -> str:
        """Return what is kept of an answer on the record: without what it repeats of what was off it."""
        whispered = [turn.text for turn in self._whispered.get(session, {}).values() if turn.role == "user"]
        away = {each for turns in self._memory.taken_back().values() for each in turns}
        if self.is_off(session) or not (whispered or any(turn_id(each).session == session for each in away)):
            return answer
        from almario.conversation.echoes import echoes  # noqa: PLC0415 - as above

        spoken = [turn for turn in self._transcripts.read(session, last=_FAR) if turn.role == "user"]
        whispered += [turn.text for turn in spoken if turn.id in away]
        openly = [turn.text for turn in spoken[-1:] if turn.id not in away]
        leaked = [span for span in echoes(answer, whispered) if span not in echoes(answer, openly)]
        spans = [span for span in leaked if len(terms_of(answer[slice(*span)])) > 1]
        return without_spans(answer, spans, gap=_LEFT_OUT)

    def end(self, session: str) -> None:
        """Forget the words: the session has ended."""
        self._whispered.pop(session, None)
        self._noticed.pop(session, None)
        self._exchange.pop(session, None)
        self._memory.erase_taken_back(session)

    def overheard(self, session: str) -> None:
        """Somebody else speaks: what follows is on the record again, unless that was switched off."""
        self._exchange.pop(session, None)

    def announcement(self, session: str) -> str:
        """Return what the owner said to announce their latest message, if they did."""
        latest = reversed(self._transcripts.read(session, last=_FAR))
        message = next((turn for turn in latest if turn.role == "user" and turn.origin == "owner"), None)
        before = self._announcement(session, before=message) if message else None
        return before.text if before else ""

    def _announcement(self, session: str, before: Turn | None = None) -> Turn | None:
        fresh = self._memory.session(session).fresh
        latest = reversed(self._transcripts.read(session, after=fresh, last=_FAR))
        turns = (turn for turn in latest if turn.role == "user" and turn.origin == "owner")
        found = next((turn for turn in turns if before is None or turn.n < before.n), None)
        is_soon = found is not None and (before.at if before else self._clock()) - found.at < _SOON
        return found if found and is_soon and found.more.get(AHEAD) else None


def _without_marks(turn: Turn) -> dict[str, Any]:
    return {name: each for name, each in turn.more.items() if name not in (OFF, AHEAD)}


def last_exchange(turns: Sequence[Turn]) -> list[Turn]:
    """Return the latest message of the owner, what was pasted with it, and what the agent answered."""
    starts = [place for place, turn in enumerate(turns) if turn.role == "user" and turn.origin == "owner"]
    if not starts:
        return []
    start = starts[-1]
    answers = [turn for turn in turns[start:] if turn.role != "user" or turn.origin == "owner"]
    while start and turns[start - 1].role == "user" and not turns[start - 1].speaker:
        if turns[start - 1].origin == "owner":
            break
        start -= 1
    return [*turns[start : starts[-1]], *answers]

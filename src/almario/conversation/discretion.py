"""Off the record: what is said and not kept, what is taken back, and what is brought back.

It is one state of an exchange, whoever sets it: the owner's words, a switch, or the model's tool. It is never
learned from, indexed, recalled or told; the words stay in mind here, to go on talking, and are erased when
the session ends. What is off the record before it is written down never is.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from typing import Any

from almario.domain.forgotten import Forgotten
from almario.domain.model import Query
from almario.domain.plain_text import without_spans
from almario.domain.turn_ids import turn_id
from almario.domain.turns import AROUND, NEXT, OFF, PREVIOUS, THIS, Turn, Utterance
from almario.domain.words import sentence_spans
from almario.memory.facade import Memories
from almario.memory.telling import Listener
from almario.ports import Clock, Transcripts
from almario.text.claims import claims_of, has_term, terms_of

# An exchange has no more turns, with all its tools.
_FAR = 200
# How far apart what was said before and the wish that it is not kept may be, and that wish and what follows.
_SOON = timedelta(hours=1)
# So long another program's model may still see what it was told.
_IN_SIGHT = timedelta(days=1)
# Replaces what an answer repeated from off the record.
_LEFT_OUT = "[off the record]"


class Discretion:
    """Knows what of each session is off the record, and keeps what is said there accordingly."""

    def __init__(self, memory: Memories, transcripts: Transcripts, clock: Clock) -> None:
        self._memory = memory
        self._transcripts = transcripts
        self._clock = clock
        # The sessions whose present exchange is off the record, and those that are until it is taken back.
        self._exchange: set[str] = set()
        self._until_on: set[str] = set()
        # By session and number, the turns with their words; and the first that the last notice was about.
        self._whispered: dict[str, dict[int, Turn]] = {}
        # By session, the numbers of all that was off the record when it was said here.
        self._heard: dict[str, set[int]] = {}
        self._noticed: dict[str, int] = {}
        # The sessions in which the last notice was about something else that is withheld.
        self._elsewhere: set[str] = set()

    def is_off(self, session: str) -> bool:
        """Return whether what is said in a session now is off the record."""
        return session in self._exchange or session in self._until_on

    def listen(self, session: str, message: str) -> str:
        """Hear what a message wants off the record: `this`, `previous`, the `next`, or both `around` it."""
        self._exchange.discard(session)
        wish = off_in(message)
        if wish in (PREVIOUS, NEXT, AROUND):
            return wish
        if wish or session in self._until_on or self._is_announced(session):
            self._exchange.add(session)
            return THIS
        return ""

    def _is_announced(self, session: str) -> bool:
        """Return whether the owner's last message wanted the next off the record, and still does."""
        turns = self._transcripts.read(session, after=self._memory.session(session).fresh, last=_FAR)
        said = [turn for turn in turns if turn.role == "user" and turn.origin == "owner"][-1:]
        recent = [turn for turn in said if self._clock() - turn.at < _SOON]
        return any(off_in(turn.text) in (NEXT, AROUND) and turn.id in self._taken_back() for turn in recent)

    def switch(self, session: str, *, off: bool) -> None:
        """Let all that follows in a session be off the record, or on it again."""
        if off:
            self._until_on.add(session)
        else:
            self._until_on.discard(session)
            self._exchange.discard(session)

    def keep_off(self, session: str) -> None:
        """Let the answer be off the record, too: the message was, and perhaps another process heard it."""
        self._exchange.add(session)

    def beware(self, session: str, turns: Sequence[Turn]) -> None:
        """Let the answer be off the record, too, if its model heard there what only another process did.

        Such as a coding agent's: it may repeat those words, which are written nowhere.
        """
        lately = [turn for turn in turns if self._clock() - turn.at < _IN_SIGHT]
        unheard = {turn.n for turn in lately if turn.role == "user" and turn.is_off}
        if unheard - self._heard.get(session, set()):
            self._exchange.add(session)

    def keep(self, session: str, utterances: Sequence[Utterance]) -> Sequence[Turn]:
        """Keep what was said; off the record, only that somebody spoke, and the words for this process."""
        off = self.is_off(session)
        turns = self._memory.append(session, [each._replace(off=off) for each in utterances])
        if off:
            self._heard.setdefault(session, set()).update(turn.n for turn in turns)
            self._whispered.setdefault(session, {}).update({turn.n: turn for turn in turns})
            if turns[-1].role == "user":
                self._noticed[session] = turns[0].n
                self._elsewhere.discard(session)
        return turns

    def heard_again(self, session: str, turns: Sequence[Turn], text: str) -> Sequence[Turn]:
        """Return a message that comes again as it was kept; off the record, with its words as they come."""
        if not turns[-1].is_off:
            return turns
        self._exchange.add(session)
        whispered = turns[-1]._replace(text=text)
        self._heard.setdefault(session, set()).add(whispered.n)
        self._whispered.setdefault(session, {})[whispered.n] = whispered
        return [*turns[:-1], whispered]

    def take_back(self, session: str, *, previous: bool = False) -> Forgotten | None:
        """Take the latest exchange off the record; return what goes, or None if all of it was off already.

        With *previous*, the one before goes, too, if it was within the hour; and in any case what was said in
        the same words, as of a message that got no answer and was sent again. The words are still heard.
        """
        before = self._transcripts.read(session, last=_FAR)
        turns = last_exchange(before)
        while earlier := last_exchange([turn for turn in before if turns and turn.n < turns[0].n]):
            is_recent = turns[-1].at - earlier[-1].at < _SOON
            if not is_recent or not (previous or _own_words(earlier) & _own_words(turns)):
                break
            turns, previous = [*earlier, *turns], False
        out = self._memory.out_of_mind()
        written = [turn for turn in turns if not turn.is_off and turn.id not in out]
        self._exchange.add(session)
        known = {turn.n: turn._replace(more={**turn.more, OFF: True}) for turn in written}
        self._whispered.setdefault(session, {}).update(known)
        self._noticed.pop(session, None)
        self._elsewhere.discard(session)
        if not written:
            return None
        gone = self._memory.take_back([turn.id for turn in written])
        own = [turn.text for turn in written if turn.role == "user" and turn.origin == "owner"]
        said = [each for each in own if off_in(each) not in (PREVIOUS, NEXT, AROUND)]
        gone.said = tuple(map(self._memory.redact.text, said))
        return gone

    def note_secret(self, session: str) -> None:
        """Take note that the last notice in a session was about a secret: who keeps that means no other."""
        self._elsewhere.add(session)

    def put_back(self, session: str) -> list[Turn]:
        """Bring back what the last notice took off the record in a session; return it as it is now."""
        if session in self._elsewhere:
            self._elsewhere.discard(session)
            return []
        if first := self._noticed.pop(session, 0):
            known = self._whispered[session]
            held = [known.pop(n) for n in sorted(known) if n >= first]
            self._exchange.discard(session)
            utterances = [
                Utterance(turn.role, turn.text, turn.origin, turn.speaker, turn.at, _without_mark(turn))
                for turn in held
            ]
            return list(self._memory.append(session, utterances))
        away = {**self._memory.taken_back(), **self._memory.set_aside()}
        lines = [line for line, turns in away.items() if turn_id(turns[0]).session == session]
        if not lines:
            return []
        self._memory.undo(max(lines))
        self._exchange.discard(session)
        for each in away[max(lines)]:
            self._whispered.get(session, {}).pop(turn_id(each).n, None)
        back = frozenset(away[max(lines)])
        return [turn for turn in self._transcripts.read(session, last=_FAR) if turn.id in back]

    def heard(self, turns: Sequence[Turn]) -> Iterator[Turn]:
        """Yield turns with their words; those that only another process heard are left out."""
        held = {session: self._held(session) for session in {turn.session for turn in turns}}
        for turn in turns:
            known = held[turn.session].get(turn.n)
            if known or not turn.is_off:
                yield known or turn

    def out_of_mind(self, session: str) -> Collection[str]:
        """Return what is out of mind for a model that talks in a session: what is heard there is not."""
        heard = {turn.id for turn in self._held(session).values()}
        return self._memory.out_of_mind() - heard - self._memory.asked_in_vain()

    def without_whispers(self, session: str, answer: str) -> str:
        """Return what is kept of an answer on the record: without the sentences that tell what was off it."""
        held, away = self._held(session).values(), self._taken_back()
        is_here = any(turn_id(each).session == session for each in away)
        if self.is_off(session) or not (held or is_here):
            return answer
        turns = self._transcripts.read(session, last=_FAR)
        off = [*held, *(turn for turn in turns if turn.id in away)]
        known = {turn.id for turn in off}
        openly = terms_of("\n".join(turn.text for turn in turns if turn.id not in known))
        alone = terms_of("\n".join(turn.text for turn in off)) - openly
        spans = [span for span in sentence_spans(answer) if self._tells(answer[slice(*span)], alone)]
        return without_spans(answer, spans, gap=_LEFT_OUT)

    def end(self, session: str) -> None:
        """Forget the words: the session has ended."""
        self._whispered.pop(session, None)
        self._heard.pop(session, None)
        self._noticed.pop(session, None)
        self._exchange.discard(session)
        self._memory.erase_taken_back(session)

    def overheard(self, session: str) -> None:
        """Somebody else speaks: what follows is on the record again, unless that was switched off."""
        self._exchange.discard(session)

    def _tells(self, sentence: str, terms: frozenset[str]) -> bool:
        """Return whether a sentence has a name or a number of these terms, two other words, or a new one."""
        claims = claims_of(sentence)
        found = [word.text for word in claims.words if has_term(word, terms)]
        is_exact = not {*claims.names, *claims.numbers}.isdisjoint(found)
        return len(found) > 1 or is_exact or any(not self._is_known(word) for word in found)

    def _is_known(self, word: str) -> bool:
        """Return whether a word stands anywhere on the record: who finds it is told nothing by it."""
        return any(
            hit.how == "keyword"
            for hit in self._memory.recall(Query(word, mode="words"), Listener(room=1, floor=0.0))
        )

    def _held(self, session: str) -> dict[int, Turn]:
        """Return what of a session is in mind here alone: what was taken back may have been brought back."""
        whispered, said = self._whispered.get(session, {}), self._heard.get(session, set())
        away = self._taken_back() if whispered else ()
        return {n: turn for n, turn in whispered.items() if n in said or turn.id in away}

    def _taken_back(self) -> set[str]:
        return {each for turns in self._memory.taken_back().values() for each in turns}


def off_in(message: str) -> str:
    """Return what a message wants off the record, by its sure forms."""
    from almario.text import forms  # noqa: PLC0415 - only for what was said

    said = {form.kind: form.text for form in forms.forms_in(message)}
    for kind, alone in ((forms.OFF, AROUND), (forms.NEXT, NEXT)):
        if kind in said:
            return THIS if said[kind] else alone
    return PREVIOUS if forms.PREVIOUS in said else ""


def _own_words(turns: Sequence[Turn]) -> set[str]:
    return {turn.text for turn in turns if turn.role == "user" and turn.origin == "owner"} - {""}


def _without_mark(turn: Turn) -> dict[str, Any]:
    return {name: each for name, each in turn.more.items() if name != OFF}


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

"""Who is present in a session, by who has spoken there and by what the owner said of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from almario.conversation.tool_table import AMONG_OTHERS
from almario.domain.audiences import ALL, SHARED_ONLY, Audience, Hears, Person, Place, chat_of, project_of
from almario.domain.events import HearingChanged
from almario.domain.forgotten import Forgotten
from almario.domain.messages import CommandLine
from almario.domain.model import Mode
from almario.domain.plain_text import without_spans
from almario.domain.turns import AHEAD, OFF, PERHAPS, PREVIOUS, THIS, Said, Turn, transcript_name
from almario.errors import SoulError
from almario.memory.facade import Memories
from almario.ports import Clock, Transcripts

if TYPE_CHECKING:
    from almario.text.reader import Reading

_PEOPLE = CommandLine("almario people")


class Presence:
    """Knows who hears what is told in a session."""

    def __init__(self, transcripts: Transcripts, memory: Memories, *, group_chat: bool = False) -> None:
        """*group_chat* says that several people are listening everywhere."""
        self._transcripts = transcripts
        self._memory = memory
        self._group_chat = group_chat

    def audience(self, session: str, mode: Mode) -> Audience:
        """Return who hears what is told in a session, or in none; in one that is trusted, the owner alone."""
        hearing = self._memory.hearing()
        is_open = mode == AMONG_OTHERS or self._group_chat
        if not session:
            return Audience(is_open=is_open)
        chat, names, own = chat_of(session), self._names(session), hearing.get((session, ""))
        trusted = {name for name in names if ALL in (own, hearing.get((chat, name)))}
        is_open = is_open or self._is_group(session, hearing)
        project = project_of(session)
        return Audience(session, tuple(sorted(names - trusted)), is_open, tuple(sorted(trusted)), project)

    def people(self) -> list[Person]:
        """Return everybody who has spoken anywhere, besides the owner, and what they may hear."""
        hearing = self._memory.hearing()
        met: dict[tuple[str, str], list[str]] = {}
        for session in self._transcripts.sessions():
            for name in sorted(self._transcripts.speakers(session)):
                met.setdefault((chat_of(session), name), []).append(session)
        return [
            Person(name, chat, tuple(sessions), hearing.get((chat, name), SHARED_ONLY))
            for (chat, name), sessions in sorted(met.items())
        ]

    def places(self) -> list[Place]:
        """Return the sessions in which others are, or may be, present, and what is told there."""
        hearing = self._memory.hearing()
        told = {session for session, speaker in hearing if not speaker}
        found = []
        for session in sorted({*self._transcripts.sessions(), *told}):
            audience = self.audience(session, "")
            if audience.others or audience.trusted or (session, "") in hearing:
                hears = ALL if audience.is_private else SHARED_ONLY
                found.append(Place(session, tuple(sorted(audience.others + audience.trusted)), hears))
        return found

    def trust(self, who: str, *, chat: str = "", hears: Hears = ALL) -> Sequence[str]:
        """Say what a person or all in a session may hear; return whose name, and where.

        *who* is a session, or the name of somebody who has spoken, of whom *chat* says which is meant.
        """
        if hears not in (ALL, SHARED_ONLY, ""):
            raise SoulError('what somebody may hear is all or shared, not "{hears}"', hears=hears)
        if not who.strip():
            raise SoulError('say who you mean: a name or a session; "{people}" lists them', people=_PEOPLE)
        is_session = not chat and (":" in who or who in self._transcripts.sessions())
        known = [] if is_session else self.people()  # a guest may be called like a session
        named = [each for each in known if each.name == who and chat in ("", each.chat)]
        if len(named) > 1:
            chats = ", ".join(each.chat for each in named)
            raise SoulError('"{who}" has spoken in {chats}; say which with --in', who=who, chats=chats)
        if named:
            self._memory.record(HearingChanged(named[0].chat, named[0].name, hears), actor="owner")
            return named[0].name, named[0].chat
        if not is_session:
            sentence = 'nobody called "{who}" has spoken there; "{people}" lists who has'
            raise SoulError(sentence, who=who, people=_PEOPLE)
        transcript_name(who)  # refuses what can be no session's key
        self._memory.record(HearingChanged(who, "", hears), actor="owner")
        return "", who

    def _is_group(self, session: str, hearing: Mapping[tuple[str, str], str]) -> bool:
        """Say whether the owner said that others are in a session's chat, unless this session is trusted."""
        said = {place: hears for (place, speaker), hears in hearing.items() if not speaker}
        if said.get(chat_of(session)) == SHARED_ONLY:
            return True
        return said.get(session) != ALL and any(
            hears == SHARED_ONLY and chat_of(place) == chat_of(session) for place, hears in said.items()
        )

    def _names(self, session: str) -> set[str]:
        """Return who has spoken in a session's chat: who is in one topic of it can read them all."""
        chat = chat_of(session)
        sessions = {session, *(each for each in self._transcripts.sessions() if chat_of(each) == chat)}
        return {name for each in sessions for name in self._transcripts.speakers(each)}


# An exchange has no more turns, with all its tools.
_FAR = 200
# So long after it was announced, the next message is a confidence.
_SOON = timedelta(hours=1)
# Stands where an answer repeated what was off the record.
_LEFT_OUT = "[off the record]"
# The word that brings back what a notice says was taken out.
KEEP = ("/keep", "keep")


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
        """Say whether what is said in a session now is off the record."""
        return self._exchange.get(session) == THIS or session in self._until_on

    def is_kept_out(self, session: str) -> bool:
        """Say whether nothing of what is said in a session now is to be learned."""
        return self.is_off(session) or session in self._exchange

    def listen(self, session: str, message: str, reading: "Reading") -> str:
        """Hear in an owner's message whether it is off the record: `this`, `perhaps`, or nothing.

        `previous` says that what was said before it is to be. How the message is *read* is a guess.
        """
        from almario.conversation.wishing import SURE, wanted_in  # noqa: PLC0415 - only for what was said

        self._exchange.pop(session, None)
        wanted = wanted_in(message, reading)
        said, before = wanted.off, self._announcement(session)
        sorts = (said, before.more[AHEAD] if before else "")
        if THIS in sorts or session in self._until_on:
            self._exchange[session] = THIS
        elif PERHAPS in sorts and wanted.remember != SURE:
            self._exchange[session] = PERHAPS
        now = self._exchange.get(session, "")
        return said if said == PREVIOUS and now != THIS else now

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

    def keep(self, session: str, said: Sequence[Said]) -> Sequence[Turn]:
        """Keep what was said; off the record, only that somebody spoke, and the words for this process."""
        off = self.is_off(session)
        turns = self._memory.append(session, [each._replace(off=off) for each in said])
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

    def take_back(self, session: str, *, order: Turn | None = None, alone: bool = True) -> Forgotten | None:
        """Take the latest exchange off the record; return what goes, or None if there is none.

        It is not told, learned or searched from now on, and erased when the session ends. Without an
        *order* it is the one that goes on, and its words are still heard; an order goes with what was said
        before it, if it stands *alone* in its message.
        """
        heard = order is None
        before = self._transcripts.read(session, last=_FAR)
        turns = last_exchange([turn for turn in before if order is None or turn.n < order.n])
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
        gone.said = tuple(turn.text for turn in written if turn.role == "user" and turn.origin == "owner")
        return gone

    def told_of_a_secret(self, session: str) -> None:
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
            told = [known.pop(n) for n in sorted(known) if n >= first]
            self._exchange.pop(session, None)
            said = [
                Said(turn.role, turn.text, turn.origin, turn.speaker, turn.at, _without_marks(turn))
                for turn in told
            ]
            return list(self._memory.append(session, said))
        away = {**self._memory.taken_back(), **self._memory.set_aside()}
        lines = [line for line, turns in away.items() if turns[0].rpartition("#")[0] == session]
        if not lines:
            return []
        self._memory.undo(max(lines))
        self._exchange.pop(session, None)
        for n in (int(each.rpartition("#")[2]) for each in away[max(lines)]):
            self._whispered.get(session, {}).pop(n, None)
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
        return set(self._memory.out_of_mind()) - self._aside(session)

    def without_whispers(self, session: str, answer: str) -> str:
        """Return what is kept of an answer on the record: without what it repeats of what was off it."""
        whispered = [turn.text for turn in self._whispered.get(session, {}).values() if turn.role == "user"]
        away = {each for turns in self._memory.taken_back().values() for each in turns}
        if self.is_off(session) or not (whispered or any(each.startswith(f"{session}#") for each in away)):
            return answer
        from almario.conversation.rules.echoes import echoes  # noqa: PLC0415 - as above
        from almario.text.claims import terms_of  # noqa: PLC0415 - as above

        said = [turn for turn in self._transcripts.read(session, last=_FAR) if turn.role == "user"]
        whispered += [turn.text for turn in said if turn.id in away]
        openly = [turn.text for turn in said[-1:] if turn.id not in away]
        told = [span for span in echoes(answer, whispered) if span not in echoes(answer, openly)]
        spans = [span for span in told if len(terms_of(answer[slice(*span)])) > 1]
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

    def _aside(self, session: str) -> frozenset[str]:
        turns = (each for turns in self._memory.set_aside().values() for each in turns)
        return frozenset(each for each in turns if each.startswith(f"{session}#"))

    def announcement(self, session: str) -> str:
        """Return what the owner said to announce their latest message, if they did."""
        latest = reversed(self._transcripts.read(session, last=_FAR))
        message = next((turn for turn in latest if turn.role == "user" and turn.origin == "owner"), None)
        before = self._announcement(session, before=message) if message else None
        return before.text if before else ""

    def _announcement(self, session: str, before: Turn | None = None) -> Turn | None:
        """Return the message that says of the next, or of the one that comes after it, that it is one."""
        fresh = self._memory.session(session).fresh
        latest = reversed(self._transcripts.read(session, after=fresh, last=_FAR))
        said = (turn for turn in latest if turn.role == "user" and turn.origin == "owner")
        found = next((turn for turn in said if before is None or turn.n < before.n), None)
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

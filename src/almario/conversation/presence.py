"""Who is present in a session, by who has spoken there and by what the owner said of them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from almario.conversation.tool_table import AMONG_OTHERS
from almario.domain.audiences import ALL, SHARED_ONLY, Audience, Hears, Person, Place, chat_of, project_of
from almario.domain.events import HearingChanged
from almario.domain.forgotten import Forgotten
from almario.domain.model import Mode
from almario.domain.turns import OFF, Said, Turn, transcript_name
from almario.errors import SoulError
from almario.memory.facade import Memories
from almario.ports import Clock, Transcripts


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
            raise SoulError('say who you mean: a name or a session; "almario people" lists them')
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
            sentence = 'nobody called "{who}" has spoken there; "almario people" lists who has'
            raise SoulError(sentence, who=who)
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
# For so long what follows may still be about it.
_SOON = timedelta(minutes=15)


class Discretion:
    """Knows what of each session is off the record, and keeps what is said there accordingly."""

    def __init__(self, memory: Memories, transcripts: Transcripts, clock: Clock) -> None:
        self._memory = memory
        self._transcripts = transcripts
        self._clock = clock
        # The sessions whose present exchange is off the record, and those that are until it is taken back.
        self._exchange: set[str] = set()
        self._until_on: set[str] = set()
        # By session and number, the turns with their words.
        self._whispered: dict[str, dict[int, Turn]] = {}

    def is_off(self, session: str) -> bool:
        """Say whether what is said in a session now is off the record."""
        return session in self._exchange or session in self._until_on

    def listen(self, session: str, message: str) -> str:
        """Hear in an owner's message whether it is off the record; return `this`, `previous` or nothing."""
        from almario.text.wishes import THIS, off_record_in  # noqa: PLC0415 - only for what was said

        heard = off_record_in(message)
        if heard or self._goes_on(session, message):
            self._exchange.add(session)
        else:
            self._exchange.discard(session)
        return heard or (THIS if self.is_off(session) else "")

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

    def keep(self, session: str, said: Sequence[Said]) -> Sequence[Turn]:
        """Keep what was said; off the record, only that somebody spoke, and the words for this process."""
        off = self.is_off(session)
        turns = self._memory.append(session, [each._replace(off=off) for each in said])
        if off:
            self._whispered.setdefault(session, {}).update({turn.n: turn for turn in turns})
        return turns

    def heard_again(self, session: str, turns: Sequence[Turn], text: str) -> Sequence[Turn]:
        """Return a message that comes again as it was kept; off the record, with its words as they come."""
        if not turns[-1].is_off:
            return turns
        self._exchange.add(session)
        whispered = turns[-1]._replace(text=text)
        self._whispered.setdefault(session, {})[whispered.n] = whispered
        return [*turns[:-1], whispered]

    def take_back(self, session: str, *, heard: bool) -> Forgotten | None:
        """Take the latest exchange off the record; return what goes, or None if there is none.

        It is not told, learned or searched from now on, and erased when the session ends. The words of one
        that goes on are still *heard*.
        """
        turns = last_exchange(self._transcripts.read(session, last=_FAR))
        out = self._memory.out_of_mind()
        written = [turn for turn in turns if not turn.is_off and turn.id not in out]
        whispered = self._whispered.setdefault(session, {})
        for turn in turns if not heard else ():
            whispered.pop(turn.n, None)
        if heard:
            self._exchange.add(session)
            whispered.update({turn.n: turn._replace(more={**turn.more, OFF: True}) for turn in written})
        return self._memory.take_back([turn.id for turn in written]) if written else None

    def heard(self, turns: Sequence[Turn]) -> Iterator[Turn]:
        """Yield turns with their words; those that only another process heard are left out."""
        for turn in turns:
            known = self._whispered.get(turn.session, {}).get(turn.n) if turn.is_off else turn
            if known:
                yield known

    def end(self, session: str) -> None:
        """Forget the words: the session has ended."""
        self._whispered.pop(session, None)
        self._exchange.discard(session)
        self._memory.erase_taken_back()

    def overheard(self, session: str) -> None:
        """Somebody else speaks: what follows is on the record again, unless that was switched off."""
        self._exchange.discard(session)

    def _goes_on(self, session: str, message: str) -> bool:
        """Say whether a message goes on with what was said off the record a moment ago."""
        if session not in self._exchange:
            return False
        told = list(self._whispered.get(session, {}).values())
        is_soon = bool(told) and self._clock() - told[-1].at < _SOON
        from almario.conversation.rules.echoes import goes_on  # noqa: PLC0415 - as above

        return is_soon and goes_on(message, [turn.text for turn in told if turn.role == "user"])


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

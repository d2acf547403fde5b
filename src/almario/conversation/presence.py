"""Who is present in a session, by who has spoken there and by what the owner said of them."""

from collections.abc import Mapping, Sequence

from almario.conversation.file_reading import TranscriptsInMind
from almario.domain.audiences import ALL, SHARED_ONLY, Audience, Hears, Person, Place, chat_of
from almario.domain.events import HearingChanged
from almario.domain.messages import CommandLine
from almario.domain.model import AMONG_OTHERS, Mode
from almario.domain.places import project_of
from almario.domain.turns import transcript_name
from almario.errors import SoulError
from almario.memory.facade import Memories
from almario.ports import Transcripts

_PEOPLE = CommandLine("almario people")


class Presence:
    """Knows who hears what is told in a session."""

    def __init__(self, transcripts: Transcripts, memory: Memories, *, group_chat: bool = False) -> None:
        """*group_chat* says that several people are listening everywhere."""
        self._transcripts = TranscriptsInMind(transcripts, memory.out_of_mind)
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
        """Return everyone but the owner who has spoken, and what they may see."""
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
        """Return the sessions where others are or may be present, and what is shown there."""
        hearing = self._memory.hearing()
        known = {session for session, speaker in hearing if not speaker}
        found = []
        for session in sorted({*self._transcripts.sessions(), *known}):
            audience = self.audience(session, "")
            if audience.others or audience.trusted or (session, "") in hearing:
                hears = ALL if audience.is_private else SHARED_ONLY
                found.append(Place(session, tuple(sorted(audience.others + audience.trusted)), hears))
        return found

    def trust(self, who: str, *, chat: str = "", hears: Hears = ALL) -> Sequence[str]:
        """Set what a person, or everyone in a session, may see; return the name and place.

        *who* is a session, or the name of somebody who has spoken; *chat* tells namesakes apart.
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
        places = {place: hears for (place, speaker), hears in hearing.items() if not speaker}
        if places.get(chat_of(session)) == SHARED_ONLY:
            return True
        return places.get(session) != ALL and any(
            hears == SHARED_ONLY and chat_of(place) == chat_of(session) for place, hears in places.items()
        )

    def _names(self, session: str) -> set[str]:
        """Return who has spoken in a session's chat: who is in one topic of it can read them all."""
        chat = chat_of(session)
        sessions = {session, *(each for each in self._transcripts.sessions() if chat_of(each) == chat)}
        return {name for each in sessions for name in self._transcripts.speakers(each)}

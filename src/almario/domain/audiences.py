"""Audiences: who hears what is told, and what they may be told.

With the owner alone an agent speaks of everything. With anybody else present
it speaks of what was said in that very session, and of what the owner marked
as fit to share. This is the one place that decides it.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from almario.domain.memories import SHARED, Memory

# What somebody may hear: whatever the owner may, or only what is shared.
Hears = Literal["all", "shared", ""]
ALL: Hears = "all"
SHARED_ONLY: Hears = "shared"


class Audience(NamedTuple):
    """Who is present besides the owner: *others* by their names, and, if it is open, people unknown.

    *session* is where something is told; those in *trusted* may hear all that the owner may.
    """

    session: str = ""
    others: tuple[str, ...] = ()
    is_open: bool = False
    trusted: tuple[str, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether nobody hears it whom the owner does not trust."""
        return not self.others and not self.is_open

    def hears(self, evidence: Iterable[str] = (), *, is_shared: bool = False) -> bool:
        """Say whether this audience may be told what rests on these turns; on none rests what is private."""
        if self.is_private or is_shared:
            return True
        sessions = {turn.rpartition("#")[0] for turn in evidence}
        return sessions == {self.session} and bool(self.session)

    def hears_of(self, memory: Memory) -> bool:
        """Say whether this audience may be told a memory."""
        return self.hears(memory.evidence, is_shared=memory.audience == SHARED)


OWNER_ALONE = Audience()


class Person(NamedTuple):
    """Somebody who has spoken in a chat, in which of its sessions, and what they may hear."""

    name: str
    chat: str
    sessions: tuple[str, ...]
    hears: str


class Place(NamedTuple):
    """A session in which others have spoken, or of which the owner has said who may hear what."""

    session: str
    people: tuple[str, ...]
    hears: str


def chat_of(session: str) -> str:
    """Return the chat that a session belongs to: the topics of a forum are apart, its people are not."""
    chat, topic, _ = session.partition(":topic-")
    return chat if topic else session

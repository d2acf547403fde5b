"""Audiences: who hears what is told. What they may be told, `memory.telling` says."""

from typing import Literal

from almario.domain.memories import Memory
from almario.domain.places import WORK
from almario.domain.records import showing
from almario.named_tuples import NamedTuple

# What somebody may hear: whatever the owner may, or only what is shared.
Hears = Literal["all", "shared", ""]
ALL: Hears = "all"
SHARED_ONLY: Hears = "shared"


@showing("is_private")
class Audience(NamedTuple):
    """Who is present besides the owner: *others* by their names, and, if it is open, people unknown.

    *session* is where something is told; those in *trusted* may hear all that the owner may. If a program
    works on a *project* there, it hears what was told in that project, and what is about work.
    """

    session: str = ""
    others: tuple[str, ...] = ()
    is_open: bool = False
    trusted: tuple[str, ...] = ()
    project: str = ""

    @property
    def is_private(self) -> bool:
        """Whether nobody hears it whom the owner does not trust."""
        return not self.others and not self.is_open

    @property
    def is_owners(self) -> bool:
        """Whether the owner alone hears it, where no program works on a project."""
        return self.is_private and not self.project


OWNER_ALONE = Audience()


def is_about_the_person(memory: Memory) -> bool:
    """Say whether a memory is about the owner, or was kept at the owner's wish, and not about their work."""
    return memory.kind in ("profile", "instruction") or memory.source == "explicit"


def apart_in(memory: Memory) -> str:
    """Return the project whose own work a memory tells of; nothing if it is about all work or a person."""
    return "" if memory.place == WORK or is_about_the_person(memory) else memory.place


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

"""Audiences: who hears what is told, and what they may be told.

With the owner alone an agent speaks of everything. With anybody else present
it speaks of what was said in that very session, and of what the owner marked
as fit to share, while it is in use: what was forgotten or replaced is the
owner's alone. This is the one place that decides it.

In a project it tells what was told there, and what is about work: what was told at home
stays there.
"""

from collections.abc import Iterable
from typing import Literal

from almario.domain.memories import OUT_OF_USE, SHARED, Memory
from almario.domain.places import WORK, project_of
from almario.domain.records import showing
from almario.domain.turn_ids import turn_id
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

    def hears(self, evidence: Iterable[str] = (), *, is_shared: bool = False) -> bool:
        """Say whether this audience may be told what rests on these turns; on none rests what is of home."""
        turns = tuple(evidence)
        if self.project and self.project not in map(project_of, turns):
            return False
        return self.is_private or is_shared or self._was_there(turns)

    def hears_of(self, memory: Memory) -> bool:
        """Return whether this audience may be told a memory; of what is out of use only the owner hears."""
        if self.project and memory.place not in (self.project, WORK):
            return False
        if self.is_private:
            return True
        is_in_use = memory.state not in OUT_OF_USE
        return is_in_use and (memory.audience == SHARED or self._was_there(memory.evidence))

    def _was_there(self, evidence: Iterable[str]) -> bool:
        """Say whether all of it was said in this very session."""
        return bool(self.session) and {turn_id(turn).session for turn in evidence} == {self.session}


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

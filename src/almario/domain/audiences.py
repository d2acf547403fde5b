"""Audiences: who hears what is told, and what they may be told.

With the owner alone an agent speaks of everything. With anybody else present
it speaks of what was said in that very session, and of what the owner marked
as fit to share, while it is in use: what was forgotten or replaced is the
owner's alone. This is the one place that decides it.

It also decides what comes to mind in a project: what was learned in another
one stays there, unless it is about the person.
"""

from collections.abc import Iterable
from typing import Literal

from almario.domain.memories import OUT_OF_USE, SHARED, Memory
from almario.domain.records import showing
from almario.domain.turn_ids import turn_id
from almario.named_tuples import NamedTuple

# Begins the second part of a session's key, if it is about a project.
PROJECT = "project-"
# What somebody may hear: whatever the owner may, or only what is shared.
Hears = Literal["all", "shared", ""]
ALL: Hears = "all"
SHARED_ONLY: Hears = "shared"


@showing("is_private")
class Audience(NamedTuple):
    """Who is present besides the owner: *others* by their names, and, if it is open, people unknown.

    *session* is where something is told; those in *trusted* may hear all that the owner may. If it is about
    a *project*, nothing comes up there that was learned in other projects alone.
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
        """Whether it may hear whatever the owner may, of any project."""
        return self.is_private and not self.project

    def hears(self, evidence: Iterable[str] = (), *, is_shared: bool = False) -> bool:
        """Say whether this audience may be told what rests on these turns; on none rests what is private."""
        if self.project and not is_of_project(self.project, evidence := tuple(evidence)):
            return False
        if self.is_private or is_shared:
            return True
        sessions = {turn_id(turn).session for turn in evidence}
        return sessions == {self.session} and bool(self.session)

    def hears_of(self, memory: Memory) -> bool:
        """Return whether this audience may be told a memory; of what is out of use only the owner hears."""
        if self.is_owners:
            return True
        if memory.state in OUT_OF_USE and not self.is_private:
            return False
        everywhere = self._replace(project="") if self.project and is_about_the_person(memory) else self
        return everywhere.hears(memory.evidence, is_shared=memory.audience == SHARED)


OWNER_ALONE = Audience()


def is_of_project(project: str, evidence: Iterable[str]) -> bool:
    """Return whether what rests on these turns is of a project: one of them is, or is of none at all."""
    projects = {project_of(turn) for turn in evidence}
    return not projects or not projects.isdisjoint(("", project))


def is_about_the_person(memory: Memory) -> bool:
    """Say whether a memory is about the owner, or was kept at the owner's wish, and not about their work."""
    return memory.kind in ("profile", "instruction") or memory.source == "explicit"


def projects_of(memory: Memory) -> frozenset[str]:
    """Return the projects in which alone a memory was learned; none, if it is known from elsewhere too."""
    projects = frozenset(map(project_of, memory.evidence))
    return frozenset() if "" in projects or is_about_the_person(memory) else projects


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


def project_of(session: str) -> str:
    """Return the project that a session, or a turn of one, is about; most are about none."""
    if PROJECT not in session:
        return ""
    about = session.split(":", 2)[1:]
    return about[0].removeprefix(PROJECT) if len(about) > 1 and about[0].startswith(PROJECT) else ""

"""The journal's lines about who the agent is: proposals for its soul files, and reflections."""

from datetime import datetime
from typing import Literal, get_args

from almario.domain.documents.goal_list import GoalUpdate
from almario.domain.memories import Change, Origin
from almario.domain.messages import NOTHING, Sentence
from almario.domain.records import Ref, Text
from almario.named_tuples import NamedTuple

# The files that say who the agent is: a model only proposes to change them.
FILES = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md")

Trigger = Literal["night", "owner"]
# What is asked of the past days.
Dimension = Literal["consistency", "people", "gaps", "patterns", "alignment", "breadth"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)


class Finding(NamedTuple):
    """Something the agent noticed, and the ids it rests on; *url* is where a page said it."""

    dimension: Dimension | Literal[""]
    text: Text
    evidence: tuple[Ref, ...]
    url: Ref = ""


class SectionEdit(NamedTuple):
    """What is to stand under a heading of a soul file."""

    file: Ref
    title: Text
    body: Text
    reason: Text
    evidence: tuple[Ref, ...] = ()


class Refused(NamedTuple):
    """An edit that breaks a rule, and *why*."""

    edit: SectionEdit
    why: Sentence


class Design(NamedTuple):
    """What the architect noticed and wants: edits, goals, and the entry for the reflection journal.

    *strange* are edits that rest on what strangers wrote: they only ever become proposals. *of* is the hash
    of MOTIVATIONS.md as the architect knew it.
    """

    edits: tuple[SectionEdit, ...] = ()
    goals: tuple[GoalUpdate, ...] = ()
    entry: Text = ""
    refused: tuple[Refused, ...] = ()
    strange: tuple[SectionEdit, ...] = ()
    of: Ref = ""
    findings: tuple[Finding, ...] = ()


# What made a proposal.
Maker = Literal["reflection", "improve", "chat", "owner", "import", ""]
# It is the owner who brings a soul from elsewhere: any soul file may be in it.
IMPORT: Maker = "import"
Answer = Literal["accepted", "rejected", "stale", "expired", "open"]


class ProposalMade(NamedTuple):
    """A change waits for consent: to a soul *file*, or to memories (*changes*).

    *from_* and *to* are content hashes of the file; the contents are kept as versions. *words* are what the
    owner asked for it with. *judged* names the pairs of memories whose comparison led to the changes.
    *until* is the instant at which it expires, *by* what made it, and *reflection* which one. With *why*, it
    breaks a rule and was refused as it was made.
    """

    id: Ref
    file: Ref
    from_: Ref | None
    to: Ref
    reason: Sentence
    evidence: tuple[Ref, ...]
    origin: Origin
    words: Text = ""
    changes: tuple[Change, ...] = ()
    judged: tuple[Ref, ...] = ()
    until: datetime | None = None
    by: Maker = ""
    reflection: Ref = ""
    why: Sentence = NOTHING


class ProposalAnswered(NamedTuple):
    """A proposal was answered; it is `stale` if the file has changed since. *why* is for a no.

    If it is `open` again, it is as if it had not been answered.
    """

    id: Ref
    answer: Answer
    why: Sentence = NOTHING


class ReflectionBegun(NamedTuple):
    """The agent has examined what came after *since*, up to *upto*, both instants in UTC, and acts on it.

    *day* is the owner's day that it is for, which *zone* decided; *line* where the journal ended. *seen*
    counts the entries of the daily logs by their minute; *evidence* is what its design rests on.
    """

    id: Ref
    day: Ref
    zone: Ref
    trigger: Trigger
    since: Ref
    upto: Ref
    line: int = 0
    seen: dict[str, int] = {}  # noqa: RUF012 - nobody writes into it
    evidence: tuple[Ref, ...] = ()


class ReflectionEnded(NamedTuple):
    """A reflection is over; earlier versions said *why* one was abandoned."""

    id: Ref
    outcome: Literal["done", "abandoned"]
    why: Sentence = NOTHING


SoulBody = ProposalMade | ProposalAnswered | ReflectionBegun | ReflectionEnded
SOUL_TYPES: dict[str, type[SoulBody]] = {
    "proposal.made": ProposalMade,
    "proposal.answered": ProposalAnswered,
    "reflection.begun": ReflectionBegun,
    "reflection.ended": ReflectionEnded,
}

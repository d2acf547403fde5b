"""What a reflection found, and the design that came of it, as the journal keeps them."""

from typing import Literal, NamedTuple, get_args

from almario.domain.messages import Sentence
from almario.domain.records import Ref, Text

Trigger = Literal["night", "owner"]
# What the mirror asks of the past days.
Dimension = Literal["consistency", "people", "gaps", "patterns", "alignment", "breadth"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
GoalAction = Literal["add", "start", "note", "complete", "reopen", "reprioritise", "drop"]


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


class GoalUpdate(NamedTuple):
    """A change of a goal; *text* is the note, or what came of it."""

    action: GoalAction
    goal: Text
    text: Text = ""
    priority: Ref = "medium"
    evidence: tuple[Ref, ...] = ()


class Refused(NamedTuple):
    """An edit that breaks a rule, and *why*."""

    edit: SectionEdit
    why: Sentence


class Design(NamedTuple):
    """What the architect wants: edits for the soul, goals, and the entry for the reflection journal.

    *strange* are edits that rest on what strangers wrote: they only ever become proposals. *of* is the hash
    of MOTIVATIONS.md as the architect knew it.
    """

    edits: tuple[SectionEdit, ...] = ()
    goals: tuple[GoalUpdate, ...] = ()
    entry: Text = ""
    refused: tuple[Refused, ...] = ()
    strange: tuple[SectionEdit, ...] = ()
    of: Ref = ""

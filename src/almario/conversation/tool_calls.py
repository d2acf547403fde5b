"""What a tool is called with, and what comes of it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.memories import UNTRUSTED, Origin
from almario.domain.messages import CommandLine, Sentence
from almario.domain.model import Mode
from almario.named_tuples import NamedTuple

# What is done for a message without a tool: it goes off the record, or what was to come up then does.
OFF_RECORD, REMIND = "off_record", "remind"
# For the owner only: a model would learn what is withheld from it.
WITHHELD_ACTION = "withheld"
# For the owner only, too: where to call in danger.
DANGER_ACTION = "danger"
_EMPTY: Mapping[str, Any] = MappingProxyType({})


class ToolCaller(NamedTuple):
    """Another program that uses the tools; *agreed* are the names of what the owner said yes to."""

    agreed: frozenset[str] = frozenset()


class Question(NamedTuple):
    """What the owner is to be asked: in sentences, and what can be said yes to, by its name.

    It *proposes*: the names are those of proposals, which wait whatever the answer.
    """

    text: tuple[Sentence, ...]
    choices: Mapping[str, Sentence]
    proposes: bool = False


class Context(NamedTuple):
    """What a tool is called in.

    *message* is what the owner wrote in this turn, without pastes and without
    what it quotes of others (*quoted*); *lowest*
    is the lowest origin of all that the model was told; *evidence* are the
    ids of the turns that what it says rests on, *seen* those of all it sees;
    *audience* hears what comes of it. Said *off* the record, nothing is kept. *alone*: since the message,
    which quotes nobody, no stranger's words came in view, whatever was there before.
    With a *caller* the model is another program's: nobody knows what else it was
    told, so only what stands in the owner's message is the owner's.
    """

    session: str = ""
    message: str = ""
    lowest: Origin = "owner"
    evidence: tuple[str, ...] = ()
    mode: Mode = "conversation"
    seen: frozenset[str] = frozenset()
    audience: Audience = OWNER_ALONE
    off: bool = False
    quoted: str = ""
    caller: ToolCaller | None = None
    alone: bool = False

    @property
    def is_doubtful(self) -> bool:
        """Whether strangers were heard, or may have been."""
        return self.lowest == UNTRUSTED or self.caller is not None


class Done(NamedTuple):
    """What came of a call, or of a wish: *text* is told to the model, *told* to the owner.

    *origin* is the lowest of what the text tells, *proposals* the ids of those
    that wait, for each of which *told* begins with a sentence, *memories* the
    ids of those that were told. *structured* says the same as the text to a
    program; a *question* says that nothing was done yet, and what it takes.
    *name* and *arguments* are those of the call: whoever calls a tool fills them in.
    """

    text: str
    origin: Origin = "agent"
    told: tuple[Sentence, ...] = ()
    proposals: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    is_error: bool = False
    structured: Mapping[str, Any] = _EMPTY
    question: Question | None = None
    name: str = ""
    arguments: Mapping[str, Any] = _EMPTY


def is_asked_alone(context: Context) -> bool:
    """Return whether the owner says something in this turn, and no stranger's words are in view."""
    return bool(context.message) and context.lowest != UNTRUSTED and not context.quoted


def is_own_wish(context: Context) -> bool:
    """Return whether the owner's message may be a wish of theirs, though strangers were heard before it.

    A model that reads on may be led by those: so what is done must be what the message names.
    """
    return bool(context.message) and (context.alone or is_asked_alone(context))


def undoable(what: Sentence, line: int) -> Sentence:
    """Say in one line what was done, and how to take back that line of the journal."""
    return Sentence('{what} ("{undo}" takes it back)', what=what, undo=CommandLine(f"almario undo {line}"))

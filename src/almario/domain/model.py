"""The words that everything else is said in."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Literal, get_args

from almario.domain.acts import Call
from almario.domain.events import Actor
from almario.domain.messages import Sentence
from almario.domain.records import showing
from almario.errors import ConfigError, NotFound, SoulError
from almario.named_tuples import NamedTuple

# The files that make up a soul. Every content they have had is kept.
SOUL_FILES = ("IDENTITY.md", "SOUL.md", "MOTIVATIONS.md", "GOALS.md", "USER.md", "AGENTS.md", "TOOLS.md")
CORE_MEMORY = "MEMORY.md"
DEFAULT_AGENT = "default"

# What a conversation is for; empty: what the settings say.
Mode = Literal["", "conversation", "collaboration", "autonomous"]
MODES: tuple[Mode, ...] = get_args(Mode)[1:]
# The one in which the agent works with others than its human.
AMONG_OTHERS: Mode = "collaboration"
_LANGUAGE_NAMES = {"en": "English", "es": "Spanish"}


class Version(NamedTuple):
    """One content that a soul file has had; *number* 1 is the first.

    It may be there because a *proposal* was accepted, or because of a *reflection*.
    """

    file: str
    number: int
    hash: str | None
    at: datetime
    actor: Actor
    reason: Sentence
    kept: bool = False
    proposal: str = ""
    reflection: str = ""


# From these scores on, a hit is told as sure, or as likely.
SURE, LIKELY = 0.7, 0.4
# The sessions of what came from other programs begin so.
IMPORTED = "import-"
_I, _ANOTHER = Sentence("(I said)"), Sentence("(another assistant said)")
_AGENT = Sentence("(your agent said)")


@showing("certainty")
class Hit(NamedTuple):
    """What came to mind: a memory, a line of a file, or what was said with the answer to it.

    *score* is how likely it is to help; *how* it was found is `vector`, `keyword`, `both`, or `context`:
    by what stands beside it. *state* is that of the memory it tells, if that is not in use, or
    `earlier` if it is but seems to tell an earlier value. On request:
    *reasons* are what its score is made of (what was measured, how much of it there is, and what that adds
    to the log odds), *around* its neighbours.
    """

    kind: str
    text: str
    day: date | None
    score: float
    how: str = ""
    place: str = ""
    key: str = ""
    memory: str = ""
    state: str = ""
    speaker: str = ""
    turn: str = ""
    reasons: tuple[tuple[str, float, float], ...] = ()
    around: tuple[str, ...] = ()
    # Of what was replaced: when, and by what. Of what has ended: its last day. Of what has expired: when it
    # was last heard of.
    last: date | None = None
    by: str = ""
    # Of what was said, or of a summary: what of it is `changed` since, with what holds now, or `over`.
    since: tuple[tuple[str, str], ...] = ()
    # What it was said after, of the same thing, by its name: it may have changed that.
    follows: str = ""
    # What tells the same: memories, turns and lines, by their names.
    evidence: tuple[str, ...] = ()
    # Of a memory with a time of its own: when (see `domain.validity`).
    dated: str = ""
    # Whether nobody has said it in so many words.
    guess: bool = False
    # The end of the text, or all of it, if the agent said that itself.
    agent_said: str = ""
    # Whether the words are the owner's own, who may say "I" in them.
    quote: bool = False
    # What brings it to mind besides what it says, if that fits the question; told to the owner alone.
    cue: str = ""

    @property
    def certainty(self) -> str:
        """How likely it is to help, in a word."""
        return certainty(self.score)

    @property
    def name(self) -> str:
        """By what it is known: its memory, its turn, or where it stands."""
        return self.memory or self.turn or self.place

    @property
    def names(self) -> frozenset[str]:
        """What tells it: memories, turns and lines, by their names."""
        return frozenset((self.name, self.memory, self.turn, *self.evidence)) - {""}

    @property
    def mark(self) -> Sentence:
        """What stands before an assistant's words: whether this agent said them, or another one elsewhere."""
        return _ANOTHER if self.turn.startswith(IMPORTED) else _I

    @property
    def mark_beside(self) -> Sentence:
        """The same where it is not the agent that speaks."""
        return _AGENT if self.mark is _I else self.mark

    def with_mark(self, mark: str) -> str:
        """Return the text with its mark before what an assistant said."""
        if not self.agent_said:
            return self.text
        return f"{self.text.removesuffix(self.agent_said)}{mark} {self.agent_said}"


def certainty(score: float) -> str:
    """Say a score in a word: `sure`, `likely` or `maybe`."""
    return "sure" if score >= SURE else "likely" if score >= LIKELY else "maybe"


# Why something did not come.
Reason = Literal["may not be told", "below the floor", "no room"]
KEPT_OUT: Reason = "may not be told"
BELOW: Reason = "below the floor"
NO_ROOM: Reason = "no room"
TOLD: Literal["told"] = "told"


class LeftOut(NamedTuple):
    """What might have been told, and why it is not."""

    why: Reason
    score: float
    name: str
    text: str


class Recalled(list[Hit]):
    """Hits, best first, and what is worth telling about how they were found.

    On request: *kept_out* is how much more there was that may not be told, *left_out* what else was not told.
    """

    _items = "hits"
    told: tuple[Sentence, ...] = ()
    kept_out: int = 0
    left_out: tuple[LeftOut, ...] = ()
    # Whether what was said is a greeting or the like, which brings nothing to mind.
    is_small_talk: bool = False

    def without(self, names: Collection[str]) -> "Recalled":
        """Return the hits that no memory, turn, line or file of those names tells."""
        fresh = Recalled(
            hit for hit in self if hit.names.isdisjoint(names) and hit.place.partition("#")[0] not in names
        )
        vars(fresh).update(vars(self))
        return fresh


class Scope(NamedTuple):
    """Which passages a search looks at; what is empty does not matter.

    *sources* are `memory` and `session`, and on request `soul`; *include* adds what is left out
    otherwise: `expired`, `superseded`, `retired`, `untrusted`. With a *project* comes what a coding agent
    may be told there; empty is the session's own, `all` is every one.
    """

    kinds: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    include: tuple[str, ...] = ()
    project: str = ""


class Query(NamedTuple):
    """What is looked for, and how."""

    question: str
    scope: Scope = Scope()
    mode: str = ""
    # Turns that nobody needs to be told of: what is being answered, and what is in sight.
    hidden: Collection[str] = ()
    neighbours: int = 0
    # Whether it is told what scores are made of, and what was not told.
    explain: bool = False
    # The call of a tool that is about to be used; then the question is what it is for.
    call: Call | None = None


def checked_mode(word: str) -> Mode:
    """Return a word as the mode that it is; ConfigError if it is none."""
    if word not in MODES:
        raise ConfigError('"{mode}" is not a mode; use {modes}', mode=word, modes=", ".join(MODES))
    return word


def check_message(message: str, pasted: Sequence[str] = ()) -> None:
    """Refuse a message without a word, unless documents come with it."""
    if not message.strip() and not any(each.strip() for each in pasted):
        raise SoulError("the message is empty")


def check_question(question: str, limit: int, min_score: float | None) -> None:
    """Refuse what cannot be asked."""
    if not question.strip():
        raise SoulError("the question is empty; say what you are looking for")
    if type(limit) is not int or limit < 1:
        raise SoulError("limit must be a whole number of at least 1, not {value}", value=repr(limit))
    is_number = min_score is None or (isinstance(min_score, int | float) and 0 <= min_score <= 1)
    if not is_number:
        raise SoulError("the minimum score must be a number from 0 to 1, not {value}", value=repr(min_score))


@showing("place")
class Damage(NamedTuple):
    """A place where stored bytes are not what they should be."""

    file: str
    line: int | None
    problem: Sentence

    @property
    def place(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


# What a new agent is called unless its owner says otherwise.
STARTER_NAME = "Alma"
STARTER_EMOJI = "🗝️"


class Persona(NamedTuple):
    """What a new agent is told about itself and its human; empty means our own choice."""

    language: str = "en"
    name: str = ""
    emoji: str = ""
    vibe: str = ""
    owner: str = ""


def language_name(language: str) -> str:
    """Return a language as a model is told of it; one that is not ours by its code."""
    return _LANGUAGE_NAMES.get(language, language)


def soul_file(name: str) -> str:
    """Return the soul file that *name* means: `soul`, `SOUL` and `SOUL.md` are one."""
    for known in SOUL_FILES:
        if name.lower() in (known.lower(), known[:-3].lower()):
            return known
    raise NotFound("{name} is not a soul file; there are {known}", name=name, known=", ".join(SOUL_FILES))


def any_file(name: str) -> str:
    """Return the soul file that *name* means, or else the name, which is another file's."""
    try:
        return soul_file(name)
    except SoulError:
        return name

"""What a new fact means for those already there: nothing new, a change, or one more.

The same for every writer. Two texts are the same if they are so letter by letter, case and spaces aside;
a fact takes the place of another, or says what it says in other words, only if somebody says so who was shown
both.
"""

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from almario.domain.memories import LONGEST_KEY, ORIGINS, UNTRUSTED, AnyKind, Memory, Origin, Source, same_key
from almario.domain.messages import Sentence
from almario.domain.turn_ids import turn_id
from almario.domain.words import SMALL, index_terms
from almario.named_tuples import NamedTuple

_SIGNS = ("So", "Sc", "Sm")
# The share of a text its turns must support; with less, it is a guess.
SUPPORTED = 0.5


# What a model says that a fact does to a memory.
Act = Literal["", "renews", "replaces", "ends", "adds"]


class Proposed(NamedTuple):
    """A fact that asks to be remembered; *kind* is empty if nobody chose one.

    *at* is when an episode happened or a fact was told; None is now. *dated* is its time as far as
    it was said (see `domain.validity`), *support* how much of it its turns say.
    *act* is what a model says that it does to the memory *of*, or, if that is empty, to that of its key.
    """

    key: str
    value: str
    kind: AnyKind = ""
    source: Source = "explicit"
    origin: Origin = "owner"
    evidence: tuple[str, ...] = ()
    at: datetime | None = None
    dated: str = ""
    support: float | None = None
    act: Act = ""
    of: str = ""
    # The other memories to which it does the same.
    also: tuple[str, ...] = ()
    # The value with what may be a secret, which is kept and not told.
    whole: str = ""
    # What a model says should bring it to mind.
    cues: tuple[str, ...] = ()
    # Whether these are situations, in the first of which it is to come up, once.
    once: bool = False
    # Whether whoever proposes it calls it a guess; that its turns hardly say it is only measured.
    supposed: bool = False
    # Where it belongs (see `domain.places`); None is where its turns were said.
    place: str | None = None

    @property
    def text(self) -> str:
        return f"{self.key}: {self.value}" if self.key else self.value


# What became of a fact; `linked`: it was said before in other words.
Admitted = Literal["new", "renewed", "linked", "superseded", "refused"]


class Decision(NamedTuple):
    """What becomes of a proposed fact: `new`, `renewed`, `linked` or `superseded`.

    The memory that is *memory* says it already; those that are *replaced* give way to it, as they no longer
    hold, or, if they are *absorbed*, as it says all that they do.
    """

    outcome: Admitted
    memory: Memory | None = None
    replaced: tuple[Memory, ...] = ()
    absorbed: tuple[Memory, ...] = ()


def unfit(key: str, value: str, kind: str, origin: Origin) -> Sentence | None:
    """Say why a fact is none that could be kept, if so, whoever brings it."""
    if len(key) > LONGEST_KEY:
        sentence = "a key can have at most {most} characters; put the rest in the text"
        return Sentence(sentence, most=LONGEST_KEY)
    if not value.strip():
        return Sentence("there is nothing to remember; the text is empty")
    if not has_content(value):
        return Sentence("there is nothing to remember; the text is only punctuation")
    if kind == "instruction" and origin == UNTRUSTED:
        return Sentence("not stored: only people you trust can tell the agent how to behave")
    return None


def has_content(text: str) -> bool:
    """Return whether a text has a letter, a number or a sign that stands for something, such as 🦊 or €."""
    return any(unicodedata.category(sign)[0] in "LN" or unicodedata.category(sign) in _SIGNS for sign in text)


def decide(fact: Proposed, same: Sequence[Memory], touched: Memory | None = None) -> Decision:
    """Judge a fact by the memories of its very text, and by the one it is said to touch.

    What strangers said stands apart: it renews, supports and replaces nothing
    of the owner's. What the owner says takes the place of a guess that says the same.
    """
    known = next((each for each in same if (each.origin == UNTRUSTED) == (fact.origin == UNTRUSTED)), None)
    if known:
        is_ended = touched and fact.act in ("replaces", "ends") and touched != known
        ended = (touched,) if touched and is_ended and may_end(fact, touched) else ()
        if is_surer(fact, known):
            return Decision("superseded", replaced=ended, absorbed=(known,))
        return Decision("renewed", known, replaced=ended)
    if touched and fact.origin != UNTRUSTED:
        return _as_stated(fact, touched) or Decision("new")
    return Decision("new")


def is_older(fact: Proposed, memory: Memory) -> bool:
    """Return whether a fact that is learned late was said before a memory: then it tells nothing newer."""
    return fact.at is not None and fact.at < since_when(memory)


def since_when(memory: Memory) -> datetime:
    """Return since when a memory is known, or holds if that is earlier."""
    return min(memory.at, memory.valid_from)


def _as_stated(fact: Proposed, touched: Memory) -> Decision | None:
    """Do what a model says that a fact does to a memory, as far as that can be; None if it cannot."""
    from almario.memory.rules.sameness import swallows  # noqa: PLC0415 - seldom needed

    if fact.act == "renews":
        if not swallows(touched.value, fact.value) and not is_surer(fact, touched):
            return Decision("linked", touched)
        is_fuller = may_replace(fact, touched) and not swallows(fact.value, touched.value)
        return Decision("superseded", absorbed=(touched,)) if is_fuller else None
    if fact.act in ("replaces", "ends") and may_end(fact, touched) and not is_older(fact, touched):
        return Decision("superseded", replaced=(touched,))
    if fact.act == "replaces" and not set(fact.evidence).isdisjoint(touched.evidence):
        return Decision("linked", touched)  # the same words, told less surely
    return Decision("new") if fact.act == "adds" else None


def are_about_the_same(fact: Proposed, memory: Memory) -> bool:
    """Return whether a fact and a memory have a key in common, or a word that says something."""
    if fact.key and same_key(fact.key) == same_key(memory.key):
        return True
    stated, known = (set(index_terms(f"{each.key} {each.value}")) - SMALL for each in (fact, memory))
    return not stated.isdisjoint(known)


def is_surer(fact: Proposed, memory: Memory) -> bool:
    """Return whether a fact is somebody's word where a memory of the same is a mere guess."""
    return _rank(fact) < _rank(memory)


def may_replace(newer: Proposed | Memory, older: Memory) -> bool:
    """Say whether one may take the place of the other: nothing gives way to a lesser word, or to a guess."""
    return _rank(newer) <= _rank(older)


def may_end(fact: Proposed, memory: Memory) -> bool:
    """Say whether a fact that is said to replace or end a memory may.

    That its turns hardly say it only marks it. What the owner wanted to be remembered is spared then, and
    from what has no word in common with it, too.
    """
    is_wanted = memory.source == "explicit"
    if is_wanted and fact.source == "auto" and not are_about_the_same(fact, memory):
        return False
    is_sparing = fact.supposed or is_wanted
    return may_replace(fact if is_sparing else fact._replace(support=None), memory)


def _rank(held: Proposed | Memory) -> float:
    """Return how far down a word stands: by whose it is, and a guess at it below it."""
    return ORIGINS.index(held.origin) + is_guess(held) / 2


def is_guess(held: Proposed | Memory) -> bool:
    """Return whether it is hardly said by the turns that it rests on, whosever they are."""
    return held.origin != UNTRUSTED and held.support is not None and held.support < SUPPORTED


def renewal(memory: Memory, fact: Proposed, at: str) -> dict[str, Any]:
    """Return what saying a fact again sets: explicit stands above auto and is never lowered.

    What was said before the memory was last renewed does not renew it. What had no time gets the one that is
    said now; what was a guess is none if the owner says it in another
    session, too.
    """
    fields: dict[str, Any] = {"renewed": at} if fact.at is None or fact.at > memory.renewed else {}
    if is_guess(memory) and fact.origin == "owner" and not _sessions(fact) & _sessions(memory):
        fields["support"] = SUPPORTED
    fields |= {"dated": fact.dated} if fact.dated and not memory.dated else {}
    if fact.source == "explicit":
        kind = fact.kind or ("profile" if memory.source != "explicit" else "")
        fields |= {"source": "explicit"} | ({"kind": kind} if kind else {})
    return {name: value for name, value in fields.items() if getattr(memory, name) != value}


def _sessions(held: Proposed | Memory) -> set[str]:
    return {turn_id(turn).session for turn in held.evidence}


# Keys that mean the same.
ALIASES = (
    ("nombre", "name"),
    ("edad", "age"),
    ("cumpleanos", "birthday"),
    ("casa", "home"),
    ("ciudad", "city"),
    ("direccion", "address"),
    ("trabajo", "empleo", "job"),
    ("telefono", "phone"),
    ("correo", "email"),
)

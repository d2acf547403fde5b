"""Memories: what is remembered, in which state, and what a change makes of it."""

import contextlib
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypedDict, get_args

from almario.domain.documents.lines import folded
from almario.domain.places import place_of
from almario.domain.plain_text import regex
from almario.domain.records import FieldsOf, Heading, Ref, Text, showing, written
from almario.language import at_a_glance, either, languages
from almario.named_tuples import NamedTuple

Kind = Literal["profile", "fact", "summary", "episode", "instruction"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# Empty: nobody has chosen one. A correction is the new value of the fact under its key; without one, an
# instruction, as older journals and exports call it.
AnyKind = Kind | Literal["", "correction"]
CORRECTION: AnyKind = "correction"
Source = Literal["explicit", "auto"]
SOURCES: tuple[Source, ...] = get_args(Source)
Origin = Literal["owner", "agent", "imported", "untrusted"]
# From the most trusted to the least; what is derived takes the lowest of its inputs.
ORIGINS: tuple[Origin, ...] = get_args(Origin)
UNTRUSTED: Origin = "untrusted"
TRUSTED = ORIGINS[: ORIGINS.index(UNTRUSTED)]
State = Literal["live", "superseded", "retired", "ended", "expired"]
STATES: tuple[State, ...] = get_args(State)
# What only the owner is still told of, and only if they ask.
OUT_OF_USE: tuple[State, ...] = ("superseded", "retired")
# What stands in MEMORY.md, and what the ledger itself keeps as passages.
MIRRORED: tuple[Kind, ...] = ("profile", "fact")
OWN_PASSAGE: tuple[Kind, ...] = ("profile", "fact", "instruction")
# What stands in a file of its own, and is found there.
IN_FILES: tuple[Kind, ...] = ("episode", "summary")
# The audience of what the owner marked as fit to share.
SHARED = "all"
# What is left of a text that was purged.
ERASED = "erased"
# What stands in the place of one that was part of another.
ERASED_MARK = f"[{ERASED}]"

# A key names a fact; what is longer is the fact.
LONGEST_KEY = 200
# In these years an instant can be told in any time zone, and a lifetime added to it.
_FIRST_YEAR, _LAST_YEAR = 2, 9000
YEARS = f"{_FIRST_YEAR}-{_LAST_YEAR}"
INSTANTS = ("at", "renewed", "valid_from", "valid_to")
_MAY_BE_NONE = ("valid_to", "support")
_WORD = regex(r"\w+")
_KEY = regex(r"((?:[^\s:]+[ \t]+){0,3}[^\s:]*[^\s:\\]):[ \t]+(?=\S)")


@showing("text")
class Memory(NamedTuple):
    """One thing remembered, as its latest change left it."""

    id: Ref
    key: Heading
    value: Text
    kind: Kind
    source: Source
    origin: Origin
    at: datetime
    renewed: datetime
    valid_from: datetime
    valid_to: datetime | None = None
    state: State = "live"
    # What took its place; of one in use, what seems to.
    by: Ref = ""
    evidence: tuple[Ref, ...] = ()
    path: Ref = ""
    seq: int = 0
    # Who may be told: nobody but the owner, or, if it is shared, whoever is present.
    audience: Ref = ""
    # When it happened, or since and until when it holds, as far as it was said (see `domain.validity`).
    dated: Ref = ""
    # How much of it the turns say on which it rests, from 0 to 1; None where that was not measured.
    support: float | None = None
    # Where it was told: a project, work or home (see `domain.places`).
    place: Ref = ""

    @property
    def text(self) -> str:
        return f"{self.key}: {self.value}" if self.key else self.value

    @property
    def label(self) -> str:
        """The memory as a receipt names it."""
        return f"{self.key} → {self.value}" if self.key else self.value

    @property
    def is_live(self) -> bool:
        return self.state == "live"

    @property
    def is_quote(self) -> bool:
        """Whether it stands in the owner's own words, who may say "I" there.

        A note without a topic is as the owner said it; a model's has one, and speaks of them.
        """
        if self.origin != "owner" or self.kind not in MIRRORED:
            return False
        return (self.source == "explicit" and not self.key) or _says_i(self.value)


@lru_cache(4096)
def _says_i(text: str) -> bool:
    from almario.domain.words import fold  # noqa: PLC0415 - few commands tell memories to a model

    return not at_a_glance()["oneself"].isdisjoint(_WORD.findall(fold(text)))


class Change(TypedDict, total=False):
    """What one journal line does to one memory: the fields it sets, and the evidence it adds or takes."""

    id: Ref
    set: Annotated[dict[str, Any], FieldsOf(Memory)]
    evidence: list[Ref]
    # The evidence it takes away, where what added it is undone.
    without: list[Ref]
    said: Text
    # The value with what may be a secret, and is left out of it until the owner answers.
    whole: Text


class Recorded(NamedTuple):
    """A change as the journal has it: who made it, when, in which line."""

    seq: int
    at: datetime
    actor: str
    verb: str
    change: Change
    of: int


class Wanted(NamedTuple):
    """Which memories are meant; what is empty does not matter.

    *keys* and *values* are as `same_key` and `same_value` give them.
    """

    ids: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    states: tuple[State, ...] = ()
    origins: tuple[Origin, ...] = ()
    path: str = ""
    text: str = ""
    values: tuple[str, ...] = ()
    # The memory that took their place.
    by: str = ""
    # Turns of which at least one is evidence.
    evidence: tuple[str, ...] = ()
    # Only those that have a time of their own.
    dated: bool = False
    # At most so many: instructions and the profile before the rest, and of each the newest.
    most: int = 0
    # Learned at or after, and before, these instants.
    since: datetime | None = None
    until: datetime | None = None
    # Told by what was true then, or was known to be coming.
    true_at: datetime | None = None
    # Only those that nothing has renewed since they were learned.
    unused: bool = False
    # Only those whose words were not erased.
    kept: bool = False
    # The instant at which they are in these states; else the states are as they were written.
    standing: "AsOf | None" = None
    # A page: the newest first, without so many, and at most so many; 0 is all.
    newest: bool = False
    offset: int = 0
    limit: int = 0


# Every memory, whatever its state and its origin.
EVERY = Wanted(states=STATES, origins=ORIGINS)
# By these memories are counted; `hour` and `minute` are when they were learned, in UTC.
Column = Literal["state", "kind", "source", "origin", "hour", "minute"]


class Lifetimes(NamedTuple):
    """For how many days the kinds that expire are kept in use."""

    fact: int = 365
    summary: int = 90
    episode: int = 365

    def end_of(self, memory: Memory) -> datetime | None:
        """Return when a memory in use ends by itself, or expires unless it is renewed; None is never."""
        if memory.valid_to is not None:
            return memory.valid_to
        days = getattr(self, memory.kind, None)
        return max(memory.renewed, memory.valid_from) + timedelta(days=days) if days is not None else None


class AsOf(NamedTuple):
    """An instant, by which states are told: what is over has ended, and what outlived its time expired."""

    now: datetime
    lifetimes: Lifetimes = Lifetimes()

    def expired(self) -> dict[Kind, datetime]:
        """Return for each kind that expires until when its memories were last renewed that have."""
        days = {kind: getattr(self.lifetimes, kind, None) for kind in KINDS}
        return {kind: self.now - timedelta(days=many) for kind, many in days.items() if many is not None}


def lowest(*origins: Origin) -> Origin:
    """Return the least trusted of these; owner if there are none."""
    return max(origins, key=ORIGINS.index, default="owner")


def applied(memory: Memory | None, change: Change, *, seq: int, at: datetime) -> Memory:
    """Return the memory as *change* leaves it; None is one that does not exist yet."""
    fields: dict[str, Any] = {}
    for name, value in change.get("set", {}).items():
        with contextlib.suppress(ValueError):  # what no version of ours wrote says nothing
            fields[name] = read_field(name, value)
    if memory is None:
        first = fields.get("at", at)
        place = place_of(change.get("evidence", ()))
        memory = Memory(change["id"], "", "", "fact", "auto", "imported", first, first, first, place=place)
    memory = memory._replace(**fields)
    kept = [turn for turn in memory.evidence if turn not in change.get("without", ())]
    new = [turn for turn in change.get("evidence", ()) if turn not in kept]
    return memory._replace(evidence=(*kept, *new), seq=seq)


def fields_of(memory: Memory) -> dict[str, Any]:
    """Return all that a change must set to make this memory what it is."""
    fields = {name: plain(value) for name, value in memory._asdict().items() if name in _FIELDS}
    return {name: value for name, value in fields.items() if value not in ("", None) or name == "key"}


def going_back(before: Memory | None, after: Memory) -> dict[str, Any]:
    """Return what a change must set to bring a memory back from *after* to *before*."""
    if before is None:
        return {"state": "retired"}
    old, new = before._asdict(), after._asdict()
    return {name: plain(old[name]) for name in _FIELDS if old[name] != new[name]}


def state_at(memory: Memory, now: datetime, lifetimes: Lifetimes) -> State:
    """Return a memory's state; one that is over has ended and one past its lifetime is expired.

    That is so whatever was written.
    """
    end = lifetimes.end_of(memory) if memory.is_live else None
    if end is None or now < end:
        return memory.state
    return "expired" if memory.valid_to is None else "ended"


def has_ended(memory: Memory, now: datetime) -> bool:
    """Return whether a memory in use is over."""
    return memory.is_live and memory.valid_to is not None and now >= memory.valid_to


def split_fact(text: str) -> tuple[str, str]:
    """Part "key: value" at a colon and a space after at most four words; other text has no key."""
    words = text.strip()
    key, start = key_in(words)
    return key, words[start:].strip()


def key_in(text: str) -> tuple[str, int]:
    """Return the key that a text begins with, and where its value does; without one, "" and 0."""
    found = _KEY.match(text)
    key = " ".join(found[1].split()) if found else ""
    is_name = any(c.isalpha() for c in key) and len(key) <= LONGEST_KEY
    is_key = is_name and "//" not in key and not _hour().fullmatch(key)
    return (key, found.end()) if found and is_key else ("", 0)


@cache
def _hour() -> re.Pattern[str]:
    """Return what is an hour before a colon: "a las 10: café", "at 10: coffee", "10: coffee"."""
    return re.compile(rf"(?:.*\b(?:{either(languages(), 'hours')}) )?\d{{1,2}}h?", re.IGNORECASE)


# A telephone types other signs than a keyboard.
_TYPED = str.maketrans(dict.fromkeys("’‘ʼ´", "'") | dict.fromkeys("“”«»", '"') | dict.fromkeys("¡¿"))


@lru_cache(4096)
def same_key(key: str) -> str:
    """Return a key as it is compared."""
    return as_compared(key)


def as_compared(text: str) -> str:
    """Return a text as it is compared: case, spaces and how quotes are typed aside."""
    return " ".join(folded(text.translate(_TYPED)).split())


def same_value(value: str) -> str:
    """Return a value as it is compared, closing marks aside."""
    return as_compared(value).rstrip(".!; ")


def value_as_compared_before(value: str) -> str:
    """Return a value as it was compared when older journals hid what they erased."""
    return " ".join(folded(value).split()).rstrip(".!; ")


def plain(value: Any) -> Any:
    """Return a field's value as the journal writes it."""
    return written(value) if isinstance(value, datetime) else value


def read_field(name: str, value: Any) -> Any:
    """Return a field's value from what is written; ValueError if there is no such field or value."""
    if name == "support" and isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    is_none = value is None and name in _MAY_BE_NONE
    if name not in _FIELDS or not (isinstance(value, str) or is_none) or (name == "support" and not is_none):
        raise ValueError(name)
    if name == "kind" and value == CORRECTION:
        return "instruction"
    if name not in INSTANTS or value is None:
        return value
    at = datetime.fromisoformat(value)
    if at.tzinfo is None or not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        raise ValueError(name)
    return at


_FIELDS: Mapping[str, None] = dict.fromkeys(
    name for name in Memory._fields if name not in ("id", "evidence", "seq")
)

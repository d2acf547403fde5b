"""What a new fact means for those already there: nothing new, a change, or one more.

The same for every writer. A fact takes the place of another only if somebody
says so who was shown both, or if it is the same sentence with another amount.
"""

import unicodedata
from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from almario.domain.memories import LONGEST_KEY, ORIGINS, UNTRUSTED, AnyKind, Memory, Origin, Source, same_key
from almario.domain.messages import Sentence
from almario.domain.validity import Validity, read
from almario.domain.words import SMALL, index_terms
from almario.named_tuples import NamedTuple
from almario.text.timewords import begins, is_yearly, spans

if TYPE_CHECKING:
    from almario.text.times.grammar import Span

_SIGNS = ("So", "Sc", "Sm")


# What a model says that a fact does to a memory.
Act = Literal["", "renews", "replaces", "ends", "adds"]


class Proposed(NamedTuple):
    """A fact that asks to be remembered; *kind* is empty if nobody chose one.

    *at* is when an episode happened or a fact was told; None is now. *dated* is its time as far as
    it was said (see `domain.validity`), *support* how much of it its turns say.
    *act* is what a model says that it does to the memory *of*.
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
    # The value with what may be a secret, which is kept and not told.
    whole: str = ""


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
    if not _says_something(value):
        return Sentence("there is nothing to remember; the text is only punctuation")
    if kind == "correction" and origin == UNTRUSTED:
        return Sentence("not stored: only people you trust can tell the agent how to behave")
    return None


def _says_something(text: str) -> bool:
    """Say whether a text has a letter, a number or a sign that stands for something, such as 🦊 or €."""
    return any(unicodedata.category(sign)[0] in "LN" or unicodedata.category(sign) in _SIGNS for sign in text)


def decide(
    fact: Proposed, same: Sequence[Memory], similar: Sequence[Memory], touched: Memory | None = None
) -> Decision:
    """Judge a fact by the memories of its very text, the most similar, and the one it is said to touch.

    What strangers said stands apart: it renews, supports and replaces nothing
    of the owner's. What the owner says takes the place of a guess that says the same.
    """
    same, similar = ([each for each in found if _is_beside(fact, each)] for found in (same, similar))
    others = tuple(each for each in similar if _is_its_value_now(fact, each))
    for memory in same:
        if (
            touched
            and fact.act in ("replaces", "ends")
            and memory != touched
            and may_replace(fact.origin, touched)
        ):
            others = (touched,)
        return _known(fact, memory, "renewed", others)
    if touched and fact.origin != UNTRUSTED and speak_of_one_thing(fact, touched):
        decision = _as_told(fact, touched)
        if decision:
            return decision
    for memory in similar:
        from almario.memory.rules.sameness import are_near  # noqa: PLC0415 - only for what is similar

        if are_near(memory.value, fact.value):
            return _known(fact, memory, "linked", others)
    return Decision("superseded" if others else "new", replaced=others)


def _known(fact: Proposed, memory: Memory, outcome: Admitted, others: tuple[Memory, ...]) -> Decision:
    """Renew a memory that says the same, or take its place if it was a mere guess."""
    if not _is_surer(fact, memory):
        return Decision(outcome, memory, replaced=others if outcome == "renewed" else ())
    return Decision("superseded", replaced=others, absorbed=(memory,))


def _is_its_value_now(fact: Proposed, memory: Memory) -> bool:
    """Say whether a fact tells how it is now; two that are dated are both true, each in its time."""
    if fact.origin == UNTRUSTED or not may_replace(fact.origin, memory) or (fact.dated and memory.dated):
        return False
    from almario.memory.rules.sameness import is_other_value  # noqa: PLC0415 - as above

    return same_key(fact.key) == same_key(memory.key) and is_other_value(fact.value, memory.value)


def _as_told(fact: Proposed, touched: Memory) -> Decision | None:
    """Do what a model says that a fact does to a memory, as far as that can be; None if it cannot."""
    from almario.memory.rules.sameness import is_one_but_for_a_word, swallows  # noqa: PLC0415 - as above

    if fact.act == "renews":
        if is_one_but_for_a_word(fact.value, touched.value):
            return None
        if not swallows(touched.value, fact.value) and not _is_surer(fact, touched):
            return Decision("linked", touched)
        is_fuller = may_replace(fact.origin, touched) and not swallows(fact.value, touched.value)
        return Decision("superseded", absorbed=(touched,)) if is_fuller else None
    if fact.act in ("replaces", "ends") and may_replace(fact.origin, touched):
        return Decision("superseded", replaced=(touched,))
    return Decision("new") if fact.act == "adds" else None


def speak_of_one_thing(fact: Proposed, memory: Memory) -> bool:
    """Say whether a fact and a memory have a key in common, or a word that says something."""
    if fact.key and same_key(fact.key) == same_key(memory.key):
        return True
    said, known = (set(index_terms(f"{each.key} {each.value}")) - SMALL for each in (fact, memory))
    return not said.isdisjoint(known)


def _is_beside(fact: Proposed, memory: Memory) -> bool:
    """Say whether both are trusted, or neither is."""
    return (memory.origin == UNTRUSTED) == (fact.origin == UNTRUSTED)


def _is_surer(fact: Proposed, memory: Memory) -> bool:
    """Say whether a fact is somebody's word where a memory of the same is a mere guess."""
    return ORIGINS.index(fact.origin) < ORIGINS.index(memory.origin)


def may_replace(origin: Origin, memory: Memory) -> bool:
    """Say whether what is of an origin may take the place of a memory: nothing gives way to a lesser word."""
    return ORIGINS.index(origin) <= ORIGINS.index(memory.origin)


def renewal(memory: Memory, fact: Proposed, at: str) -> dict[str, Any]:
    """Return what saying a fact again sets: explicit stands above auto and is never lowered.

    What had no time gets the one that is said now.
    """
    fields: dict[str, Any] = {"renewed": at}
    fields |= {"dated": fact.dated} if fact.dated and not memory.dated else {}
    if fact.source == "explicit":
        kind = fact.kind or ("profile" if memory.source != "explicit" else "")
        fields |= {"source": "explicit"} | ({"kind": kind} if kind else {})
    return {name: value for name, value in fields.items() if getattr(memory, name) != value}


def key_group(key: str, aliases: Sequence[Collection[str]]) -> tuple[str, ...]:
    """Return a key and those that mean the same, as they are compared."""
    plain = same_key(key)
    found = next((group for group in aliases if plain in group), (plain,))
    return tuple(sorted(found))


def parse_aliases(setting: str) -> list[frozenset[str]]:
    """Read groups of keys: `trabajo, empleo, job; casa, home`."""
    groups = (
        frozenset(same_key(key) for key in group.split(",") if key.strip()) for group in setting.split(";")
    )
    return [group for group in groups if len(group) > 1]


# Nobody tells of a life that began before.
_FIRST_YEAR = 1800


def dated_fact(given: str, value: str, told: date) -> str:
    """Return the time of a fact that was told on a day; nothing if it has none of its own.

    A day ahead is a plan's. One that has come is when the fact began to hold.
    """
    validity = _given(given)
    if validity and not validity.is_one:
        return str(validity)
    found = _agreed(validity, value, told) if validity else _said(value, told)
    if found and found.is_one and not validity and found.is_ahead(told):
        from almario.memory.rules.sameness import is_negative  # noqa: PLC0415 - only for plans

        # A birthday comes every year, and what is not then is no plan.
        found = None if is_yearly(value) or is_negative(value) else found
    if found is None or not found.is_one:
        return str(found or "")
    if begins(value) or not found.is_ahead(told):
        # A model that has no better day gives that of the turn.
        is_told = found.is_day and found.first_day == told and not spans(value, told)
        return "" if is_told else str(found._replace(last=""))
    return str(found)


def dated_episode(given: str, text: str, said: Sequence[str], told: date) -> str:
    """Return when an episode happened, by its text or by what was *said* of it; nothing if on that day.

    A time ahead of the day on which it was told is a plan's.
    """
    validity = _given(given)
    if validity and validity.named != (told, told):
        found: Validity | None = _agreed(validity, text, told)
    else:
        # A model that gives the day of the turn may have passed over a "yesterday".
        found = _past(text, told, "either") or next(filter(None, (_past(each, told) for each in said)), None)
    return (
        str(found._replace(first=found.first or found.last, last=found.last or found.first)) if found else ""
    )


def _given(text: str) -> Validity | None:
    validity = read(text)
    return validity if validity and validity.named[0].year >= _FIRST_YEAR else None


def _agreed(given: Validity, words: str, told: date) -> Validity:
    """Return what a given time and the words together say."""
    seen = spans(words, told)
    if any(span.tense for span in seen):
        # "El 3 de diciembre" is whichever year is meant, and "el viernes" is seen from the day after.
        around = (given.named[0], given.named[1] + timedelta(days=1))
        seen += [span for day in around for span in spans(words, day) if span.tense]
    agreeing = [time for span in seen if (time := read(span.dated)) and time.agrees(given)]
    if agreeing:
        return _both(given, min(agreeing, key=_vagueness))
    named = {time for span in seen if not span.tense and (time := read(span.dated))}
    if not named and len({span.words for span in seen}) == 1:
        named = {time for span in seen if span.names_day and (time := read(span.dated))}
        named = {min(named, key=lambda time: abs(time.named[0] - given.named[0]))} if named else named
    return named.pop() if len(named) == 1 else given


def _both(given: Validity, said: Validity) -> Validity:
    """Return the more precise of two times that agree, with what the words say of since and until.

    A model that must give a day gives the first of the month or the year.
    """
    (first, last), (begin, end) = given.named, said.named
    is_first = first == last == begin
    if (end - begin <= last - first) or is_first or (said.first and said.last and not said.is_one):
        return said
    part = given.first
    return said._replace(first=part if said.first else "", last=part if said.last else "")


def _vagueness(time: Validity) -> tuple[bool, bool, int, str]:
    """Return how little a time says: from one day to another says more than since or until, or a day."""
    first, last = time.named
    return time.is_one, not (time.first and time.last), (last - first).days, str(time)


def _said(words: str, told: date) -> Validity | None:
    """Return the one time that the words of a fact name, in what they say first."""
    seen = spans(words.partition(";")[0], told)
    times = {time for span in seen if (time := read(span.dated)) and _is_sure(span, time, told)}
    found = sorted(times, key=_vagueness)
    is_one = len(found) == 1 or (len(found) > 1 and _vagueness(found[0])[:2] < _vagueness(found[1])[:2])
    return found[0] if is_one else None


def _is_sure(span: "Span", time: Validity, told: date) -> bool:
    """Say whether it is clear what is meant: a day of no year may come every year, or be over."""
    return not span.tense or (not time.is_one and not time.is_over(told))


def _past(words: str, told: date, *tenses: str) -> Validity | None:
    """Return the one time that the words name, if it has begun; one in these *tenses* is past, too."""
    seen = [span for span in spans(words, told) if span.dated]
    is_past = len(seen) == 1 and seen[0].tense in ("", "past", *tenses)
    found = read(seen[0].dated) if is_past else None
    return found if found and found.named[0] <= told else None

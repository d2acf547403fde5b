"""MOTIVATIONS.md: what drives the agent, and when it last examined itself."""

import unicodedata
from collections.abc import Collection, Iterable
from datetime import date

from almario.domain.documents.headings import with_section
from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, names_in
from almario.named_tuples import NamedTuple
from almario.text.claims import NUMBER
from almario.text.timewords import spans

DRIVES = "Core Drives"
FOCUS = "Current Focus"
QUESTIONS = "Open Questions"
OBSERVATIONS = "Self-Observations"
LAST_REFLECTION = "Last Reflection"
TITLES = (DRIVES, FOCUS, QUESTIONS, OBSERVATIONS, LAST_REFLECTION)


class LastReflection(NamedTuple):
    day: date
    trigger: str
    changes: str


def with_last_reflection(text: str, last: LastReflection) -> str:
    """Return *text* with `## Last Reflection` telling of *last*."""
    trigger, changes = " ".join(last.trigger.split()), " ".join(last.changes.split())
    body = f"Date: {last.day.isoformat()}\nTrigger: {trigger}\nChanges: {changes}"
    return with_section(text, LAST_REFLECTION, body)


_WORDS = regex(r"[^\W_]+")
_LONGEST = 2000
# Whether a line speaks of a time, and of one as seen from today, any day tells.
_ANY_DAY = date(2000, 1, 1)


def situational(line: str, names: Collection[str] = ()) -> Sentence | None:
    """Return why a line is no universal principle, or None; *names* are those of `known_names`."""
    line = unicodedata.normalize("NFKC", line[:_LONGEST])
    if spans(line, _ANY_DAY):
        return Sentence("it speaks of a certain time")
    if number := NUMBER.search(line):
        return Sentence('it has a number or an amount in it: "{words}"', words=number[0])
    named = next((name for name in names_in(line) if name in names), "")
    return Sentence('it names "{words}"', words=named) if named else None


def known_names(texts: Iterable[str], *, own: str = "") -> frozenset[str]:
    """Return the words that texts write with a capital inside a sentence and never without one.

    Those of the agent's *own* name are no names of others.
    """
    # What follows a colon is as often a name as the beginning of a sentence.
    there = [text.replace(":", ",") for text in texts]
    small = {fold(word) for text in there for word in _WORDS.findall(text) if word[0].islower()}
    found = {name for text in there for name in names_in(text)}
    return frozenset(found - small - SMALL - {fold(word) for word in _WORDS.findall(own)})

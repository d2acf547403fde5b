"""Names in texts, as they are written: a model says who is somebody."""

from collections.abc import Iterable
from functools import cache
from re import Pattern

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold
from almario.language import languages

_LONGEST_NAME = 3
_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def name_in(text: str) -> str:
    """Return the name in an answer such as "my name is Ana"; of another, all of it."""
    found = _called().fullmatch(text.strip())
    return found[1] if found and is_name(found[1]) else text


def is_name(text: str) -> bool:
    """Return whether a text may be a name alone."""
    words = fold(text).split()
    return 0 < len(words) <= _LONGEST_NAME and SMALL.isdisjoint(words)


def as_spelled(name: str, texts: Iterable[str]) -> str:
    """Return a name as texts spell it: whoever asks for ines means Inés."""
    spelled = {fold(word): word for text in texts for word in _WORD.findall(text)}
    return " ".join(spelled.get(fold(each), each) for each in name.split())


def is_named(name: str, text: str) -> bool:
    """Return whether a text names somebody, in whatever case: by the whole name, or the first word of it."""
    words, wanted = _WORD.findall(fold(text)), _WORD.findall(fold(name))
    return bool(wanted) and (wanted[0] in words)


@cache
def _called() -> Pattern[str]:
    called = "|".join(each.called for each in languages() if each.called)
    return regex(rf"(?i)(?:\w+[\s,!.]+)?(?:{called}) ([^,.;:!?]+)[.!]*")

"""Names in texts, as they are written: a model says who is somebody."""

from collections.abc import Iterable

from almario.domain.plain_text import regex
from almario.domain.words import fold

_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def as_spelled(name: str, texts: Iterable[str]) -> str:
    """Return a name as texts spell it: whoever asks for ines means Inés."""
    spelled = {fold(word): word for text in texts for word in _WORD.findall(text)}
    return " ".join(spelled.get(fold(each), each) for each in name.split())


def is_named(name: str, text: str) -> bool:
    """Return whether a text names somebody, in whatever case: by the whole name, or the first word of it."""
    words, wanted = _WORD.findall(fold(text)), _WORD.findall(fold(name))
    return bool(wanted) and (wanted[0] in words)

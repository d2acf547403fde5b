"""Words of a model made fit to stand in a soul file: they may say anything, but not change how it is read."""

import re
import unicodedata

from almario.domain.lazy_regex import regex
from almario.domain.messages import Sentence
from almario.domain.plain_text import is_seen, shortened

_TAGS = "details|summary|script|style|template|textarea|title|iframe|noscript|pre|xmp|plaintext|div|section"
_BULLET = regex(r"^(?:(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+")
# Headings, also quoted or underlined; comments, which lock; fences, tags and definitions of links, which
# hide; headings of HTML.
_DIVIDING = regex(
    r"^[\s>]*\[[^\]]+\]:\s*\S+\s*(?:[\"'(].*)?$|"
    rf"^[\s>*+-]*#{{1,6}}(?:\s|$)|##\s|<!--|-->|^[\s>]*(?:```|~~~)|^[\s>]*(?:=+|-{{2,}})\s*$|</?(?:h[1-6]|{_TAGS})\b|<[!?]",
    re.IGNORECASE,
)
_WORD = regex(r"[^\W\d_]+")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_SHOWN = 60


def plain_text(text: str) -> str:
    """Return a text without the signs that cannot be seen; its lines and how far they are indented stay."""
    seen = unicodedata.normalize("NFC", "".join(sign for sign in text if is_seen(sign) or sign.isspace()))
    lines = (" " * (len(line) - len(line.lstrip(" "))) + " ".join(line.split()) for line in seen.splitlines())
    return "\n".join(line.rstrip() for line in lines).strip()


def items_in(text: str) -> list[str]:
    """Return the lines of a text that say something, without the signs that make them items of a list."""
    lines = (_BULLET.sub("", line.strip(), count=1) for line in plain_text(text).split("\n"))
    return [line for line in lines if line]


def harm_in(text: str) -> Sentence | None:
    """Return how a text would change how a file is read, or pass for another text; None if it would not."""
    for line in text.split("\n"):
        if _DIVIDING.search(line):
            return Sentence(
                'it would change how the file is divided: "{words}"', words=shortened(line, _SHOWN)
            )
    mixed = next((word for word in _WORD.findall(text) if len(_scripts(word)) > 1), "")
    return (
        Sentence('it mixes alphabets in one word: "{words}"', words=shortened(mixed, _SHOWN))
        if mixed
        else None
    )


def _scripts(word: str) -> set[str]:
    if word.isascii():
        return set()
    return {unicodedata.name(sign, "").split(" ")[0] for sign in word}.intersection(_SCRIPTS)

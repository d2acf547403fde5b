"""Measuring, cutting and comparing text."""

import math
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from almario.named_tuples import NamedTuple

# Characters per token, fitted to a public tokenizer (o200k_base); docs/reference/benchmarks.md has the error.
_LETTER, _SIGN, _ACCENTED, _WIDE, _ASTRAL = 4.8, 1.6, 1.5, 1.2, 0.45
_LETTERS = b" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_CONTROLS = dict.fromkeys({*range(32), *range(127, 160)} - {ord(sign) for sign in "\t\n\r"})
# Letters and marks that have no shape of their own: fillers, and variants without end, in which whole texts
# can be hidden. The two variants that emoji have stay.
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_VARIANTS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))
_SHAPELESS = frozenset((*_FILLERS, *map(chr, _VARIANTS)))
# A host of an address, with its port.
_HOST = r"(?:[\w.-]*|\[[\da-fA-F:]+\])(?::\d*)?"
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a language model will count in *text*, without asking one."""
    plain = text.encode("ascii", "ignore")
    signs = len(plain.translate(None, _LETTERS))
    tokens = (len(plain) - signs) / _LETTER + signs / _SIGN
    if len(plain) < len(text):
        astral = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)
        inner = len(text) - len(plain) - astral
        # Of the inner characters, accented letters take two bytes and CJK three.
        wide = len(text.encode("utf-8", "surrogatepass")) - len(plain) - 4 * astral - 2 * inner
        tokens += (inner - wide) / _ACCENTED + wide / _WIDE + astral / _ASTRAL
    return math.ceil(tokens)


def cut_to_tokens(text: str, budget: int, *, keep_end: bool = False) -> str:
    """Return as much of *text* as fits *budget*: whole lines, or part of one that alone is too long."""
    if estimate_tokens(text) <= budget:
        return text
    lines = text.strip("\n").split("\n")
    if keep_end:
        lines.reverse()
    kept: list[str] = []
    left = budget
    for line in lines:
        cost = estimate_tokens(line + "\n")
        if cost > left:
            break
        kept.append(line)
        left -= cost
    if not kept and lines:
        kept = [_part(lines[0], budget, keep_end=keep_end)]
    if keep_end:
        kept.reverse()
    return "\n".join(kept).strip("\n")


def _part(line: str, budget: int, *, keep_end: bool) -> str:
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        piece = line[-middle:] if keep_end else line[:middle]
        low, high = (middle, high) if estimate_tokens(piece) <= budget else (low, middle - 1)
    return (line[-low:] if keep_end else line[:low]) if low else ""


def is_unicode(text: str) -> bool:
    """Return whether a text has no half characters, so that it can be written."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_seen(sign: str) -> bool:
    """Return whether one sign can be seen; of spaces, only the plain one counts."""
    return sign.isprintable() and sign not in _SHAPELESS


def in_one_line(text: str) -> str:
    """Return a text without line breaks and signs that cannot be seen."""
    return " ".join("".join(sign if is_seen(sign) else " " for sign in text).split())


def shortened(text: str, most: int) -> str:
    """Return a text of at most *most* characters, with a sign where the rest of it was.

    What stands in brackets for a secret is whole or not there.
    """
    return text if len(text) <= most else _BRACKET_BEGUN.sub("", text[: most - 1]).rstrip() + "…"


def indented(text: str) -> str:
    """Return a text whose further lines, whatever parts them, cannot pass for lines of what is around it."""
    return "\n  ".join(line.rstrip() for line in text.strip().splitlines() if line.strip())


def whole(text: str) -> str:
    """Return a text that can be written: halves of a character are joined, and one alone is replaced."""
    return text if is_unicode(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that *word* was probably meant to be."""
    from difflib import get_close_matches  # noqa: PLC0415 - 9 ms, and only after a mistake

    found = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def difference(before: str, after: str, old: str, new: str) -> str:
    """Return a unified diff of two texts by these names; a carriage return at the end of a line is shown."""
    from difflib import unified_diff  # noqa: PLC0415 - 9 ms that other commands need not pay

    lines = unified_diff(_visible_lines(before), _visible_lines(after), old, new, lineterm="")
    return "".join(line + "\n" for line in lines)


def _visible_lines(text: str) -> list[str]:
    return [line.replace("\r", "␍") for line in text.removesuffix("\n").split("\n")] if text else []


def visible(line: str) -> str:
    """Return a line as it is safe to show: a sign that could hide or move others is told by its number."""
    return "".join(c if is_seen(c) or c in "\t\u200d" else f"<U+{ord(c):04X}>" for c in line)


def without_spans(text: str, spans: Sequence[tuple[int, int]], *, gap: str = "") -> str:
    """Return a text without these spans, with a *gap* in the place of each."""
    parts = []
    place = 0
    for start, end in sorted(spans):
        parts.append(text[place : max(start, place)])
        place = max(place, end)
    return gap.join([*parts, text[place:]])


def uncontrolled(text: str) -> str:
    """Return a text without the signs that command a terminal; lines and tabs stay."""
    return text.translate(_CONTROLS)


def shown_address(address: str) -> str:
    """Return a database's address as it may be shown: its host and nothing else, if that is certain.

    A password may stand in many places, and half of one in others if it was not escaped.
    """
    found = re.fullmatch(rf"(\w+)://(?:[^@/?#]*@)?({_HOST}(?:,{_HOST})*)(?:[/?][^@]*)?", address)
    hosts = re.sub(r":\d*(,|$)", r"\1", found[2]) if found else ""
    return f"{found[1]}://{hosts}/…" if found else "…" if address else ""


def is_safe_id(name: str) -> bool:
    """Return whether *name* can be a folder's name on every file system we know."""
    allowed = all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return bool(name) and len(name) <= 64 and allowed and name[0].isalnum() and name.lower() not in _RESERVED


def end_of_element(text: str, name: str, place: int) -> int:
    """Return where an element ends in which *place* is, behind its closing mark; -1 if it does not.

    A closing mark too many stood in it: what somebody put there cannot end it.
    """
    closing, end = f"</{name}>", -1
    found = text.find(closing, place)
    while found >= 0 and (end < 0 or text.find(f"<{name}", end, found) < 0):
        end = found + len(closing)
        found = text.find(closing, end)
    return end


class Fence(NamedTuple):
    """What quoted words stand in; nobody who wrote them can guess its *name*, and so cannot end it."""

    name: str

    def around(self, text: str) -> str:
        """Return a text as it is quoted."""
        return f"<{self.name}>\n{text}\n</{self.name}>"


def fence(what: str) -> Fence:
    """Return a new fence for what is quoted."""
    return Fence(f"{what}-{os.urandom(6).hex()}")


def size_shown(size: int) -> str:
    """Return how large a file or a memory is, as people say it."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


if TYPE_CHECKING:
    from re import compile

    regex = compile
else:

    class regex:  # noqa: N801 - stands for a function
        """A compiled pattern, as of `re.compile`, but not before it is asked for something."""

        def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
            self._given = (pattern, flags)

        def __getattr__(self, name: str) -> Any:
            made = re.compile(*self._given)
            # From now on its methods are found here at once.
            for each in ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"):
                self.__dict__[each] = getattr(made, each)
            return getattr(made, name)


# Latin with accents, Greek, Cyrillic, Armenian, Cherokee: nobody mixes them in one word but to deceive.
_SCRIPTS = ("A-Za-z\u00c0-\u024f", "\u0370-\u03ff", "\u0400-\u052f", "\u0530-\u058f", "\u13a0-\u13ff")
MIXED_SCRIPTS = regex(
    "|".join(f"[{one}][{''.join(each for each in _SCRIPTS if each != one)}]" for one in _SCRIPTS)
)
# "[withh": what stands for a secret, cut in the middle.
_BRACKET_BEGUN = regex(r"\[[\w:-]{0,24}\Z")

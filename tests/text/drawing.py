"""Texts drawn by chance from a pattern: any way through it, with any signs that it lets stand."""

import random
import re
import string
from importlib import import_module
from typing import Any

parser: Any = import_module("re._parser")
# Of a repetition without an end, at most so many more than it must have.
_MORE = 12
_SIGNS = [sign for sign in string.printable if sign not in "\t\r\x0b\x0c"]
_TRIES = 100


def parsed(source: str, flags: int = 0) -> Any:
    """Return the parts of a pattern, as Python itself reads them."""
    return parser.parse(source, flags)


def drawn(source: str, chance: random.Random) -> str:
    """Return a text of ASCII that the whole pattern stands for."""
    whole = re.compile(source, re.ASCII)
    parts = parsed(source, re.ASCII)
    for _ in range(_TRIES):
        if whole.fullmatch(text := _told(parts, chance)):
            return text
    raise AssertionError(f"nothing was found that {source} stands for")


def _told(parts: Any, chance: random.Random) -> str:
    return "".join(_of(str(kind), value, chance) for kind, value in parts)


def _of(kind: str, value: Any, chance: random.Random) -> str:
    match kind:
        case "LITERAL":
            return chr(value)
        case "IN" | "NOT_LITERAL" | "ANY":
            return chance.choice(_signs(kind, value))
        case "BRANCH":
            return _told(chance.choice(value[1]), chance)
        case "SUBPATTERN":
            return _told(value[-1], chance)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inner = value
            count = chance.randint(least, min(int(most), least + _MORE))
            return "".join(_told(inner, chance) for _ in range(count))
        case _:  # what stands around it is looked at in the end
            return ""


_known: dict[tuple[str, str], list[str]] = {}


def _signs(kind: str, value: Any) -> list[str]:
    """Return the signs that may stand there; found out once."""
    if (known := (kind, str(value))) not in _known:
        if kind == "IN":
            _known[known] = [sign for sign in _SIGNS if _is_in(sign, value)]
        else:
            _known[known] = [sign for sign in _SIGNS if kind == "ANY" or ord(sign) != value]
    return _known[known]


def _is_in(sign: str, parts: Any) -> bool:
    is_negated, found = False, False
    for kind, value in parts:
        match str(kind):
            case "NEGATE":
                is_negated = True
            case "LITERAL":
                found |= ord(sign) == value
            case "RANGE":
                found |= value[0] <= ord(sign) <= value[1]
            case "CATEGORY":
                found |= bool(re.match(_CATEGORIES[str(value)], sign, re.ASCII))
    return found is not is_negated


_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}

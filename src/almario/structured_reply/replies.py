"""Cut the JSON value out of what a model said around it.

Models think aloud, explain, and put fences around their answer. What they
wrote is read once, from left to right, and where JSON begins it must be strict
JSON to its end: nothing in it is guessed or mended, and no part of it is taken
for the whole.
"""

import json
import math
import re
from typing import Any

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex

MOST_CHARACTERS = 1_000_000
MOST_DEPTH = 64
MOST_DIGITS = 1000
# Around an answer there may be `[1]`, or a draft, but no hundred of them.
MOST_VALUES = 100

_SEVERAL = Sentence("the reply has several JSON values, where one was asked for")
_FENCES = ("```", "~~~")
_THOUGHTS = "think|thinking|thought|reasoning"
_CLOSING = regex(rf"</(?:{_THOUGHTS})>", re.IGNORECASE)
# What follows a bracket that begins JSON, or an object in the manner of JavaScript or Python, which is none.
# All else is prose, as in `[sic]` or `{name}`.
_JSON = r"(?P<json>\{(?=\s*(?:[\"}']|//|/\*|\w+\s*:))|\[(?=\s*(?:[\"{\[\]0-9-]|true\b|false\b|null\b)))"
_MARK = regex(
    rf"{_JSON}|(?P<thought><(?:{_THOUGHTS})>)|(?P<over></(?:{_THOUGHTS})>)"
    r"|^[ \t]*(?:```|~~~)[^\n{\[\"]*",
    re.IGNORECASE | re.MULTILINE,
)
_SURROGATE = regex("[\ud800-\udfff]")


def value_in(text: str) -> Any:
    """Return the one JSON value of a reply; ValueError has a Sentence that says why there is none.

    In prose or fences it is an object or a list; a reply that is nothing but a
    value may be any.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(Sentence("the reply is too long"))
    text = text.strip().strip("\ufeff").strip()
    if not text:
        raise ValueError(Sentence("the reply is empty"))
    if text[0] not in "{[<`~":
        try:
            value, end = _read(text, 0)
            if end == len(text):
                return value
        except ValueError:
            pass
    found = _values(text)
    values = [value for is_fenced, value in found if is_fenced] or [value for _, value in found]
    values = [value for value in values if isinstance(value, dict)] or values
    if not values:
        raise ValueError(Sentence("the reply has no JSON"))
    if len({json.dumps(value, sort_keys=True) for value in values}) > 1:
        raise ValueError(_SEVERAL)
    return values[0]


def _values(text: str) -> list[tuple[bool, Any]]:
    """Return the values outside of thoughts, and whether each stands in a fence."""
    found: list[tuple[bool, Any]] = []
    is_fenced, place = False, 0
    while mark := _MARK.search(text, place):
        place = mark.end()
        if mark["json"]:
            try:
                value, place = _read(text, mark.start())
            except ValueError:
                if not (closing := _CLOSING.search(text, place)):
                    raise
                found, is_fenced, place = [], False, closing.end()
            else:
                found.append((is_fenced, value))
                if len(found) > MOST_VALUES:
                    raise ValueError(_SEVERAL)
        elif mark["thought"]:
            closing = _CLOSING.search(text, place)
            if not closing:
                raise ValueError(Sentence("the reply is only thoughts, without an answer"))
            place = closing.end()
        elif mark["over"]:  # the thoughts began before the reply did
            found, is_fenced = [], False
        else:
            is_fenced = not is_fenced
    return found


def _read(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at a place, and where it ends."""
    try:
        value, end = _decoder.raw_decode(text, start)
    except json.JSONDecodeError as exc:
        rest = text[exc.pos :].strip()
        if not rest or rest.startswith(_FENCES) or exc.msg.startswith("Unterminated string"):
            raise ValueError(Sentence("the reply breaks off in the middle of its JSON")) from exc
        sentence = "the JSON is not valid in line {line}, column {column}: {why}"
        raise ValueError(Sentence(sentence, line=exc.lineno, column=exc.colno, why=exc.msg)) from exc
    except RecursionError as exc:
        raise ValueError(Sentence("the reply is nested too deeply")) from exc
    if _is_deep(value):
        raise ValueError(Sentence("the reply is nested too deeply"))
    if _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise ValueError(Sentence("the JSON has half a character in it"))
    return value, end


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_DEPTH + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return bool(level)


def _refuse(constant: str) -> None:
    raise ValueError(Sentence("{what} is not JSON", what=constant))


def _whole(number: str) -> int:
    if len(number) > MOST_DIGITS:
        raise ValueError(Sentence("a number in the JSON is too large"))
    return int(number)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(Sentence("a number in the JSON is too large"))
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, inner in pairs:
        if name in value:
            raise ValueError(Sentence("the JSON has the key {key} twice", key=repr(name[:40])))
        value[name] = inner
    return value


_decoder = json.JSONDecoder(
    parse_constant=_refuse, parse_int=_whole, parse_float=_finite, object_pairs_hook=_once
)

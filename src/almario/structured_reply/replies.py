"""Cut the JSON value out of what a model said around it.

Models think aloud, explain, and put fences around their answer. What they
wrote is read once, from left to right; what is found is then read as strict
JSON, and nothing in it is guessed or mended.
"""

import json
import math
import re
from typing import Any

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

MOST_CHARACTERS = 1_000_000
MOST_DEPTH = 64
MOST_DIGITS = 1000
# Around an answer there may be `[1]`, or a draft, but no hundred of them.
MOST_VALUES = 100

_SEVERAL = Sentence("the reply has several JSON values, where one was asked for")

_THOUGHTS = "think|thinking|thought|reasoning"
_OPENING = regex(rf"<(?:{_THOUGHTS})>", re.IGNORECASE)
_CLOSING = regex(rf"</(?:{_THOUGHTS})>", re.IGNORECASE)
# A line with a fence cannot stand within JSON, whose strings have no line breaks.
_PLACES = rf"[{{}}\[\]]|</?(?:{_THOUGHTS})>|^[ \t]*(?:```|~~~)[^\n{{\[\"]*"
# Around a value a quotation mark is a quotation mark; within, it begins a string. A string that does not
# end is taken whole, so that no character is looked at twice.
_AROUND = regex(_PLACES, re.IGNORECASE | re.MULTILINE)
_WITHIN = regex(rf'"[^"\\\n]*(?:\\.[^"\\\n]*)*+"?|{_PLACES}', re.IGNORECASE | re.MULTILINE)
# What follows a bracket that begins JSON. All else is prose, as in `[sic]` or `{name}`.
_BEGINS = {"{": regex(r'\s*["}]'), "[": regex(r'\s*(?:["{\[\]0-9-]|true\b|false\b|null\b)')}
_PARTNER = {"}": "{", "]": "["}
_SURROGATE = regex("[\ud800-\udfff]")


class _Bracket(NamedTuple):
    sign: str
    place: int
    is_json: bool


class _Span(NamedTuple):
    """A stretch of text from a bracket to its partner."""

    start: int
    end: int
    is_fenced: bool


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
            return _read(text)
        except ValueError:
            pass
    return _only(text, _spans(text))


def _only(text: str, spans: list[_Span]) -> Any:
    found: list[tuple[bool, Any]] = []
    why: str | Sentence = Sentence("the reply has no JSON")
    for span in spans:
        try:
            found.append((span.is_fenced, _read(text[span.start : span.end])))
        except ValueError as exc:
            why = exc.args[0]
    values = [value for is_fenced, value in found if is_fenced] or [value for _, value in found]
    values = [value for value in values if isinstance(value, dict)] or values
    if not values:
        raise ValueError(why)
    if len({json.dumps(value, sort_keys=True) for value in values}) > 1:
        raise ValueError(_SEVERAL)
    return values[0]


def _spans(text: str) -> list[_Span]:
    """Return the outermost stretches that look like JSON, in one pass; ValueError if one does not end."""
    spans: list[_Span] = []
    open_: list[_Bracket] = []
    is_fenced = is_cut = False
    place = 0
    while token := (_WITHIN if open_ and open_[-1].is_json else _AROUND).search(text, place):
        sign, place = token[0], token.end()
        if sign in _BEGINS:
            is_json = bool(_BEGINS[sign].match(text, place))
            if is_json or sign == "{":
                open_.append(_Bracket(sign, token.start(), is_json))
        elif sign in _PARTNER:
            _close(_PARTNER[sign], open_, spans, _Span(0, place, is_fenced))
        elif _OPENING.fullmatch(sign):
            closing = _CLOSING.search(text, place)
            if not closing:
                raise ValueError(Sentence("the reply is only thoughts, without an answer"))
            place = closing.end()
        elif _CLOSING.fullmatch(sign):  # the thoughts began before the reply did
            spans, open_, is_fenced, is_cut = [], [], False, False
        elif not sign.startswith('"'):
            is_cut = is_cut or any(bracket.is_json for bracket in open_)
            open_, is_fenced = [], not is_fenced
        if not open_ and len(spans) > MOST_VALUES:
            raise ValueError(_SEVERAL)
        if len(open_) > MOST_DEPTH:
            raise ValueError(Sentence("the reply is nested too deeply"))
    if is_cut or any(bracket.is_json for bracket in open_):
        # A part of what was meant must not be taken for the whole.
        raise ValueError(Sentence("the reply breaks off in the middle of its JSON"))
    return spans


def _close(sign: str, open_: list[_Bracket], spans: list[_Span], span: _Span) -> None:
    if not any(bracket.sign == sign for bracket in open_):
        return
    while (bracket := open_.pop()).sign != sign:
        pass
    while spans and spans[-1].start > bracket.place:
        spans.pop()
    spans.append(span._replace(start=bracket.place))


def _read(text: str) -> Any:
    try:
        value = json.loads(
            text, parse_constant=_refuse, parse_int=_whole, parse_float=_finite, object_pairs_hook=_once
        )
    except json.JSONDecodeError as exc:
        sentence = "the JSON is not valid in line {line}, column {column}: {why}"
        raise ValueError(Sentence(sentence, line=exc.lineno, column=exc.colno, why=exc.msg)) from exc
    if _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise ValueError(Sentence("the JSON has half a character in it"))
    return value


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

"""Taking a text out of others: whole lines where it stands alone, its span elsewhere.

It is known in any case, and however its words are parted.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from almario.domain.documents.headings import parse_sections
from almario.domain.documents.lines import split_lines
from almario.domain.journal_lines import every_string
from almario.domain.memories import ERASED, ERASED_MARK, same_key, same_value
from almario.domain.plain_text import in_one_line, regex
from almario.domain.turn_ids import turn_id
from almario.domain.turns import OFF, REF
from almario.memory.rules.mirror import MARKER
from almario.named_tuples import NamedTuple

# A shorter text is part of too many others: it is erased only where it stands alone.
_SHORT = 8
# The day in a log's title is what the file is called.
_TITLE = "# Memory Log: "
# What is left of a turn; of an imported one also what it is known by, so that it does not come in again.
_OF_A_TURN = ("n", "at", "role", "speaker", "origin", "text")
_IMPORTED = "imported"
# The argument names under which tools receive a memory's key.
_KEYS = ("key", "category")
_BULLET = regex(
    r"[ \t]*(?:[-*+][ \t]+)?(?:\[(?:\d{1,2}:\d{2}(?::\d{2})?|\d{4}-\d{2}-\d{2})\][ \t]*)?"
    r"(?:\[untrusted\][ \t]*)*",
    re.IGNORECASE,
)


_SESSION = regex(r"^<!-- session: (.+) -->$", re.MULTILINE)
_HEAD = regex(r"\*\*.+\*\* #(\d+), ")
_QUOTE = ">"


def without_turns(text: str, turns: Collection[str]) -> str:
    """Return a snapshot, as earlier versions wrote of cleared sessions, without what these turns said."""
    found = _SESSION.search(text)
    to_erase = {(in_one_line(session), n) for session, n in map(turn_id, turns)}
    kept: list[str] = []
    is_gone = is_marked = False
    for line in split_lines(text):
        if head := _HEAD.match(line):
            is_gone, is_marked = found is not None and (found[1], int(head[1])) in to_erase, False
        if not is_gone or not line.startswith(_QUOTE):
            kept.append(line)
        elif not is_marked:
            kept.append(f"{_QUOTE} [{ERASED}]\n")
            is_marked = True
    return "".join(kept)


class _Form(NamedTuple):
    """A text as it may stand in a file, and what finds it there."""

    plain: str
    pattern: "re.Pattern[str]"
    is_short: bool


@lru_cache(4)
def _forms_of(wanted: tuple[str, ...]) -> list[_Form]:
    """Return how texts may stand in a file: as a quote, a list, in JSON, composed or not; longest first."""
    found: dict[str, None] = {}
    for text in wanted:
        quoted = text.replace("\n", "\n> ")
        listed = "\n- ".join(text.splitlines())
        escaped = [json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (False, True)]
        for form in (text, quoted, listed, *escaped):
            found |= dict.fromkeys([form, *(unicodedata.normalize(kind, form) for kind in ("NFC", "NFD"))])
    forms = sorted((form for form in found if form.strip()), key=len, reverse=True)
    return [_Form(same_value(form), _pattern(form), len(form) < _SHORT) for form in forms]


def _pattern(form: str) -> "re.Pattern[str]":
    """Return what finds a text in any case and however its words are parted, in lines or by spaces."""
    return re.compile(r"\s+".join(map(re.escape, form.split())), re.IGNORECASE)


def erased(text: str, wanted: Collection[str]) -> str:
    """Return *text* without any of the texts in *wanted*; lines that held nothing else are gone."""
    forms = _forms_of(tuple(wanted))
    plain = same_value(text)  # looking there first is many times faster
    for form in [form for form in forms if form.plain in plain]:
        text = _without(text, form)
    return text


def holds(text: str, wanted: Collection[str]) -> bool:
    """Return whether any of the texts in *wanted* would be erased from *text*."""
    return erased(text, wanted) != text


def erased_text(text: str, wanted: Collection[str], *, heading: bool = False) -> str:
    """Return a text of which nothing else is left as a word; a *heading* as it is treated in a file."""
    if heading and text:
        return erased(f"## {text}", wanted)[3:] or ERASED
    cleaned = erased(text, wanted)
    return ERASED if text in wanted or (text and not cleaned.strip()) else cleaned


def erased_strings(value: Any, wanted: Collection[str]) -> Any:
    """Return a JSON value without the texts in *wanted*, wherever they stand in it."""
    return every_string(value, lambda text, _: erased_text(text, wanted))


def _without(text: str, form: _Form) -> str:
    parts: list[str] = []
    place = 0
    while match := form.pattern.search(text, place):
        found, end = match.span()
        start, stop = text.rfind("\n", 0, found) + 1, text.find("\n", end)
        stop = len(text) if stop < 0 else stop + 1
        alone = _BULLET.fullmatch(text, start, found) and not text[end:stop].strip()
        if alone and start >= place:
            parts.append(text[place:start])
            place = stop
        elif form.is_short or text.startswith(_TITLE, start) or not _is_whole(text, found, end):
            parts.append(text[place:end])
            place = end
        else:
            parts += [text[place:found], ERASED_MARK]
            place = end
    return "".join([*parts, text[place:]])


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether a span is not the middle of a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (text[start].isalnum() and before.isalnum()) and not (
        text[end - 1].isalnum() and after.isalnum()
    )


def without_headings(text: str, keys: Collection[str]) -> str:
    """Return MEMORY.md without the headings of these keys, as compared, that nothing stands under."""
    parts: list[str] = []
    for section in parse_sections(text):
        is_bare = not MARKER.sub("", section.body).strip()
        gone = section.level == 2 and is_bare and same_key(section.title) in keys
        parts.append(section.body.lstrip("\r\n") if gone else section.heading + section.body)
    return "".join(parts)


def without_turn(
    fields: Mapping[str, Any], hidden: Callable[[str], str], *, off: bool = False
) -> dict[str, Any]:
    """Return a line of a transcript without all that was said in it, and whatever was kept with it.

    With *off*, as what was said off the record is written down. Its name may be a digest, which is *hidden*.
    """
    ref = {REF: hidden(fields[REF])} if fields.get("origin") == _IMPORTED and REF in fields else {}
    left = {name: fields[name] for name in _OF_A_TURN if name in fields} | ref
    return left | ({"text": "", OFF: True} if off else {"text": ERASED})


def without_text(fields: Mapping[str, Any], texts: Collection[str], keys: Collection[str]) -> dict[str, Any]:
    """Return a line of a transcript without these texts, and without these keys in calls of tools.

    They are looked for in what was said and in all that was kept with it, by any name.
    """

    def cleaned(inner: Any) -> Any:
        return _without_keys(erased_strings(inner, texts), keys)

    kept = set(_OF_A_TURN) - {"text"}
    return {name: inner if name in kept else cleaned(inner) for name, inner in fields.items()}


def _without_keys(value: Any, keys: Collection[str]) -> Any:
    if isinstance(value, list):
        return [_without_keys(inner, keys) for inner in value]
    if not isinstance(value, dict):
        return value
    found = {name: _without_keys(inner, keys) for name, inner in value.items()}
    gone = [name for name in _KEYS if isinstance(found.get(name), str) and same_key(found[name]) in keys]
    return found | dict.fromkeys(gone, ERASED)

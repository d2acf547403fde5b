"""JSON that is too long to be read whole: the elements of an array, one at a time."""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from almario.importing.arrivals import Skipped
from almario.importing.fields import Fields, fields_at, unread
from almario.importing.source import TOO_LONG, WHOLE, Entry, Export
from almario.plugins import Sentence

_PIECE = 2**16
_BLANK = " \t\r\n"
_CUT = Sentence("it ends in the middle, or is no JSON")
_decode = json.JSONDecoder().raw_decode


def objects(entry: Entry) -> Iterator[Fields | Skipped]:
    """Yield the objects of a file's array; what cannot be read is named, and ends it."""
    number = 0
    try:
        with entry.stream() as stream:
            for number, value in enumerate(elements(stream), 1):
                yield fields_at(f"{entry.name} [{number}]", value)
    except (ValueError, OSError) as exc:
        yield unread(f"{entry.name} [{number + 1}]", exc)


def first_of(entry: Entry) -> Fields:
    """Return the first object of a file's array, or the one that it is; without fields if it has none."""
    found = next(objects(entry), None)
    return found if isinstance(found, Fields) else Fields()


def whole(source: Export) -> Fields:
    """Return the one JSON object that a source is, or the first of its array; else one without fields."""
    entry = source.entries[0] if len(source.entries) == 1 else None
    is_json = entry and Path(entry.name.lower()).suffix in (".json", ".af", "")
    return first_of(entry) if entry and is_json else Fields()


def elements(stream: IO[bytes]) -> Iterator[Any]:
    """Yield the elements of an array, or the one value that a file is; ValueError where it is damaged."""
    text = _Text(stream)
    if text.peek() != "[":
        yield text.value()
        return
    text.skip()
    while text.peek() != "]":
        yield text.value()
        if text.peek() == ",":
            text.skip()
        elif text.peek() != "]":
            raise ValueError(_CUT)


class _Text:
    """What is left of a stream; it is read as far as it is needed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text, self._at = "", 0

    def peek(self) -> str:
        """Return the next sign that is no blank; nothing at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANK:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def skip(self) -> None:
        self._at += 1

    def value(self) -> Any:
        """Return the value that begins here; ValueError if there is none, or none that could be read."""
        self.peek()
        while True:
            try:
                found, end = _decode(self._text, self._at)
            except RecursionError as exc:
                raise ValueError(Sentence("it is nested too deeply")) from exc
            except ValueError as exc:
                if not self._more():
                    raise ValueError(_CUT) from exc
            else:
                if end < len(self._text) or not self._more():  # a number may go on
                    self._at = end
                    return found
            if len(self._text) - self._at > WHOLE:
                raise ValueError(TOO_LONG)

    def _more(self) -> bool:
        """Read on, as much again as is left, so that a long value is tried a few times only."""
        content = self._stream.read(max(_PIECE, len(self._text) - self._at))
        self._text = self._text[self._at :] + self._decoder.decode(content, final=not content)
        self._at = 0
        return bool(content)

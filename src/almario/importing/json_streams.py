"""JSON that is too long to be read whole: the elements of an array, or lines, one at a time."""

import codecs
import json
from collections.abc import Iterator
from typing import IO, Any

# One conversation may be so long.
_LONGEST = 64 * 2**20
_PIECE = 2**16
_BLANK = " \t\r\n"
_decode = json.JSONDecoder().raw_decode


def elements(stream: IO[bytes]) -> Iterator[Any]:
    """Yield the elements of an array, or the one value that a file is; ValueError where it is damaged."""
    text = _Text(stream)
    if text.peek() != "[":
        yield text.value()
        return
    text.skip()
    while (sign := text.peek()) != "]":
        if not sign:
            raise ValueError("it ends in the middle")
        yield text.value()
        if text.peek() == ",":
            text.skip()
        elif text.peek() != "]":
            raise ValueError("it ends in the middle" if not text.peek() else "it is no JSON")


def lines(stream: IO[bytes]) -> Iterator[tuple[int, Any]]:
    """Yield the number and value of each line; one that is no JSON is an exception in its place."""
    for number in range(1, 2**62):
        line = stream.readline(_LONGEST)
        if not line:
            return
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                yield number, ValueError("it is no JSON")


class _Text:
    """What is left of a stream; it is read as far as it is needed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text, self._at = "", 0
        self._is_over = False

    def peek(self) -> str:
        """Return the next sign that is no blank; nothing at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANK:
                    return self._text[self._at]
                self._at += 1
            if not self._more(_PIECE):
                return ""

    def skip(self) -> None:
        self._at += 1

    def value(self) -> Any:
        """Return the value that begins here; ValueError if there is none, or none that could be read."""
        self.peek()
        piece = _PIECE
        while True:
            try:
                found, end = _decode(self._text, self._at)
            except RecursionError as exc:
                raise ValueError("it is nested too deeply") from exc
            except ValueError as exc:
                if not self._more(piece):
                    raise ValueError("it ends in the middle, or is no JSON") from exc
            else:
                if end < len(self._text) or not self._more(_PIECE):  # a number may go on
                    self._at = end
                    return found
            if len(self._text) - self._at > _LONGEST:
                raise ValueError("it is too long")
            piece *= 2

    def _more(self, size: int) -> bool:
        """Read on; say whether there was more."""
        if self._is_over:
            return False
        content = self._stream.read(size)
        self._is_over = not content
        self._text = self._text[self._at :] + self._decoder.decode(content, final=self._is_over)
        self._at = 0
        return not self._is_over

"""Text as lines that join back to the same text."""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from almario.named_tuples import NamedTuple

_COMMENT = "<!--"
_COMMENT_END = "-->"


def split_lines(text: str) -> list[str]:
    """Split at newlines only, keeping them, so that joining gives *text* again."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def newline_of(text: str) -> str:
    """Return the line ending that *text* uses."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def ending_of(line: str) -> str:
    """Return how a line ends."""
    return line[len(line.rstrip("\r\n")) :]


def with_newlines_of(text: str, pattern: str) -> str:
    """Return *text* with the line endings of *pattern*."""
    return text.replace("\r\n", "\n").replace("\n", newline_of(pattern))


def folded(word: str) -> str:
    """Fold case, composition and the marks around a word, for comparing names."""
    return unicodedata.normalize("NFC", word).strip(" \t\r\n\ufeff*_`:").casefold()


def is_blank(line: str) -> bool:
    return not line.strip(" \t\r\n\ufeff")


def hidden_spans(lines: Sequence[str]) -> dict[int, int]:
    """Return where each code fence and comment begins and the line after it.

    One that is never closed is neither: it would hide all that is added below it.
    """
    spans: dict[int, int] = {}
    closers: Closers = {}
    index = 0
    while index < len(lines):
        end = hidden_end(lines, index, closers)
        if end > index:
            spans[index] = end
        index = max(end, index + 1)
    return spans


def hidden_end(lines: Sequence[str], index: int, closers: "Closers") -> int:
    """Return the line after the code fence or comment that begins at *index*, or *index* if none does.

    *closers* begins empty and carries from call to call what was found.
    """
    opener = _opener(lines[index])
    if not opener:
        return index
    if opener[0] not in closers:
        closers[opener[0]] = _closers(lines, opener, since=index)
    own_line = opener == _COMMENT  # a comment may end where it begins
    return _end(closers[opener[0]], index if own_line else index + 1, len(opener)) or index


class _Closer(NamedTuple):
    """A line that can close what is opened above it by at most *length* signs."""

    line: int
    length: int
    # The greatest length of this one and those below: says at once that nothing closes an opener.
    longest: int


Closers = dict[str, list[_Closer]]


def _closers(lines: Sequence[str], opener: str, *, since: int) -> list[_Closer]:
    found: list[_Closer] = []
    longest = 0
    for index in range(len(lines) - 1, since - 1, -1):
        if length := _closing_length(lines[index], opener):
            longest = max(longest, length)
            found.append(_Closer(index, length, longest))
    found.reverse()
    return found


def _end(closers: list[_Closer], first: int, length: int) -> int | None:
    place = bisect_left(closers, first, key=lambda closer: closer.line)
    if place == len(closers) or closers[place].longest < length:
        return None
    while closers[place].length < length:
        place += 1
    return closers[place].line + 1


def _opener(line: str) -> str:
    """Return the mark that opens a fence or a comment on this line, or nothing."""
    start = line.lstrip(" \t\ufeff")
    if start.startswith(_COMMENT):
        return _COMMENT
    rest = start.lstrip(start[:1]) if start.startswith(("```", "~~~")) else start
    is_inline = start.startswith("`") and "`" in rest
    return "" if is_inline else start[: len(start) - len(rest)]


def _closing_length(line: str, opener: str) -> int:
    if opener == _COMMENT:
        return len(_COMMENT) * (_COMMENT_END in line)
    mark = line.strip()
    return len(mark) if mark.startswith(opener[0] * 3) and not mark.strip(opener[0]) else 0


def plain_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield (index, line) of the lines that are in no code fence and no comment."""
    spans = hidden_spans(lines)
    index = 0
    while index < len(lines):
        if index in spans:
            index = spans[index]
        else:
            yield index, lines[index]
            index += 1


@lru_cache(16)
def without_comments(text: str) -> str:
    """Leave out HTML comments, and the lines that held nothing else."""
    parts: list[str] = []
    place = 0
    alone = True
    while (start := text.find(_COMMENT, place)) >= 0:
        end = text.find(_COMMENT_END, start + 2)
        if end < 0:  # never closed, so not a comment
            break
        parts.append(text[place:start])
        alone = text[start - 1 : start] == "\n" or (alone and start == place)
        place = end + len(_COMMENT_END)
        if alone:
            place += len(next((line for line in ("\r\n", "\n") if text.startswith(line, place)), ""))
    return "".join([*parts, text[place:]])

"""Text as lines that join back to the same text."""

import unicodedata
from collections.abc import Iterable, Iterator

_FENCES = ("```", "~~~")


def split_lines(text: str) -> list[str]:
    """Split at newlines only, keeping them, so that joining gives *text* again."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def newline_of(text: str) -> str:
    """Return the line ending that *text* uses."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def with_newlines_of(text: str, pattern: str) -> str:
    """Return *text* with the line endings of *pattern*."""
    return text.replace("\r\n", "\n").replace("\n", newline_of(pattern))


def folded(word: str) -> str:
    """Fold case, composition and the marks around a word, for comparing names."""
    return unicodedata.normalize("NFC", word).strip(" \t\r\n\ufeff*_`:").casefold()


def is_blank(line: str) -> bool:
    return not line.strip(" \t\r\n\ufeff")


def plain_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (index, line) of the lines that are in no code fence and no comment."""
    fence = ""
    in_comment = False
    for index, line in enumerate(lines):
        start = line.lstrip(" \t\ufeff")
        if in_comment:
            in_comment = "-->" not in line
        elif fence:
            if start.startswith(fence):
                fence = ""
        elif start.startswith(_FENCES):
            fence = start[:3]
        elif start.startswith("<!--"):
            in_comment = "-->" not in line
        else:
            yield index, line


def without_comments(text: str) -> str:
    """Leave out HTML comments, and the lines that held nothing else."""
    parts: list[str] = []
    rest = text
    while True:
        before, opened, after = rest.partition("<!--")
        parts.append(before)
        _, closed, rest = after.partition("-->")
        if not opened:
            break
        if not closed:  # never closed, so not a comment
            parts.append(opened + after)
            break
        at_line_start = not parts[-1] or parts[-1].endswith("\n")
        if at_line_start:
            rest = rest.removeprefix("\r").removeprefix("\n")
    return "".join(parts)

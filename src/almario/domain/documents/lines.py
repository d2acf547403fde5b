"""Text as lines that join back to the same text."""

import unicodedata
from collections.abc import Iterator, Sequence

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
    unclosed: set[str] = set()
    index = 0
    while index < len(lines):
        opener = _opener(lines[index])
        # What a short fence lacks below it, a longer one lacks too: no search is made twice.
        if opener and not any(opener.startswith(short) for short in unclosed):
            below = range(index if opener == _COMMENT else index + 1, len(lines))
            end = next((place + 1 for place in below if _closes(lines[place], opener)), None)
            if end:
                spans[index] = end
            else:
                unclosed.add(opener)
        index = spans.get(index, index + 1)
    return spans


def _opener(line: str) -> str:
    """Return the mark that opens a fence or a comment on this line, or nothing."""
    start = line.lstrip(" \t\ufeff")
    if start.startswith(_COMMENT):
        return _COMMENT
    rest = start.lstrip(start[:1]) if start.startswith(("```", "~~~")) else start
    is_inline = start.startswith("`") and "`" in rest
    return "" if is_inline else start[: len(start) - len(rest)]


def _closes(line: str, opener: str) -> bool:
    if opener == _COMMENT:
        return _COMMENT_END in line
    mark = line.strip()
    return len(mark) >= len(opener) and not mark.strip(opener[0])


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

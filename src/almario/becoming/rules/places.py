"""How a place in a soul file is read: below which headings, in which fence; and what would change that."""

import re
from collections.abc import Iterator, Sequence

from almario.domain.documents.lines import is_blank, split_lines
from almario.domain.messages import Sentence
from almario.domain.plain_text import MIXED_SCRIPTS, regex, shortened
from almario.named_tuples import NamedTuple

_SIGNS = regex(r"[ \t>\ufeff]*(#{1,6})(?=[ \t\r\n]|$)")
_UNDERLINE = regex(r"[ \t>]*(=+|-+)[ \t]*\r?\n?$")
_TAG = regex(r"<h([1-6])\b", re.IGNORECASE)
_FENCE = regex(r"[ \t>]*(`{3,}|~{3,})(.*)", re.DOTALL)
# The same limits as those of Markdown: a comment may end in the hyphens it begins with.
_COMMENT, _COMMENT_END = "<!--", "-->"

_TAGS = "details|summary|script|style|template|textarea|title|iframe|noscript|pre|xmp|plaintext|div|section"
# Headings, also quoted or underlined; comments, which lock; fences, tags and definitions of links, which
# hide; headings of HTML.
_DIVIDING = regex(
    r"^[\s>]*\[[^\]]+\]:\s*\S+\s*(?:[\"'(].*)?$|"
    rf"^[\s>*+-]*#{{1,6}}(?:\s|$)|##\s|<!--|-->|^[\s>]*(?:```|~~~)|^[\s>]*(?:=+|-{{2,}})\s*$|</?(?:h[1-6]|{_TAGS})\b|<[!?]",
    re.IGNORECASE,
)
_SHOWN = 60


class SectionPlace(NamedTuple):
    """How a place is read: below which headings, in which fence, in a comment, after what on its line."""

    headings: tuple[str, ...]
    fence: str
    in_comment: bool
    line: str


def headings_in(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the index and level of each line that could be a heading, underlined ones included."""
    for index, line in enumerate(lines):
        found = _SIGNS.match(line)
        tag = _TAG.search(line)
        below = _UNDERLINE.match(lines[index + 1]) if index + 1 < len(lines) else None
        if found:
            yield index, len(found[1])
        elif tag:
            yield index, int(tag[1])
        elif below and not is_blank(line) and not _UNDERLINE.match(line):
            yield index, 1 if below[1][0] == "=" else 2


def place_of(text: str, start: int) -> SectionPlace:
    """Return how the place at *start* is read, by what stands above it."""
    lines = split_lines(text[:start])
    begun = lines.pop() if lines and not lines[-1].endswith("\n") else ""
    chain: dict[int, str] = {}
    for index, level in headings_in(lines):
        chain = {above: title for above, title in chain.items() if above < level}
        chain[level] = lines[index].rstrip()
    return SectionPlace(tuple(chain.values()), _fence_at_end(lines), _is_in_comment(text, start), begun)


def _fence_at_end(lines: Sequence[str]) -> str:
    fence = ""
    for line in lines:
        if not (found := _FENCE.match(line)):
            continue
        signs, rest = found[1], found[2]
        if not fence:
            fence = "" if signs[0] == "`" and "`" in rest else signs
        elif signs.startswith(fence) and not rest.strip():
            fence = ""
    return fence


def _is_in_comment(text: str, start: int) -> bool:
    place = 0
    while 0 <= (opened := text.find(_COMMENT, place)) < start:
        end = text.find(_COMMENT_END, opened + 2)
        place = end + len(_COMMENT_END)
        if end < 0 or place > start:
            return True
    return False


def harm_in(text: str) -> Sentence | None:
    """Return how a text would change how a file is read, or pass for another text; None if it would not."""
    for line in text.split("\n"):
        if _DIVIDING.search(line):
            return Sentence(
                'it would change how the file is divided: "{words}"', words=shortened(line, _SHOWN)
            )
    if mixed := next(filter(MIXED_SCRIPTS.search, text.split()), ""):
        return Sentence('it mixes alphabets in one word: "{words}"', words=shortened(mixed, _SHOWN))
    return None

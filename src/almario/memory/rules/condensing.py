"""Making a log or HISTORY.md shorter: which lines may go, and what takes their place.

Lines are told apart by their exact text; whatever is no entry of ours (prose,
headings, what strangers said) is not touched.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from almario.domain.documents.daily import bulleted, entry_text, has_mark
from almario.domain.documents.lines import split_lines, with_newlines_of
from almario.domain.plain_text import regex
from almario.memory.rules.sources import SourceEntry, day_in, entries_of
from almario.named_tuples import NamedTuple

_CLOCK = regex(r"[-*+][ \t]+\[(\d{1,2}:\d{2})")
_SPAN = regex(r"\((\d{4}-\d{2}-\d{2}) – \d{4}-\d{2}-\d{2}\)")
_DIGITS = regex(r"\d+")


class LogBlock(NamedTuple):
    """An entry with its lines as they stand in the file; *clock* is its hour in a daily log."""

    raw: str
    text: str
    day: date | None = None
    clock: str = ""


def blocks_of(path: str, text: str, *, is_strange: Callable[[str], bool] = lambda _: False) -> list[LogBlock]:
    """Return the bullets of a log or of HISTORY.md that may be condensed, in the order of the file."""
    found = [block for _, block in _blocks(path, text)]
    return [block for block in found if not has_mark(block.raw) and not is_strange(block.text)]


def lines_in(blocks: Iterable[LogBlock]) -> int:
    return sum(block.raw.count("\n") for block in blocks)


def older_half(blocks: Sequence[LogBlock]) -> list[LogBlock]:
    return sorted(blocks, key=lambda block: block.day or date.max)[: len(blocks) // 2]


def fitting(blocks: Sequence[LogBlock], chars: int) -> list[LogBlock]:
    """Return the first entries, no more than can be read at once."""
    kept, room = [], chars
    for block in blocks:
        room -= len(block.raw)
        if room < 0:
            break
        kept.append(block)
    return kept


def paragraph(blocks: Sequence[LogBlock], text: str) -> str:
    """Return a paragraph as an entry of HISTORY.md, with the days from the first to the last it tells of."""
    days = [block.day for block in blocks if block.day]
    days += [day for block in blocks if (span := _SPAN.match(block.text)) and (day := day_in(span[1]))]
    return f"- [{max(days)}] ({min(days)} – {max(days)}) {in_a_bullet(text)}\n"


def log_line(clock: str, text: str) -> str:
    """Return an entry of a daily log in one line."""
    return f"- [{clock}] {in_a_bullet(text)}\n"


def in_a_bullet(text: str) -> str:
    """Return a text as it stands in an entry: in one line; nothing may be left of it."""
    return bulleted(" ".join(entry_text(text).split()), is_trusted=True)


def invents(text: str, blocks: Iterable[LogBlock]) -> bool:
    """Return whether a text has a number that none of the entries has."""
    known = {int(number) for block in blocks for number in _DIGITS.findall(block.raw)}
    return any(int(number) not in known for number in _DIGITS.findall(text))


def replaced(path: str, text: str, leaving: Sequence[LogBlock], new: Sequence[str]) -> str | None:
    """Return a file's text with *new* lines where the first of the *leaving* ones stood.

    None if one of those is not there any more, as it was.
    """
    gone = Counter(block.raw for block in leaving)
    lines = split_lines(text)
    kept: list[str] = []
    place = at = 0
    for entry, block in _blocks(path, text):
        if gone[block.raw]:
            gone[block.raw] -= 1
            kept += lines[at : entry.line - 1]
            if place == 0:
                place = len(kept) + 1
            at = entry.line - 1 + entry.lines
    if any(gone.values()):
        return None
    kept += lines[at:]
    kept[place - 1 : place - 1] = [with_newlines_of(line, text) for line in new]
    return "".join(kept)


def _blocks(path: str, text: str) -> list[tuple[SourceEntry, LogBlock]]:
    lines = split_lines(text)
    found = []
    for entry in entries_of(path, text):
        raw = "".join(lines[entry.line - 1 : entry.line - 1 + entry.lines]).replace("\r\n", "\n")
        if raw.startswith(("-", "*", "+")):
            clock = _CLOCK.match(raw)
            block = LogBlock(raw.rstrip("\n") + "\n", entry.text, entry.day, clock[1] if clock else "")
            found.append((entry, block))
    return found

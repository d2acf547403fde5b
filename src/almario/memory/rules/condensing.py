"""Making a log or HISTORY.md shorter: which entries may go, and what takes their place.

Entries are told apart by their exact text; whatever is no entry of ours (prose,
headings, what strangers said) is not touched.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from almario.domain.documents.daily import bulleted, entry_text, has_mark
from almario.domain.documents.lines import split_lines, with_newlines_of
from almario.domain.plain_text import regex
from almario.memory.rules.provenance import LEAST_IN_OTHER_WORDS, borne_out
from almario.memory.rules.sources import SourceEntry, entries_of
from almario.named_tuples import NamedTuple

_CLOCK = regex(r"[-*+][ \t]+\[(\d{1,2}:\d{2})")


class LogBlock(NamedTuple):
    """An entry with its lines as they stand in the file; *clock* is its hour in a daily log."""

    raw: str
    text: str
    day: date | None = None
    clock: str = ""


class Shorter(NamedTuple):
    """A line that takes the place of entries."""

    line: str
    text: str
    of: tuple[LogBlock, ...]


def blocks_of(
    path: str, text: str, *, stays: Callable[[SourceEntry], bool] = lambda _: False
) -> list[LogBlock]:
    """Return the bullets of a log or of HISTORY.md that may leave it, in the order of the file."""
    return [block for entry, block in _blocks(path, text) if not has_mark(block.raw) and not stays(entry)]


def fitting(blocks: Sequence[LogBlock], chars: int) -> list[LogBlock]:
    """Return the first entries, no more than can be read at once."""
    kept: list[LogBlock] = []
    for block in blocks:
        chars -= len(block.raw)
        if chars < 0:
            break
        kept.append(block)
    return kept


def shorter_lines(lines: Sequence[Mapping[str, Any]], blocks: Sequence[LogBlock]) -> list[Shorter]:
    """Return the lines of a reply that are shorter than the entries they stand for, and say nothing else.

    A reply numbers the entries from 1. Those of a line that is not taken stay as they are.
    """
    found: list[Shorter] = []
    used = set[int]()
    for each in lines:
        numbers = sorted(set(each["of"]))
        if (
            len(numbers) < 2
            or used.intersection(numbers)
            or not 1 <= numbers[0] <= numbers[-1] <= len(blocks)
        ):
            continue
        of = tuple(blocks[n - 1] for n in numbers)
        said = " ".join(entry_text(each["text"]).split())
        if borne_out(said, [block.raw for block in of], least=LEAST_IN_OTHER_WORDS) != said:
            continue
        text = bulleted(said, is_trusted=True)
        line = f"- [{of[0].clock}] {text}\n" if of[0].clock else _of_days(of, text)
        if text and len(line) < sum(len(block.raw) for block in of):
            used.update(numbers)
            found.append(Shorter(line, text, of))
    return sorted(found, key=lambda each: blocks.index(each.of[0]))


def _of_days(blocks: Sequence[LogBlock], text: str) -> str:
    days = sorted(block.day for block in blocks if block.day)
    return f"- [{days[-1]}] ({days[0]} – {days[-1]}) {text}\n"


def replaced(path: str, text: str, new: Sequence[Shorter]) -> str | None:
    """Return a file's text with each new line where the first of its entries stood.

    None if one of those is not there any more, as it was.
    """
    gone = Counter(block.raw for each in new for block in each.of)
    first = {each.of[0].raw: each.line for each in new}
    lines, kept, at = split_lines(text), list[str](), 0
    for entry, block in _blocks(path, text):
        if gone[block.raw]:
            gone[block.raw] -= 1
            kept += lines[at : entry.line - 1]
            if line := first.pop(block.raw, ""):
                kept.append(with_newlines_of(line, text))
            at = entry.line - 1 + entry.lines
    return None if any(gone.values()) else "".join(kept + lines[at:])


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

"""A daily log: `- [14:30] text` bullets, or `## [14:30:15] category` with a paragraph.

`[untrusted]` after the time says that an entry comes from someone who is not trusted.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, time
from functools import lru_cache

from almario.domain.documents.bullets import guard_arrows, unguard_arrows
from almario.domain.documents.document import encoded
from almario.domain.documents.lines import is_blank, plain_lines, split_lines
from almario.domain.events import Filing
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

_BULLET = regex(r"[-*+][ \t]+\[(\d{1,2}:\d{2}(?::\d{2})?)\][ \t]*(.*)")
_HEADED = regex(r"##[ \t]+\[(\d{1,2}:\d{2}(?::\d{2})?)\][ \t]*(.*)")
_MARK = regex(r"(?:\[untrusted\][ \t]*)+", re.IGNORECASE)
_LOG = regex(r"memory/(\d{4}-\d{2}-\d{2})\.md")
UNTRUSTED = "[untrusted] "


class LogEntry(NamedTuple):
    """One entry: its first line and its last, counted from 1."""

    at: time
    text: str
    category: str
    line: int
    last: int
    is_trusted: bool = True


def log_path(day: date) -> str:
    return f"memory/{day.isoformat()}.md"


def log_day(name: str) -> date | None:
    """Return the day whose log has that name; None if it is no log's."""
    found = _LOG.fullmatch(name)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def log_title(day: date) -> str:
    return f"# Memory Log: {day.isoformat()}\n\n"


def log_filing(day: date, at: time, text: str, *, is_trusted: bool = True) -> Filing:
    """Return the entry as text owed to its day's file; further lines are indented under the bullet."""
    return Filing(log_path(day), f"- [{at:%H:%M}] {bulleted(text, is_trusted=is_trusted)}\n", log_title(day))


def bulleted(text: str, *, is_trusted: bool) -> str:
    """Return a text as it stands in a bullet after its time or date, marked if it is not trusted."""
    bullet = guard_arrows(log_text(text)).replace("\n", "\n  ")
    return bullet if is_trusted else UNTRUSTED + bullet


def log_text(text: str) -> str:
    """Return a text as its entry will hold it: no blank lines, no spaces around lines."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return "\n".join(line for line in lines if not is_blank(line))


def entry_text(text: str) -> str:
    """Return a text as it can be told in an entry and read back unchanged: it begins with no mark."""
    fit = log_text(text)
    while (bare := log_text(unmarked(fit)[0])) != fit:
        fit = bare
    return fit


def unmarked(text: str) -> tuple[str, bool]:
    """Return an entry's text without the mark of those who are not trusted, and whether it is trusted."""
    found = _MARK.match(text)
    return (text[found.end() :], False) if found else (text, True)


def has_mark(text: str) -> bool:
    """Return whether the mark of those who are not trusted stands anywhere in a text."""
    return _MARK.search(text) is not None


def without_mark(line: str) -> str:
    """Return the first line of an entry without the mark, whatever stands before and after it."""
    head, bracket, rest = line.partition("]")
    gap = rest[: len(rest) - len(rest.lstrip(" \t"))]
    return head + bracket + gap + unmarked(rest[len(gap) :])[0]


@lru_cache(8)
def log_lines(text: str) -> list[tuple[int, str]]:
    """Return what stands in a daily log, by the numbers of its lines: entries whole, and other lines.

    The title is left out, and the entries of those who are not trusted.
    """
    lines = [line.rstrip() for line in split_lines(text.lstrip("\ufeff"))]
    entries = {entry.line: entry for entry in parse_log(text)}
    inside = {n for entry in entries.values() for n in range(entry.line, entry.last + 1)}
    found = []
    for number, line in enumerate(lines, 1):
        if (entry := entries.get(number)) and entry.is_trusted:
            found.append((number, "\n".join(lines[number - 1 : entry.last]).rstrip()))
        elif number not in inside and line and not (number == 1 and line.startswith("# ")):
            found.append((number, line))
    return found


def parse_log(text: str) -> list[LogEntry]:
    """Return the entries of a daily log in either shape; other lines are nobody's entry."""
    lines = split_lines(text)
    # An indented line is part of the entry above it: a fence it opens hides no other entry.
    flush_left = ["" if line[0] in " \t" else line for line in lines]
    shown = {index for index, _ in plain_lines(flush_left)}
    starts = []
    for index, line in enumerate(flush_left):
        stripped = line.lstrip("\ufeff").rstrip()
        headed = _HEADED.match(stripped)
        found = headed or _BULLET.match(stripped)
        # A code fence or a comment around it makes no stranger's words the owner's.
        if index not in shown and not (found and _MARK.match(found[2])):
            continue
        if found:
            starts.append((index, found[1], found[2], bool(headed)))
        elif stripped.startswith(("# ", "## ")):
            starts.append((index, "", "", True))
    entries = []
    for place, (index, clock, rest, headed_shape) in enumerate(starts):
        end = starts[place + 1][0] if place + 1 < len(starts) else len(lines)
        at = _time(clock)
        if at is None:
            continue
        if headed_shape:
            paragraph = "".join(lines[index + 1 : end]).strip()
            category, is_trusted = unmarked(rest)
            entries.append(LogEntry(at, paragraph, category.strip(), index + 1, end, is_trusted))
        else:
            more = [line.strip() for line in _indented(lines[index + 1 : end])]
            first, is_trusted = unmarked(rest)
            last = index + 1 + len(more)
            entry_text = unguard_arrows("\n".join([first, *more]))
            entries.append(LogEntry(at, entry_text, "", index + 1, last, is_trusted))
    return entries


def _indented(lines: list[str]) -> list[str]:
    kept = []
    for line in lines:
        if is_blank(line) or line[0] not in " \t":
            break
        kept.append(line)
    return kept


def _time(clock: str) -> time | None:
    try:
        return time.fromisoformat(clock.zfill(8 if clock.count(":") == 2 else 5))
    except ValueError:
        return None


def with_filing(content: bytes | None, filing: Filing, *, again: bool) -> bytes | None:
    """Return a document with a filing's text at its end; None if that is done *again*, and it is there."""
    new = encoded(filing.text)
    if again and count_of(content, filing) >= filing.nth:
        return None
    before = content or encoded(filing.title)
    gap = b"\n" if content and not content.endswith(b"\n") else b""
    return before + ((gap + new).replace(b"\n", b"\r\n") if b"\r\n" in before else gap + new)


def counted(filings: Sequence[Filing], read: Callable[[str], bytes | None]) -> tuple[Filing, ...]:
    """Say in each filing which of the equal texts in its document it is going to be."""
    found: list[Filing] = []
    for filing in filings:
        before = sum((each.path, each.text) == (filing.path, filing.text) for each in found)
        found.append(filing._replace(nth=count_of(read(filing.path), filing) + before + 1))
    return tuple(found)


def count_of(content: bytes | None, filing: Filing) -> int:
    """Count how often a text stands in a document as whole lines, with no further lines that belong to it."""
    lines = b"\n" + (content or b"").replace(b"\r\n", b"\n")
    wanted = b"\n" + encoded(filing.text)
    count = 0
    place = lines.find(wanted)
    while place >= 0:
        count += lines[place + len(wanted) :][:1] not in (b" ", b"\t")
        place = lines.find(wanted, place + 1)
    return count

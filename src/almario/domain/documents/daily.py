"""A daily log: `- [14:30] text` bullets, or `## [14:30:15] category` with a paragraph."""

import re
from dataclasses import dataclass
from datetime import date, time

from almario.domain.documents.lines import is_blank, plain_lines, split_lines
from almario.domain.events import Filing

_BULLET = re.compile(r"[-*+][ \t]+\[(\d{1,2}:\d{2}(?::\d{2})?)\][ \t]*(.*)")
_HEADED = re.compile(r"##[ \t]+\[(\d{1,2}:\d{2}(?::\d{2})?)\][ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class LogEntry:
    at: time
    text: str
    category: str
    line: int


def log_path(day: date) -> str:
    return f"memory/{day.isoformat()}.md"


def log_title(day: date) -> str:
    return f"# Memory Log: {day.isoformat()}\n\n"


def log_filing(day: date, at: time, text: str) -> Filing:
    """Return the entry as text owed to its day's file; further lines are indented under the bullet."""
    bullet = log_text(text).replace("\n", "\n  ")
    return Filing(log_path(day), f"- [{at:%H:%M}] {bullet}\n", log_title(day))


def log_text(text: str) -> str:
    """Return a text as its entry will hold it: no blank lines, no spaces around lines."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return "\n".join(line for line in lines if not is_blank(line))


def parse_log(text: str) -> list[LogEntry]:
    """Return the entries of a daily log in either shape; other lines are nobody's entry."""
    lines = split_lines(text)
    # An indented line is part of the entry above it: a fence it opens hides no other entry.
    flush_left = ["" if line[0] in " \t" else line for line in lines]
    starts = []
    for index, line in plain_lines(flush_left):
        stripped = line.lstrip("\ufeff").rstrip()
        headed = _HEADED.match(stripped)
        if found := headed or _BULLET.match(stripped):
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
            entries.append(LogEntry(at, paragraph, rest.strip(), index + 1))
        else:
            more = [line.strip() for line in _indented(lines[index + 1 : end])]
            entries.append(LogEntry(at, "\n".join([rest, *more]), "", index + 1))
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


def without_title(text: str) -> str:
    """Return the log without its `# Memory Log` heading."""
    lines = split_lines(text.lstrip("\ufeff"))
    if lines and lines[0].startswith("# "):
        lines = lines[1:]
    return "".join(lines).strip()

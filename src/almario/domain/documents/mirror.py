"""MEMORY.md as a mirror of the live facts: which facts its lines show.

A fact is a `- value` bullet with the indented lines below it, under a `## key`
heading. The last line, the marker, says which state of the ledger was
rendered. All else is the owner's own.
"""

import re
from collections.abc import Callable, Container, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from almario.domain.documents.guards import bullet_value, heading_key
from almario.domain.documents.lines import Closers, folded, hidden_end, split_lines
from almario.domain.documents.sections import heading_of
from almario.domain.memories import Memory

# The instant is not checked here: one that was spoilt by hand is still our line.
MARKER = re.compile(r"<!-- almario ([0-9]{1,18}) ([0-9]{4}-[0-9T:.Z+-]*) -->")

SPACES = " \t\r\n"
BOM = "\ufeff"
_BULLET = re.compile(r"[-*+][ \t]+(?=[^ \t\r\n])")
_RULE = re.compile(r"([-*])(?:[ \t]*\1){2,}[ \t\r\n]*\Z")

Fact = tuple[str, str]
# Returns a key and a value as the ledger holds them, without their secrets.
Redact = Callable[[str, str], Fact]


class Marker(NamedTuple):
    """Which state of the ledger a file shows, and when it was shown."""

    seq: int
    at: datetime

    def __str__(self) -> str:
        return f"<!-- almario {self.seq} {self.at.astimezone(UTC).isoformat().replace('+00:00', 'Z')} -->"


class FactLine(NamedTuple):
    """One fact as it stands in the file, and its first and last line."""

    key: str
    value: str
    first: int
    last: int


class Heading(NamedTuple):
    """A heading that ends the section above it; only one of the second level has a key."""

    line: int
    key: str | None


class Parsed(NamedTuple):
    """A file's lines, which join back to its text after *bom*, and what was found in them."""

    bom: str
    lines: tuple[str, ...]
    facts: tuple[FactLine, ...]
    headings: tuple[Heading, ...]
    markers: tuple[int, ...]

    @property
    def marker(self) -> Marker | None:
        """The last marker; what the owner added below it does not make it less true."""
        found = MARKER.match(self.lines[self.markers[-1]].lstrip(BOM)) if self.markers else None
        if not found:
            return None
        try:
            at = datetime.fromisoformat(found[2])
        except ValueError:
            return None
        return Marker(int(found[1]), at) if at.tzinfo else None


@lru_cache(2)
def parse(text: str, *, default_key: str) -> Parsed:
    """Find the facts of a file; a bullet under no `## key` heading has the default key."""
    body = text.lstrip(BOM)
    lines = split_lines(body)
    shown = [_shown(line) for line in lines]
    facts: list[FactLine] = []
    headings: list[Heading] = []
    markers: list[int] = []
    closers: Closers = {}
    key = default_key
    index = 0
    while index < len(lines):
        line = shown[index]
        if (hidden := hidden_end(shown, index, closers)) > index:
            index = hidden
            continue
        end = index + 1
        if heading := heading_of(line):
            level, title = heading
            key = heading_key(title) if level == 2 and title else default_key
            headings.append(Heading(index, key if level == 2 else None))
        elif (sign := _BULLET.match(line)) and not _RULE.match(line):
            end = _end(shown, index)
            value = bullet_value(line[sign.end() :], shown[index + 1 : end])
            if value.split():
                facts.append(FactLine(key, value, index, end - 1))
        markers += [spot for spot in range(index, end) if not shown[spot]]
        index = end
    return Parsed(text[: len(text) - len(body)], tuple(lines), tuple(facts), tuple(headings), tuple(markers))


def _shown(line: str) -> str:
    """Return a line as it is read.

    A byte order mark inside a file, where two were joined, may come to stand at its beginning. A marker is
    as good as absent: it closes no comment, and parts no fact from its lines.
    """
    line = line.lstrip(BOM)
    return "" if line.startswith("<!-- almario ") and MARKER.fullmatch(line.rstrip(SPACES)) else line


def _end(lines: Sequence[str], start: int) -> int:
    """Return the line after a bullet's last indented line; blank ones between them are the bullet's too."""
    end = index = start + 1
    while index < len(lines):
        blank = not lines[index].strip(SPACES)
        if not blank and lines[index][0] not in " \t":
            break
        index += 1
        end = end if blank else index
    return end


@lru_cache(maxsize=1024)
def place(key: str) -> str:
    """Return what two spellings of a key have in common."""
    return folded(" ".join(key.split()))


def same(key: str, value: str) -> Fact:
    """Return what two writings of a fact have in common: spaces and line breaks make no other fact."""
    return place(key), " ".join(value.split())


def by_fact(memories: Iterable[Memory]) -> dict[Fact, list[Memory]]:
    """Group the memories that a file can show by what makes their lines equal."""
    found: dict[Fact, list[Memory]] = {}
    for memory in memories:
        if memory.key.split() and memory.value.split():
            found.setdefault(same(memory.key, memory.value), []).append(memory)
    return found


def known(line: FactLine, facts: Container[Fact], redact: Redact | None) -> Fact | None:
    """Return which of *facts* a line shows; the ledger may hold it with its secrets redacted."""
    found = same(line.key, line.value)
    if found not in facts and redact:
        found = same(*redact(line.key, line.value))
    return found if found in facts else None

"""MEMORY.md as a mirror of the live facts: which facts its lines show.

A fact is a bullet with the indented lines below it. Its key is its own label
(`- key: value`), or else the heading above it; under no heading, or one such as
`## Notes`, it has none. The last line, the marker, says which state of the
ledger was rendered. All else is the owner's own.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from almario.domain.documents.bullets import bullet_value, heading_key, label_in
from almario.domain.documents.headings import heading_of, parse_sections
from almario.domain.documents.lines import Closers, folded, hidden_end, is_blank, split_lines
from almario.domain.memories import Memory, same_key
from almario.domain.messages import say
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

# The instant is not checked here: one that was spoilt by hand is still our line. Before there was a version,
# bullets were not the only facts (see `older_lines`).
MARKER = regex(r"<!-- almario ([0-9]{1,18}) ([0-9]{4}-[0-9T:.Z+-]*)( v2)?(?:; ([^<>\n]*))? -->")

SPACES = " \t\r\n"
BOM = "\ufeff"
# The headings of what has no key: the whole catalogue takes long to load.
NOTES, _NOTES_IN = "Notes", {"es": "Notas"}
# As they are compared.
NAMELESS = frozenset(folded(title) for title in (NOTES, *_NOTES_IN.values()))
_DEEPER = regex(r"#{3,6}[ \t]+(?=\S)")
_BULLET = regex(r"[-*+][ \t]+(?=[^ \t\r\n])")
_RULE = regex(r"([-*])(?:[ \t]*\1){2,}[ \t\r\n]*\Z")

Fact = tuple[str, str]
# Returns a key and a value as the ledger holds them, without their secrets.
Redact = Callable[[str, str], Fact]


class Marker(NamedTuple):
    """Which state of the ledger a file shows, when it was shown, and where the *rest* is if not all is."""

    seq: int
    at: datetime
    rest: str = ""

    def __str__(self) -> str:
        at = self.at.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return f"<!-- almario {self.seq} {at} v2{'; ' if self.rest else ''}{self.rest} -->"


class FactLine(NamedTuple):
    """One fact as it stands in the file: its first and last line, what is before and after its value."""

    key: str
    value: str
    first: int
    last: int
    lead: str = "- "
    tail: str = ""

    @property
    def is_labelled(self) -> bool:
        """Whether the key stands in the line itself."""
        return self.lead.strip(SPACES) not in ("-", "*", "+")


class Heading(NamedTuple):
    """A heading that ends the section above it; one of the first level has no key."""

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
        return Marker(int(found[1]), at, found[4] or "") if at.tzinfo else None

    @property
    def is_older(self) -> bool:
        """Whether an earlier version wrote it, to which other lines than bullets were facts, too."""
        found = MARKER.match(self.lines[self.markers[-1]].lstrip(BOM)) if self.markers else None
        return found is not None and not found[3]


@lru_cache(2)
def parse(text: str) -> Parsed:
    """Find the facts of a file."""
    body = text.lstrip(BOM)
    lines = split_lines(body)
    shown = [shown_line(line) for line in lines]
    facts: list[FactLine] = []
    headings: list[Heading] = []
    markers: list[int] = []
    closers: Closers = {}
    above = ""
    index = 0
    while index < len(lines):
        line = shown[index]
        if (hidden := hidden_end(shown, index, closers)) > index:
            index = hidden
            continue
        end = index + 1
        if heading := heading_in(line):
            above = heading[1]
            headings.append(Heading(index, above if heading[0] > 1 else None))
        if (sign := _BULLET.match(line)) and not _RULE.match(line):
            end = end_of_bullet(shown, index)
            label, fact = _fact(line, sign.end(), shown[index + 1 : end])
            key = label or above
            if fact.value.split():
                facts.append(fact._replace(key=key if place(key) else "", first=index, last=end - 1))
        markers += [spot for spot in range(index, end) if not shown[spot]]
        index = end
    bom = text[: len(text) - len(body)]
    return Parsed(bom, tuple(lines), tuple(facts), tuple(headings), tuple(markers))


def _fact(line: str, begin: int, more: Sequence[str]) -> tuple[str, FactLine]:
    """Return the label of a bullet, and the fact in it and in the lines below it."""
    end = before_comments(line)
    label, length = label_in(line[begin:end])
    start = begin + length
    value = bullet_value(line[start:end], list(more))
    return label, FactLine("", value, 0, 0, line[:start], line[end:].rstrip(SPACES))


def before_comments(line: str) -> int:
    """Return where the comments begin with which a line closes, as other agents leave them."""
    end = len(line.rstrip(SPACES))
    while line.endswith("-->", 0, end):
        start = line.rfind("<!--", 0, end)
        if start < 0 or line.find("-->", start, end) != end - 3:
            break
        end = start
        while line[end - 1 : end] in (" ", "\t"):
            end -= 1
    return end


def heading_in(line: str) -> tuple[int, str] | None:
    if not line.startswith("#"):
        return None
    deeper = _DEEPER.match(line)
    found = heading_of(line[2:] if deeper else line)
    if not found:
        return None
    key = heading_key(found[1]) if deeper or found[0] > 1 else ""
    return (len(deeper[0].strip()) if deeper else found[0]), key if place(key) else ""


def shown_line(line: str) -> str:
    """Return a line as it is read.

    A byte order mark inside a file, where two were joined, may come to stand at its beginning. A marker is
    as good as absent: it closes no comment, and parts no fact from its lines.
    """
    line = line.lstrip(BOM)
    return "" if line.startswith("<!-- almario ") and MARKER.fullmatch(line.rstrip(SPACES)) else line


def end_of_bullet(lines: Sequence[str], start: int) -> int:
    """Return the line after a bullet's last indented line; blank ones between them are the bullet's too."""
    end = index = start + 1
    while index < len(lines):
        blank = not lines[index].strip(SPACES)
        if not blank and lines[index][0] not in " \t":
            break
        index += 1
        end = end if blank else index
    return end


def place(key: str) -> str:
    """Return a key as it is compared; the name of what has no key is none."""
    found = same_key(key)
    return "" if found in NAMELESS else found


def notes_in(language: str) -> str:
    """Return the heading of what has no key."""
    return _NOTES_IN.get(language, NOTES)


def where_the_rest_is(language: str, shown: int, count: int) -> str:
    """Say in a marker that not every fact is shown."""
    sentence = 'here are {shown} of {count} facts; "almario memory list" shows them all'
    return say(language, sentence, shown=shown, count=count)


def keys_of(lines: Iterable[FactLine]) -> set[str]:
    """Return the keys under which what these lines say may be remembered, as `same_key` gives them."""
    keys = {same_key(line.key) for line in lines}
    return keys | NAMELESS if "" in keys else keys


def same(key: str, value: str) -> Fact:
    """Return what two writings of a fact have in common: spaces and line breaks make no other fact."""
    return place(key), " ".join(value.split())


def by_fact(memories: Iterable[Memory]) -> dict[Fact, list[Memory]]:
    """Group the memories that a file can show by what makes their lines equal."""
    found: dict[Fact, list[Memory]] = {}
    for memory in memories:
        if memory.value.split():
            found.setdefault(same(memory.key, memory.value), []).append(memory)
    return found


def known(line: FactLine, facts: Container[Fact], redact: Redact | None) -> Fact | None:
    """Return which of *facts* a line shows; the ledger may hold it with its secrets redacted."""
    found = same(line.key, line.value)
    if found not in facts and redact:
        found = same(*redact(line.key, line.value))
    return found if found in facts else None


@lru_cache(2)
def core_lines(text: str) -> Sequence[str]:
    """Return what MEMORY.md says: a fact as `- key: value`, the owner's prose as it is."""
    lines: list[str] = []
    for section in parse_sections(_without_marker(text.removeprefix("\ufeff"))):
        key = section.title if section.level == 2 and place(section.title) else ""
        for line in split_lines(section.body):
            if is_blank(line):
                continue
            bullet = _BULLET.match(line)
            lines.append(f"- {key}: {line[bullet.end() :].rstrip()}" if key and bullet else line.rstrip())
    return lines


def _without_marker(text: str) -> str:
    """Return *text* without Almario's own closing line."""
    filled = text.rstrip()
    last = filled[-200:].rpartition("\n")[2].strip()
    if not MARKER.fullmatch(last):
        return text
    return filled.removesuffix(last).rstrip(" \t")

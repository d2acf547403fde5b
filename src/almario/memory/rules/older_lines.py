"""MEMORY.md as earlier versions had it: rows of tables and lines with a key in bold were facts, too.

They become bullets where they stand, before anything else is read of the file. A label that stood under
several headings was told with its heading, and still is.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from almario.domain.documents.bullets import (
    bold_label_in,
    bullet,
    cell_value,
    key_heading,
    label_in,
    unguard_arrows,
)
from almario.domain.documents.lines import Closers, ending_of, hidden_end, newline_of, split_lines
from almario.domain.plain_text import regex
from almario.memory.rules.mirror import (
    BOM,
    SPACES,
    FactLine,
    before_comments,
    heading_in,
    parse,
    place,
    shown_line,
)
from almario.named_tuples import NamedTuple

# Cells end at a bar that has no backslash before it.
_ROW = regex(
    r"\|(?P<key>(?:[^|\r\n]|(?<=\\)\|)*+)\|[ \t]*(?P<value>(?:[^|\r\n]|(?<=\\)\|)*+)\|?[ \t]*\r?\n?\Z"
)
_DASHES = regex(r"[ \t]*:?-+:?[ \t]*")


class _Labelled(NamedTuple):
    """A fact with a label, on its lines, and what stands after its value; a bullet has one as it is."""

    heading: str
    label: str
    value: str
    first: int
    last: int
    tail: str = ""
    is_bullet: bool = False


def as_bullets(text: str, is_known: Callable[[str, str], bool]) -> tuple[str, int]:
    """Return a text in which every fact is a bullet, and how many were none.

    Of the two keys that a label may have had, the one counts under which the fact *is known*.
    """
    body = text.lstrip(BOM)
    lines = split_lines(body)
    found = list(_labelled(list(map(shown_line, lines)), {fact.first: fact for fact in parse(text).facts}))
    above = defaultdict[str, set[str]](set)
    for each in found:
        above[place(each.label)].add(place(each.heading))
    end, apart, count = newline_of("".join(lines[:1])), "", 0
    for each in found:
        keys = [each.label, f"{each.heading}: {each.label}"] if each.heading else [each.label]
        if len(above[place(each.label)]) > 1:
            keys.reverse()
        key = next((key for key in keys if is_known(key, each.value)), keys[0])
        if each.is_bullet and key == each.label:
            continue
        label = _label(key)
        written = bullet(each.value, end, f"- {label}", each.tail)
        if not label:
            apart += end + key_heading(key) + end * 2 + written
            written = ""
        elif not ending_of(lines[each.last]):
            written = written.removesuffix(end)
        lines[each.first : each.last + 1] = [written] + [""] * (each.last - each.first)
        count += not each.is_bullet
    joined = "".join(lines)
    gap = end if apart and joined and not joined.endswith("\n") else ""
    return text[: len(text) - len(body)] + joined + gap + apart, count


def _label(key: str) -> str:
    """Return how a bullet is labelled with a key; "" if it can't be."""
    for label in (f"{key}: ", f"**{key}**: "):
        found, start = label_in(f"{label}x")
        if start == len(label) and place(found) == place(key):
            return label
    return ""


def _labelled(lines: Sequence[str], bullets: Mapping[int, FactLine]) -> Iterator[_Labelled]:
    """Yield the labelled facts of a text, of which those are *bullets* that begin on these lines."""
    closers: Closers = {}
    above, head, is_table = "", False, False
    index = 0
    while index < len(lines):
        line = lines[index]
        if (hidden := hidden_end(lines, index, closers)) > index:
            index, head, is_table = hidden, False, False
            continue
        heading = heading_in(line)
        row = _ROW.match(line) if line.startswith("|") else None
        if heading:
            above = heading[1]
        if heading or (line and not line.strip(SPACES)):
            head = is_table = False
        elif row and is_table:
            key = cell_value(row["key"]).strip(" *_`:")
            if key and row["value"].split():
                yield _Labelled(above, key, cell_value(row["value"]), index, index)
        elif row:
            is_table = head and all(map(_DASHES.fullmatch, (row["key"], row["value"])))
            head = True
        elif fact := bullets.get(index):
            if fact.is_labelled and fact.key:
                yield _Labelled(above, fact.key, fact.value, index, fact.last, fact.tail, is_bullet=True)
            index = fact.last
        elif line[:2] in ("**", "__"):
            label, start = bold_label_in(line)
            stop = before_comments(line)
            if label and line[start:stop].split():
                value = unguard_arrows(line[start:stop])
                yield _Labelled(above, label, value, index, index, line[stop:].rstrip(SPACES))
        index += 1

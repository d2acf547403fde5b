"""Render the live facts into MEMORY.md, in place: what is nobody's fact keeps its bytes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from almario.domain.documents.bullets import bullet, key_heading
from almario.domain.documents.lines import ending_of, newline_of
from almario.domain.memories import Memory
from almario.memory.rules.mirror import (
    NOTES,
    SPACES,
    Fact,
    Marker,
    Parsed,
    Redact,
    by_fact,
    known,
    place,
    same,
)


def render(
    parsed: Parsed,
    live: Iterable[Memory],
    *,
    marker: Marker,
    gone: Mapping[Fact, Memory | None] | None = None,
    redact: Redact | None = None,
    notes: str = NOTES,
    unmade: Collection[str] = (),
) -> str:
    """Return the file's text with a line for each live memory, in order, and the marker as its last line.

    What has no key stands with its like, or under a heading *notes*.

    A line that shows no live memory but one of *gone*, (key, value), leaves or makes way for the heir
    given there. A line that shows neither is the owner's, still to be merged, and stays. The headings of
    *unmade* keys, as `place` gives them, leave with the last fact below.
    """
    wanted = {fact: memories[0] for fact, memories in by_fact(live).items()}
    left = {same(*fact): heir for fact, heir in (gone or {}).items()}
    lines = list(parsed.lines)
    end = newline_of("".join(lines[:1]))
    present = [known(line, wanted, redact) for line in parsed.facts]
    shown = {fact for fact in present if fact}
    for line, is_live in zip(parsed.facts, present, strict=True):
        old = None if is_live else known(line, left, redact)
        if not old:
            continue
        heir = left[old]
        new = same(heir.key, heir.value) if heir else None
        text = ""
        if heir and new and new in wanted and new not in shown and new[0] == old[0]:
            shown.add(new)
            new_lines = bullet(heir.value, end, line.lead, line.tail)
            text = new_lines.removesuffix(end) + ending_of(lines[line.last])
        lines[line.first : line.last + 1] = [text] + [""] * (line.last - line.first)
    new_facts = [wanted[fact] for fact in wanted if fact not in shown]
    opening = _add(parsed, lines, new_facts, end, notes)
    if marker.rest or unmade:
        _drop_bare_headings(parsed, lines, None if marker.rest else unmade)
    return parsed.bom + _marked(parsed, [opening, *lines], marker, end)


def _add(parsed: Parsed, lines: list[str], memories: Iterable[Memory], end: str, notes: str) -> str:
    """Put new facts behind those of their key, written alike; return what is to stand before all lines."""
    by_key: dict[str, list[Memory]] = {}
    for memory in memories:
        by_key.setdefault(place(memory.key), []).append(memory)
    homes = _homes(parsed) if by_key else {}
    sections = []
    for key, group in by_key.items():
        spot, lead = homes.get(key, (-1, "- "))
        written = "".join(bullet(memory.value, end, lead) for memory in group)
        if spot >= 0:
            _append(lines, spot, written, end)
        else:
            sections.append(key_heading(group[0].key if key else notes) + end * 2 + written)
    addition = end.join(sections)
    last = _last_filled(parsed)
    if addition and last >= 0:
        _append(lines, last, end + addition, end)
        return ""
    return addition


def _drop_bare_headings(parsed: Parsed, lines: list[str], only: Collection[str] | None) -> None:
    """Take out the headings, or *only* some, under which facts stood and nothing does any more.

    Where not all facts are shown, each that stayed would bring another. Of some, the blank line goes that
    they came with, the one above.
    """
    starts = [heading.line for heading in parsed.headings]
    keys = [heading.key for heading in parsed.headings]
    for key, (start, end) in zip(keys, pairwise([*starts, len(lines)]), strict=True):
        own: Sequence[int] = range(start, end)
        if only is not None:
            if key is None or place(key) not in only:
                continue
            own = _section(parsed, start, end)
        had_facts = "".join(lines[start:end]) != "".join(parsed.lines[start:end])
        content = "".join(lines[index] for index in own).replace(parsed.lines[start], "", 1)
        if had_facts and not content.strip(SPACES):
            for index in own:
                lines[index] = ""


def _section(parsed: Parsed, start: int, end: int) -> Sequence[int]:
    """Return the lines of a section but for the marker and blank ones at its end, and a blank one above it.

    Without one above, those at its end are its own.
    """
    own = [at for at in range(start, end) if at not in parsed.markers]
    if start == 0 or parsed.lines[start - 1].strip(SPACES):
        return own
    filled = [at for at in own if parsed.lines[at].strip(SPACES)]
    return range(start - 1, filled[-1] + 1)


def _append(lines: list[str], spot: int, addition: str, end: str) -> None:
    gap = end if lines[spot] and not lines[spot].endswith("\n") else ""
    lines[spot] += gap + addition


def _homes(parsed: Parsed) -> dict[str, tuple[int, str]]:
    """Return for each key the line that new facts follow, and what stands before their values.

    That is the key's last fact; in a section without any, its last filled line.
    """
    homes: dict[str, tuple[int, str]] = {}
    headings = {heading.line: heading.key for heading in parsed.headings}
    markers = set(parsed.markers)
    key: str | None = None
    for index, line in enumerate(parsed.lines):
        if index in headings:
            found = headings[index]
            key = None if found is None or place(found) in homes else place(found)
        if key is not None and index not in markers and line.strip(SPACES):
            homes[key] = (index, "- ")
    for fact in parsed.facts:
        homes[place(fact.key)] = (fact.last, fact.lead)
    return homes


def _last_filled(parsed: Parsed, start: int = 0) -> int:
    """Return the last line from *start* on that is neither blank nor a marker, or -1."""
    markers = set(parsed.markers)
    for index in range(len(parsed.lines) - 1, start - 1, -1):
        if index not in markers and parsed.lines[index].strip(SPACES):
            return index
    return -1


def _marked(parsed: Parsed, lines: list[str], marker: Marker, end: str) -> str:
    """Join the opening and the lines, with the marker as the last one.

    It stays where it is if nothing stands below it.
    """
    for index in parsed.markers:
        lines[index + 1] = ""
    if parsed.markers and not lines[0] and _last_filled(parsed, parsed.markers[-1]) < 0:
        last = parsed.markers[-1]
        lines[last + 1] = str(marker) + ending_of(parsed.lines[last])
        return "".join(lines)
    text = "".join(lines)
    if text and not text.endswith("\n"):
        text += end
    body = text.rstrip(SPACES)
    gap = end if body and text.count("\n", len(body)) < 2 else ""
    return f"{text}{gap}{marker}{end}"


def is_current(parsed: Parsed, text: str, marker: Marker, newest: int) -> bool:
    """Return whether a rendering need not be written: it would but renew a marker that is as good.

    A marker older than *newest*, the latest change of any memory that the file shows or showed, is not:
    the owner could neither take that line out nor write it again.
    """
    shown = parsed.marker
    is_newest = shown is not None and newest <= shown.seq
    return is_newest and text.replace(str(marker), str(shown)) == parsed.bom + "".join(parsed.lines)

"""Markdown cut into pieces of a size that can be found: at headings first, then where it hurts least.

No line is lost, and a code fence or comment stays whole unless it is very
long. Pieces of one section share a few lines, so that what stands at a cut
is found from either side.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from almario.domain.documents.lines import hidden_spans, split_lines
from almario.domain.plain_text import cut_to_tokens, estimate_tokens, regex
from almario.named_tuples import NamedTuple

# Bump this when the same text is chunked differently: everything is then chunked again.
CUTTER = 2
# A fence, a log entry or a turn up to this many targets long is not split.
WHOLE = 4

_HEADING = regex(r"(#{1,6})[ \t]+(?=\S)")
_ITEM = regex(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SENTENCE_END = regex(r"[.!?…][\"')\]»”]*\s+|[。！？]")
_HIDING = ("```", "~~~", "<!--")
_BETWEEN = " › "
# A title longer than this is a paragraph; each piece below it carries it.
_TITLE_LENGTH = 80
# Parts of a line that is too long: none is shorter than the first, none longer than the second.
_PART_MIN, _PART_MAX = 120, 400
# How good it is to cut before an atom.
_WITHIN, _LINE, _LIST_ITEM, _PARAGRAPH = range(4)


class Chunk(NamedTuple):
    """A piece of a file: its first line, counted from 1, and the headings it stands under."""

    text: str
    line: int
    heading: str


class _Atom(NamedTuple):
    """What is not cut further; *rank* says how good it is to cut before it."""

    text: str
    line: int
    tokens: int
    rank: int


class _Section(NamedTuple):
    """Lines from *start* to before *end*, of which the headings end at *body*."""

    start: int
    body: int
    end: int
    heading: str


def cut(text: str, *, target: int = 400, overlap: int = 80, skip: Collection[int] = ()) -> list[Chunk]:
    """Cut Markdown into chunks of about *target* tokens, leaving out the lines whose numbers are in *skip*.

    No chunk reaches over a skipped line, and a heading above nothing else is skipped with it.
    """
    lines = split_lines(text.removeprefix("\ufeff"))
    spans = hidden_spans(lines) if any(mark in text for mark in _HIDING) else {}
    skipped = {number - 1 for number in skip if 0 < number <= len(lines)}
    for index in skipped:
        lines[index] = "\n"
    chunks: list[Chunk] = []
    for whole in _sections(lines, spans):
        for section in _around(whole, lines, skipped) if skipped else (whole,):
            chunks += _section_chunks(section, lines, spans, target, min(overlap, target // 2))
    return chunks


def _section_chunks(
    section: _Section, lines: Sequence[str], spans: dict[int, int], target: int, overlap: int
) -> Iterator[Chunk]:
    whole = "".join(lines[section.start : section.end])
    if estimate_tokens(whole) <= target:
        yield from _chunk(whole, section.start, section.heading)
        return
    for some in _packed(_atoms(lines, spans, section, target), target, overlap):
        yield from _chunk("".join(atom.text for atom in some), some[0].line, section.heading)


def _around(section: _Section, lines: Sequence[str], skipped: set[int]) -> Iterator[_Section]:
    """Yield the parts of a section that skipped lines leave, unless they are headings alone."""
    start = section.start
    for index in range(section.start, section.end + 1):
        if index == section.end or index in skipped:
            body = max(start, section.body)
            if "".join(lines[body:index]).strip():
                yield _Section(start, body, index, section.heading)
            start = index + 1


def cut_if_long(text: str, *, target: int, overlap: int) -> list[str]:
    """Return a text that belongs together as one piece, or as several if it is very long."""
    if estimate_tokens(text) <= WHOLE * target:
        return [text]
    return [chunk.text for chunk in cut(text, target=target, overlap=overlap)]


def _chunk(text: str, line: int, heading: str) -> Iterator[Chunk]:
    filled = text.lstrip()
    if not filled:
        return
    start = text.rfind("\n", 0, len(text) - len(filled)) + 1
    yield Chunk(text[start:].rstrip(), line + text.count("\n", 0, start) + 1, heading)


def _sections(lines: Sequence[str], spans: dict[int, int]) -> Iterator[_Section]:
    """Yield each heading with what stands under it; headings with nothing under them join the next."""
    path: list[tuple[int, str]] = []
    start, body = 0, 0
    for index, level, title in [*_headings(lines, spans), (len(lines), 0, "")]:
        is_bare = body == index or "".join(lines[body:index]).isspace()
        if not is_bare or not level:
            yield _Section(start, body, index, _BETWEEN.join(words for _, words in path if words))
            start = index
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, title))
        body = index + 1


def _headings(lines: Sequence[str], spans: dict[int, int]) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the level and the title of each heading that is in no fence and no comment."""
    starts = list(spans)
    for index in [index for index, line in enumerate(lines) if line[0] == "#"]:
        above = bisect_right(starts, index)
        is_hidden = above and index < spans[starts[above - 1]]
        if not is_hidden and (found := _HEADING.match(lines[index])):
            title = lines[index][found.end() :].strip(" \t\r\n#")[:_TITLE_LENGTH].rstrip()
            yield index, len(found[1]), title


def _atoms(lines: Sequence[str], spans: dict[int, int], section: _Section, target: int) -> list[_Atom]:
    atoms: list[_Atom] = []
    index = section.start
    after_blank = True
    while index < section.end:
        line = lines[index]
        end = min(spans.get(index, index + 1), section.end)
        if end > index + 1 or (index in spans and estimate_tokens(line) <= WHOLE * target):
            atoms += _hidden(lines[index:end], index, target)
            after_blank = True
        elif line.isspace():
            while end < section.end and lines[end].isspace():
                end += 1
            atoms.append(_Atom("".join(lines[index:end]), index, 1, _WITHIN))
            after_blank = True
        else:
            rank = _PARAGRAPH if after_blank else _LIST_ITEM if _ITEM.match(line) else _LINE
            tokens = estimate_tokens(line)
            if tokens <= target:
                atoms.append(_Atom(line, index, tokens, rank))
            else:
                atoms += _of_line(line, index, target, rank)
            after_blank = False
        index = end
    return _with_headings_kept(atoms, section, target)


def _hidden(lines: Sequence[str], index: int, target: int) -> Iterator[_Atom]:
    """Yield a fence or comment as one atom, or as its lines if it is very long."""
    whole = "".join(lines)
    tokens = estimate_tokens(whole)
    if tokens <= WHOLE * target:
        yield _Atom(whole, index, tokens, _PARAGRAPH)
        return
    for place, line in enumerate(lines):
        yield from _of_line(line, index + place, target, _LINE if place else _PARAGRAPH)


def _of_line(line: str, index: int, target: int, rank: int) -> Iterator[_Atom]:
    for part in _parts(line, target):
        yield _Atom(part, index, estimate_tokens(part), rank)
        rank = _LINE if _SENTENCE_END.search(part, max(0, len(part) - 8)) else _WITHIN


def _parts(line: str, target: int) -> Iterator[str]:
    """Cut a long line after sentences, else after words, else anywhere."""
    place = 0
    while place < len(line):
        window = line[place : place + _PART_MAX]
        if estimate_tokens(window) > target:
            window = cut_to_tokens(window, target) or window[0]
        if place + len(window) < len(line):
            sentence = _SENTENCE_END.search(window, _PART_MIN)
            end = sentence.end() if sentence else max(window.rfind(" "), window.rfind("\t")) + 1
            window = window[: end or len(window)]
        yield window
        place += len(window)


def _with_headings_kept(atoms: list[_Atom], section: _Section, target: int) -> list[_Atom]:
    """Join the headings with what follows, where that leaves room: alone they say little."""
    count = bisect_left(atoms, section.body, key=lambda atom: atom.line)
    if not count:
        return atoms
    while count < len(atoms) and atoms[count].text.isspace():
        count += 1
    head = atoms[: count + 1]
    tokens = sum(atom.tokens for atom in head)
    if count == len(atoms) or tokens - head[-1].tokens > target // 2:
        return atoms
    return [_Atom("".join(atom.text for atom in head), head[0].line, tokens, _PARAGRAPH), *atoms[count + 1 :]]


def _packed(atoms: list[_Atom], target: int, overlap: int) -> Iterator[list[_Atom]]:
    """Yield neighbours that fit *target* together, each group beginning with the end of the one before."""
    sizes = [0, *accumulate(atom.tokens for atom in atoms)]
    fresh = 0
    while fresh < len(atoms):
        least = max(sizes[fresh] - overlap, sizes[fresh + 1] - target)
        start = bisect_left(sizes, least, 0, fresh)
        while start < fresh and atoms[start].rank == _WITHIN:
            start += 1
        end = max(fresh + 1, bisect_right(sizes, sizes[start] + target) - 1)
        if end < len(atoms):
            # The best place to cut is between half full and full; of equals, the last.
            half = bisect_left(sizes, (sizes[fresh] + sizes[end] + 1) // 2, fresh + 1, end)
            end = max((atoms[place].rank, place) for place in range(half, end + 1))[1]
        yield atoms[start:end]
        fresh = end

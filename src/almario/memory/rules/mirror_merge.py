"""What the owner did to MEMORY.md: its lines against what was rendered there and what is live now."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from almario.domain.memories import Memory
from almario.memory.rules.mirror import Fact, FactLine, Parsed, Redact, by_fact, known, place, same
from almario.named_tuples import NamedTuple

# More than both of these gone at once looks like an accident.
_FEW = 5
_SHARE = 0.2
# Two texts with less in common than this are not one text edited.
_ALIKE = 0.5
# The beginning tells texts apart; all of a long one would cost too much.
_SHOWN = 300
# A fragment shared by this many texts does not distinguish them.
_COMMON = 20


Pair = tuple[FactLine, Memory]
# What stands in a row of facts: a line by its number, or a memory by its id.
_Name = TypeVar("_Name", int, str)


class Edits(NamedTuple):
    """What is to be done to the ledger so that it agrees with the owner's file."""

    added: tuple[Fact, ...] = ()
    # (memory id, new key, new value)
    changed: tuple[tuple[str, str, str], ...] = ()
    removed: tuple[str, ...] = ()
    # Removed together with so many others that the owner is asked first.
    missing: tuple[str, ...] = ()
    # A line that a half-written save cut off: no fact, so for `render` it is gone.
    cut: tuple[Fact, ...] = ()


def merge(
    parsed: Parsed,
    base: Sequence[Memory] | None,
    live: Sequence[Memory],
    *,
    since: Sequence[Memory] = (),
    redact: Redact | None = None,
) -> Edits:
    """Return what the owner changed since *base* was rendered: the mirrored memories at the marker's seq.

    *since* are those that came after the marker and are no longer live: a line that shows one is no new
    fact, it was merged before it was retired. Without a base, lines are only added: how old they are is not
    known, and to lose the owner's words would be worse than to hear them again. Equal lines are one fact: to
    repeat a line says nothing new.
    """
    heard = by_fact([*live, *since])
    marker = parsed.marker
    if base is None or marker is None:
        return _additions(parsed, heard, redact)
    before = by_fact(base)
    fresh = _fresh(parsed.facts, before.keys() | heard.keys(), redact)
    shown = [known(line, before, redact) for line in parsed.facts]
    kept = set(shown)
    # What others changed, retired or let expire since then is no longer the file's to change.
    still = {memory.id for memory in live if memory.seq <= marker.seq}
    unseen = [memory for fact, memories in before.items() if fact not in kept for memory in memories]
    lost = [memory for memory in unseen if memory.id in still]
    pairs, guessed = _pairs(fresh, lost, _Places(parsed.facts, shown, base), redact)
    gone = len(lost) - len(pairs)
    is_mass = gone > _FEW and gone > _SHARE * len(base)
    pairs += [] if is_mass else guessed
    heirs = {line for line, _ in pairs}
    replaced = {memory.id for _, memory in pairs}
    removed = tuple(memory.id for memory in lost if memory.id not in replaced)
    return Edits(
        added=tuple((line.key, line.value) for line in fresh if line not in heirs),
        changed=tuple((memory.id, _key(memory, line), line.value) for line, memory in pairs),
        removed=() if is_mass else removed,
        missing=removed if is_mass else (),
    )


def _additions(parsed: Parsed, heard: Mapping[Fact, list[Memory]], redact: Redact | None) -> Edits:
    fresh = _fresh(parsed.facts, heard.keys(), redact)
    last = fresh[-1] if fresh and not parsed.markers and _is_cut(parsed, fresh[-1], heard) else None
    added = tuple((line.key, line.value) for line in fresh if line is not last)
    return Edits(added, cut=((last.key, last.value),) if last else ())


def _fresh(lines: Iterable[FactLine], facts: Collection[Fact], redact: Redact | None) -> list[FactLine]:
    fresh: dict[Fact, FactLine] = {}
    for line in lines:
        if not known(line, facts, redact):
            fresh.setdefault(same(line.key, line.value), line)
    return list(fresh.values())


def _is_cut(parsed: Parsed, line: FactLine, heard: Mapping[Fact, list[Memory]]) -> bool:
    """Return whether a save that is half written cut a line off in the middle of a memory."""
    if "".join(parsed.lines[line.last + 1 :]).strip():
        return False
    key, begun = same(line.key, line.value)
    is_whole = parsed.lines[line.last].endswith("\n")
    longer = [
        value
        for (home, value), memories in heard.items()
        if home == key and ("\n" in memories[0].value or not is_whole)
    ]
    # The cut may have parted a backslash from what it guards.
    return any(_bare(value).startswith(_bare(begun)) for value in longer)


def _bare(value: str) -> str:
    return value.replace("\\", "")


def _key(memory: Memory, line: FactLine) -> str:
    is_same = place(memory.key) in (place(line.key), *(place(key) for key in (line.other,) if key))
    return memory.key if is_same else line.key


class _Places:
    """Knows which lines stand where memories stood: beside a fact of the same key that is still there."""

    def __init__(
        self, lines: Sequence[FactLine], shown: Sequence[Fact | None], base: Sequence[Memory]
    ) -> None:
        facts = [fact or same(line.key, line.value) for line, fact in zip(lines, shown, strict=True)]
        kept = set(shown)
        self._lines = _neighbours([(line.first, fact) for line, fact in zip(lines, facts, strict=True)], kept)
        self._memories = _neighbours([(each.id, same(each.key, each.value)) for each in base], kept)

    def are_same(self, line: FactLine, memory: Memory) -> bool:
        one, other = self._lines[line.first], self._memories[memory.id]
        return one[0] == other[0] or one[1] == other[1]


def _neighbours(
    facts: Sequence[tuple[_Name, Fact]], kept: Collection[Fact | None]
) -> dict[_Name, tuple[Fact | None, Fact | None]]:
    sides: list[dict[_Name, Fact | None]] = []
    for order in (facts, facts[::-1]):
        last: dict[str, Fact] = {}
        side: dict[_Name, Fact | None] = {}
        for name, fact in order:
            side[name] = last.get(fact[0])
            if fact in kept:
                last[fact[0]] = fact
        sides.append(side)
    return {name: (sides[0][name], sides[1][name]) for name, _ in facts}


def _pairs(
    lines: Sequence[FactLine], lost: Sequence[Memory], places: _Places, redact: Redact | None
) -> tuple[list[Pair], list[Pair]]:
    """Find which new line is which lost memory: the same under another key, or edited where it stood.

    The second list holds the pairs that have but a label in common, which no other line or memory has.
    """
    moved = {same("", memory.value): memory for memory in reversed(lost)}
    pairs: list[Pair] = []
    guessed: list[Pair] = []
    fresh: list[FactLine] = []
    lines_of: defaultdict[str, list[FactLine]] = defaultdict(list)
    lost_of: defaultdict[str, list[Memory]] = defaultdict(list)
    for line in lines:
        value = redact(line.key, line.value)[1] if redact else line.value
        memory = moved.pop(same("", value), None)
        if memory:
            pairs.append((line, memory))
        else:
            fresh.append(line)
    taken = {memory.id for _, memory in pairs}
    for memory in lost:
        if memory.id not in taken:
            lost_of[place(memory.key)].append(memory)
    for line in fresh:
        keys = [place(key) for key in (line.key, line.other) if key is not None]
        lines_of[next((key for key in keys if key in lost_of), keys[0])].append(line)
    for key, new in lines_of.items():
        if old := lost_of.get(key):
            alike, rest = _alike(new, old, places)
            pairs += alike
            guessed += rest
    return pairs, guessed


def _alike(lines: list[FactLine], lost: list[Memory], places: _Places) -> tuple[list[Pair], list[Pair]]:
    """Pair the lines and memories of one key, the likest first; a label alone in common makes a guess."""
    scored = sorted(_likeness([line.value for line in lines], [memory.value for memory in lost]))
    new, old = dict(enumerate(lines)), dict(enumerate(lost))
    pairs = [
        (new.pop(one), old.pop(other))
        for _, one, other in scored
        if one in new and other in old and places.are_same(lines[one], lost[other])
    ]
    is_one = len(new) == len(old) == 1 and all(line.is_labelled for line in new.values())
    return pairs, list(zip(new.values(), old.values(), strict=True)) if is_one else []


def _likeness(new: list[str], old: list[str]) -> Iterator[tuple[float, int, int]]:
    """Yield (unlikeness, place in *new*, place in *old*) of texts that are alike, in nearly linear time."""
    pieces = [_pieces(value) for value in old]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for index, found in enumerate(pieces):
        for piece in found:
            places[piece].append(index)
    for index, value in enumerate(new):
        mine = _pieces(value)
        found_in = [places[piece] for piece in mine if piece in places]
        rare = Counter(other for others in found_in if len(others) <= _COMMON for other in others)
        for other in sorted(rare, key=lambda other: (-rare[other], other))[:_COMMON]:
            share = 2 * len(mine & pieces[other]) / (len(mine) + len(pieces[other]))
            if share >= _ALIKE:
                yield 1 - share, index, other


def _pieces(value: str) -> set[str]:
    """Return the runs of three characters in a text, which a typo or a script without spaces leaves alike."""
    text = f"  {' '.join(value.casefold().split())[:_SHOWN]} "
    return {text[index : index + 3] for index in range(len(text) - 2)}

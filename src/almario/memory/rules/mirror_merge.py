"""What the owner did to MEMORY.md: its lines against what was rendered there and what is live now."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from almario.domain.memories import Memory
from almario.memory.rules.mirror import Fact, FactLine, Parsed, Redact, by_fact, known, place, same
from almario.named_tuples import NamedTuple

# More than both of these gone at once looks like an accident.
_FEW = 5
_SHARE = 0.2
# Two texts with less in common than this are not one text edited.
_ALIKE = 0.5
# The beginning tells texts apart; all of long ones, or of very many, would take too long.
_SHOWN, _COMPARED = 300, 20


Pair = tuple[FactLine, Memory]


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
    stands = [fact or same(line.key, line.value) for line, fact in zip(parsed.facts, shown, strict=True)]
    pairs, guessed = _pairs(fresh, lost, list(zip(stands, parsed.facts, strict=True)), base, redact)
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
    return memory.key if place(memory.key) == place(line.key) else line.key


def _pairs(
    lines: Sequence[FactLine],
    lost: Sequence[Memory],
    stands: Sequence[tuple[Fact, FactLine]],
    base: Sequence[Memory],
    redact: Redact | None,
) -> tuple[list[Pair], list[Pair]]:
    """Find which new line is which lost memory: the same under another key, or one like it where it stood.

    The second list holds the pairs that have but a key in common, which no other line or memory has.
    """
    moved = {same("", memory.value): memory for memory in reversed(lost)}
    pairs: list[Pair] = []
    fresh: dict[FactLine, str] = {}
    for line in lines:
        value = redact(line.key, line.value)[1] if redact else line.value
        if memory := moved.pop(same("", value), None):
            pairs.append((line, memory))
        else:
            fresh[line] = place(line.key)
    taken = {memory.id for _, memory in pairs}
    gone = {memory.id: place(memory.key) for memory in lost if memory.id not in taken}
    guessed: list[Pair] = []
    for key in sorted(set(fresh.values()) & set(gone.values())):
        after = [(fact, line) for fact, line in stands if fact[0] == key]
        before = [(same(each.key, each.value), each) for each in base if place(each.key) == key]
        steps = SequenceMatcher(
            None, [fact for fact, _ in before], [fact for fact, _ in after], autojunk=False
        )
        for tag, first, last, start, end in steps.get_opcodes():
            if tag == "replace":
                new = [line for _, line in after[start:end] if line in fresh]
                alike = _alike(new, [each for _, each in before[first:last] if each.id in gone])
                pairs += alike
                for line, memory in alike:
                    del fresh[line], gone[memory.id]
        rest = [line for line, own in fresh.items() if own == key]
        left = [each for _, each in before if each.id in gone]
        is_one = len(rest) == len(left) == 1 and rest[0].is_labelled
        guessed += zip(rest, left, strict=True) if is_one else ()
    return pairs, guessed


def _alike(lines: Sequence[FactLine], lost: Sequence[Memory]) -> list[Pair]:
    """Pair lines and memories, the likest first."""
    new, old = dict(enumerate(lines)), dict(enumerate(lost))
    return [
        (new.pop(one), old.pop(other))
        for _, one, other in sorted(_likeness(lines[:_COMPARED], lost[:_COMPARED]))
        if one in new and other in old
    ]


def _likeness(lines: Sequence[FactLine], lost: Sequence[Memory]) -> Iterator[tuple[float, int, int]]:
    """Yield (unlikeness, place in *lines*, place in *lost*) of texts that are alike."""
    matcher = SequenceMatcher(autojunk=False)
    for one, line in enumerate(lines):
        matcher.set_seq2(line.value.casefold()[:_SHOWN])
        for other, memory in enumerate(lost):
            matcher.set_seq1(memory.value.casefold()[:_SHOWN])
            if matcher.quick_ratio() >= _ALIKE and (share := matcher.ratio()) >= _ALIKE:
                yield 1 - share, one, other

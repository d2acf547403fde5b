"""Which memories may say the same or contradict each other, and what a verdict on two of them does."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from typing import Any, NamedTuple

from almario.domain.admission import swallows
from almario.domain.memories import ORIGINS, SOURCES, Change, Memory, written
from almario.domain.words import SMALL, index_terms

VERDICTS = ("same", "contradicts", "different")
# From so much likeness on, two memories are worth a look: by the words they share, or by meaning.
LEAST_WORDS, LEAST_MEANING = 0.2, 0.6
# A word of more memories than these says nothing about two of them.
_COMMON = 30
# How much of what is in use may be put out of use without asking.
LOSS = 0.2


class Pair(NamedTuple):
    """Two memories that may have to do with each other; *name* is the same whichever comes first."""

    one: Memory
    other: Memory
    likeness: float = 0.0

    @property
    def name(self) -> str:
        return "+".join(sorted((self.one.id, self.other.id)))


class Verdict(NamedTuple):
    """What a model says of a pair: whether both say the same, which of them stays, since when."""

    verdict: str
    keep: str
    since: str


class Outcome(NamedTuple):
    """One memory of a pair takes the other's place; that one was true until *ended*."""

    kept: Memory
    lost: Memory
    is_same: bool
    ended: datetime
    # The lesser would replace the owner's own word: only the owner may say so.
    needs_consent: bool = False

    @property
    def pair(self) -> str:
        return Pair(self.kept, self.lost).name


def alike(
    memories: Sequence[Memory],
    near: Mapping[tuple[str, str], float],
    *,
    was_judged: Callable[[str], bool],
    most: int,
) -> list[Pair]:
    """Return the pairs most worth a look, best first; *near* has the cosine of some, by their ids."""
    by_id = {memory.id: memory for memory in memories}
    found = _sharing_words(memories)
    for ids, cosine in near.items():
        if cosine >= LEAST_MEANING and by_id.keys() >= set(ids):
            pair = (min(ids), max(ids))
            found[pair] = found.get(pair, 0.0) + cosine
    pairs = [Pair(by_id[one], by_id[other], score) for (one, other), score in found.items()]
    fresh = [pair for pair in pairs if not was_judged(pair.name)]
    return sorted(fresh, key=lambda pair: (-pair.likeness, pair.name))[:most]


def _sharing_words(memories: Sequence[Memory]) -> dict[tuple[str, str], float]:
    """Return the cosine of the pairs that share words, rare words counting more."""
    having: dict[str, list[str]] = defaultdict(list)
    for memory in memories:
        for term in index_terms(memory.value, memory.key):
            if term not in SMALL:
                having[term].append(memory.id)
    worth = {term: math.log((1 + len(memories)) / (1 + len(ids))) + 1 for term, ids in having.items()}
    lengths: dict[str, float] = defaultdict(float)
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for term, ids in having.items():
        for place, one in enumerate(ids):
            lengths[one] += worth[term] ** 2
            for other in ids[place + 1 :] if len(ids) <= _COMMON else ():
                shared[min(one, other), max(one, other)] += worth[term] ** 2
    found = {ids: sum_ / math.sqrt(lengths[ids[0]] * lengths[ids[1]]) for ids, sum_ in shared.items()}
    return {ids: cosine for ids, cosine in found.items() if cosine >= LEAST_WORDS}


def outcome_of(pair: Pair, verdict: Verdict, *, now: datetime, zone: tzinfo) -> Outcome | None:
    """Return what follows from a verdict; None if both stay, because they differ or it is no clear word."""
    if verdict.verdict == "different" or verdict.keep not in (pair.one.id, pair.other.id):
        return None
    older, newer = sorted((pair.one, pair.other), key=lambda each: (each.valid_from, each.at, each.id))
    kept, lost = (older, newer) if verdict.keep == older.id else (newer, older)
    if verdict.verdict == "same":
        if _rank(lost) < _rank(kept):  # it says the same, so the weightier one may as well stay
            kept, lost = lost, kept
        return None if swallows(kept.value, lost.value) else Outcome(kept, lost, True, lost.valid_from)
    if kept is newer:
        ended = _sane(verdict.since, lost, now=now, zone=zone) or newer.valid_from
        return Outcome(kept, lost, False, ended, needs_consent=_rank(lost) < _rank(kept))
    # The older stays only where it weighs more: then the newer was never right.
    return Outcome(kept, lost, False, lost.valid_from) if _rank(kept) < _rank(lost) else None


def within_budget(
    outcomes: Sequence[Outcome], *, live: int, lost_before: int
) -> tuple[list[Outcome], list[Outcome]]:
    """Part what may be done now from what is to be asked for first.

    At most a fifth of the *live* memories go in a day, of which *lost_before* are gone.
    """
    room = max(0, math.floor(LOSS * (live + lost_before)) - lost_before)
    free = [outcome for outcome in outcomes if not outcome.needs_consent]
    asked = [outcome for outcome in outcomes if outcome.needs_consent]
    return free[:room], free[room:] + asked


def changes_of(outcomes: Sequence[Outcome]) -> tuple[Change, ...]:
    """Return what the outcomes set: what is lost is replaced, what is kept takes over its evidence."""
    kept: dict[str, tuple[Memory, list[Memory]]] = {}
    changes: list[Change] = []
    for outcome in outcomes:
        fields = {"state": "superseded", "by": outcome.kept.id, "valid_to": written(outcome.ended)}
        changes.append({"id": outcome.lost.id, "set": fields})
        if outcome.is_same:
            kept.setdefault(outcome.kept.id, (outcome.kept, []))[1].append(outcome.lost)
    return (*(_joined(memory, lost) for memory, lost in kept.values()), *changes)


def _joined(kept: Memory, lost: Sequence[Memory]) -> Change:
    fields: dict[str, Any] = {
        "renewed": written(max(memory.renewed for memory in (kept, *lost))),
        "valid_from": written(min(memory.valid_from for memory in (kept, *lost))),
    }
    if any(memory.kind == "profile" for memory in lost):  # it was not to expire
        fields["kind"] = "profile"
    evidence = dict.fromkeys(turn for memory in lost for turn in memory.evidence)
    return {"id": kept.id, "set": fields, "evidence": list(evidence)}


def _rank(memory: Memory) -> tuple[int, int]:
    """Return a memory's weight, the weightiest first: what the owner asked to keep, then who said it."""
    return SOURCES.index(memory.source), ORIGINS.index(memory.origin)


def _sane(since: str, lost: Memory, *, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the day on which a memory ended, if that is after it began and not in the future."""
    try:
        day = date.fromisoformat(since.strip())
        at = datetime.combine(day, time(), tzinfo=zone)
        return at if lost.valid_from < at <= now else None
    except (ValueError, OverflowError):
        return None

"""Which memories may say the same or contradict each other, and what a verdict on two of them does."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from itertools import combinations
from typing import Any

from almario.domain.memories import Change, Memory, same_key
from almario.domain.plans import is_planned
from almario.domain.records import written
from almario.domain.validity import read
from almario.domain.words import SMALL, index_terms
from almario.memory.rules.admission import may_replace
from almario.memory.rules.rivals import since
from almario.memory.rules.sameness import adds_to
from almario.named_tuples import NamedTuple

VERDICTS = ("same", "part of", "contradicts", "different")
# From this similarity on, two memories are compared: by shared words, or by meaning.
LEAST_WORDS, LEAST_MEANING = 0.2, 0.6
# A word of more memories than these says nothing about two of them.
_COMMON = 30
# How many memories, or what share of those in use, may be contradicted per day without asking.
FEW, LOSS = 5, 0.2


class Pair(NamedTuple):
    """Two memories that may have to do with each other; *name* is the same whichever comes first."""

    one: Memory
    other: Memory
    likeness: float = 0.0

    @property
    def name(self) -> str:
        return "+".join(sorted((self.one.id, self.other.id)))

    @property
    def are_of_two_times(self) -> bool:
        """Whether each was said to hold when the other did not: then both are true."""
        one, other = read(self.one.dated), read(self.other.dated)
        return bool(one and other and (one.last_day < other.first_day or other.last_day < one.first_day))

    def names(self, now: datetime) -> tuple[str, ...]:
        """Return by what a verdict is known: what cannot be done; else; what holds until one begins."""
        is_ahead = any(memory.valid_from > now for memory in (self.one, self.other))
        return (f"{self.name} as is", self.name, f"{self.name} ahead")[: 2 + is_ahead]


class Verdict(NamedTuple):
    """What a model says of a pair: what they are to each other, which of them stays, since when."""

    verdict: str
    keep: str
    since: str


class Settled(NamedTuple):
    """One memory of a pair takes the other's place; that one was true until *ended*."""

    kept: Memory
    lost: Memory
    is_same: bool
    ended: datetime
    # A lesser word would replace the owner's own: only the owner may say so.
    needs_consent: bool = False
    # The pair that was judged.
    pair: str = ""


def alike(
    memories: Sequence[Memory],
    near: Mapping[tuple[str, str], float],
    now: datetime,
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
    for ids in _kin(memories):
        found.setdefault(ids, LEAST_WORDS)
    pairs = [Pair(by_id[one], by_id[other], score) for (one, other), score in found.items()]
    fresh = [pair for pair in pairs if not (pair.are_of_two_times or any(map(was_judged, pair.names(now))))]
    return sorted(fresh, key=lambda pair: (-pair.likeness, pair.name))[:most]


def _kin(memories: Sequence[Memory]) -> list[tuple[str, str]]:
    """Return the pairs of one key, and of a wish with what was learned from its message, unless many."""
    groups: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        for name in ((f"key {same_key(memory.key)}",) if memory.key else ()) + memory.evidence:
            groups[name].append(memory)
    pairs = [
        pair
        for name, group in groups.items()
        for pair in (combinations(group, 2) if len(group) <= _COMMON else ())
        if name.startswith("key ") or len({memory.source for memory in pair}) > 1
    ]
    return [(min(one.id, other.id), max(one.id, other.id)) for one, other in pairs]


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


def carried_out(verdicts: Mapping[Pair, Verdict], *, now: datetime, zone: tzinfo) -> list[Settled]:
    """Return what follows from verdicts together: first what says the same becomes one, then what it ends.

    A memory gives way once, and not after another has given way to it.
    """
    outcomes: list[Settled] = []
    heirs: dict[str, Memory] = {}
    for is_merging in (True, False):
        for pair, verdict in verdicts.items():
            if verdict.verdict == "different" or (verdict.verdict != "contradicts") != is_merging:
                continue
            outcome = outcome_of(pair, verdict, now=now, zone=zone)
            if outcome and not is_merging:
                outcome = outcome._replace(kept=heirs.get(outcome.kept.id, outcome.kept))
            if outcome and _is_possible(outcome, heirs):
                outcomes.append(outcome._replace(pair=pair.name))
                heirs[outcome.lost.id] = outcome.kept
    return outcomes


def left_apart(verdicts: Mapping[Pair, Verdict], *, now: datetime, zone: tzinfo) -> list[str]:
    """Return the names of the verdicts by which two memories stay as they are."""
    return [
        pair.names(now)[-1 if verdict.verdict == "different" else 0]
        for pair, verdict in verdicts.items()
        if verdict.verdict == "different"
        or (verdict.keep in pair.name.split("+") and not outcome_of(pair, verdict, now=now, zone=zone))
    ]


def _is_possible(outcome: Settled, heirs: Mapping[str, Memory]) -> bool:
    gone = {outcome.kept.id, outcome.lost.id} & heirs.keys()
    return not gone and outcome.kept != outcome.lost and outcome.lost not in heirs.values()


def outcome_of(pair: Pair, verdict: Verdict, *, now: datetime, zone: tzinfo) -> Settled | None:
    """Return what follows from a verdict; None if it cannot be carried out: then both stay."""
    if verdict.keep not in (pair.one.id, pair.other.id):
        return None
    chosen, other = (pair.one, pair.other) if verdict.keep == pair.one.id else (pair.other, pair.one)
    if verdict.verdict != "contradicts":
        return _merged(chosen, other)
    if chosen.at == other.at:  # told in one breath, both were meant
        return None
    if since(chosen) < since(other):
        # The older stays only where it weighs more: then the newer was never right.
        is_wrong = not may_replace(other, chosen)
        return Settled(chosen, other, False, other.valid_from) if is_wrong else None
    begun = chosen.valid_from if chosen.valid_from > other.valid_from else since(chosen)
    ended = _sane(verdict.since, other, now=now, zone=zone) or begun
    return Settled(chosen, other, False, ended, needs_consent=not may_replace(chosen, other))


def _merged(chosen: Memory, other: Memory) -> Settled:
    """Keep the text that was chosen, or the other one if that is a lesser word, or older and says less."""
    if adds_to(other, chosen) and since(chosen).date() < since(other).date():
        chosen, other = other, chosen
    kept, lost = (chosen, other) if may_replace(chosen, other) else (other, chosen)
    return Settled(kept, lost, True, lost.valid_from)


def within_budget(
    outcomes: Sequence[Settled], *, live: int, lost_before: int
) -> tuple[list[Settled], list[Settled]]:
    """Part what may be done now from what is to be asked for first.

    What says the same is no loss. At most a fifth of the *live* memories, or a few, are contradicted in a
    day, of which *lost_before* are gone.
    """
    room = max(0, max(FEW, math.floor(LOSS * (live + lost_before))) - lost_before)
    same = [outcome for outcome in outcomes if outcome.is_same]
    free = [outcome for outcome in outcomes if not outcome.is_same and not outcome.needs_consent]
    for_owner = [outcome for outcome in outcomes if not outcome.is_same and outcome.needs_consent]
    return same + free[:room], free[room:] + for_owner


def changes_of(outcomes: Sequence[Settled], now: datetime) -> tuple[Change, ...]:
    """Return what the outcomes set: what is lost is replaced, what is kept takes over its evidence.

    What is to end only later holds until then.
    """
    kept: dict[str, tuple[Memory, list[Memory]]] = {}
    changes: list[Change] = []
    for outcome in outcomes:
        is_over = outcome.ended <= now or is_planned(outcome.lost, now)
        fields = {"valid_to": written(min(outcome.ended, now) if is_over else outcome.ended)}
        if is_over:
            fields |= {"state": "superseded", "by": outcome.kept.id}
        changes.append({"id": outcome.lost.id, "set": fields})
        if outcome.is_same:
            kept.setdefault(outcome.kept.id, (outcome.kept, []))[1].append(outcome.lost)
    return (*(joined(memory, lost) for memory, lost in kept.values()), *changes)


def joined(kept: Memory, lost: Sequence[Memory]) -> Change:
    """Return what a memory takes over from those that say the same: source, evidence, times."""
    every = (kept, *lost)
    fields: dict[str, Any] = {"renewed": written(max(memory.renewed for memory in every))}
    dated = next((memory for memory in every if memory.dated), None)
    if dated and not kept.dated:
        fields |= {"dated": dated.dated, "valid_from": written(dated.valid_from)}
        fields |= {"valid_to": written(dated.valid_to)} if dated.valid_to else {}
    elif not dated:
        fields["valid_from"] = written(min(memory.valid_from for memory in every))
    if any(memory.source == "explicit" for memory in lost):
        fields["source"] = "explicit"
    if any(memory.kind == "profile" for memory in lost):  # it was not to expire
        fields["kind"] = "profile"
    evidence = dict.fromkeys(turn for memory in lost for turn in memory.evidence)
    return {"id": kept.id, "set": fields, "evidence": list(evidence)}


def _sane(since: str, lost: Memory, *, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the day on which a memory ended, if that is after it began and not in the future."""
    try:
        day = date.fromisoformat(since.strip())
        at = datetime.combine(day, time(), tzinfo=zone)
        return at if lost.valid_from < at <= now else None
    except (ValueError, OverflowError):
        return None

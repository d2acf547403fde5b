"""The distance of one soul from another.

Two distances from 0 to 1 are blended: the meaning of the sections, and the
share of lines that differ. Without a meaning the lines are all there is.
Broken boundaries are counted apart.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from operator import mul
from typing import Any

from almario.becoming.rules.statements import core, is_boundary, sections_of
from almario.domain.documents.lines import is_blank
from almario.domain.messages import Sentence
from almario.domain.records import showing
from almario.domain.soul_events import FILES, Drift, score_of
from almario.domain.soul_models import DriftMark
from almario.domain.words import fold
from almario.memory.rules.sameness import is_denied
from almario.named_tuples import NamedTuple

# Says how alike two statements are, from 0 to 1.
Near = Callable[[str, str], float]

# Of a longer list only so many statements are compared; the others count as gone, or new.
_MOST = 150
# Embedders differ in how alike they find what has nothing in common; these show it.
UNRELATED = (
    "The train to the coast leaves at nine from platform four.",
    "Me gusta la sopa de cebolla con mucho pan.",
    "Prime numbers go on without end.",
    "El tejado se mojó con la lluvia de anoche.",
)
# An embedder that finds everything alike says nothing; it must not divide by nothing either.
_MOST_ALIKE = 0.9


def drift_of(
    before: Mapping[str, str],
    after: Mapping[str, str],
    near: Near | None,
    *,
    now: Mapping[str, str] | None = None,
) -> Drift:
    """Measure a soul (its files by name) against another; *near* compares meanings, None only lines.

    The boundaries are those of the soul as it is *now*, if that is given.
    """
    parts = {"meaning": _meaning(before, after, near) if near else None, "lines": _lines(before, after)}
    known = {name: value for name, value in parts.items() if value is not None}
    rounded: dict[str, Any] = {name: round(value, 4) for name, value in known.items()}
    boundaries = len(_broken(now or before, after))
    return Drift(score_of(known), boundaries=boundaries, **rounded)


def _broken(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the boundaries of a soul that another does not have as they were, or says the contrary of.

    Whether other words say the same is for the owner to judge.
    """
    had, there = _every_statement(before), _every_statement(after)
    new = [text for key, text in there.items() if key not in had][:_MOST]
    bounds = [
        text
        for (_, title), statements in sections_of(before).items()
        if is_boundary(title)
        for text in statements
    ]
    return [
        text
        for place, text in enumerate(dict.fromkeys(bounds))
        if fold(text) not in there or (place < _MOST and any(is_denied(text, each) for each in new))
    ]


def _every_statement(soul: Mapping[str, str]) -> dict[str, str]:
    return {fold(text): text for statements in sections_of(soul).values() for text in statements}


def to_compare(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the statements whose meanings have to be known to measure one soul against the other."""
    pairs = _paired(before, after)
    return list(dict.fromkeys(text for pair in pairs for side in _changed(*pair) for text in side))


def by_meaning(vectors: Mapping[str, Sequence[float]]) -> Near:
    """Return what compares texts by their vectors, among which are those of `UNRELATED`."""
    numbers = {text: [float(number) for number in vector] for text, vector in vectors.items()}

    def cosine(one: str, other: str) -> float:
        return float(sum(map(mul, numbers[one], numbers[other])))

    alike = [cosine(*pair) for pair in combinations(UNRELATED, 2)]
    least = min(sum(alike) / len(alike), _MOST_ALIKE)

    def near(one: str, other: str) -> float:
        return min(1.0, max(0.0, (cosine(one, other) - least) / (1 - least)))

    return near


def _meaning(before: Mapping[str, str], after: Mapping[str, str], near: Near) -> float:
    """Return how far the sections are apart, each counting by its length."""
    far = whole = 0.0
    for one, other in _paired(before, after):
        gone, new = _changed(one, other)
        for side, others in ((gone, new), (new, gone)):
            far += sum(len(text) * (1 - _likeness(text, others, near)) for text in side[:_MOST])
            far += sum(map(len, side[_MOST:]))
        whole += sum(map(len, (*one, *other)))
    return far / whole if whole else 0.0


def _likeness(statement: str, others: Sequence[str], near: Near) -> float:
    return max((near(statement, other) for other in others[:_MOST]), default=0.0)


def _lines(before: Mapping[str, str], after: Mapping[str, str]) -> float:
    """Return the share of lines that are only in one of two souls; their order does not count."""
    one, other = _all_lines(before), _all_lines(after)
    whole = one.total() + other.total()
    return 1 - 2 * (one & other).total() / whole if whole else 0.0


def _all_lines(soul: Mapping[str, str]) -> Counter[tuple[str, str]]:
    texts = {file: core(file, soul.get(file, "")) for file in FILES}
    return Counter(
        (file, " ".join(line.split()))
        for file, text in texts.items()
        for line in text.split("\n")
        if not is_blank(line)
    )


def _paired(
    before: Mapping[str, str], after: Mapping[str, str]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    one, other = sections_of(before), sections_of(after)
    none: tuple[str, ...] = ()
    return [(one.get(key, none), other.get(key, none)) for key in dict.fromkeys([*one, *other])]


def _changed(one: Iterable[str], other: Iterable[str]) -> tuple[list[str], list[str]]:
    there, here = set(one), set(other)
    return [text for text in one if text not in here], [text for text in other if text not in there]


PINNED = Sentence("a baseline was pinned")


class DriftStep(NamedTuple):
    """A change of a soul *file* and its reason; without a file, another soul was pinned.

    The owner made or accepted it, unless it came *unasked*, by the agent alone.
    """

    file: str
    reason: Sentence
    unasked: bool = False


class Point(NamedTuple):
    """How far the soul had come at an instant, and what had changed since the point before.

    *files* are the hashes of the soul files that are known to have been measured.
    """

    at: datetime
    drift: Drift
    what: tuple[DriftStep, ...]
    files: Mapping[str, str]


@showing("warning")
class DriftReport(NamedTuple):
    """How far a soul has come: measured now, from which contents (their hashes), and step by step.

    *warn* is the drift above which there is a warning, *pinned* when the owner chose the baseline, if so.
    """

    drift: Drift
    warn: float
    pinned: datetime | None
    baseline: dict[str, str]
    timeline: tuple[Point, ...] = ()
    told: tuple[Sentence, ...] = ()

    @property
    def warning(self) -> bool:
        return self.drift.warns(self.warn)


def timeline(marks: Mapping[str, DriftMark], unasked: Collection[str] = ()) -> list[Point]:
    """Return the points of a soul's way, oldest first: what was measured, and what was accepted.

    Among the names of the marks, *unasked* are the changes that the agent made alone.
    """
    points: list[Point] = []
    steps: list[DriftStep] = []
    for name, mark in marks.items():
        if mark.kind == "pinned":
            steps.append(DriftStep("", PINNED))
        elif mark.kind == "changed":
            steps.append(DriftStep(mark.file, mark.reason, name in unasked))
        elif mark.drift and mark.kind != "waiting":
            # One that was only measured again, as it is, takes the place of the one before.
            again = not steps and points and mark.kind == "measured"
            what = points.pop().what if again else tuple(steps)
            points.append(Point(mark.at, mark.drift, what, mark.files))
            steps = []
    return points

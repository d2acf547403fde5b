"""What a reflection looks at, finds and wants, as values that a journal line can hold."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import NamedTuple

from almario.domain.lazy_regex import regex
from almario.domain.memories import ERASED, ERASED_MARK
from almario.domain.soul_events import Design, GoalUpdate, SectionEdit, Trigger
from almario.memory.rules.provenance import Ground, ground_in_few
from almario.text.content import plain_words

# The name under which it waits, if a model failed.
JOB = "reflection"
NIGHT: Trigger = "night"
OWNER: Trigger = "owner"
# The kinds of what is looked at that no memory has.
GOAL, LOG, SAID = "goal", "log", "said"
GATHER, MIRROR, EXPLORER, ARCHITECT, APPLY, COMPACT = PHASES = (
    "gather",
    "mirror",
    "explorer",
    "architect",
    "apply",
    "compact",
)

# So much of what was noticed, and of what is wanted, must stand in what it rests on, or in the soul that it
# is held against.
NOTICED, WANTED = 0.25, 0.35
# Alone, and not part of a word: "COVID19" names no line.
_LABEL = regex(r"(?<![^\W_])[A-Z]\d+(?![^\W_])")
# A day as a soul has it; that it is the right one, words cannot tell.
_DAY = regex(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
# Signs that the id of a memory or a turn does not have.
_HERE = frozenset("./")


class Source(NamedTuple):
    """A piece of what is looked at: *id* is what evidence names, *label* how the model is told of it."""

    id: str
    label: str
    kind: str
    text: str
    at: datetime | None = None


class Material(NamedTuple):
    """What a reflection looks at; nothing in it comes from anybody who is not trusted.

    *soul* are the soul files by name, *waiting* the changes to them that were proposed before.
    *sources* is what came, of which so many are *left out*; *goals* are there whether they move or not.
    """

    soul: Mapping[str, str]
    sources: tuple[Source, ...]
    left_out: int = 0
    goals: tuple[Source, ...] = ()
    today: date | None = None
    waiting: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[Source, ...]:
        """All that evidence may name."""
        return (*self.goals, *self.sources)

    @property
    def ids(self) -> dict[str, str]:
        """Each source's id by its label."""
        return {source.label: source.id for source in self.every}

    @property
    def words(self) -> frozenset[str]:
        """Every word of it: who is named there is nobody new."""
        texts = (*self.soul.values(), *(source.text for source in self.every))
        return frozenset(word for text in texts for word in plain_words(text))


def labels_in(evidence: Iterable[str]) -> list[str]:
    """Return the labels that a model names as evidence, in whatever it wraps them."""
    return [label for named in evidence for label in _LABEL.findall(named)]


def resting_on(design: Design, there: Collection[str]) -> Design:
    """Return what of a design rests on what is still there; with anything gone, its entry may tell of it.

    What a purge has left of a text is no wish.
    """

    def stands(wish: SectionEdit | GoalUpdate) -> bool:
        texts = (wish.title, wish.body) if isinstance(wish, SectionEdit) else (wish.goal,)
        are_whole = all(text and text != ERASED and ERASED_MARK not in text for text in texts)
        return are_whole and is_there(wish.evidence, there)

    kept = design._replace(
        edits=tuple(filter(stands, design.edits)),
        goals=tuple(filter(stands, design.goals)),
        refused=tuple(each for each in design.refused if is_there(each.edit.evidence, there)),
        strange=tuple(filter(stands, design.strange)),
    )
    return kept if kept == design else kept._replace(entry="")


def bears_out(
    material: Material,
    evidence: Collection[str],
    text: str,
    *,
    least: float = WANTED,
    beside: Iterable[str] = (),
) -> bool:
    """Say whether a text, in other words by its nature, speaks of its evidence and makes nothing up.

    Whoever holds what was done against the soul says it in words of both; what was noticed before may stand
    *beside* them. To do what one was told not to do, and to ask, is to contradict nothing.
    """
    seen = [*_texts(material, evidence), *beside]
    if not _ground(material, text, seen).touched:
        return False
    ground = _ground(material, text, [*seen, material.soul.get("SOUL.md", "")])
    kinds = {source.kind for source in material.every if source.id in evidence}
    if kinds & {SAID, "correction"} or "?" in text:
        ground = ground._replace(told=ground.touched, denied=0, turned=0)
    return ground.bears(least)


def grounded_in(material: Material, evidence: Collection[str], text: str) -> Ground:
    """Measure a text against the sources that are its evidence; whoever is known may be named."""
    return _ground(material, text, _texts(material, evidence))


def _ground(material: Material, text: str, sources: Iterable[str]) -> Ground:
    return ground_in_few(_DAY.sub("", text), sources, material.words)


def _texts(material: Material, evidence: Collection[str]) -> list[str]:
    return [source.text for source in material.every if source.id in evidence]


def is_there(evidence: Iterable[str], there: Collection[str]) -> bool:
    """Say whether all of some evidence is among what is there; files and pages are taken as there."""
    return all(one in there or not _HERE.isdisjoint(one) for one in evidence)

"""What tests of reflection work with: a mirror's answers, and an architect and an applier that are simple."""

import json
from collections.abc import Sequence
from typing import Any

from almario.becoming.applying import Applied
from almario.becoming.gathering import Material
from almario.becoming.phases import Needs
from almario.becoming.reflecting import Reflection
from almario.becoming.settings import ReflectionSettings
from almario.domain.documents.goal_list import GoalUpdate
from almario.domain.messages import Sentence
from almario.domain.soul_events import Design, Finding, ReflectionBegun
from almario.domain.talk import Ask
from almario.ports import LLM
from almario.soul import Soul


def answer(*findings: tuple[str, str, Sequence[str]]) -> str:
    """Return what a mirror says: the dimension, the text and the labels of each finding."""
    said = [{"dimension": one, "text": text, "evidence": list(labels)} for one, text, labels in findings]
    return json.dumps({"findings": said})


TEA = answer(("people", "Ana likes tea.", ["M1"]))
DESIGN = {
    "changes": [
        {
            "evidence": ["M1"],
            "file": "MOTIVATIONS.md",
            "title": "Current Focus",
            "body": "- Getting to know Ana.",
            "reason": "Ana is here.",
        },
        {
            "evidence": ["M1"],
            "file": "MOTIVATIONS.md",
            "title": "Core Drives",
            "body": "- To be of use without being asked.",
            "reason": "It is what I do.",
        },
    ],
    "goals": [{"evidence": ["M1"], "action": "add", "goal": "Offer Ana a cup of tea"}],
    "journal": "Ana came, and I offered nothing.",
}


def thinking(ask: Ask) -> str:
    """Answer as a whole model: to the mirror and to the architect."""
    return TEA if "findings" in (ask.schema or {})["properties"] else json.dumps(DESIGN)


class PlainArchitect:
    """An architect that wants a goal for the first finding."""

    def __init__(self, llm: LLM | None = None) -> None:
        self.seen: list[tuple[Material, Sequence[Finding], Sequence[Finding]]] = []
        self.fails: BaseException | None = None

    def design(self, material: Material, findings: Sequence[Finding], explored: Sequence[Finding]) -> Design:
        self.seen.append((material, findings, explored))
        if self.fails:
            raise self.fails
        first = [*findings, *explored][0]
        return Design(goals=(GoalUpdate("add", first.text),), entry="I looked at my days.")


class PlainApplying:
    """Adds the goals of a design, if it has not done that before, as the real one does."""

    def __init__(self, soul: Soul) -> None:
        self._soul = soul
        self.fails: BaseException | None = None

    def apply(self, begun: ReflectionBegun, design: Design, line: int | None = None) -> Applied:
        if self.fails:
            raise self.fails
        self._soul.goals.apply(design.goals, reflection=begun.id, line=line)
        return Applied((), tuple(Sentence.own(update.goal) for update in design.goals))


def reflection_of(
    soul: Soul,
    llm: LLM | None,
    settings: ReflectionSettings | None = None,
    /,
    *,
    language: str = "en",
    **others: Any,
) -> Reflection:
    """Return a soul's reflection with a model, and simple parts in the place of the others."""
    architect = PlainArchitect()
    parts: dict[str, Any] = {
        "llm": lambda job: llm,
        "applying": PlainApplying(soul),
        "explorer": lambda llm: None,
        "architect": lambda llm: architect,
        "proposal": soul.proposals.get,
        "stale": soul.goals.stale,
    }
    return Reflection(soul._vault, soul.memory, Needs(**{**parts, **others}), settings, language=language)


def lines(soul: Soul) -> list[Any]:
    """Return what the journal says of reflections, oldest first."""
    return [event.body for event in reversed(list(soul._vault.journal.select("reflection.")))]


def contents(soul: Soul) -> dict[str, bytes]:
    """Return every file of the folder, without what is derived."""
    found = [path for path in soul.path.rglob("*") if path.is_file() and ".index" not in path.parts]
    return {path.relative_to(soul.path).as_posix(): path.read_bytes() for path in found}

"""What tests of reflection work with: what a model answers to the mirror and to the architect."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from almario.becoming.exploring import Explorer
from almario.becoming.gathering import ReflectionParts
from almario.becoming.reflecting import Reflection
from almario.becoming.settings import ReflectionSettings
from almario.domain.talk import Ask
from almario.ports import LLM
from almario.soul import Soul
from almario.testing import ScriptedLLM


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


GOAL = {"evidence": ["F1"], "action": "add", "goal": "Ana likes tea."}
PLAIN = json.dumps({"changes": [], "goals": [GOAL], "journal": "I looked at my days."})


def noticing(found: str, design: str | Exception = PLAIN) -> ScriptedLLM:
    """Return a model that notices this, and wants a goal or that."""
    return ScriptedLLM(lambda ask: found if "findings" in (ask.schema or {})["properties"] else design)


def reflection_of(
    soul: Soul,
    llm: LLM | None,
    settings: ReflectionSettings | None = None,
    /,
    *,
    explorer: Callable[[LLM], Explorer | None] = lambda llm: None,
    learner: Callable[[str], LLM | None] | None = None,
) -> Reflection:
    """Return a soul's reflection with a model."""
    own = (soul._vault, soul.memory, soul.goals, soul.proposals, learner or (lambda job: llm), explorer)
    return Reflection(ReflectionParts(*own, settings or ReflectionSettings(), "en"))


def lines(soul: Soul) -> list[Any]:
    """Return what the journal says of reflections, oldest first."""
    return [event.body for event in reversed(list(soul._vault.journal.select("reflection.")))]


def contents(soul: Soul) -> dict[str, bytes]:
    """Return every file of the folder, without what is derived."""
    found = [path for path in soul.path.rglob("*") if path.is_file() and ".index" not in path.parts]
    return {path.relative_to(soul.path).as_posix(): path.read_bytes() for path in found}

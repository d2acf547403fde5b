"""What tests of reflection work with: what a model answers to it."""

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

Found = tuple[str, str, Sequence[str]]


def answer(*findings: Found, **more: Any) -> str:
    """Return what a model says: the dimension, the text and the labels of each finding, and what it wants."""
    said = [{"dimension": one, "text": text, "evidence": list(labels)} for one, text, labels in findings]
    return json.dumps({"findings": said, "changes": [], "journal": "I looked at my days.", **more})


TEA: Found = ("people", "Ana likes tea.", ["M1"])
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
    """Answer as a model that notices something and wants much; of strangers' pages, nothing."""
    is_own = "findings" in (ask.schema or {})["properties"]
    return answer(TEA, **DESIGN) if is_own else json.dumps({"changes": []})


GOAL = {"evidence": ["M1"], "action": "add", "goal": "Ana likes tea."}


def noticing(*found: Found, pages: str | Exception = '{"changes": []}', **wanted: Any) -> ScriptedLLM:
    """Return a model that notices this, and wants a goal or that; what it says of strangers' *pages*."""
    own = answer(*found, **{"goals": [GOAL], **wanted})
    return ScriptedLLM(lambda ask: own if "findings" in (ask.schema or {})["properties"] else pages)


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

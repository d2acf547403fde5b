"""What tools give back to programs, in the shapes of `tool_shapes`."""

from datetime import tzinfo
from typing import Any

from almario.conversation.prompt_sections import memory_words, when_told, words_told
from almario.domain.documents.goal_list import Goal
from almario.domain.memories import Memory
from almario.domain.model import Hit, certainty
from almario.domain.plain_text import shortened
from almario.domain.proposal import Proposal
from almario.memory.rules.admission import is_guess

# Of one text, so many characters are told; of a diff, so many.
_MOST, _MOST_OF_DIFF = 2000, 6000
_TITLE = 80


def hit_told(hit: Hit) -> dict[str, str]:
    """Return something that was found."""
    return {
        "id": hit.name,
        "kind": hit.kind,
        "text": shortened(words_told(hit), _MOST),
        "when": ", ".join(when_told(hit)),
        "certainty": certainty(hit.score),
        "state": hit.state or "live",
    }


def memory_told(memory: Memory, zone: tzinfo) -> dict[str, Any]:
    """Return a memory."""
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": shortened(memory_words(memory), _MOST),
        "when": day_told(memory, zone),
        "origin": memory.origin,
        "guess": is_guess(memory),
    }


def proposal_told(made: Proposal) -> dict[str, str]:
    """Return a proposal; of one that was refused, the reason why."""
    return {
        "id": made.id,
        "file": made.file or "memory",
        "state": made.state,
        "reason": str(made.why or made.reason),
        "diff": shortened(made.diff, _MOST_OF_DIFF),
    }


def goal_told(goal: Goal) -> dict[str, Any]:
    """Return a goal."""
    more = [each for each in (goal.status, *goal.notes, goal.outcome) if each]
    return {
        "number": goal.number,
        "text": goal.text,
        "priority": goal.priority,
        "done": goal.done,
        "more": more,
    }


def result_told(name: str, text: str) -> dict[str, str]:
    """Return something that can be fetched by its name: a title, and where it is."""
    return {"id": name, "title": shortened(" ".join(text.split()), _TITLE), "url": address_of(name)}


def address_of(name: str) -> str:
    """Return the address of what can be fetched by its name."""
    from urllib.parse import quote  # noqa: PLC0415 - seldom needed

    return f"almario://memory/{quote(name, safe='')}"


def day_told(memory: Memory, zone: tzinfo) -> str:
    """Return when a memory is from: its own time if it has one, else the day on which it was told."""
    return memory.dated or memory.at.astimezone(zone).date().isoformat()

"""MOTIVATIONS.md: what drives the agent, and when it last examined itself."""

from datetime import date

from almario.domain.documents.headings import with_section
from almario.named_tuples import NamedTuple

DRIVES = "Core Drives"
FOCUS = "Current Focus"
QUESTIONS = "Open Questions"
OBSERVATIONS = "Self-Observations"
LAST_REFLECTION = "Last Reflection"
TITLES = (DRIVES, FOCUS, QUESTIONS, OBSERVATIONS, LAST_REFLECTION)


class LastReflection(NamedTuple):
    day: date
    trigger: str
    changes: str


def with_last_reflection(text: str, last: LastReflection) -> str:
    """Return *text* with `## Last Reflection` telling of *last*."""
    trigger, changes = " ".join(last.trigger.split()), " ".join(last.changes.split())
    body = f"Date: {last.day.isoformat()}\nTrigger: {trigger}\nChanges: {changes}"
    return with_section(text, LAST_REFLECTION, body)

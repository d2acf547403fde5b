"""MOTIVATIONS.md: what drives the agent, and when it last examined itself."""

from datetime import date
from typing import NamedTuple

from almario.domain.documents.headings import english_title, parse_sections, with_section
from almario.domain.documents.lines import is_blank, without_comments

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


def nested(text: str) -> str:
    """Return the sections that hold something, one heading level deeper and without the title."""
    parts = []
    for section in parse_sections(without_comments(text)):
        if is_blank(section.body):
            continue
        body = section.body.strip()
        parts.append(f"### {english_title(section.title)}\n{body}" if section.level == 2 else body)
    return "\n\n".join(parts)

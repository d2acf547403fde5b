"""MOTIVATIONS.md: what drives the agent, and when it last examined itself."""

from almario.domain.documents.headings import with_section

DRIVES = "Core Drives"
FOCUS = "Current Focus"
QUESTIONS = "Open Questions"
OBSERVATIONS = "Self-Observations"
LAST_REFLECTION = "Last Reflection"
TITLES = (DRIVES, FOCUS, QUESTIONS, OBSERVATIONS, LAST_REFLECTION)


def with_last_reflection(text: str, *, day: str, trigger: str, changes: str) -> str:
    """Return *text* with `## Last Reflection` telling of one: each in one line."""
    told = {"Date": day, "Trigger": trigger, "Changes": changes}
    lines = [f"{name}: {' '.join(words.split())}" for name, words in told.items()]
    return with_section(text, LAST_REFLECTION, "\n".join(lines))

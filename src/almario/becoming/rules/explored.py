"""What was found on the web: `memory/explored/2026-11-14.md`, a line for each finding of that day."""

from collections.abc import Sequence
from datetime import date

from almario.domain.documents.daily import bulleted
from almario.domain.events import Filing
from almario.domain.plain_text import in_one_line
from almario.domain.soul_events import Finding
from almario.memory.rules.sources import EXPLORED


def explored_filing(day: date, findings: Sequence[Finding]) -> Filing:
    """Return findings as text owed to their day's file, each line marked as not trusted."""
    lines = [f"{in_one_line(each.text)} ({in_one_line(each.url)})" for each in findings]
    text = "".join(f"- {bulleted(line, is_trusted=False)}\n" for line in lines)
    return Filing(f"{EXPLORED}{day}.md", text, f"# Explored: {day}\n\n")

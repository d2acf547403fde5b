"""How the exams of an agent went, in figures."""

from collections.abc import Sequence

from almario.apps.dashboard.frame import PageVisit
from almario.domain.events import ExamMark
from almario.domain.soul_models import PastExam

_MOST_EXAMS = 30
MARKS: tuple[ExamMark, ...] = ("known", "silent", "missed", "wrong")


def exams(visit: PageVisit) -> Sequence[PastExam]:
    """Return the latest exams, the oldest first."""
    return visit.soul.exams[-_MOST_EXAMS:]


def curve(taken: Sequence[PastExam]) -> str:
    """Return the share that went well in each exam as the points of a line, in a box of 100 by 100."""
    step = 100 / max(len(taken) - 1, 1)
    return " ".join(
        f"{place * step:.1f},{100 - 100 * (each.score() or 0):.1f}" for place, each in enumerate(taken)
    )

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
    scores = [score for each in taken if (score := each.score()) is not None]
    step = 100 / max(len(scores) - 1, 1)
    return " ".join(f"{place * step:.1f},{100 - 100 * score:.1f}" for place, score in enumerate(scores))

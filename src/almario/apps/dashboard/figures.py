"""Figures of an agent: what models were asked for, how exams went, and how large a file is."""

from collections.abc import Sequence

from almario.apps.dashboard.frame import PageVisit
from almario.apps.dashboard.rendering import number
from almario.domain.events import ExamMark
from almario.domain.messages import Sentence
from almario.domain.soul_models import PastExam

_MOST_EXAMS = 30
MARKS: tuple[ExamMark, ...] = ("known", "silent", "missed", "wrong")
_JOBS = {
    "chat": Sentence("talking"),
    "flush": Sentence("learning"),
    "consolidation": Sentence("merging duplicates"),
    "condensing": Sentence("shortening logs"),
    "cues": Sentence("writing cues"),
    "pages": Sentence("writing what it knows about you"),
    "reflection": Sentence("reflecting"),
    "probes": Sentence("measuring drift"),
    "improve": Sentence("drafting proposals"),
    "exam": Sentence("exams"),
    "snapshot": Sentence("summing up snapshots"),
    "genesis": Sentence("drafting a soul"),
    "gateway": Sentence("other programs’ chats"),
}


def job_word(visit: PageVisit, job: str) -> str:
    """Say what models were asked for."""
    return visit.say(_JOBS[job]) if job in _JOBS else job


def exams(visit: PageVisit) -> Sequence[PastExam]:
    """Return the latest exams, the oldest first."""
    return visit.soul.exams[-_MOST_EXAMS:]


def curve(taken: Sequence[PastExam]) -> str:
    """Return the share that went well in each exam as the points of a line, in a box of 100 by 100."""
    step = 100 / max(len(taken) - 1, 1)
    return " ".join(
        f"{place * step:.1f},{100 - 100 * (each.score() or 0):.1f}" for place, each in enumerate(taken)
    )


def size(bytes_: int) -> str:
    """Say how large a file is."""
    return f"{number(bytes_ / 1e6, 1)} MB" if bytes_ >= 100_000 else f"{number(bytes_ / 1e3, 1)} KB"

"""Figures of an agent in words: what models were asked for, and how large a file is."""

from almario.apps.dashboard.frame import PageVisit
from almario.apps.dashboard.rendering import number
from almario.domain.messages import Sentence

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
    "snapshot": Sentence("summing up snapshots"),
    "genesis": Sentence("drafting a soul"),
    "gateway": Sentence("other programs’ chats"),
}


def job_word(visit: PageVisit, job: str) -> str:
    """Say what models were asked for."""
    return visit.say(_JOBS[job]) if job in _JOBS else job


def size(bytes_: int) -> str:
    """Say how large a file is."""
    return f"{number(bytes_ / 1e6, 1)} MB" if bytes_ >= 100_000 else f"{number(bytes_ / 1e3, 1)} KB"

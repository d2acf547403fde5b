"""Figures of an agent as charts: what models cost by day and job, how long searches took, exams."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from markupsafe import Markup

from almario.apps.dashboard import drawing
from almario.apps.dashboard.frame import PageVisit
from almario.apps.dashboard.rendering import number
from almario.domain.events import ExamMark
from almario.domain.messages import Sentence
from almario.domain.validity import MONTHS
from almario.domain.vocabulary import EXAM_MARKS
from almario.upkeep.rules.costs import Report, Spent

# So many jobs have a colour of their own; the last one is for the rest.
_COLOURS = 5
_MOST_SEARCHES, _FEW_SEARCHES = 60, 20
_MOST_EXAMS = 30
MARKS: tuple[ExamMark, ...] = ("known", "silent", "missed", "wrong")
_REST = "…"
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
    _REST: Sentence("the rest"),
}


class Spending(NamedTuple):
    """The chart of what was spent, and the jobs that have a colour in it."""

    drawn: Markup
    jobs: tuple[str, ...]


def job_word(visit: PageVisit, job: str) -> str:
    """Say what models were asked for."""
    return visit.say(_JOBS[job]) if job in _JOBS else job


def spending(visit: PageVisit, report: Report, days: int) -> Spending | None:
    """Return the tokens of each of the last days by job; None if none were spent."""
    if not report.total.calls:
        return None
    jobs = tuple(report.jobs)
    if len(jobs) > _COLOURS:
        jobs = (*jobs[: _COLOURS - 1], _REST)
    bars = []
    for away in reversed(range(days)):
        day = visit.today - timedelta(days=away)
        label = f"{day.day} {visit.say(Sentence(MONTHS[day.month - 1]))[:3]}"
        spent = report.daily.get(day, {})
        tokens = number(sum(each.tokens for each in spent.values()))
        words = visit.say(Sentence("{count} tokens", count=tokens))
        bars.append(drawing.ChartBar(label, _parts(spent, jobs), f"{label}: {words}"))
    told = visit.say(Sentence("{count} tokens in {days} days", count=number(report.total.tokens), days=days))
    return Spending(drawing.bars(visit.say(Sentence("Tokens a day")), told, bars, unit="tokens"), jobs)


def _parts(spent: dict[str, Spent], jobs: Sequence[str]) -> tuple[float, ...]:
    rest = sum(each.tokens for job, each in spent.items() if job not in jobs)
    return tuple(rest if job == _REST else spent.get(job, Spent()).tokens for job in jobs)


def searches(visit: PageVisit) -> Markup:
    """Return how long the latest searches of this server took."""
    found = visit.soul.memory.latency()
    latest = found.latest[-_MOST_SEARCHES:]
    bars = [drawing.ChartBar("", (each,), f"{each:.1f} ms") for each in latest]
    title, told = visit.say(Sentence("How long searches took")), visit.say(speed(*found[:3]))
    return drawing.bars(title, told, bars, unit="ms")


def exams(visit: PageVisit) -> Markup | None:
    """Return how many questions of the latest exams have each mark; None if there was no exam."""
    taken = visit.soul.exams[-_MOST_EXAMS:]
    bars = []
    for each in taken:
        counts = {mark: each.count(mark) for mark in MARKS}
        label = visit.day(each.at.astimezone(visit.soul.zone).date())
        words = ", ".join(f"{visit.say(EXAM_MARKS[mark])} {count}" for mark, count in counts.items() if count)
        bars.append(drawing.ChartBar(label, tuple(counts.values()), f"{label}: {words}"))
    title, told = Sentence("Does it still know?"), Sentence("{count} exams", count=len(taken))
    unit = visit.say(Sentence("questions"))
    return drawing.bars(visit.say(title), visit.say(told), bars, unit=unit) if bars else None


def speed(searches: int, median: float, slow: float) -> Sentence:
    """Say how quick the latest searches were; of a few, only what that many can tell."""
    half = number(median)
    if searches < _FEW_SEARCHES:
        sentence = "{count} searches so far; half took less than {median} ms"
        return Sentence(sentence, count=searches, median=half)
    sentence = "half took less than {median} ms, one in twenty more than {slow} ms"
    return Sentence(sentence, median=half, slow=number(slow))


def size(bytes_: int) -> str:
    """Say how large a file is."""
    return f"{number(bytes_ / 1e6, 1)} MB" if bytes_ >= 100_000 else f"{number(bytes_ / 1e3, 1)} KB"

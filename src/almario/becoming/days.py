"""Days: what each left behind in logs, summaries, reflections and memories."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from almario.domain.acts import ACT, DONE, TOLD
from almario.domain.documents.daily import LogEntry, log_path, parse_log
from almario.domain.memories import EVERY, UNTRUSTED, Memory, Wanted
from almario.domain.places import HOME, project_of
from almario.domain.plain_text import shortened
from almario.memory.facade import Memories
from almario.memory.rules.sources import (
    ARCHIVE,
    HISTORY,
    REFLECTIONS,
    day_named,
    entries_of,
    places_of,
)
from almario.ports import Store

# After this day there is one more.
_LAST = date.max - timedelta(days=1)
# At most so many memories of a day are returned.
_MOST = 500
# So many of the last turns of a session are looked at for what was done, which is told in a line so long.
_LOOKED_AT, _DONE_LINE = 1000, 300


class Day(NamedTuple):
    """How much a day left: entries of its log, summaries, reflections, and memories by kind."""

    day: date
    log: int = 0
    summaries: int = 0
    reflections: int = 0
    learned: dict[str, int] = {}  # noqa: RUF012 - nobody writes into it


class DayNote(NamedTuple):
    """What was noted *at* a time of a day: a line of its log, or a *memory* by its id.

    *category* is that of the line, or the memory's kind; *state* is the memory's.
    """

    at: time
    text: str
    category: str = ""
    memory: str = ""
    state: str = ""
    is_trusted: bool = True


class DayPage(NamedTuple):
    """A text under its name."""

    name: str
    text: str


class WholeDay(NamedTuple):
    """All that a day left; *condensed* are the lines of its log as they were before it was shortened.

    *noted* are the lines of the log and what was learned, without what is forgotten, in the order of time.
    """

    day: date
    log: tuple[LogEntry, ...]
    condensed: tuple[LogEntry, ...]
    summaries: tuple[str, ...]
    reflections: tuple[DayPage, ...]
    learned: tuple[Memory, ...]
    noted: tuple[DayNote, ...]
    # What coding agents did, a line a session, and what they were told as they were about to.
    done: tuple[DayNote, ...] = ()


class Days:
    """Reads the days of one agent."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory

    def between(self, first: date, last: date) -> list[Day]:
        """Return the days in a range that hold anything, oldest first."""
        log, summaries = Counter(self._logged(first, last)), Counter(day for day, _ in self._summaries())
        mused = Counter(filter(None, map(day_named, self._names(REFLECTIONS))))
        learned = {each.day: each.kinds for each in self._memory.timeline(self._span(first, last))}
        return [
            Day(day, log[day], summaries[day], mused[day], learned.get(day, {}))
            for day in sorted({*learned, *log, *summaries, *mused})
            if first <= day <= last
        ]

    def get(self, day: date | None = None) -> WholeDay:
        """Return everything a day holds; today by default."""
        day = day or self._vault.now().date()
        place, *archived = places_of(log_path(day))
        log = tuple(parse_log(self._vault.read(place).text))
        learned = tuple(self._memory.list(self._span(day, day)._replace(limit=_MOST)))
        noted = [DayNote(each.at, each.text, each.category, is_trusted=each.is_trusted) for each in log]
        # What stands on a line of this log is told by that.
        noted += [self._note(each) for each in learned if each.state != "retired" and each.path != place]
        done = sorted(self._done(day), key=lambda each: each.at)
        return WholeDay(
            day,
            log,
            tuple(entry for name in archived for entry in parse_log(self._vault.read(name).text)),
            tuple(text for summary_day, text in self._summaries() if summary_day == day),
            tuple(
                DayPage(name, self._vault.read(name).text)
                for name in self._names(REFLECTIONS)
                if day_named(name) == day
            ),
            learned,
            tuple(sorted([*noted, *done], key=lambda each: each.at)),
            tuple(done),
        )

    def _done(self, day: date) -> Iterator[DayNote]:
        away, transcripts, zone = self._memory.out_of_mind(), self._vault.transcripts, self._vault.zone
        for session in transcripts.sessions():
            if project_of(session) == HOME:
                continue
            last = transcripts.read(session, last=1)
            if not last or last[0].at.astimezone(zone).date() < day:
                continue
            acts = [
                turn
                for turn in transcripts.read(session, last=_LOOKED_AT)
                if ACT in turn.more and turn.at.astimezone(zone).date() == day and turn.id not in away
            ]
            told = [turn for turn in acts if turn.more[ACT] == TOLD]
            lines = [line for turn in acts if turn not in told for line in turn.text.splitlines()]
            if lines:
                text = shortened(f"{session.partition(':')[0]}: {'; '.join(lines)}", _DONE_LINE)
                at = acts[-1].at.astimezone(zone).time()
                yield DayNote(at, text, DONE, is_trusted=False)
            yield from (DayNote(turn.at.astimezone(zone).time(), turn.text, TOLD) for turn in told)

    def _note(self, memory: Memory) -> DayNote:
        at = memory.at.astimezone(self._vault.zone).time()
        is_trusted = memory.origin != UNTRUSTED
        return DayNote(at, memory.text, memory.kind, memory.id, memory.state, is_trusted)

    def _span(self, first: date, last: date) -> Wanted:
        begin = datetime.combine(first, time(), self._vault.zone)
        end = datetime.combine(min(last, _LAST) + timedelta(days=1), time(), self._vault.zone)
        return EVERY._replace(since=begin, until=end)

    def _logged(self, first: date, last: date) -> dict[date, int]:
        named = {day_named(name): name for name in self._names("memory/")}
        inside = {day: name for day, name in named.items() if day and first <= day <= last}
        return {day: len(parse_log(self._vault.read(name).text)) for day, name in inside.items()}

    def _summaries(self) -> Iterator[tuple[date, str]]:
        for path in (f"{ARCHIVE}HISTORY.md", HISTORY):
            for entry in entries_of(path, self._vault.read(path).text):
                if entry.day:
                    yield entry.day, entry.text

    def _names(self, folder: str) -> list[str]:
        return self._vault.documents.names(folder.rstrip("/"))

"""Gathering: what a reflection looks at, from the files and the memory. Nothing in it is a stranger's.

It can be gathered again: what came later is left to the next reflection, and what was forgotten is gone.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import groupby

from almario.becoming.exploring import Explorer
from almario.becoming.goals import FILE as GOALS
from almario.becoming.goals import Goals
from almario.becoming.proposals import Proposals
from almario.becoming.rules.merging import changes_between
from almario.becoming.settings import ReflectionSettings
from almario.domain.documents.daily import LogEntry, log_day, log_path, parse_log
from almario.domain.documents.goal_list import Goal, parse_goals
from almario.domain.documents.headings import parse_sections
from almario.domain.documents.lines import is_blank, without_comments
from almario.domain.memories import ERASED, EVERY, IN_FILES, OWN_PASSAGE, same_value
from almario.domain.plain_text import in_one_line, indented, regex, shortened
from almario.domain.proposal import Proposal
from almario.domain.turns import Turn, own_words
from almario.errors import AlmarioError
from almario.memory.facade import Memories
from almario.memory.rules.admission import is_guess
from almario.memory.rules.sources import line_name
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Store
from almario.structured_reply import fenced
from almario.text.quoting import parted

# The kinds of what is looked at that no memory has.
GOAL, LOG, TALK = "goal", "log", "said"
# What the agent is told of who it is.
SOUL = ("IDENTITY.md", "SOUL.md", "MOTIVATIONS.md", GOALS, "USER.md")
# A line that is added so many days late to a log is still looked at.
LATE = timedelta(days=7)
# Of one source, so much is shown.
_LONGEST = 2000
# So many characters of the past days are looked at.
_MOST_CHARS = 40_000
# What the agent said takes at most this part of the room, and so many proposals are told of.
_OF_ACTS, _PROPOSALS, _PROPOSED = 4, 10, 400
# Of each conversation so many turns are looked at, and of each so much is told.
_TURNS, _MESSAGE, _ANSWER = 80, 160, 400
# A shorter text is part of too many others.
_SHORT = 8
_BEGINNING = datetime.min.replace(tzinfo=UTC)
_LABELS = {LOG: "L", "summary": "S", GOAL: "G", TALK: "T"}
_CAME = "=== What came since"
_HEADINGS = {GOAL: "=== Goals", TALK: "=== What the agent said, and to what"}


# Alone, and not part of a word: "COVID19" names no line.
_LABEL = regex(r"(?<![^\W_])[A-Z]\d+(?![^\W_])")


class ReflectionParts(NamedTuple):
    """What an agent reflects with; *learner* gives the model of a job, *explorer* what may use the web."""

    vault: Store
    memory: Memories
    goals: Goals
    proposals: Proposals
    learner: Callable[[str], LLM | None]
    explorer: Callable[[LLM], Explorer | None]
    settings: ReflectionSettings
    language: str


class ReflectionSpan(NamedTuple):
    """What a reflection looks at: what was entered after line *after* of the journal, and before *line*.

    With *since*, also what came from that instant on, for another look. Entries of the daily logs are
    counted by their minute, because anybody may write one, at any time: *seen* are those that an earlier
    reflection has looked at.
    """

    line: int
    upto: datetime
    after: int = 0
    begins: datetime | None = None
    since: datetime | None = None
    seen: Mapping[str, int] = Counter()


class Source(NamedTuple):
    """A piece of what is looked at: *id* is what evidence names, *label* how the model is told of it."""

    id: str
    label: str
    kind: str
    text: str
    at: datetime | None = None


class Material(NamedTuple):
    """What a reflection looks at; nothing in it comes from anybody who is not trusted.

    *soul* are the soul files by name, *waiting* the changes to them that were proposed before.
    *sources* is what came, of which so many are *left out*; *goals* are there whether they move or not.
    """

    soul: Mapping[str, str]
    sources: tuple[Source, ...]
    left_out: int = 0
    goals: tuple[Source, ...] = ()
    today: date | None = None
    waiting: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[Source, ...]:
        """All that evidence may name."""
        return (*self.goals, *self.sources)

    @property
    def ids(self) -> dict[str, str]:
        """Each source's id by its label."""
        return {source.label: source.id for source in self.every}


class _Entry(NamedTuple):
    """An entry of a log, when it was made, and its number among those of the same minute."""

    log: LogEntry
    at: datetime
    minute: str
    nth: int


class Gathered(NamedTuple):
    """The material, and the entries of the logs that were *seen*."""

    material: Material
    seen: Counter[str]


class Gathering:
    """Gathers what a reflection looks at, newest first until there is no more room."""

    def __init__(self, parts: ReflectionParts) -> None:
        self._parts = parts
        self._vault = parts.vault
        self._memory = parts.memory
        self._most = _MOST_CHARS

    def gather(self, span: ReflectionSpan) -> Gathered:
        """Return what came in a span, redacted, with the soul files, the goals and the open proposals."""
        entries, unwanted = list(self._entries_until(span)), self._unwanted()
        acts = list(self._acts(span, unwanted))
        own = _newest(self._clean(acts), self._most // _OF_ACTS)
        shown = {each.id for each in own} if len(own) == len(acts) else set[str]()
        found = [*self._memories(span, shown), *self._log_sources(span, entries, unwanted)]
        fitting = _newest(self._clean(found), self._most - sum(len(each.text) for each in own)) + own
        soul = {name: self._memory.redact.text(self._vault.read(name).text) for name in SOUL}
        soul = {name: text for name, text in soul.items() if text.strip()}
        material = Material(
            soul,
            _labelled(fitting),
            len(found) + len(acts) - len(fitting),
            _labelled(self._goals(span)),
            self._day(span.upto),
            self._proposed(),
        )
        recent = self._recent(span)
        seen = Counter(each.minute for each in entries if each.at.date() >= recent)
        return Gathered(material, seen)

    def _clean(self, sources: Sequence[Source]) -> list[Source]:
        redact = self._memory.redact.text
        return [source._replace(text=shortened(redact(source.text), _LONGEST)) for source in sources]

    def _goals(self, span: ReflectionSpan) -> list[Source]:
        still = {each.goal.number: each.days for each in self._parts.goals.stale()}
        since = self._day(span.begins) if span.begins else date.min
        goals = parse_goals(self._vault.read(GOALS).text)
        shown = [goal for goal in goals if not goal.done or (goal.completed and goal.completed >= since)]
        return self._clean(
            [Source(f"{GOALS}#{goal.number}", "", GOAL, _progress_of(goal, still)) for goal in shown]
        )

    def _proposed(self) -> tuple[str, ...]:
        """Return what was proposed for the soul and has no answer yet; nothing that is a stranger's."""
        every = self._parts.proposals.list()
        waiting = [each for each in every if each.file and each.origin != "untrusted"]
        return tuple(self._memory.redact.text(_proposal_line(each)) for each in waiting[-_PROPOSALS:])

    def _acts(self, span: ReflectionSpan, unwanted: Collection[str]) -> Iterator[Source]:
        """Yield what the agent said in a span, each answer with what it answers, and named by that."""
        out = frozenset(self._memory.out_of_mind())
        begins = min(each for each in (span.begins, span.since) if each) if span.begins else None
        for session in self._vault.transcripts.sessions():
            message: Turn | None = None
            for turn in self._vault.transcripts.read(session, last=_TURNS):
                if turn.role == "user":
                    message = turn if turn.origin == "owner" and _is_kept(turn) else None
                is_new = (begins is None or turn.at > begins) and turn.at <= span.upto
                if not is_new or turn.role != "assistant" or turn.origin != "agent" or not _is_kept(turn):
                    continue
                first = message or turn
                text = _exchange(first, turn)
                if not _says(text, unwanted) and out.isdisjoint({turn.id, first.id}):
                    yield Source(first.id, "", TALK, text, turn.at.astimezone(self._vault.zone))

    def _memories(self, span: ReflectionSpan, shown: Set[str]) -> Iterator[Source]:
        """Yield the memories in use that are new or were changed; one that was only confirmed is not.

        Nor are guesses, and facts that are only the agent's: it would reflect on its own reflection. A
        summary of exchanges that are *shown* themselves says nothing more.
        """
        news = [each for each in self._memory.history() if set(each.change.get("set", {})) - {"renewed"}]
        later = {each.change["id"] for each in news if each.seq > span.line}
        again = {each.change["id"] for each in news if span.since and each.at >= span.since}
        wanted = ({each.change["id"] for each in news if each.seq > span.after} | again) - later
        for memory in self._memory.list():
            is_agents = memory.kind in OWN_PASSAGE and memory.origin == "agent"
            is_told = memory.kind == "summary" and not shown.isdisjoint(memory.evidence[:1])
            # What was imported has not been lived, and anybody may have written it.
            is_out = is_agents or is_told or is_guess(memory) or memory.origin == "imported"
            if memory.id in wanted and not is_out:
                text = memory.value if memory.kind in IN_FILES else memory.text
                yield Source(memory.id, "", memory.kind, text, memory.at.astimezone(self._vault.zone))

    def _entries_until(self, span: ReflectionSpan) -> Iterator[_Entry]:
        """Yield the entries of the logs that are not yet to come for a span."""
        first, recent = self._first(span), self._recent(span)
        again = self._day(span.since) if span.since else first
        for day in self._days(min(first, recent, again)):
            for each in _numbered(day, self._entries(day), self._vault.zone):
                if each.at <= span.upto:
                    yield each

    def _log_sources(
        self, span: ReflectionSpan, entries: Sequence[_Entry], unwanted: Collection[str]
    ) -> Iterator[Source]:
        """Yield the entries that are new, or looked at again, and nobody's memory."""
        first, out = self._first(span), self._memory.out_of_mind()
        for day, of_day in groupby(entries, key=lambda each: each.at.date()):
            path = log_path(day)
            known = {memory.value for memory in self._memory.list(EVERY._replace(path=path))}
            for log, at, minute, nth in of_day:
                is_new = day >= first and nth > span.seen.get(minute, 0)
                is_again = span.since is not None and at >= span.since
                is_wanted = log.is_trusted and log.text not in known and not _says(log.text, unwanted)
                is_wanted = is_wanted and line_name(path, log.text) not in out
                if (is_new or is_again) and is_wanted:
                    yield Source(f"{path}#{log.line}", "", LOG, log.text, at)

    def _unwanted(self) -> set[str]:
        """Return the texts, as they are compared, that were forgotten or come from strangers alone."""
        every = self._memory.list(EVERY)
        unwanted = {m.value for m in every if m.state == "retired" or m.origin == "untrusted"}
        in_use = {m.value for m in every if m.is_live and m.origin != "untrusted"}
        return {same_value(value) for value in unwanted - in_use} - {""}

    def _days(self, first: date) -> list[date]:
        days = map(log_day, self._vault.documents.names("memory"))
        return sorted(day for day in days if day and day >= first)

    def _entries(self, day: date) -> list[LogEntry]:
        try:
            return parse_log(self._vault.log_of(day).text)
        except AlmarioError:  # whoever indexes it tells
            return []

    def _first(self, span: ReflectionSpan) -> date:
        # The clock may have been put back since the reflection before.
        return self._day(min(span.begins, span.upto)) - LATE if span.begins else date.min

    def _recent(self, span: ReflectionSpan) -> date:
        """Return the first day to whose log somebody may still add."""
        return self._day(span.upto) - LATE

    def _day(self, at: datetime) -> date:
        return at.astimezone(self._vault.zone).date()


def labels_in(evidence: Iterable[str]) -> list[str]:
    """Return the labels that a model names as evidence, in whatever it wraps them."""
    return [label for named in evidence for label in _LABEL.findall(named)]


def material_text(material: Material, *more: str) -> str:
    """Return the material and *more* as a model is given it: the day, and a fence that nobody can guess."""
    # A comment in SOUL.md is part of the soul; elsewhere it is a note on how to fill the file in.
    soul = {
        file: text if file == "SOUL.md" else without_comments(text) for file, text in material.soul.items()
    }
    parts = [
        f"=== {file}\n{text.strip()}" for file, text in soul.items() if file != GOALS and _says_any(text)
    ]
    parts += [*_parts(material), *more]
    today = f"\n\nToday is {material.today:%A}, {material.today}." if material.today else ""
    return fenced("material", "\n\n".join(parts)) + today


def _parts(material: Material) -> Iterator[str]:
    for heading, sources in groupby(material.every, lambda source: _HEADINGS.get(source.kind, _CAME)):
        left_out = [f"({material.left_out} older ones are left out.)"] if material.left_out else []
        yield "\n".join([heading, *(left_out if heading == _CAME else ()), *map(_line, sources)])


def _says_any(text: str) -> bool:
    """Return whether anything stands below the headings of a text."""
    return any(not is_blank(section.body) for section in parse_sections(text))


def _line(source: Source) -> str:
    day = f" {source.at.date()}" if source.at else ""
    kind = "" if source.kind in _HEADINGS else f" {source.kind}:"
    return f"[{source.label}]{day}{kind} {indented(source.text)}"


def _numbered(day: date, entries: Sequence[LogEntry], zone: tzinfo) -> Iterator[_Entry]:
    met: Counter[str] = Counter()
    for entry in entries:
        minute = f"{day} {entry.at:%H:%M}"
        met[minute] += 1
        yield _Entry(entry, datetime.combine(day, entry.at, zone), minute, met[minute])


def _says(text: str, unwanted: Collection[str]) -> bool:
    value = same_value(text)
    return any(each == value or (len(each) >= _SHORT and each in value) for each in unwanted)


def _newest(sources: Sequence[Source], most: int) -> list[Source]:
    """Return the newest sources that fit, in order; the very newest fits always."""
    ordered = sorted(sources, key=lambda source: source.at or _BEGINNING)
    kept: list[Source] = []
    for source in reversed(ordered):
        most -= len(source.text)
        if most < 0 and kept:
            break
        kept.append(source)
    return kept[::-1]


def _labelled(sources: Sequence[Source]) -> tuple[Source, ...]:
    counts: Counter[str] = Counter()
    labelled = []
    for source in sources:
        letter = _LABELS.get(source.kind, "M")
        counts[letter] += 1
        labelled.append(source._replace(label=f"{letter}{counts[letter]}"))
    return tuple(labelled)


def _progress_of(goal: Goal, still: Mapping[int, int]) -> str:
    how = [f"{goal.priority} priority", goal.status, *goal.notes]
    if goal.number in still:
        how.append(f"no movement for {still[goal.number]} days")
    if goal.done:
        how = [f"completed on {goal.completed}", goal.outcome]
    return f"{goal.text} ({'; '.join(filter(None, how))})"


def _proposal_line(proposal: Proposal) -> str:
    added = [
        line.strip() for change in changes_between(proposal.before, proposal.after) for line in change.lines
    ]
    words = shortened(in_one_line(" ".join(filter(None, added))), _PROPOSED)
    return f"{proposal.file}: {words or 'lines taken out'} ({in_one_line(proposal.reason)})"


def _exchange(message: Turn, turn: Turn) -> str:
    answer = shortened(in_one_line(own_words(turn, marked=True)), _ANSWER)
    words = shortened(in_one_line(parted(message.text).own), _MESSAGE) if message is not turn else ""
    return f"to «{words}»: {answer}" if words else answer


def _is_kept(turn: Turn) -> bool:
    return not turn.is_off and turn.text != ERASED and bool(own_words(turn))

"""Reflection: the agent examines its days, in one run: gather, explore, design, apply.

No model is asked while the agent's lock is held. What is erased or forgotten while one thinks is neither
wanted nor told. A run that ends in the middle is begun anew, under the same name on the same day: what was
applied under it is not applied again.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from itertools import count
from typing import TYPE_CHECKING

from almario.becoming.applying import Applied, Applying
from almario.becoming.architect import Architect
from almario.becoming.exploring import Explored
from almario.becoming.gathering import Gathering, Material, ReflectionParts, ReflectionSpan
from almario.becoming.rules.items import items_in
from almario.becoming.rules.motivations import QUESTIONS
from almario.becoming.rules.reflections import (
    APPLY,
    ARCHITECT,
    EXPLORER,
    GATHER,
    JOB,
    NIGHT,
    OWNER,
    ReflectionOutcome,
    entry_of,
    explored_filing,
    has_entry,
    reflection_filing,
)
from almario.domain.documents.goal_list import GoalUpdate
from almario.domain.documents.headings import section_body
from almario.domain.documents.lines import without_comments
from almario.domain.events import Filing
from almario.domain.memories import ERASED, ERASED_MARK
from almario.domain.messages import Sentence, sentence_of
from almario.domain.records import written
from almario.domain.soul_events import (
    Design,
    Finding,
    ReflectionBegun,
    ReflectionEnded,
    SectionEdit,
    Trigger,
)
from almario.domain.soul_models import REFLECTIONS as RUNS
from almario.domain.soul_models import Run
from almario.errors import EditConflict, LLMError, LLMUnavailable, MissingExtra, SoulError
from almario.former_names import answering
from almario.memory.rules.sources import REFLECTIONS
from almario.named_tuples import NamedTuple
from almario.ports import LLM

ALREADY = Sentence("the agent is already reflecting, in another process")
# Signs that the id of a memory or a turn does not have.
_HERE = frozenset("./")

# Hears the name of each phase as it begins.
Hear = Callable[[str], None]


class Reflected(NamedTuple):
    """What a reflection looked at, found, and wants; *why* says why it stopped, if it did.

    *entry* is the file with what it wrote of it; *told* is worth knowing besides.
    """

    id: str
    material: Material | None = None
    findings: tuple[Finding, ...] = ()
    explored: tuple[Finding, ...] = ()
    design: Design = Design()
    applied: Applied = Applied()
    why: Sentence | None = None
    entry: str = ""
    told: tuple[Sentence, ...] = ()

    @property
    def outcome(self) -> ReflectionOutcome:
        """What is told of it."""
        return ReflectionOutcome(self.findings, self.explored, self.design, *self.applied)


class Night(NamedTuple):
    """A nightly reflection: the *day* it was about, its *id*, and the *entry* the agent wrote about it."""

    day: date
    id: str
    entry: str


class _Wish(NamedTuple):
    trigger: Trigger
    day: str
    since: str


class Reflection:
    """Examines what came since the last time."""

    def __init__(self, parts: ReflectionParts) -> None:
        self._parts = parts
        self._vault = parts.vault
        self._memory = parts.memory

    def run(
        self,
        *,
        trigger: Trigger = OWNER,
        day: date | None = None,
        since: date | None = None,
        hear: Hear | None = None,
    ) -> Reflected:
        """Reflect on what came since the last reflection.

        *day* is the owner's day that it is for; *since* looks again at what came
        from that day on. *hear* gets the name of each phase as it begins.
        LLMUnavailable: there is no model.
        """
        if not self._parts.settings.enabled:
            raise SoulError("reflection is switched off; set reflection.enabled = true")
        today = self._vault.now().date()
        if since and since > today:
            raise SoulError("{day} is in the future; choose an earlier day", day=since.isoformat())
        wish = _Wish(trigger, (day or today).isoformat(), self._midnight(since))
        if done := self._night_of(wish):
            return Reflected(done)
        llm = self._parts.learner(JOB)
        if llm is None:
            sentence = 'there is no language model to reflect with; "almario model" says how to get one'
            raise LLMUnavailable(sentence, passes=False)
        with self._vault.lease("reflect") as is_held:
            if not is_held:
                return Reflected("", why=ALREADY)
            return self._reflect(wish, llm, hear)

    def latest(self) -> Night | None:
        """Return the latest nightly reflection that finished, with the agent's journal entry about it."""
        found = next(self._nights(), None)
        if found is None:
            return None
        entry = entry_of(self._vault.read(f"{REFLECTIONS}{found.day}.md").text, found.id)
        return Night(date.fromisoformat(found.day), found.id, entry)

    if not TYPE_CHECKING:
        __getattr__ = answering("reflection")

    def _reflect(self, wish: _Wish, llm: LLM, hear: Hear | None) -> Reflected:
        if night := self._night_of(wish):  # another process was faster
            return Reflected(night)
        before = next((run for run in reversed(self._runs()) if run.outcome == "done"), None)
        since = wish.since or (before.begun.upto if before else "")
        line, upto, zone = self._vault.journal.tail().seq, self._vault.now(), str(self._vault.zone)
        name = self._name(wish.day)
        begun = ReflectionBegun(name, wish.day, zone, wish.trigger, since, written(upto), line)
        try:
            done = _Running(self._parts, begun, _span_of(begun, before), llm, hear).run()
        except (LLMError, MissingExtra, EditConflict) as exc:
            why = sentence_of(exc)
            self._memory.tried(JOB, why)
            return Reflected(begun.id, why=why)
        self._memory.tried(JOB, None)
        return done

    def _night_of(self, wish: _Wish) -> str:
        if wish.trigger != NIGHT:
            return ""
        return next((begun.id for begun in self._nights() if begun.day == wish.day), "")

    def _runs(self) -> list[Run]:
        return [run for run in self._vault.follower.rows(RUNS).values() if run.line]

    def _nights(self) -> Iterator[ReflectionBegun]:
        for run in reversed(self._runs()):
            if run.begun.trigger == NIGHT and run.outcome == "done":
                yield run.begun

    def _name(self, day: str) -> str:
        """Return the name of a day's next reflection: that of one which did not end, if there is one."""
        ended = {name for name, run in self._vault.follower.rows(RUNS).items() if run.outcome}
        return next(name for n in count(1) if (name := f"{day}-{n}") not in ended)

    def _midnight(self, day: date | None) -> str:
        if not day:
            return ""
        day = max(day, date(1, 1, 2))  # the first midnight that every zone has
        return written(datetime.combine(day, time(), self._vault.zone).astimezone(UTC))


class _Running:
    """One run, from what came to what is written of it; what a model or a file refuses is raised."""

    def __init__(
        self,
        parts: ReflectionParts,
        begun: ReflectionBegun,
        span: ReflectionSpan,
        llm: LLM,
        hear: Hear | None,
    ) -> None:
        self._parts = parts
        self._vault = parts.vault
        self._begun = begun
        self._span = span
        self._gathering = Gathering(parts)
        self._llm = llm
        self._hear = hear or (lambda phase: None)

    def run(self) -> Reflected:
        self._hear(GATHER)
        seen_as = self._vault.read("MOTIVATIONS.md").hash or ""
        material, seen = self._gathering.gather(self._span)
        self._begun = self._begun._replace(seen=dict(seen))
        done = Reflected(self._begun.id, material)
        if not material.sources:
            self._begin(Design())
            self._record(ReflectionEnded(done.id, "done"))
            return done
        explored = self._explored(material)
        self._hear(ARCHITECT)
        design = self._design(material, explored)
        self._hear(APPLY)
        self._begin(design)
        parts = self._parts
        applying = Applying(parts.goals, parts.proposals, language=parts.language)
        applied = applying.apply(self._begun, design._replace(of=seen_as), self._begun.line)
        done = done._replace(findings=design.findings, explored=tuple(explored), design=design)
        return self._ended(done._replace(applied=applied, told=explored.told))

    def _explored(self, material: Material) -> Explored:
        explorer, questions = self._parts.explorer(self._llm), open_questions(material)
        if not explorer or not questions:
            return Explored()
        self._hear(EXPLORER)
        return explorer.explore(questions)

    def _design(self, material: Material, explored: Sequence[Finding]) -> Design:
        """Let the architect look and design; nothing rests on what was forgotten while it thought."""
        redact = self._parts.memory.redact.text
        architect = Architect(self._llm, language=self._parts.language, redact=redact)
        made = architect.design(material, explored)
        made = _resting_on(made, set(self._gathering.gather(self._span).material.ids.values()))
        return made if self._parts.settings.goals else made._replace(goals=())

    def _begin(self, design: Design) -> None:
        """Enter what is looked at and what the design rests on, so that a purge knows what retells it."""
        edits = (*design.edits, *design.strange, *(each.edit for each in design.refused))
        wishes: tuple[Finding | GoalUpdate | SectionEdit, ...] = (*design.findings, *design.goals, *edits)
        named = dict.fromkeys(one for each in wishes for one in each.evidence)
        self._begun = self._begun._replace(evidence=tuple(named))
        self._record(self._begun)

    def _ended(self, done: Reflected) -> Reflected:
        begun, language = self._begun, self._parts.language
        entry = reflection_filing(begun, done.outcome, zone=self._vault.zone, language=language)
        owed = [explored_filing(date.fromisoformat(begun.day), done.explored)] if done.explored else []
        # A journal that was mended may have lost that it ended.
        owed += [] if has_entry(self._vault.read(entry.path).content or b"", begun.id) else [entry]
        told = self._record(ReflectionEnded(begun.id, "done"), *owed)
        return done._replace(entry=entry.path, told=(*done.told, *told))

    def _record(self, body: ReflectionBegun | ReflectionEnded, *owed: Filing) -> list[Sentence]:
        """Enter a line; EditConflict if something was erased since the run began."""
        is_owners = isinstance(body, ReflectionBegun) and body.trigger != NIGHT
        with self._vault.writing(since=self._begun.line) as write:
            write.append(body, actor="owner" if is_owners else "agent", filings=owed)
            return write.file(owed) if owed else []


def open_questions(material: Material) -> list[str]:
    """Return the questions that MOTIVATIONS.md keeps open, one for each line."""
    return items_in(section_body(without_comments(material.soul.get("MOTIVATIONS.md", "")), QUESTIONS))


def _resting_on(design: Design, there: Collection[str]) -> Design:
    """Return what of a design rests on what is still there; with anything gone, its entry may tell of it.

    What a purge has left of a text is no wish.
    """

    def stands(wish: SectionEdit | GoalUpdate) -> bool:
        texts = (wish.title, wish.body) if isinstance(wish, SectionEdit) else (wish.goal,)
        are_whole = all(text and text != ERASED and ERASED_MARK not in text for text in texts)
        return are_whole and _is_there(wish.evidence, there)

    kept = design._replace(
        findings=tuple(
            each for each in design.findings if _is_there(each.evidence, there) and each.text != ERASED
        ),
        edits=tuple(filter(stands, design.edits)),
        goals=tuple(filter(stands, design.goals)),
        refused=tuple(each for each in design.refused if _is_there(each.edit.evidence, there)),
        strange=tuple(filter(stands, design.strange)),
    )
    return kept if kept == design else kept._replace(entry="")


def _is_there(evidence: Iterable[str], there: Collection[str]) -> bool:
    """Return whether all of some evidence is among what is there; files and pages are taken as there."""
    return all(one in there or not _HERE.isdisjoint(one) for one in evidence)


def _span_of(begun: ReflectionBegun, before: Run | None) -> ReflectionSpan:
    span = ReflectionSpan(begun.line, _instant(begun.upto))
    if before is None:
        return span
    again = begun.since if begun.since != before.begun.upto else ""
    return span._replace(
        after=before.line,
        begins=_instant(before.begun.upto),
        since=_instant(again) if again else None,
        seen=Counter(before.begun.seen),
    )


def _instant(written: str) -> datetime:
    return datetime.fromisoformat(written).astimezone(UTC)

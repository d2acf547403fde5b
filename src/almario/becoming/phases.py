"""The phases of one reflection: gather, explore, design, apply; each kept as it is made."""

from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import Any

from almario.becoming.applying import Applied, Applying
from almario.becoming.architect import Architect
from almario.becoming.gathering import Gathering, Material, ReflectionParts, ReflectionSpan
from almario.becoming.rules.items import items_in
from almario.becoming.rules.motivations import QUESTIONS
from almario.becoming.rules.reflections import (
    APPLY,
    ARCHITECT,
    EXPLORER,
    GATHER,
    ReflectionOutcome,
    explored_filing,
    has_entry,
    reflection_filing,
)
from almario.domain.documents.goal_list import GoalUpdate
from almario.domain.documents.headings import section_body
from almario.domain.documents.lines import without_comments
from almario.domain.events import Filing
from almario.domain.memories import ERASED, ERASED_MARK
from almario.domain.messages import Sentence
from almario.domain.proposal import Proposal
from almario.domain.soul_events import (
    Design,
    Finding,
    ReflectionApplied,
    ReflectionDesigned,
    ReflectionEnded,
    ReflectionExplored,
    ReflectionGathered,
    ReflectionStep,
    SectionEdit,
)
from almario.domain.soul_models import STEPS, Run
from almario.errors import SoulError
from almario.named_tuples import NamedTuple
from almario.ports import LLM

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


class Phases:
    """Takes one reflection from where it is to its end; what each phase brings is kept at once."""

    def __init__(
        self,
        parts: ReflectionParts,
        run: Run,
        span: ReflectionSpan,
        llm: LLM,
        *,
        hear: Hear | None = None,
    ) -> None:
        self._parts = parts
        self._vault = parts.vault
        self._language = parts.language
        self._run = run
        self._id = run.begun.id
        self._span = span
        self._gathering = Gathering(parts)
        self._llm = llm
        self._hear = hear or (lambda phase: None)
        self._line = parts.vault.journal.tail().seq
        self._material: Material | None = None
        self._told: tuple[Sentence, ...] = ()

    def run(self) -> Reflected:
        """Do what is left to do; what a model or a file refuses is raised, and what was kept stays."""
        self._hear(GATHER)
        seen_as = self._vault.read("MOTIVATIONS.md").hash or ""
        material, seen = self._gathering.gather(self._span)
        self._material = material
        if not self._run.gathered:
            self._keep(ReflectionGathered(self._id, len(material.sources), material.left_out, dict(seen)))
        if self._run.gathered and not self._run.gathered.new:
            self._record(ReflectionEnded(self._id, "done"))
            return self.done
        if not self._run.explored and not self._run.designed:
            self._explore(material)
        if not self._run.designed:
            self._hear(ARCHITECT)
            self._design(material, seen_as)
        if not self._run.applied:
            self._hear(APPLY)
            self._apply()
        return self._ended()

    @property
    def done(self) -> Reflected:
        """What it brought so far, without what rests on something that was forgotten since.

        Whether goals may be moved is asked each time: the settings may have changed since it was designed.
        """
        if self._material is None:
            return Reflected(self._id)
        run, there = self._run, set(self._gathering.gather(self._span).material.ids.values())
        design = _resting_on(run.designed.design, there) if run.designed else Design()
        applied = Applied()
        if run.applied:
            applied = Applied(tuple(filter(None, map(self._known, run.applied.proposals))), run.applied.goals)
        return Reflected(
            self._id,
            self._material,
            design.findings,
            run.explored.findings if run.explored else (),
            design if self._parts.settings.goals else design._replace(goals=()),
            applied,
            told=self._told,
        )

    def _explore(self, material: Material) -> None:
        explorer, questions = self._parts.explorer(self._llm), open_questions(material)
        if explorer and questions:
            self._hear(EXPLORER)
            found = explorer.explore(questions)
            self._told += found.told
            day = date.fromisoformat(self._run.begun.day)
            owed = [explored_filing(day, found)] if found else []
            self._keep(ReflectionExplored(self._id, tuple(found)), *owed)

    def _design(self, material: Material, seen_as: str) -> None:
        """Let the architect look and design; of what was all forgotten since, there is nothing to say."""
        made, explored = Design(), self.done.explored
        if material.sources or explored:
            redact = self._parts.memory.without_secrets
            architect = Architect(self._llm, language=self._language, redact=redact)
            made = architect.design(material, explored)
        self._keep(ReflectionDesigned(self._id, made._replace(of=seen_as)))

    def _apply(self) -> None:
        applying = Applying(self._parts.goals, self._parts.proposals, language=self._language)
        done = applying.apply(self._run.begun, self.done.design, self._line)
        self._keep(ReflectionApplied(self._id, tuple(each.id for each in done.proposals), done.goals))

    def _ended(self) -> Reflected:
        done, begun = self.done, self._run.begun
        owed = reflection_filing(begun, done.outcome, zone=self._vault.zone, language=self._language)
        # It may have been closed before, in a line that a journal lost when it was mended.
        is_written = has_entry(self._vault.read(owed.path).content or b"", begun.id)
        told = self._record(ReflectionEnded(self._id, "done"), *([] if is_written else [owed]))
        return done._replace(entry=owed.path, told=(*done.told, *told))

    def _known(self, wanted: str) -> Proposal | None:
        try:
            return self._parts.proposals.get(wanted)
        except SoulError:  # a journal that was mended may have lost it
            return None

    def _keep(self, step: ReflectionStep, *owed: Filing) -> None:
        self._record(step, *owed)
        brought: dict[str, Any] = {STEPS[type(step)]: step}
        self._run = self._run._replace(**brought)

    def _record(self, body: ReflectionStep | ReflectionEnded, *owed: Filing) -> list[Sentence]:
        with self._vault.writing(since=self._line) as write:
            write.append(body, actor="agent", filings=owed)
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

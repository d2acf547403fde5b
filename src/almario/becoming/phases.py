"""The phases of one reflection: gather, mirror, explore, design, apply; each kept as it is made."""

from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import TypeVar

from almario.becoming.applying import Applied, Applying
from almario.becoming.architect import Architect
from almario.becoming.exploring import Explored
from almario.becoming.gathering import Gathering, Material, ReflectionParts, ReflectionSpan
from almario.becoming.mirroring import mirrored
from almario.becoming.rules.items import items_in
from almario.becoming.rules.motivations import QUESTIONS
from almario.becoming.rules.reflections import (
    APPLY,
    ARCHITECT,
    EXPLORER,
    GATHER,
    MIRROR,
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
    ReflectionMirrored,
    ReflectionStep,
    SectionEdit,
)
from almario.domain.soul_models import Run
from almario.errors import SoulError
from almario.named_tuples import NamedTuple
from almario.ports import LLM

# Signs that the id of a memory or a turn does not have.
_HERE = frozenset("./")

Step = TypeVar("Step", bound=ReflectionStep)
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
    """Takes one reflection from where it is to its end; *done* is how far it came."""

    def __init__(
        self,
        parts: ReflectionParts,
        run: Run,
        span: ReflectionSpan,
        llm: LLM,
        *,
        hear: Hear | None = None,
    ) -> None:
        self.done = Reflected(run.begun.id)
        self._parts = parts
        self._vault = parts.vault
        self._language = parts.language
        self._run = run
        self._begun = run.begun
        self._id = run.begun.id
        self._span = span
        self._gathering = Gathering(parts)
        self._llm = llm
        self._hear = hear or (lambda phase: None)
        self._line, self._of = 0, ""

    def run(self) -> Reflected:
        """Do what is left to do; what a model or a file refuses is raised, and what was kept stays."""
        if not self._examine():
            self._record(ReflectionEnded(self._id, "done"))
            return self.done
        self._apply()
        # It may have been closed before, in a line that a journal lost when it was mended.
        owed = reflection_filing(
            self._begun, self.done.outcome, zone=self._vault.zone, language=self._language
        )
        is_written = has_entry(self._vault.read(owed.path).content or b"", self._begun.id)
        self._tell(*self._record(ReflectionEnded(self._id, "done"), None if is_written else owed))
        self.done = self.done._replace(entry=owed.path)
        return self.done

    def _examine(self) -> bool:
        self._hear(GATHER)
        self._line, self._of = self._vault.journal.tail().seq, self._vault.read("MOTIVATIONS.md").hash or ""
        material, seen = self._gathering.gather(self._span)
        self.done = self.done._replace(material=material)
        found = ReflectionGathered(self._id, len(material.sources), material.left_out, dict(seen))
        if not self._kept(self._run.gathered, GATHER, lambda: found).new:
            return False
        self._mirror(material)
        self._explore(material)
        self._design(material)
        return True

    def _mirror(self, material: Material) -> None:
        """Look in the mirror; what rests on something that was forgotten since is not told on."""

        def mirror() -> ReflectionMirrored:
            if not material.sources:  # all of it was forgotten since
                return ReflectionMirrored(self._id, ())
            redact = self._parts.memory.without_secrets
            found = mirrored(self._llm, material, language=self._language, redact=redact)
            return ReflectionMirrored(self._id, found)

        self._keep_findings(self._kept(self._run.mirrored, MIRROR, mirror).findings, self._there())

    def _keep_findings(self, found: tuple[Finding, ...], there: Collection[str]) -> None:
        kept = [each for each in found if _is_there(each.evidence, there) and each.text != ERASED]
        self.done = self.done._replace(findings=tuple(kept))

    def _there(self) -> set[str]:
        """Return the ids of what is still there: the owner may forget some of it while a model thinks."""
        return set(self._gathering.gather(self._span).material.ids.values())

    def _explore(self, material: Material) -> None:
        explorer, questions = self._parts.explorer(self._llm), open_questions(material)

        def explore() -> ReflectionExplored:
            found = explorer.explore(questions) if explorer else Explored()
            self._tell(*found.told)
            return ReflectionExplored(self._id, tuple(found))

        if self._run.explored or (explorer and questions):
            step = self._kept(self._run.explored, EXPLORER, explore, self._explored)
            self.done = self.done._replace(explored=step.findings)

    def _design(self, material: Material) -> None:
        """Let the architect design; where nothing was found, there is nothing to design.

        Whether goals may be moved is asked each time: the settings may have changed since it was designed.
        Of a design, what rests on something that was forgotten since is not wanted or told any more.
        """
        findings, explored = self.done.findings, self.done.explored

        def design() -> ReflectionDesigned:
            made = Design()
            if findings or explored:
                redact = self._parts.memory.without_secrets
                architect = Architect(self._llm, language=self._language, redact=redact)
                made = architect.design(material, findings, explored)
            return ReflectionDesigned(self._id, made._replace(of=self._of))

        made, there = self._kept(self._run.designed, ARCHITECT, design).design, self._there()
        self._keep_findings(findings, there)
        made = _resting_on(made, there)
        if not self._parts.settings.goals:
            made = made._replace(goals=())
        self.done = self.done._replace(design=made)

    def _apply(self) -> None:
        def apply() -> ReflectionApplied:
            applying = Applying(self._parts.goals, self._parts.proposals, language=self._language)
            done = applying.apply(self._begun, self.done.design, self._line)
            return ReflectionApplied(self._id, tuple(each.id for each in done.proposals), done.goals)

        step = self._kept(self._run.applied, APPLY, apply)
        proposals = filter(None, map(self._known, step.proposals))
        self.done = self.done._replace(applied=Applied(tuple(proposals), step.goals))

    def _known(self, wanted: str) -> Proposal | None:
        try:
            return self._parts.proposals.get(wanted)
        except SoulError:  # a journal that was mended may have lost it
            return None

    def _kept(
        self,
        known: Step | None,
        phase: str,
        make: Callable[[], Step],
        owed: Callable[[Step], Filing | None] = lambda made: None,
    ) -> Step:
        """Return what a phase brought: as it is *known*, or made now and kept."""
        if known:
            return known
        if phase != GATHER:
            self._hear(phase)
        made = make()
        self._record(made, owed(made))
        return made

    def _record(self, body: ReflectionStep | ReflectionEnded, owed: Filing | None = None) -> list[Sentence]:
        filings = [owed] if owed else []
        with self._vault.writing(since=self._line) as write:
            write.append(body, actor="agent", filings=filings)
            return write.file(filings) if filings else []

    def _explored(self, step: ReflectionExplored) -> Filing | None:
        return explored_filing(date.fromisoformat(self._begun.day), step.findings) if step.findings else None

    def _tell(self, *sentences: Sentence) -> None:
        self.done = self.done._replace(told=(*self.done.told, *sentences))


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
        edits=tuple(filter(stands, design.edits)),
        goals=tuple(filter(stands, design.goals)),
        refused=tuple(each for each in design.refused if _is_there(each.edit.evidence, there)),
        strange=tuple(filter(stands, design.strange)),
    )
    return kept if kept == design else kept._replace(entry="")


def _is_there(evidence: Iterable[str], there: Collection[str]) -> bool:
    """Return whether all of some evidence is among what is there; files and pages are taken as there."""
    return all(one in there or not _HERE.isdisjoint(one) for one in evidence)

"""Putting the memory in order: duplicates, contradictions, long logs, cues and pages, within the budget."""

from collections.abc import Callable

from almario.becoming.proposals import Proposals, changes_draft
from almario.becoming.rules.reflections import JOB as REFLECTION
from almario.conversation.portraits import Portraits, Portrayed
from almario.domain.memories import Memory
from almario.domain.messages import Sentence
from almario.memory.condensing import Condensed
from almario.memory.cueing import Written
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import LLM

CONSOLIDATION, CONDENSING, CUES, PAGES = "consolidation", "condensing", "cues", "pages"
# What may wait until it can be done.
JOBS = (CONSOLIDATION, CONDENSING, CUES, REFLECTION)
_REASON = Sentence("duplicates and contradictions that were found by comparing memories")


class Tidied(NamedTuple):
    """What a consolidation changed, the proposal for what it may not change alone, and why it failed."""

    changed: tuple[Memory, ...] = ()
    proposal: str = ""
    why: Sentence | None = None


class Tidying:
    """Puts what was learned in order; what would lose too much at once waits for consent."""

    def __init__(
        self,
        memory: Memories,
        proposals: Proposals,
        portraits: Callable[[], Portraits],
        llm: Callable[[str], LLM | None],
    ) -> None:
        """*llm* gives the model for a job, or None."""
        self._memory = memory
        self._proposals = proposals
        self._portraits = portraits
        self._llm = llm

    def run(self) -> None:
        """Do what is due."""
        self.consolidate(if_due=True)

    def waiting(self) -> dict[str, Sentence]:
        """Return the jobs that failed, and why they are waiting."""
        found = {job: self._memory.waiting(job) for job in JOBS}
        return {job: why for job, why in found.items() if why}

    def consolidate(self, *, if_due: bool = False) -> Tidied:
        """Merge duplicates and resolve contradictions; with *if_due*, only if enough is new."""
        done = self._memory.consolidate(self._llm(CONSOLIDATION), if_due=if_due)
        self._memory.tried(CONSOLIDATION, done.why)
        if not done.left:
            return Tidied(done.changed, why=done.why)
        made = self._proposals.submit_changes(done.left, changes_draft(_REASON), judged=done.judged)
        return Tidied(done.changed, made.id, done.why)

    def condense(self, *, if_due: bool = False) -> Condensed:
        """Shorten long logs of past days and a long HISTORY.md; with *if_due*, only if that is not off."""
        done = self._memory.condense(self._llm(CONDENSING), if_due=if_due)
        self._memory.tried(CONDENSING, done.why)
        return done

    def cue(self) -> Written:
        """Write cues for the memories without any."""
        done = self._memory.write_cues(self._llm(CUES))
        self._memory.tried(CUES, done.why)
        return done

    def portray(self, person: str = "") -> Portrayed:
        """Have a model write the page of somebody, or yours, if there is anything new for it."""
        return self._portraits().write(self._llm(PAGES), person)

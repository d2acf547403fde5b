"""Applying a reflection's design: proposals, goals and the reflection journal, each exactly once.

What a design wants goes through `Proposals`, under ids that follow from the
reflection's own: killed anywhere and applied again, nothing is made twice.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from almario.becoming.goals import Goals
from almario.becoming.proposals import Proposals
from almario.becoming.rules.consent import MOTIVATIONS, SOUL
from almario.becoming.rules.motivations import DRIVES, LAST_REFLECTION, with_last_reflection
from almario.becoming.rules.reflections import trigger_line
from almario.becoming.section_changes import edited
from almario.domain.documents.headings import compared
from almario.domain.messages import Sentence, say
from almario.domain.proposal import Draft, Proposal
from almario.domain.soul_events import FILES, Design, ReflectionBegun, SectionEdit
from almario.errors import DocumentError, EditConflict, SoulError
from almario.named_tuples import NamedTuple

_Edit = Callable[[str], str]


class Applied(NamedTuple):
    """What became of a design: its proposals (some accepted or refused), and the goals that changed."""

    proposals: tuple[Proposal, ...] = ()
    goals: tuple[Sentence, ...] = ()


class Applying:
    """Does what a design wants, as far as the rules let it; what was done before is not done again."""

    def __init__(self, goals: Goals, proposals: Proposals, *, language: str = "en") -> None:
        self._goals = goals
        self._proposals = proposals
        self._language = language

    def apply(self, begun: ReflectionBegun, design: Design, line: int | None = None) -> Applied:
        """Make the proposals and change the goals; EditConflict if a purge began after a *line*."""
        unasked = self._submitted(self._unasked(begun, design), line)
        others = [self._submitted(draft, line) for draft in self._for_the_owner(begun, design)]
        day = (
            self._submitted(self._day(begun, design, unasked.state), line)
            if unasked and self._waits(unasked)
            else None
        )
        proposals = {each.id: each for each in (unasked, day, *others) if each}
        goals = self._goals.apply(design.goals, reflection=begun.id, line=line) if design.goals else ()
        return Applied(tuple(proposals.values()), tuple(goals))

    def _submitted(self, draft: Draft, line: int | None) -> Proposal | None:
        try:
            return self._proposals.submit(draft._replace(line=line))
        except (EditConflict, DocumentError):
            raise
        except SoulError:  # what is wanted stands there already
            return None

    def _unasked(self, begun: ReflectionBegun, design: Design) -> Draft:
        """Return what may be accepted unasked, together with `## Last Reflection`."""
        free = [edit for edit in design.edits if self._is_free(edit)]
        last = self._last(begun, design)
        if not free:
            return self._draft(begun, LAST_REFLECTION, (), last)._replace(unasked=True)
        # The lines that the owner has written since the architect looked would give way to its own.
        return self._draft(
            begun, "unasked", free, lambda text: last(edited(text, free, lists=True))
        )._replace(unasked=True, of=design.of)

    def _day(self, begun: ReflectionBegun, design: Design, state: str) -> Draft:
        """Return `## Last Reflection` alone, because what it was to come with is refused or waits.

        It reads as it would have, should that be accepted yet.
        """
        shown = design if state == "open" else Design(goals=design.goals)
        return self._draft(begun, LAST_REFLECTION, (), self._last(begun, shown))._replace(unasked=True)

    def _waits(self, unasked: Proposal) -> bool:
        """Return whether what may go unasked does not, for another reason than the settings."""
        return unasked.state in ("open", "refused") and compared(LAST_REFLECTION) in self._proposals.accepted

    def _for_the_owner(self, begun: ReflectionBegun, design: Design) -> Iterator[Draft]:
        for edit in design.edits:
            if edit.file == MOTIVATIONS and not self._is_free(edit):
                yield self._draft(begun, edit.title, [edit])
        if patch := [edit for edit in design.edits if edit.file == SOUL]:
            yield self._draft(begun, SOUL, patch)
        if design.strange:
            draft = self._draft(
                begun,
                "strange",
                design.strange,
                lambda text: edited(text, design.strange, lists=True, keep=True),
            )
            yield draft._replace(origin="untrusted")
        for number, (edit, why) in enumerate(design.refused):
            if edit.title and edit.file in FILES:
                yield self._draft(begun, f"refused {number}", [edit])._replace(refused=why)

    def _is_free(self, edit: SectionEdit) -> bool:
        is_accepted = compared(edit.title) in self._proposals.accepted
        return edit.file == MOTIVATIONS and edit.title != DRIVES and is_accepted

    def _draft(
        self, begun: ReflectionBegun, place: str, edits: Sequence[SectionEdit], edit: _Edit | None = None
    ) -> Draft:
        """Return what makes edits, or does what else is given; under an id that follows from its *place*."""
        edit = edit or (lambda text: edited(text, edits, lists=True))
        file = edits[0].file if edits else MOTIVATIONS
        reasons = " ".join(dict.fromkeys(each.reason for each in edits if each.reason))
        reason = Sentence.own(reasons) or Sentence("reflection of {day}", day=begun.day)
        evidence = tuple(dict.fromkeys(each for own in edits for each in own.evidence))
        own = proposal_id(begun.id, place)
        return Draft(file, edit, reason, evidence, by="reflection", id=own, reflection=begun.id)

    def _last(self, begun: ReflectionBegun, design: Design) -> _Edit:
        trigger, changes = trigger_line(begun.trigger, self._language), self._changes(design)
        return lambda text: with_last_reflection(text, day=begun.day, trigger=trigger, changes=changes)

    def _changes(self, design: Design) -> str:
        free = [edit for edit in design.edits if self._is_free(edit)]
        changed = [edit.title for edit in free]
        changed += ["GOALS.md"] if design.goals else []
        proposed = dict.fromkeys(
            edit.title if edit.file == MOTIVATIONS else edit.file for edit in design.edits if edit not in free
        )
        parts = [", ".join(changed)] if changed else []
        parts += [say(self._language, "proposed: {what}", what=", ".join(proposed))] if proposed else []
        return "; ".join(parts) or say(self._language, "nothing")


def proposal_id(reflection: str, place: str) -> str:
    """Return the id of a reflection's proposal, the same every time."""
    return sha256(f"{reflection}\n{place}".encode()).hexdigest()[:8]

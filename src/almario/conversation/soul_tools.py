"""The tools by which a model changes its goals, and proposes changes to who it is."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from almario.becoming.goals import Goals
from almario.becoming.proposals import Proposals
from almario.conversation.origins import UNTRUSTED, lowest
from almario.conversation.tool_calls import Context, Function, Result
from almario.domain.documents.goals import Goal
from almario.domain.documents.identity import with_fields
from almario.domain.documents.sections import with_section
from almario.domain.messages import Sentence
from almario.domain.provenance import stands_in
from almario.errors import ToolError
from almario.memory.memory import Memories

# A field of IDENTITY.md with a longer name is a sentence.
_LONGEST_FIELD = 40
_PRIORITY = "medium"
_HARMLESS = ("add", "note")


class SoulTools:
    """Changes goals, and proposes changes to IDENTITY.md, SOUL.md and MOTIVATIONS.md."""

    def __init__(self, goals: Goals, proposals: Proposals, memory: Memories) -> None:
        self._goals = goals
        self._proposals = proposals
        self._memory = memory

    def functions(self) -> dict[str, Function]:
        """Return each tool's function by its name."""
        return {
            "manage_goals": self._manage_goals,
            "update_identity": self._update_identity,
            "update_soul": partial(self._update, "SOUL.md"),
            "update_motivations": partial(self._update, "MOTIVATIONS.md"),
        }

    def _manage_goals(self, given: Mapping[str, Any], context: Context) -> Result:
        action = str(given["action"])
        if action == "list":
            return Result(self._listed())
        wanted = self._memory.redacted(str(given.get("goal", "")).strip()).text
        note = self._memory.redacted(str(given.get("text", "")).strip()).text
        if not wanted:
            raise ToolError("goal is missing")
        text = wanted if action == "add" else self._goals.find(wanted).text
        is_owners = stands_in(text, context.message) and (not note or stands_in(note, context.message))
        # Whoever names a goal may not want it dropped, which a stranger may.
        if context.lowest == UNTRUSTED and not (is_owners and action in _HARMLESS):
            raise ToolError(
                "while strangers' words are in sight, a goal is only added or noted on, in your human's own "
                "words; ask your human to do it"
            )
        self._change(action, wanted, note, given)
        told = Sentence("the goals were changed: {goal}", goal=text)
        return Result(f"Done.\n{self._listed()}", told=(told,))

    def _change(self, action: str, goal: str, note: str, given: Mapping[str, Any]) -> None:
        if action == "note" and not note:
            raise ToolError("text is missing: what is to be noted?")
        if action == "reprioritise" and "priority" not in given:
            raise ToolError("priority is missing: high, medium or low")
        priority = str(given.get("priority", _PRIORITY))
        changes: dict[str, Callable[[], None]] = {
            "add": partial(self._goals.add, goal, priority=priority, actor="agent"),
            "start": partial(self._goals.start, goal, actor="agent"),
            "note": partial(self._goals.note, goal, note, actor="agent"),
            "complete": partial(self._goals.complete, goal, outcome=note, actor="agent"),
            "reopen": partial(self._goals.reopen, goal, priority=priority, actor="agent"),
            "reprioritise": partial(self._goals.reprioritise, goal, priority, actor="agent"),
            "drop": partial(self._goals.drop, goal, actor="agent"),
        }
        changes[action]()

    def _listed(self) -> str:
        return "\n".join(map(_goal_line, self._goals.all())) or "There are no goals."

    def _update_identity(self, given: Mapping[str, Any], context: Context) -> Result:
        fields = {" ".join(name.split()): " ".join(value.split()) for name, value in given["fields"].items()}
        for name, value in fields.items():
            if not name or not value or ":" in name or len(name) > _LONGEST_FIELD:
                raise ToolError('"{name}" is no field with a value', name=name[:_LONGEST_FIELD])
        if not fields:
            raise ToolError("fields is empty")
        return self._proposed("IDENTITY.md", lambda text: with_fields(text, fields), given, context)

    def _update(self, file: str, given: Mapping[str, Any], context: Context) -> Result:
        if ("text" in given) == ("sections" in given):
            raise ToolError("give either text or sections")

        def edit(text: str) -> str:
            for section in given.get("sections", ()):
                text = with_section(text, " ".join(section["title"].split()), section["body"])
            return str(given.get("text", text))

        return self._proposed(file, edit, given, context)

    def _proposed(
        self, file: str, edit: Callable[[str], str], given: Mapping[str, Any], context: Context
    ) -> Result:
        """Propose a change, as the model's own wish and no better than what it was told."""
        made = self._proposals.propose_edit(
            file,
            edit,
            reason=str(given["reason"]),
            evidence=context.evidence,
            origin=lowest("agent", context.lowest),
        )
        text = f"Proposed as {made.id}. Nothing has changed: your human decides.\n{made.diff}"
        sentence = 'a change to {file} is proposed; "almario proposals show {id}" shows it'
        return Result(text, made.origin, (Sentence(sentence, file=file, id=made.id),), proposal=made.id)


def _goal_line(goal: Goal) -> str:
    details = [goal.status, *goal.notes, goal.outcome]
    more = "".join(f"; {detail}" for detail in details if detail)
    return f"{goal.number}. [{'done' if goal.done else goal.priority}] {goal.text}{more}"

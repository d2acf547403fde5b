"""The tools by which a model changes its goals, and proposes changes to who it is."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, tzinfo
from typing import Any, Literal

from almario.becoming.goals import Goals
from almario.becoming.improving import Improving, Request
from almario.becoming.proposals import Proposals, changes_draft
from almario.conversation.memory_tools import dated, is_named, line_of
from almario.conversation.origins import IMPORTED, credit
from almario.conversation.tool_calls import Context, Function, Result
from almario.conversation.tool_outputs import goal_told, memory_told, proposal_told
from almario.domain.documents.goal_list import Goal, GoalAction, GoalUpdate
from almario.domain.documents.headings import with_section
from almario.domain.documents.identity import is_field, with_fields
from almario.domain.memories import UNTRUSTED, Memory, Origin, lowest
from almario.domain.messages import CommandLine, Sentence
from almario.domain.plain_text import uncontrolled
from almario.domain.proposal import Draft, Proposal
from almario.errors import ToolError
from almario.memory.amending import Amendment
from almario.memory.facade import Memories
from almario.memory.rules.provenance import LEAST, ground, stands_in

_PRIORITY = "medium"
_HARMLESS = ("add", "note")
# What neither the owner said nor the model concluded.
_OTHERS: set[Origin] = {IMPORTED, UNTRUSTED}


class SoulTools:
    """Changes goals, and proposes changes to IDENTITY.md, SOUL.md and MOTIVATIONS.md."""

    def __init__(self, goals: Goals, proposals: Proposals, improving: Improving, memory: Memories) -> None:
        self._goals = goals
        self._proposals = proposals
        self._improving = improving
        self._memory = memory

    def functions(self) -> dict[str, Function]:
        """Return each tool's function by its name."""
        return {
            "manage_goals": self._manage_goals,
            "propose_change": self._propose,
        }

    def _manage_goals(self, given: Mapping[str, Any], context: Context) -> Result:
        action: GoalAction | Literal["list"] = given["action"]
        if action == "list":
            return self._listed()
        wanted = self._memory.fit_to_write(str(given.get("goal", "")).strip())
        note = self._memory.fit_to_write(str(given.get("text", "")).strip())
        if not wanted:
            raise ToolError("goal is missing")
        text = wanted if action == "add" else self._goals.find(wanted).text
        is_owners = stands_in(text, context.message) and (not note or stands_in(note, context.message))
        if not is_owners and {self._whose(text, context), self._whose(note, context)} & _OTHERS:
            raise ToolError("this is based on someone else's words; ask your human whether they want it")
        # Whoever names a goal may not want it dropped, which a stranger may.
        if context.lowest == UNTRUSTED and not (is_owners and action in _HARMLESS):
            raise ToolError(
                "while a stranger's words are in view, goals can only be added or given notes, in your "
                "human's own words; ask your human to do it"
            )
        self._change(action, wanted, note, given)
        told = Sentence("the goals were changed: {goal}", goal=text)
        listed = self._listed()
        return listed._replace(text=f"Done.\n{listed.text}", told=(told,))

    def _change(self, action: GoalAction, goal: str, note: str, given: Mapping[str, Any]) -> None:
        if action == "note" and not note:
            raise ToolError("text is missing: what should be noted?")
        if action == "reprioritise" and "priority" not in given:
            raise ToolError("priority is missing: high, medium or low")
        priority = str(given.get("priority", _PRIORITY))
        self._goals.do(GoalUpdate(action, goal, note, priority), actor="agent")

    def _listed(self) -> Result:
        goals = self._goals.all()
        text = "\n".join(map(_goal_line, goals)) or "There are no goals."
        return Result(text, structured={"goals": list(map(goal_told, goals))})

    def _propose(self, given: Mapping[str, Any], context: Context) -> Result:
        """Propose a change to a file, or have it found out which files the owner's words change."""
        if ("text" in given) == ("sections" in given):
            raise ToolError("give either text or sections")
        if "file" not in given:
            return self._improve(given, context)
        file = str(given["file"])
        sections = {" ".join(each["title"].split()): each["body"] for each in given.get("sections", ())}
        if file == "IDENTITY.md" and sections:
            fields = {name: " ".join(value.split()) for name, value in sections.items()}
            for name, value in fields.items():
                if not is_field(name, value):
                    raise ToolError('"{name}" is not a field with a value', name=name[:40])
            edit: Callable[[str], str] = lambda text: with_fields(text, fields)  # noqa: E731 - one of two
        else:
            edit = lambda text: str(given.get("text", _with_sections(text, sections)))  # noqa: E731 - the other
        words = str(given.get("text", "\n".join(sections.values()))).split("\n")
        return self._proposed(file, edit, words, given, context)

    def _whose(self, text: str, context: Context) -> Origin:
        return credit(text, context, self._memory).origin

    def _proposed(
        self,
        file: str,
        edit: Callable[[str], str],
        words: Sequence[str],
        given: Mapping[str, Any],
        context: Context,
    ) -> Result:
        """Propose a change, as the model's own wish and no better than what it was told."""
        whose = {self._whose(each, context) for each in words if each.strip()} & _OTHERS
        origin = lowest("agent", context.lowest, *whose)
        draft = Draft(file, edit, str(given["reason"]), context.evidence, origin, by="chat")
        return decided_by_the_owner([self._proposals.submit(draft)])

    def _improve(self, given: Mapping[str, Any], context: Context) -> Result:
        if "text" not in given:
            raise ToolError("sections need a file; without one, give text")
        words, reason = str(given["text"]), str(given["reason"])
        whose = {self._whose(words, context)} & _OTHERS
        origin = lowest(context.lowest, *whose)
        done = self._improving.answer(Request(words, context.message, origin, reason, context.evidence))
        return decided_by_the_owner(done.proposals, done.told)


def decided_by_the_owner(made: Sequence[Proposal], told: Sequence[Sentence] = ()) -> Result:
    """Tell the model of its proposals and of what became none, and the owner where to see them."""
    lines = [*map(_proposal_text, made), *map(str, told), "Nothing has changed: your human decides."]
    origin = lowest("agent", *(proposal.origin for proposal in made))
    waiting = [proposal for proposal in made if proposal.state == "open"]
    others = [proposal for proposal in made if proposal.state != "open"]
    shown = (*map(_shown, [*waiting, *others]), *told)
    ids = tuple(proposal.id for proposal in waiting)
    structured = {"proposals": list(map(proposal_told, made)), "notes": [str(each) for each in told]}
    is_error = bool(made) and not ids
    return Result("\n".join(lines), origin, shown, ids, is_error=is_error, structured=structured)


def _with_sections(text: str, sections: Mapping[str, str]) -> str:
    for title, body in sections.items():
        text = with_section(text, title, body)
    return text


def _proposal_text(made: Proposal) -> str:
    if made.state == "refused":
        return f"Refused, {made.file}: {made.why}"
    return f"Proposed as {made.id}:\n{made.diff}"


def _shown(made: Proposal) -> Sentence:
    file = made.file or Sentence("memory")
    if made.state == "refused":
        return Sentence("a change to {file} was refused: {why}", file=file, why=made.why)
    show = CommandLine(f"almario proposals show {made.id}")
    return Sentence('a change to {file} is proposed; "{show}" shows it', file=file, show=show)


def _goal_line(goal: Goal) -> str:
    details = [goal.status, *goal.notes, goal.outcome]
    more = "".join(f"; {detail}" for detail in details if detail)
    return f"{goal.number}. [{'done' if goal.done else goal.priority}] {goal.text}{more}"


_UNSAID = "The agent takes it to be so."


class ChangeTools:
    """Changes memories by their ids, and holds to whose word it is."""

    def __init__(self, memory: Memories, proposals: Proposals, zone: tzinfo) -> None:
        self._memory = memory
        self._proposals = proposals
        self._zone = zone

    def functions(self) -> dict[str, Function]:
        """Return each tool's function by its name."""
        return {"update_memory": self._update}

    def _update(self, given: Mapping[str, Any], context: Context) -> Result:
        """Change what the owner's message changes; what it does not say, and who may hear it, is asked."""
        memory = self._memory.get(str(given["id"]).strip())
        value = uncontrolled(str(given.get("fact", "")))
        whose = self._whose(value, memory, context) if value else None
        is_owners = self._is_owners(memory, whose, context)
        wanted = Amendment(
            value,
            dated(given.get("when", "")),
            _day(str(given.get("ended", ""))),
            given.get("share"),
            whose or "owner",
            context.evidence,
        )
        changes = self._memory.amending(memory.id, wanted)
        if not changes:
            raise ToolError("nothing would change: give fact, when, ended or share")
        if is_owners and wanted.shared is None:
            done = self._memory.apply(changes, actor="agent", verb="amended")
            if not done:  # somebody else has put it out of use meanwhile
                raise ToolError("memory {id} is out of use", id=memory.id)
            changed = done[0]
            told = Sentence("changed: {what}", what=changed.told)
            return Result(
                f"Changed:\n{line_of(changed, self._zone)}",
                lowest("agent", changed.origin),
                (told,),
                structured={"changed": [memory_told(changed, self._zone)]},
            )
        origin = lowest("agent", context.lowest, *([whose] if whose else []))
        reason = str(given.get("reason", _UNSAID))
        draft = changes_draft(reason, context.evidence, origin, "chat")
        return decided_by_the_owner([self._proposals.submit_changes(changes, draft)])

    def _whose(self, value: str, memory: Memory, context: Context) -> Origin:
        """Return whose word a new text is: the owner's, if the message says what is new in it."""
        is_owners = memory.origin == "owner" and context.lowest != UNTRUSTED and not context.caller
        new = ground(value, [context.message], [memory.text])
        if (
            is_owners
            and new.told
            and not new.invented
            and ground(value, [context.message, memory.text]).bears(LEAST)
        ):
            return "owner"
        return credit(value, context, self._memory).origin

    def _is_owners(self, memory: Memory, whose: Origin | None, context: Context) -> bool:
        """Say whether the owner's message, with no stranger in sight, says the new text or names the old."""
        if context.lowest == UNTRUSTED:
            return False
        return whose == "owner" if whose else is_named(memory.key, memory.value, context.message)


def _day(words: str) -> str:
    try:
        return date.fromisoformat(words.strip()).isoformat() if words else ""
    except ValueError as exc:
        raise ToolError('"{date}" is not a day; write it as 2026-11-14', date=words) from exc

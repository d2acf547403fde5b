"""The tool by which a model changes a memory: at once if its human says so, else as a proposal."""

from collections.abc import Mapping
from datetime import date, tzinfo
from typing import Any

from almario.becoming.proposals import Proposals, changes_draft
from almario.conversation.memory_tools import dated, is_named, line_of
from almario.conversation.origins import credit
from almario.conversation.soul_tools import decided_by_the_owner
from almario.conversation.tool_calls import Context, Function, Result
from almario.conversation.tool_outputs import memory_told
from almario.domain.memories import UNTRUSTED, Memory, Origin, lowest
from almario.domain.messages import Sentence
from almario.domain.plain_text import uncontrolled
from almario.errors import ToolError
from almario.memory.amending import Amendment
from almario.memory.facade import Memories
from almario.memory.rules.provenance import LEAST, ground

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

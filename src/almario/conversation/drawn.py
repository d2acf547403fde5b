"""What an answer drew on: which of the memories it was told."""

from collections.abc import Iterable, Sequence

from almario.conversation.prompt_sections import Prompt
from almario.domain.memories import Memory, State, Wanted
from almario.domain.model import Hit
from almario.memory.facade import Memories

# What may be told as what is so, or may be.
_STILL_TOLD: tuple[State, ...] = ("live", "expired")
# A score is a probability: more likely than not, the message is about it.
_LIKELY = 0.5
# So much of a memory stands in a message and its answer that speak of it: more than a name.
_SAID = 0.6


class ToldMemories:
    """What memory told in a session for one message: *lines*, and the *ids* of what was looked for.

    *found* is what recall thinks of the message, told or not.
    """

    def __init__(
        self, message: str = "", lines: Sequence[str] = (), ids: Sequence[str] = (), found: Sequence[Hit] = ()
    ) -> None:
        self.message = message
        self.lines, self.ids = list(lines), list(ids)
        self.found = found
        # What others said, as it was quoted: it is no reason for anything that the model does.
        self.quoted: Sequence[str] = ()
        # For the flight recorder: the prompt that told it, how far the journal was before that, and the
        # message it answers.
        self.prompt: Prompt | None = None
        self.line, self.asked = 0, ""

    def tells(self, memory: Memory) -> bool:
        """Say whether a memory is among what was told."""
        value = " ".join(memory.value.split())
        return memory.id in self.ids or any(value in line for line in self.lines)


def memories_told(memory: Memories, told: ToldMemories) -> list[Memory]:
    """Return the memories that were told, as far as they are still told as what is so, or may be."""
    with memory.looking(anew=False):
        found = memory.list(Wanted(ids=tuple(told.ids), states=_STILL_TOLD)) if told.ids else []
        core = memory.core() if told.lines else []
    every = {each.id: each for each in (*found, *core)}
    return [each for each in every.values() if told.tells(each)]


def drawn_on(memories: Iterable[Memory], told: ToldMemories, answer: str) -> list[str]:
    """Return the ids of the memories that an answer says, or that its message asks about."""
    from almario.memory.rules.provenance import ground  # noqa: PLC0415 - only for answers

    likely = [hit for hit in told.found if hit.score >= _LIKELY]
    asked = {name for hit in likely for name in (hit.memory, *hit.evidence)}
    said = (told.message, answer)
    return [each.id for each in memories if each.id in asked or ground(each.value, said).bears(_SAID)]

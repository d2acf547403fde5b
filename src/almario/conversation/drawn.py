"""What an answer drew on: which of the memories the model was given."""

from collections.abc import Iterable, Sequence

from almario.conversation.prompt_sections import Prompt
from almario.domain.memories import Memory, State, Wanted
from almario.domain.model import Hit
from almario.memory.facade import Memories
from almario.text.claims import turned_in

# What may be told as what is so, or may be.
_STILL_GIVEN: tuple[State, ...] = ("live", "expired")
# A score is a probability: more likely than not, the message is about it.
_LIKELY = 0.5
# The share of a memory that a message and its answer must contain to be about it: more than a name.
_STATED = 0.6
# Of so many, it is kept with an answer that they came to mind.
_MOST_CAME = 12


class GivenMemories:
    """What the model was shown of memory for one message: *lines*, and the *ids* of what was recalled.

    *found* is everything recall found for the message, shown or not.
    """

    def __init__(
        self, message: str = "", lines: Sequence[str] = (), ids: Sequence[str] = (), found: Sequence[Hit] = ()
    ) -> None:
        self.message = message
        self.lines, self.ids = list(lines), list(ids)
        self.found = found
        # What others said, as it was quoted: it is no reason for anything that the model does.
        self.quoted: Sequence[str] = ()
        # What came to mind and was told, as it is kept with the answer.
        self.came: Sequence[Sequence[object]] = ()

    def includes(self, memory: Memory) -> bool:
        """Return whether a memory was given."""
        value = " ".join(memory.value.split())
        return memory.id in self.ids or any(value in line for line in self.lines)


def came_to_mind(prompt: Prompt) -> list[list[object]]:
    """Return what came to mind for a message and was told, best first: name, score, how it was found."""
    best = sorted((hit for hit in prompt.found if hit.name in prompt.told), key=lambda hit: -hit.score)
    return [[hit.name, round(hit.score, 4), hit.how] for hit in best[:_MOST_CAME]]


def given_memories(memory: Memories, given: GivenMemories) -> list[Memory]:
    """Return the memories that were given, as far as they are still in use."""
    with memory.snapshot(fresh=False):
        found = memory.list(Wanted(ids=tuple(given.ids), states=_STILL_GIVEN)) if given.ids else []
        core = memory.core() if given.lines else []
    every = {each.id: each for each in (*found, *core)}
    return [each for each in every.values() if given.includes(each)]


def drawn_on(memories: Iterable[Memory], given: GivenMemories, answer: str) -> list[str]:
    """Return the ids of the memories that an answer says, or that its message asks about, not denies."""
    from almario.memory.rules.provenance import ground  # noqa: PLC0415 - only for answers

    likely = [hit for hit in given.found if hit.score >= _LIKELY]
    relevant = {name for hit in likely for name in (hit.memory, *hit.evidence)}
    texts = (given.message, answer)
    drawn = [each for each in memories if each.id in relevant or ground(each.value, texts).bears(_STATED)]
    return [each.id for each in drawn if not turned_in(each.value, given.message)]

"""In use: which of the memories that a model was told mattered for its answer.

What is told in every prompt stays fresh only if somebody asks about it or it
is said: by words, or by what recall thinks of the message.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from almario.domain.memories import Memory
from almario.domain.model import Hit
from almario.memory.rules.provenance import ground

# A score is a probability: more likely than not, the message is about it.
_LIKELY = 0.5
# So much of a memory stands in a message and its answer that speak of it: more than a name.
_SAID = 0.6


@dataclass(slots=True)
class Told:
    """What memory told in a session for one message: *lines*, and the *ids* of what was looked for.

    *found* is what recall thinks of the message, told or not.
    """

    message: str = ""
    lines: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    found: Sequence[Hit] = ()

    def tells(self, memory: Memory) -> bool:
        """Say whether a memory is among what was told."""
        value = " ".join(memory.value.split())
        return memory.id in self.ids or any(value in line for line in self.lines)


def drawn_on(memories: Iterable[Memory], told: Told, answer: str) -> list[str]:
    """Return the ids of the memories that an answer says, or that its message asks about."""
    likely = [hit for hit in told.found if hit.score >= _LIKELY]
    asked = {name for hit in likely for name in (hit.memory, *hit.evidence)}
    said = (told.message, answer)
    return [each.id for each in memories if each.id in asked or ground(each.value, said).bears(_SAID)]

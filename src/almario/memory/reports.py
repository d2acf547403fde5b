"""What the questions about memory are answered with."""

from almario.domain.memories import Memory, Recorded, State
from almario.named_tuples import NamedTuple


class Reasons(NamedTuple):
    """Why a memory is believed: itself, its state, its history, and what it replaced or was replaced by.

    *cues* are what brings it to mind besides what it says.
    """

    memory: Memory
    state: State
    history: tuple[Recorded, ...]
    replaced: tuple[Memory, ...]
    replaced_by: Memory | None
    cues: tuple[str, ...] = ()


class Stats(NamedTuple):
    """How many memories there are of each state, and in use of each kind, source and origin."""

    states: dict[str, int]
    kinds: dict[str, int]
    sources: dict[str, int]
    origins: dict[str, int]
    keys: int
    passages: int
    without_vector: int

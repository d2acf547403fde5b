"""Learning again: what is to be read, what it takes, and what it would change."""

from datetime import date
from typing import Literal, get_args

from almario.domain.memories import Memory
from almario.domain.messages import NOTHING, Sentence
from almario.domain.records import Ref
from almario.named_tuples import NamedTuple

# What is not known; what takes the place of something that is, or contradicts it and stands beside it; what
# was so before it; what was not found again; what is much like something forgotten, and shown on request.
# What is known, or is out of use since, is not offered.
Sort = Literal["new", "changed", "contradicted", "earlier", "gone", "withheld", "same", "past"]
SORTS: tuple[Sort, ...] = get_args(Sort)[:-2]
ALL = "all"
# Why a reading stopped that goes on the next time.
USED_UP = Sentence("the budget is used up")


class ReadingWish(NamedTuple):
    """What is to be read, by which model (none: the one that learns), how much at a time, or *again*."""

    since: str = ""
    until: str = ""
    session: str = ""
    model: str = ""
    budget: str = ""
    again: bool = False


class RelearnPlan(NamedTuple):
    """What is left to read, by which model, and what that takes, about; *cost* is None if it is not known.

    *within* is how many of the conversations the budget is enough for; *name* is the reading that goes on, or
    the latest that is finished if nothing is left.
    """

    name: Ref
    model: Ref
    conversations: int
    exchanges: int
    tokens: int
    cost: float | None
    within: int
    first: date | None = None
    last: date | None = None


class ReadingState(NamedTuple):
    """How far a reading is: messages read, what was found, what it took, and *why* it stopped, if it did."""

    name: Ref
    wish: ReadingWish
    models: tuple[Ref, ...]
    turns: int
    found: int
    tokens: int
    is_done: bool
    why: Sentence = NOTHING


class Differing(NamedTuple):
    """One difference: its *name* is what it is accepted by, *memory* what would be, or is not found again.

    *beside* is what it replaces or contradicts, or what came after it; a *guess* is hardly said by its turns.
    """

    name: Ref
    sort: Sort
    memory: Memory
    beside: tuple[Memory, ...] = ()
    guess: bool = False


class Difference(NamedTuple):
    """What a reading would change; of its findings, *same* are known, and *past* out of use since.

    The latter were forgotten, ended or replaced, and are not offered; *withheld* of them, as they are much
    like something forgotten, can be asked for. *again* are part of an item, which they
    say again; *declined* were turned down, or rest on what was taken back. *dropped* is what the model said
    and the turns do not.
    """

    name: Ref
    items: tuple[Differing, ...] = ()
    same: int = 0
    past: int = 0
    again: int = 0
    declined: int = 0
    dropped: int = 0
    withheld: int = 0


class TakenUp(NamedTuple):
    """What was accepted: memories that are new or changed, those that are gone, and the line that says so."""

    memories: tuple[Memory, ...]
    gone: tuple[Memory, ...]
    line: int

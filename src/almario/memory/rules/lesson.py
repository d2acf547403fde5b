"""What a flush brings home from a conversation."""

from almario.domain.events import Learning
from almario.memory.rules.admission import Proposed
from almario.named_tuples import NamedTuple


class Lesson(NamedTuple):
    """What the turns of a session after *after*, up to *to*, taught.

    *facts* are facts, instructions, episodes and the summary, each a Proposed
    of its kind; *renewed* are the ids of memories that were recalled in those
    turns and stay fresh by it. *line* is where the journal ended when the turns
    were read, *model* whoever learned. Turns that are only *kept* were imported, and nobody has learned
    from them.
    """

    session: str
    after: int
    to: int
    facts: tuple[Proposed, ...] = ()
    summary: str = ""
    renewed: tuple[str, ...] = ()
    line: int = 0
    model: str = ""
    is_kept: bool = False

    @property
    def outcome(self) -> Learning:
        return "kept" if self.is_kept else "extracted" if self.facts else "empty"

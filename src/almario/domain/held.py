"""A piece of an agent's files that has certain words, and can be erased as one."""

from typing import Literal

from almario.named_tuples import NamedTuple

# A "name" is of a file, a session, a setting: what only the owner can give another one.
HeldAs = Literal["memory", "message", "line", "version", "history", "name"]


class HeldWords(NamedTuple):
    """A piece of a file that has the words: its *text*, and the memory or message that it is (*ref*).

    The *id* stays the same while the piece does, wherever it moves in its file.
    """

    id: str
    kind: HeldAs
    place: str
    line: int
    text: str
    ref: str = ""

    @property
    def can_be_erased(self) -> bool:
        return self.kind != "name"

"""What an export holds, whoever made it: notes, conversations, texts of a soul, and what cannot be read."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

from almario.domain.memories import Origin
from almario.domain.messages import Sentence
from almario.domain.turns import Role
from almario.importing.source import Export
from almario.memory.transfer import Note
from almario.named_tuples import NamedTuple


class ImportedMessage(NamedTuple):
    """One message of a conversation; the same *id* is the same message."""

    id: str
    role: Role
    text: str
    at: datetime | None = None
    speaker: str = ""
    origin: Origin = "imported"


class ImportedTalk(NamedTuple):
    """A conversation with another program's model; the same *id* is the same conversation.

    One *of_ours* is a session of an agent of Almario's, with the numbers of its turns as their ids. A coding
    agent's has the *folder* in which it was at work.
    """

    id: str
    title: str
    messages: tuple[ImportedMessage, ...]
    of_ours: bool = False
    folder: str = ""


class SoulText(NamedTuple):
    """What a soul from elsewhere says, and which file of ours would say it; *is_whole*: it was that file."""

    file: str
    text: str
    place: str
    is_whole: bool = False


class MemoryLines(NamedTuple):
    """Memories as an agent of Almario's wrote them down, to be put back as they were."""

    lines: Callable[[], Iterator[str]]
    many: int


class Skipped(NamedTuple):
    """What does not come in, where it stands, and why."""

    place: str
    why: Sentence


class NoText(NamedTuple):
    """How much in a conversation is no text, by what it is."""

    counts: Counter[Sentence]


Arrival = Note | ImportedTalk | SoulText | MemoryLines | NoText | Skipped


class Kind(NamedTuple):
    """A program's export: what it is *called*, whether a source is one, and what it holds.

    Sources are tried by *rank*: what is found in folders of others has a higher one than theirs.
    """

    name: str
    called: Sentence
    fits: Callable[[Export], bool]
    read: Callable[[Export], Iterator[Arrival]]
    rank: int = 0

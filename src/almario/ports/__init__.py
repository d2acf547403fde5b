"""What the rooms above need from outside, in the project's own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from almario.named_tuples import NamedTuple
from almario.ports.homes import AgentMark as AgentMark
from almario.ports.homes import Forwarding as Forwarding
from almario.ports.homes import Home as Home
from almario.ports.homes import Key as Key
from almario.ports.homes import ListedAgent as ListedAgent
from almario.ports.homes import OwnSettings as OwnSettings
from almario.ports.homes import Papers as Papers
from almario.ports.homes import Queue as Queue
from almario.ports.homes import Trashed as Trashed
from almario.ports.homes import check_id as check_id
from almario.ports.homes import moved as moved
from almario.ports.storing import Documents as Documents
from almario.ports.storing import Holding as Holding
from almario.ports.storing import Job as Job
from almario.ports.storing import Journal as Journal
from almario.ports.storing import Mark as Mark
from almario.ports.storing import OpenWrite as OpenWrite
from almario.ports.storing import Receive as Receive
from almario.ports.storing import Rewrite as Rewrite
from almario.ports.storing import Store as Store
from almario.ports.storing import Tail as Tail
from almario.ports.storing import Transcripts as Transcripts
from almario.ports.storing import Versions as Versions
from almario.ports.storing import Watching as Watching
from almario.ports.storing import changed_meanwhile as changed_meanwhile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from almario.domain.candidates import Search
    from almario.domain.columns import Candidates
    from almario.domain.events import Event
    from almario.domain.late import Late
    from almario.domain.memories import Column, Memory, Recorded, Wanted
    from almario.domain.messages import Sentence
    from almario.domain.passages import Passage
    from almario.domain.talk import Ask, Reply

# Returns the present instant, with its time zone. Nothing else reads the time.
Clock = Callable[[], datetime]
# A text as numbers; texts of like meaning have like numbers. Of length 1.
Vector = Sequence[float]

# Hears the text of an answer as it comes, piece by piece.
Hear = Callable[[str], None]


class LLM(Protocol):
    """A language model: it is told who it is and what was said, and answers."""

    @property
    def model(self) -> str:
        """The provider and the model, as `anthropic/claude-…`."""

    def is_available(self) -> bool:
        """Return whether `reply` can be expected to work, without paying for anything."""

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        """Return the answer; *hear* gets its text as it comes.

        What *hear* raises (a keyboard interrupt, too) ends the answer and goes
        through. LLMUnavailable says why there is none; BadReply that what came
        is not an answer; MissingExtra that a package is not installed.
        """


class Models(NamedTuple):
    """The model that talks and the one that learns; *notices* say why there is none, and how to get one.

    *found* says where each came from, if it was not named.
    """

    talk: LLM | None
    background: LLM | None
    notices: tuple[Sentence, ...] = ()
    found: tuple[Sentence | None, Sentence | None] = (None, None)


class ModelNames(NamedTuple):
    """The names of both models, empty where there is none; *told* is as in `Models`."""

    talk: str
    background: str
    told: tuple[Sentence, ...] = ()


class FoundModel(NamedTuple):
    """A model that was found on this machine, by its name in `llm.model`, and where it came from."""

    name: str
    how: Sentence


class ModelDownload(NamedTuple):
    """A model that can be downloaded: its name in `llm.model`, its size in bytes, and what fetches it.

    *fetch* is given what hears how far it is: how many bytes of how many.
    """

    name: str
    size: int
    fetch: Callable[[Callable[[int, int], None]], object]


class OfferedModel(NamedTuple):
    """A choice: what `llm.model` becomes, what it is, and what fetches it first if it is not here."""

    name: str
    what: Sentence
    download: ModelDownload | None = None


class ModelSource(Protocol):
    """Where models are on this machine, for `llm.model = "auto"`."""

    def found(self, settings: Any, environment: Mapping[str, str]) -> FoundModel | None:
        """Return the model that is here, if there is one; *settings* are those of `[llm]`."""

    def download(self, settings: Any) -> ModelDownload | None:
        """Return the model that could be downloaded here; None if none can be, or one was."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model(self) -> str:
        """The name under which vectors are kept; another name is another space."""

    def is_available(self) -> bool:
        """Return whether `embed` can be expected to work, without loading anything."""

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text; EmbedderUnavailable or MissingExtra says why not."""


class Index(Protocol):
    """Keeps passages, found by their words and by their meaning.

    A source is a file (or the ledger); its passages are numbered in order, so
    that neighbours have neighbouring ids (see `domain.passages`).
    """

    def sources(self) -> Mapping[str, str]:
        """Return each source that has a fingerprint, with it."""

    def put(self, source: str, fingerprint: str, passages: Iterable[Passage], *, keep: int = 0) -> None:
        """Make these the passages of a source after its first *keep*.

        One without passages and without a fingerprint is removed.
        """

    def put_each(self, sources: Mapping[str, Sequence[Passage]]) -> None:
        """Make these the passages of many sources at once, none of which has a fingerprint."""

    def places(self, sources: Collection[str]) -> Mapping[str, int]:
        """Return the id of the first passage of each of the sources that are there."""

    def count(self) -> tuple[int, float]:
        """Return how many passages there are, and how many words they have on average."""

    def candidates(self, wanted: Search) -> Candidates:
        """Return what is found by words, by meaning and by time, all at once, and its neighbours."""

    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        """Return those of the passages that exist, with their texts."""

    def lacking(self, model: str, limit: int) -> Mapping[str, str]:
        """Return texts that have no vector of that model yet, by their hash, newest first."""

    def add_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by their text's hash."""

    def vectors(self, model: str, hashes: Collection[str]) -> Mapping[str, Vector]:
        """Return the vectors of those of the texts that have one, by their hash."""


class MemoryTable(Protocol):
    """Keeps each memory as its latest change left it, and every change: all derived from the journal."""

    def position(self) -> tuple[int, str]:
        """Return the seq and id of the last event that was applied; 0 if none."""

    def apply(self, event: Event, notes: Mapping[str, str] | None = None) -> Sequence[Memory]:
        """Take in the next event of the journal, with notes; return the memories that it changed."""

    def select(self, wanted: Wanted) -> list[Memory]:
        """Return the memories that fit, oldest first."""

    def extent(self, wanted: Wanted) -> tuple[int, int]:
        """Return how many memories fit, and the seq of the latest change of any of them."""

    def tally(self, wanted: Wanted, *columns: Column) -> Mapping[tuple[str, ...], int]:
        """Return how many memories fit, by what they have in these columns."""

    def history(
        self, *, memory: str = "", after: int = 0, verbs: Collection[str] = (), last: int = 0
    ) -> list[Recorded]:
        """Return the changes of one memory or of all, later than seq *after*, in order.

        With *verbs*, only those that did one of these; with *last*, only so many, the latest.
        """

    def keys(self) -> Mapping[str, int]:
        """Return how many live memories each key has, as it was last written."""

    def noted(self, name: str) -> str:
        """Return a note, or nothing."""

    def notes(self, prefix: str, names: Collection[str] | None = None) -> Mapping[str, str]:
        """Return the notes whose names begin with *prefix*, by the rest of their names.

        With *names*, only those whose rest is one of them.
        """

    def note(self, name: str, text: str) -> None:
        """Keep a short note under a name; nothing is none."""


class Spool(Protocol):
    """Where that waits which could not be kept at once; none of it is lost, and none is kept twice."""

    def add(self, late: Late) -> None:
        """Write down what waits; when this returns, it survives a power cut. What waits already stays."""

    def waiting(self) -> list[Late]:
        """Return what waits, in the order in which it happened."""

    def taken(self, late: Late) -> None:
        """Take out what has been kept."""

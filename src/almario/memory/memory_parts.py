"""What the verbs of memory are made of, each part loaded when it is first used."""

import contextlib
from collections.abc import Callable, Collection
from functools import cached_property
from typing import TYPE_CHECKING

from almario.domain.model import CORE_MEMORY
from almario.errors import StoreError
from almario.memory.indexing import Indexing
from almario.memory.rules.ledger_models import KEPT
from almario.memory.rules.sources import lines_of_entries, places_of
from almario.memory.settings import AutoRecallSettings, ConsolidationSettings, MemorySettings, SearchSettings
from almario.memory.writer import MemoryWriter
from almario.named_tuples import NamedTuple
from almario.ports import Embedder, Key

# Most commands need few of them, and each takes time to load.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from almario.memory.admission import Admission
    from almario.memory.amending import Amending
    from almario.memory.cueing import Cueing
    from almario.memory.embedding import Embedding
    from almario.memory.episodes import Episodes
    from almario.memory.handwritten import Handwritten
    from almario.memory.indexing import Indexing
    from almario.memory.lately import Lately
    from almario.memory.mirror import Mirror
    from almario.memory.pages import PortraitPages
    from almario.memory.purge import Purge
    from almario.memory.recall import Recall
    from almario.memory.said_since import SaidSince
    from almario.memory.statements import Statements
    from almario.text.redaction import Redactor


# Under this note stand digests of texts.
_WITHOUT_SECRETS = "without secrets"


class MemoryChoices(NamedTuple):
    """The settings of memory, and the agent's language."""

    memory: MemorySettings
    search: SearchSettings
    auto_recall: AutoRecallSettings
    consolidation: ConsolidationSettings
    language: str
    # Whether what was said is indexed.
    transcripts: bool


class MemoryParts:
    """The parts of one agent's memory."""

    def __init__(
        self,
        writer: MemoryWriter,
        redact: "Redactor",
        chosen: MemoryChoices,
        embedders: "Callable[[], tuple[Embedder | None, Embedder | None]]",
        key: Callable[[], Key],
    ) -> None:
        """*embedders* makes what finds and what compares, *key* what marks the exports of this home."""
        self.writer = writer
        self.redact = redact
        self.chosen = chosen
        self._embedders = embedders
        self.key = key
        redact.known.noted = self._without_secrets
        redact.kept = self.kept

    def note_without_secrets(self) -> None:
        """Note what was found to hold no secret; if that cannot be, it is searched again."""
        known, derived = self.redact.known, self.writer.derived
        if known.is_new and not derived.is_private:
            known.is_new = False
            with contextlib.suppress(StoreError), self.writer.vault.writing(), derived.writing():
                derived.table.note(_WITHOUT_SECRETS, str(known))

    def _without_secrets(self) -> str:
        try:
            return self.writer.derived.table.noted(_WITHOUT_SECRETS)
        except StoreError:
            return ""

    def kept(self) -> "Collection[str]":
        """Return the digests of what looked like a secret, and is none as the owner says."""
        rows = self.writer.vault.follower.rows(KEPT).items()
        return {digest for digest, row in rows if not row.undone}

    @cached_property
    def admission(self) -> "Admission":
        from almario.memory.admission import Admission

        return Admission(self.writer, self.chosen.memory, self.redact)

    @cached_property
    def mirror(self) -> "Mirror":
        from almario.memory.mirror import Mirror

        chosen = self.chosen
        return Mirror(self.writer, self.redact, chosen.memory, chosen.language)

    @cached_property
    def indexing(self) -> "Indexing":
        return Indexing(
            self.writer.vault,
            self.writer.derived.live,
            self.chosen.search,
            transcripts=self.chosen.transcripts,
            redact=self.redact,
            kept=self.kept,
            elsewhere=self._told_elsewhere,
        )

    def _told_elsewhere(self, name: str, text: str) -> "Collection[int]":
        """Return which lines of MEMORY.md are memories, or which of a log stand for others in the archive."""
        if name == CORE_MEMORY:
            return self.mirror.fact_lines(text)
        archived = places_of(name)[1:]
        if not any(self.writer.vault.read(place).content for place in archived):
            return ()
        return lines_of_entries(name, text, names=self.writer.ledger.condensed())

    @cached_property
    def embedding(self) -> "Embedding":
        from almario.memory.embedding import Embedding

        return Embedding(self.writer, *self._embedders())

    @cached_property
    def recall(self) -> "Recall":
        from almario.memory.recall import Recall
        from almario.memory.topics import EvidenceLookup

        evidence = EvidenceLookup(self.writer, self.embedding)
        search, auto = self.chosen.search, self.chosen.auto_recall
        return Recall(self.writer, self.embedding, evidence, self.statements, search, auto, self.said_since)

    @cached_property
    def said_since(self) -> "SaidSince":
        from almario.memory.said_since import SaidSince

        return SaidSince(self.writer, self.embedding, self.lately)

    @cached_property
    def lately(self) -> "Lately":
        from almario.memory.lately import Lately

        return Lately(self.writer.vault.transcripts)

    @cached_property
    def statements(self) -> "Statements":
        from almario.memory.statements import Statements

        return Statements(self.embedding)

    @cached_property
    def purge(self) -> "Purge":
        from almario.memory.purge import Purge

        return Purge(self.writer, self.mirror.raw_facts, self.redact.known)

    @cached_property
    def episodes(self) -> "Episodes":
        from almario.memory.episodes import Episodes

        return Episodes(self.writer, self.redact)

    @cached_property
    def amending(self) -> "Amending":
        from almario.memory.amending import Amending

        return Amending(self.writer, self.admission, self.episodes, self.redact)

    @cached_property
    def handwritten(self) -> "Handwritten":
        from almario.memory.handwritten import Handwritten

        return Handwritten(self.writer, self.redact, prose=self.mirror.own_text)

    @cached_property
    def cueing(self) -> "Cueing":
        from almario.memory.cueing import Cueing

        likeness = self.embedding.likeness
        return Cueing(self.writer, self.redact, likeness, language=self.chosen.language)

    @cached_property
    def pages(self) -> "PortraitPages":
        from almario.memory.pages import PortraitPages

        return PortraitPages(self.writer)

"""What one agent's memory is made of."""

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from almario import config as configuration
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.memory_table import SqliteShelf
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.config import Config
from almario.domain.events import VERSION
from almario.domain.passages import Passage
from almario.domain.words import TERMS, index_terms
from almario.memory.admission import Admission
from almario.memory.backing import Backing
from almario.memory.embedding import Embedding
from almario.memory.facade import Memories
from almario.memory.indexing import Indexing
from almario.memory.keeping import Derived, Keeping
from almario.memory.ledger import Ledger
from almario.memory.memory_parts import Parts
from almario.memory.mirror import Mirror
from almario.memory.purge import Purge
from almario.memory.recall import Recall
from almario.memory.rules.chunking import CUTTER
from almario.memory.settings import EmbedderSettings
from almario.memory.transfer import Transfer
from almario.memory.verifying import Verifying
from almario.ports import Embedder, Key, Store
from almario.text.redaction import Redactor

# Changes with what is derived from the same journal and files: whoever knew less of them made another index.
_DERIVED = 6


def memories(
    vault: Store, config: Config, derived: Derived, key: Key, given: Embedder | None = None
) -> Memories:
    """Return the memory of an agent; nothing is opened before it is used.

    *given* takes the place of the embedder that the settings name.
    """
    chosen = config.settings
    keeping = Keeping(vault, derived, Ledger(vault.journal, derived.table, chosen.memory.lifetimes))
    redact = Redactor(chosen.redaction, lambda: configuration.region(config))
    admission = Admission(keeping, chosen.memory, redact)
    mirror = Mirror(keeping, redact, chosen.memory, configuration.language(config))
    indexing = Indexing(
        vault,
        derived.live,
        chosen.search,
        transcripts=chosen.sessions.index,
        at_once=chosen.sessions.index_on_start,
        redact=redact.text,
        fact_lines=mirror.fact_lines,
    )
    named = embedder(chosen.embedder)
    # Whatever finds, the bundled model compares: on its cosines the thresholds were measured.
    comparer = named if chosen.embedder.name in ("local", "none") else embedder(EmbedderSettings())
    embedding = Embedding(keeping, given or named, comparer)
    return Memories(
        Parts(
            keeping,
            redact,
            admission,
            mirror,
            indexing,
            embedding,
            Recall(keeping, embedding, Backing(keeping), chosen.search, chosen.auto_recall),
            Transfer(keeping, redact, key),
            Purge(keeping, mirror.raw_facts),
            Verifying(keeping, mirror),
            chosen.consolidation,
        )
    )


def derived_in(folder: Path) -> Derived:
    """Return what is derived for an agent: beside its files, or in memory if nothing can be written there."""
    place = folder / ".index"
    if os.access(place if place.is_dir() else folder, os.W_OK):
        return derived(place)
    return derived(None)._replace(is_private=True)


def derived(place: Path | None) -> Derived:
    """Return what is derived for an agent, in a folder of its own or in memory."""
    name = f"index-{_DERIVED}.{VERSION}.{CUTTER}.{TERMS}.db"
    main = Database(place, name)
    aside = Database(place / "past" if place else None, name)

    @contextlib.contextmanager
    def writing() -> Iterator[None]:
        with main.writing(), aside.writing():
            yield

    def empty() -> None:
        main.discard()
        aside.discard()

    def problems() -> list[str]:
        parts = (main, aside, live, past)
        return [problem for part in parts for problem in part.problems()]

    def close() -> None:
        main.close()
        aside.close()

    table, live, past = SqliteShelf(main), SqliteIndex(main, _terms), SqliteIndex(aside, _terms)
    return Derived(table, live, past, main.reading, writing, empty, problems, close, is_private=False)


def _terms(passage: Passage) -> list[str]:
    return index_terms(passage.text, passage.speaker or passage.key)


def embedder(settings: EmbedderSettings) -> Embedder | None:
    """Return what turns text into vectors; nothing is loaded before it is used."""
    # Only what is chosen is imported.
    if settings.name == "local":
        return _bundled()
    if settings.name == "openai":
        from almario.adapters.embedders import openai_compatible as openai  # noqa: PLC0415

        key = openai.key_for(settings.url)
        return openai.OpenAICompatibleEmbedder(
            settings.url, settings.model, key, timeout=settings.timeout, batch=settings.batch
        )
    if settings.name == "fastembed":
        from almario.adapters.embedders import fastembed  # noqa: PLC0415

        return fastembed.FastEmbedEmbedder(settings.model)
    if settings.name == "none":
        return None
    from almario.wiring import plugged  # noqa: PLC0415

    return plugged.embedder(settings)


@cache
def _bundled() -> Embedder:
    """Return the bundled model, which all agents of a process share."""
    from almario.adapters.embedders.local import LocalEmbedder  # noqa: PLC0415 - as above

    return LocalEmbedder()

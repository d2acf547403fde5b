"""What one agent's memory is made of."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from almario import config as configuration
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.memory_table import SqliteShelf
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.config import Config
from almario.domain.events import VERSION
from almario.domain.memories import Lifetimes
from almario.domain.messages import Sentence
from almario.domain.passages import Passage
from almario.domain.words import TERMS, index_terms
from almario.memory.facade import Memories
from almario.memory.ledger import Ledger
from almario.memory.memory_parts import MemoryChoices, MemoryParts
from almario.memory.rules.chunking import CUTTER
from almario.memory.settings import EmbedderSettings
from almario.memory.writer import Derived, MemoryWriter
from almario.ports import Embedder, Key, Store

if TYPE_CHECKING:
    from almario.adapters.embedders.local import LocalEmbedder
    from almario.text.redaction import Redactor

# Changes with what is derived from the same journal and files: whoever knew less of them made another index.
_DERIVED = 14
# For so many seconds another program that holds the index is waited for, at most.
_PATIENCE = 1.0


def memories(
    vault: Store,
    config: Config,
    derived: Derived,
    redact: "Redactor",
    embedders: Callable[[], tuple[Embedder | None, Embedder | None]],
    key: Callable[[], Key],
) -> Memories:
    """Return the memory of an agent; nothing is opened before it is used."""
    chosen = config.settings
    lasting = Lifetimes(chosen.memory.fact_days, chosen.memory.summary_days, chosen.memory.episode_days)
    writer = MemoryWriter(vault, derived, Ledger(vault.journal, derived.table, key, lasting))
    own = MemoryChoices(
        chosen.memory,
        chosen.search,
        chosen.auto_recall,
        chosen.consolidation,
        language=configuration.language(config),
        transcripts=chosen.sessions.index,
    )
    return Memories(MemoryParts(writer, redact, own, embedders, key))


def derived_in(folder: Path, *, seconds: float = _PATIENCE) -> Derived:
    """Return what is derived for an agent: beside its files, or in memory if nothing can be written there.

    Another program that holds it is waited for *seconds*, and not as long as it likes: it can do without.
    """
    place = folder / ".index"
    if os.access(place if place.is_dir() else folder, os.W_OK):
        return derived(place, seconds=min(seconds, _PATIENCE))
    return derived(None)._replace(is_private=True)


def derived(place: Path | None, *, seconds: float = _PATIENCE) -> Derived:
    """Return what is derived for an agent, in a folder of its own or in memory."""
    database = Database(place, f"index-{form()}.db", seconds=seconds)
    table = SqliteShelf(database)
    live, past, cues = (SqliteIndex(database, terms, shelf=shelf) for shelf in ("", "past_", "cues_"))

    def problems() -> list[str]:
        return [problem for part in (database, live, past, cues) for problem in part.problems()]

    how = (database.reading, database.writing, database.discard, problems, database.close)
    found = Derived(table, live, past, cues, *how, is_private=False)
    if (
        seconds < _PATIENCE
    ):  # who may not wait for another program may not wait for all to be made anew either
        return found
    return found._replace(step_aside=database.step_aside, come_back=database.come_back)


def form() -> str:
    """Return what changes with what is derived from the same journal and files."""
    return f"{_DERIVED}.{VERSION}.{CUTTER}.{TERMS}"


def terms(passage: Passage) -> list[str]:
    """Return the words by which a passage is found."""
    return index_terms(passage.text, passage.speaker or passage.key)


def embedder(settings: EmbedderSettings, config: Config | None = None) -> Embedder | None:
    """Return what turns text into vectors; nothing is loaded before it is used.

    *config* says who named its address.
    """
    # Only what is chosen is imported.
    if settings.name == "local":
        return _bundled()
    if settings.name == "openai":
        from almario.adapters.embedders import openai_compatible as openai  # noqa: PLC0415
        from almario.wiring.model_keys import environment_for  # noqa: PLC0415 - as above

        environment = environment_for(config, {openai.OWN_KEY: "embedder.url"}) if config else os.environ
        key = openai.key_for(settings.url, environment)
        return openai.OpenAICompatibleEmbedder(settings.url, settings.model, key)
    if settings.name == "none":
        return None
    from almario.wiring import models  # noqa: PLC0415 - only with an embedder

    return models.embedder(settings)


def unpack_meanwhile(settings: EmbedderSettings) -> Sentence | None:
    """Begin to unpack the bundled model, if it is what finds; return what to say where that takes long."""
    from almario.adapters.embedders.local import UNPACKING  # noqa: PLC0415 - as above

    if settings.name != "local" or (bundled := _bundled()).is_unpacked:
        return None
    Thread(target=bundled.unpack, name="almario-unpacking", daemon=True).start()
    return UNPACKING


@cache
def _bundled() -> "LocalEmbedder":
    from almario.adapters.embedders.local import LocalEmbedder  # noqa: PLC0415 - as above

    return LocalEmbedder()

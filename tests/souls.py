"""Souls for tests: on a folder, or on a store in memory, which is quicker and knows no files."""

import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from almario import config, wiring
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.opening import connect
from almario.becoming.starter import starter_files
from almario.domain.messages import Sentence
from almario.domain.model import Persona
from almario.memory.writer import Derived
from almario.ports import LLM, Embedder, Store
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.store.settings import WatchSettings
from almario.testing import FixedClock
from almario.wiring.parts import AgentParts
from almario.wiring.remembering import derived
from almario_postgres.agent_store import PostgresStore
from tests import postgres
from tests.memory_store import MemoryKey, MemoryStore

NOWHERE = Path("/nowhere")


def store_in(folder: Path | None, clock: FixedClock) -> Store:
    """Return an empty store: in a folder, which is made, or in memory."""
    if folder is None:
        return MemoryStore(clock)
    folder.mkdir(parents=True, exist_ok=True)
    return FolderStore(folder, clock, UTC, watch=WatchSettings(debounce=0.1))


def store_of(kind: str, folder: Path, clock: FixedClock) -> Store:
    """Return an empty store of a kind: `folder`, `memory` or `postgres`."""
    if kind == "postgres":
        server = postgres.migrated()
        return PostgresStore(server.bound(postgres.new_agent(server)), clock, UTC)
    return store_in(folder if kind == "folder" else None, clock)


def is_all_or_nothing(store: Store) -> bool:
    """Return whether a write that is interrupted leaves nothing behind, not even what it had entered."""
    return isinstance(store, PostgresStore)


def soul_on(
    store: Store,
    settings: Mapping[str, Any] | None = None,
    llm: LLM | None = None,
    index: Derived | None = None,
    embedder: Embedder | None = None,
) -> Soul:
    """Open the soul on a store as another process would; a new one is furnished.

    Nothing is derived yet, but where there is an *index* of an earlier one, as a disk would have it.
    """
    chosen = config.load(NOWHERE, arguments=settings)
    index = index or derived(None)
    if isinstance(store, MemoryStore) and not store.journal.events:
        _furnished(store.now(), chosen).copy_to(store, index)
    else:
        _furnish(store, chosen)
    return wiring.soul_of(
        "default", AgentParts(store, chosen, lambda: index, MemoryKey, llm=llm, embedder=embedder)
    )


def _furnish(store: Store, chosen: config.Config) -> None:
    persona = Persona(language=config.language(chosen))
    wiring.furnish(
        store, wiring.Newborn("default", persona.language, starter_files(persona), Sentence("first soul"))
    )


class _Furnished(NamedTuple):
    """A new soul that nobody has used, and the databases that were made for it: a copy is made soon."""

    store: MemoryStore
    database: bytes

    def copy_to(self, store: MemoryStore, index: Derived) -> None:
        store.journal.events[:] = self.store.journal.events
        store.versions.kept |= self.store.versions.kept
        store.documents.contents |= self.store.documents.contents
        store.documents.changes |= self.store.documents.changes
        store.filed = self.store.filed
        connection = connect(None)
        connection.deserialize("main", self.database)
        _database(index)._idle.append(connection)


def _database(index: Derived) -> Database:
    return index.table._database  # type: ignore[attr-defined,no-any-return]


_templates: dict[tuple[object, ...], _Furnished] = {}


def _furnished(now: datetime, chosen: config.Config) -> _Furnished:
    """Return a soul as it is made at that time with those settings."""
    made_so = (now, chosen.settings, config.language(chosen))
    if made_so not in _templates:
        store, index = MemoryStore(FixedClock(now)), derived(None)
        _furnish(store, chosen)
        wiring.soul_of("default", AgentParts(store, chosen, lambda: index, MemoryKey))
        with _database(index).reading() as connection:
            _templates[made_so] = _Furnished(store, connection.serialize("main"))
    return _templates[made_so]


_copied: dict[Callable[[Path], None], Path] = {}


def copy_of(make: Callable[[Path], None], home: Path, factory: pytest.TempPathFactory) -> None:
    """Give a home all that *make* makes in one: a copy of what it made the first time."""
    if make not in _copied:
        _copied[make] = factory.mktemp("made") / "home"
        make(_copied[make])
    shutil.copytree(_copied[make], home, ignore=shutil.ignore_patterns("*-shm"))


def by_hand(store: Store, name: str, text: str | None) -> None:
    """Change a document as its owner would: in an editor, or in whatever stands for one."""
    if isinstance(store, MemoryStore | PostgresStore):
        store.edit(name, text)
        return
    path = Path(store.place) / name
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

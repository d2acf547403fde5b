"""Souls for tests: on a folder, or on a store in memory, which is quicker and knows no files."""

from collections.abc import Mapping
from datetime import UTC
from pathlib import Path
from typing import Any

from almario import config, wiring
from almario.becoming.starter import starter_files
from almario.domain.messages import Sentence
from almario.domain.model import Persona
from almario.ports import LLM, Store
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.store.settings import WatchSettings
from almario.testing import FixedClock, MemoryKey, MemoryStore
from almario.wiring.parts import AgentParts
from almario.wiring.remembering import derived

NOWHERE = Path("/nowhere")


def store_in(folder: Path | None, clock: FixedClock) -> Store:
    """Return an empty store: in a folder, which is made, or in memory."""
    if folder is None:
        return MemoryStore(clock)
    folder.mkdir(parents=True, exist_ok=True)
    return FolderStore(folder, clock, UTC, watch=WatchSettings(debounce=0.1))


def soul_on(store: Store, settings: Mapping[str, Any] | None = None, llm: LLM | None = None) -> Soul:
    """Open the soul on a store as another process would, with nothing derived yet; a new one is furnished."""
    chosen = config.load(NOWHERE, arguments=settings)
    persona = Persona(language=config.language(chosen))
    wiring.furnish(
        store, wiring.Newborn("default", persona.language, starter_files(persona), Sentence("first soul"))
    )
    return wiring.soul_of("default", AgentParts(store, chosen, lambda: derived(None), MemoryKey, llm=llm))


def by_hand(store: Store, name: str, text: str | None) -> None:
    """Change a document as its owner would: in an editor, or in whatever stands for one."""
    if isinstance(store, MemoryStore):
        store.edit(name, text)
        return
    path = Path(store.place) / name
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

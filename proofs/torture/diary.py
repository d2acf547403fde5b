"""What the members of a household share: a clock, their agents, and how they write down what they do."""

import contextlib
import json
import os
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from almario.domain.documents.document import digest
from almario.domain.memories import STATES, Wanted
from almario.errors import AgentNotFound, LLMError, SoulError, StoreBusy
from almario.soul import Soul
from almario.store.files import locked
from proofs.torture.musing import SECRETS

NAMES = {"a": ("ana", "anabel"), "b": ("bruno", "bo")}
SETTINGS = {
    "embedder.name": "none",
    "watch.enabled": False,
    "sessions.window": 4,
    "flush.threshold": 3,
    "backup.keep": 10_000,
    "locks.seconds": 60,
    "timezone": "Europe/Madrid",
}
SESSION = "cli:main"
_BEGINNING = datetime(2026, 3, 20, 12, tzinfo=UTC)
# A second is so long in the household.
_PACE = timedelta(hours=8)
# What may come of it that others do the same at once, or that the model fails.
KNOWN = (SoulError, StoreBusy, LLMError)
# What is told of an agent whose folder is elsewhere by then.
MOVED = re.compile(r"No such file|there is no file|no longer (exists|there)|^its folder, .+, does not exist$")
_write = os.write


class Hastening:
    """A clock that all processes share, on which a night comes every three seconds."""

    def __init__(self, began: float) -> None:
        self._began = began

    def __call__(self) -> datetime:
        return _BEGINNING + (time.monotonic() - self._began) * _PACE


class Diary:
    """A file to which is added, a line each, what is about to be done and what was; no kill tears it."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def add(self, when: str, verb: str, agent: str = "", **more: Any) -> None:
        line = {"when": when, "verb": verb, "agent": agent, "at": time.monotonic(), **more}
        _write(self._descriptor, (json.dumps(line) + "\n").encode())

    def trouble(self, text: str) -> None:
        self.add("met", "trouble", text=text)


def by_hand(folder: Path, file: str, edit: Callable[[str], str], tell: Callable[[str], None]) -> None:
    """Read a file, change it, and put that in the place of what is there, as editors do.

    With a secret in sight nobody else writes meanwhile: what was erased would be typed again.
    """
    path = folder / file
    with contextlib.ExitStack() as held:
        try:
            text = path.read_text()
            if SECRETS.search(edit(text)):
                held.enter_context(locked(folder / ".lock", seconds=60))
                text = path.read_text()
            content = edit(text).encode()
            tell(digest(content))
            copy = path.with_name(f"{file}.{os.getpid()}.tmp-editor")
            copy.write_bytes(content)
            copy.replace(path)
        except FileNotFoundError:
            raise AgentNotFound("the folder {path} no longer exists", path=str(folder)) from None


def erase(soul: Soul, secret: str, diary: Diary) -> None:
    """Erase a secret for good."""
    known = [memory for memory in soul.memory.list(Wanted(states=STATES)) if memory.value == secret]
    if known:
        diary.add("will", "purge", soul.id[0], secret=secret, ids=[memory.id for memory in known])
        soul.memory.purge(soul.memory.plan_purge(known[0].id))
        diary.add("did", "purge", soul.id[0], secret=secret)

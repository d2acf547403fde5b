"""The spool of a home: what hooks were told while an agent could not be written, one private file each.

A file is on the disk, whole, before the hook answers, and stays until what it says is kept. Whoever is killed
in between leaves it: its name is in the transcript by then, so it is not kept twice.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from almario.domain.digests import blake2b
from almario.domain.late import Late
from almario.domain.records import plain, read
from almario.errors import AlmarioError, StoreError
from almario.named_tuples import NamedTuple
from almario.store import files

FOLDER, _SUFFIX = "spool", ".json"


class Spooled(NamedTuple):
    """A file of the spool: for which agent, and what it says; None if that cannot be read."""

    path: Path
    agent: str
    late: Late | None


class HomeSpool:
    """What waits for one agent of a home."""

    def __init__(self, root: Path, agent: str, is_default: Callable[[], bool] = lambda: False) -> None:
        """*is_default* says whether the agent is the one that is meant where none is named."""
        self._folder = root / FOLDER
        self._agent = agent
        self._is_default = is_default

    def add(self, late: Late) -> None:
        name = "\n".join((self._agent.lower(), late.session, late.event, late.ref)).encode("utf-8", "replace")
        path = self._folder / f"{blake2b(name, size=12)}{_SUFFIX}"
        if path.exists():
            return
        fields = plain(late, str) | {"agent": self._agent}
        with files.writing(path):
            files.make_folder(self._folder)
            files.overwrite(path, json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace"))
            files.sync_folder(self._folder)

    def waiting(self) -> list[Late]:
        found = sorted(self._files(), key=lambda each: (each[0].at, written(each[1])))
        return [late for late, _ in found]

    def taken(self, late: Late) -> None:
        for each, path in self._files():
            if each == late:
                with files.writing(path):
                    files.remove(path)

    def _files(self) -> list[tuple[Late, Path]]:
        every = spooled(self._folder.parent)
        return [(each.late, each.path) for each in every if each.late and self._is_ours(each.agent)]

    def _is_ours(self, agent: str) -> bool:
        return agent.lower() == self._agent.lower() if agent else self._is_default()


class NoSpool:
    """Takes nothing, for an agent without a home."""

    def add(self, late: Late) -> None:
        raise StoreError("what was said in {session} was not kept; say it again", session=late.session)

    def waiting(self) -> list[Late]:
        return []

    def taken(self, late: Late) -> None:
        """There is nothing to take out."""


def spooled(root: Path) -> list[Spooled]:
    """Return every file in the spool of a home, in the order of their names."""
    try:
        names = sorted(name for name in os.listdir(root / FOLDER) if name.endswith(_SUFFIX))
    except OSError:
        return []
    found = (_read(root / FOLDER / name) for name in names if not name.startswith("."))
    return [each for each in found if each]


def _read(path: Path) -> Spooled | None:
    with suppress(AlmarioError, ValueError, TypeError, KeyError, RecursionError):
        if (content := files.read_bytes(path)) is None:
            return None
        fields = json.loads(content)
        late = read(Late, fields)
        texts = (fields["agent"], late.event, late.session, late.text, late.ref, *late.told)
        if late.at.tzinfo is not None and late.ref and all(isinstance(each, str) for each in texts):
            return Spooled(path, fields["agent"], late)
    return Spooled(path, "", None)


def written(path: Path) -> int:
    """Return when a file was written: what happened within one tick of the clock is in that order."""
    with suppress(OSError):
        return os.stat(path).st_mtime_ns
    return 0

"""The spool of a home: what hooks were told while an agent could not be written, one private file each.

A file is on the disk, whole, before the hook answers, and stays until what it says is kept. Whoever is killed
in between leaves it: its name is in the transcript by then, so it is not kept twice. A hook that is keeping
what it was told has a lock on its file, and others pass over it; the lock goes with the process.
"""

import fcntl
import json
import os
from collections.abc import Callable, Mapping
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

    def __init__(
        self,
        root: Path,
        agent: str,
        is_default: Callable[[], bool] = lambda: False,
        is_former: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """*is_default* says whether the agent is the one that is meant where none is named.

        *is_former* says whether another id was its own before it was moved.
        """
        self._folder = root / FOLDER
        self._agent = agent
        self._is_default = is_default
        self._is_former = is_former
        # What was there, by the files as they were: who keeps much of it looks again and again.
        self._known: dict[files.Status, Spooled] = {}

    def add(self, late: Late) -> None:
        self._put(late)

    def _put(self, late: Late, kind: str = "") -> Path:
        own = (self._agent.lower(), late.session, late.event, late.ref, *([kind] if kind else []))
        name = blake2b("\n".join(own).encode("utf-8", "replace"), size=12)
        path = self._folder / f"{name}{_SUFFIX}"
        if not path.exists():
            fields = plain(late, str) | {"agent": self._agent}
            with files.writing(path):
                files.make_folder(self._folder)
                files.overwrite(path, json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace"))
                files.sync_folder(self._folder)
        return path

    def waiting(self) -> list[Late]:
        self._known = read = _files(self._folder.parent, self._known)
        by_name = {each.agent: self._is_ours(each.agent) for each in read.values()}
        ours = [(there.time, each) for there, each in read.items() if each.late and by_name[each.agent]]
        found = [(each.late, at, each.path) for at, each in ours if each.late and not _is_held(each.path)]
        return [late for late, *_ in sorted(found, key=lambda each: (each[0].at, each[1]))]

    def taken(self, late: Late) -> None:
        for each in list(self._known.values()):
            if each.late == late and self._is_ours(each.agent):
                with files.writing(each.path):
                    files.remove(each.path)

    def _is_ours(self, agent: str) -> bool:
        if not agent:
            return self._is_default()
        return agent.lower() == self._agent.lower() or self._is_former(agent)


class HeldSpool:
    """Takes one call that is about to be kept, and has it out of others' hands until that is done."""

    def __init__(self, spool: HomeSpool) -> None:
        self._spool = spool
        self._path: Path | None = None
        self._lock: int | None = None

    def add(self, late: Late) -> None:
        self._path = self._spool._put(late, "held")
        with files.writing(self._path):
            self._lock = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def waiting(self) -> list[Late]:
        return self._spool.waiting()

    def taken(self, late: Late) -> None:
        """Take it out: it is kept, or waits under another name."""
        if self._path:
            with files.writing(self._path):
                files.remove(self._path)

    def close(self) -> None:
        """Leave to others what was not done."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _is_held(path: Path) -> bool:
    """Return whether the hook that wrote a file is keeping what it says."""
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(file)
    return False


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
    return list(_files(root, {}).values())


def _files(root: Path, known: Mapping[files.Status, Spooled]) -> dict[files.Status, Spooled]:
    """Return every file in the spool of a home by what it is now; what is *known* is not read again."""
    try:
        names = sorted(name for name in os.listdir(root / FOLDER) if name.endswith(_SUFFIX))
    except OSError:
        return {}
    found = {}
    for path in (root / FOLDER / name for name in names if not name.startswith(".")):
        there = files.status(path)
        if there and (each := known.get(there) or _read(path)):
            found[there] = each
    return found


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

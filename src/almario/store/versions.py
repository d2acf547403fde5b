"""Every content a soul file has had, by its hash, and the journal's account of when and why."""

import os
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path

from almario.domain.events import Event, SoulChanged, SoulEdited
from almario.domain.model import Version
from almario.domain.retention import Dated, VersionSettings, hashes_to_keep
from almario.errors import Damaged, SoulError
from almario.ports import Clock
from almario.store import files
from almario.store.journal import Journal

_EDITED = "edited by hand"
_DELETED = "deleted by hand"


class Versions:
    """Keeps contents in `.versions/<file>/<hash>` and tells their history from the journal."""

    def __init__(self, folder: Path, journal: Journal, settings: VersionSettings) -> None:
        self._folder = folder
        self._journal = journal
        self.settings = settings
        self._seq: int | None = None
        self._heads: dict[str, SoulChanged | SoulEdited] = {}

    def put(self, file: str, content: bytes) -> str:
        """Keep a content and return its hash."""
        name = files.digest(content)
        path = self._path(file, name)
        if files.read_bytes(path) != content:
            files.remove(path)  # there only if its bytes were damaged
            files.create(path, content)
        return name

    def has(self, file: str, name: str) -> bool:
        return self._path(file, name).is_file()

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; Damaged if its bytes do not fit its hash."""
        content = files.read_bytes(self._path(file, name))
        if content is None:
            raise SoulError("the content {hash} of {file} is not kept any more", hash=name[:12], file=file)
        if files.digest(content) != name:
            raise Damaged("{path} is not what was stored there", path=str(self._path(file, name)))
        return content

    def heads(self) -> dict[str, SoulChanged | SoulEdited]:
        """Return each soul file's latest event; the journal's past is read once, then only what is new."""
        seq = self._journal.tail().seq
        if self._seq is None or seq < self._seq:  # shorter than it was: brought back from a backup
            self._heads = {}
            for _, body in self._events():
                self._heads.setdefault(body.file, body)
        else:
            for event in self._journal.read(after=self._seq):
                if isinstance(event.body, SoulChanged | SoulEdited):
                    self._heads[event.body.file] = event.body
        self._seq = seq
        return self._heads

    def history(self, file: str) -> list[Version]:
        """Return all the versions that *file* has had, oldest first."""
        events = [(event, body) for event, body in self._events() if body.file == file]
        events.reverse()
        versions = []
        for number, (event, body) in enumerate(events, 1):
            reason = body.reason if isinstance(body, SoulChanged) else _EDITED if body.to else _DELETED
            kept = body.to is not None and self.has(file, body.to)
            versions.append(Version(file, number, body.to, event.at, event.actor, reason, kept))
        return versions

    def find(self, file: str, wanted: str) -> Version:
        """Return the version with that number or that beginning of a hash."""
        history = self.history(file)
        if wanted.isdecimal() and 1 <= int(wanted) <= len(history):
            return history[int(wanted) - 1]
        found = [
            version for version in history if len(wanted) >= 4 and (version.hash or "").startswith(wanted)
        ]
        if not found:
            raise SoulError(
                '{file} has no version "{wanted}"; "almario soul history {file}" lists them',
                file=file,
                wanted=wanted,
            )
        if len({version.hash for version in found}) > 1:
            raise SoulError(
                '"{wanted}" fits several versions of {file}; use a number', file=file, wanted=wanted
            )
        return found[-1]

    def prune(self, file: str, *, clock: Clock, zone: tzinfo) -> None:
        """Delete the contents that the settings do not keep."""
        history = [
            Dated(version.hash, version.at.astimezone(zone).date())
            for version in self.history(file)
            if version.hash is not None
        ]
        kept = hashes_to_keep(history, clock().astimezone(zone).date(), self.settings)
        for name in {entry.hash for entry in history} - kept:
            files.remove(self._path(file, name))

    def _events(self) -> Iterator[tuple[Event, SoulChanged | SoulEdited]]:
        for event in self._journal.select("soul."):
            if isinstance(event.body, SoulChanged | SoulEdited):
                yield event, event.body

    def _path(self, file: str, name: str) -> Path:
        return self._folder / file / os.path.basename(name)

"""Every content a soul file has had, by its hash, and the journal's account of when and why."""

import os
from datetime import datetime, tzinfo
from pathlib import Path

from almario.domain.documents.document import digest
from almario.domain.model import Version
from almario.domain.proposal import has_passed
from almario.domain.read_models import Follower
from almario.domain.soul_models import DRIFT, PROPOSALS, VERSIONS, version_named, versions_of
from almario.errors import Damaged, SoulError
from almario.ports import Clock
from almario.store import files, replacing
from almario.store.retention import Dated, believed_day, hashes_to_keep
from almario.store.settings import VersionSettings


class FolderVersions:
    """Keeps contents in `.versions/<file>/<hash>` and tells their history from the journal."""

    def __init__(self, folder: Path, follower: Follower, settings: VersionSettings) -> None:
        self._folder = folder
        self._follower = follower
        self.settings = settings

    @property
    def enabled(self) -> bool:
        return self.settings.enabled

    def put(self, file: str, content: bytes) -> str:
        """Keep a content and return its hash."""
        name = digest(content)
        path = self._path(file, name)
        if files.read_bytes(path) != content:
            files.remove(path)  # there only if its bytes were damaged
            replacing.create(path, content)
        return name

    def has(self, file: str, name: str) -> bool:
        """Say whether a content is still kept."""
        return self._path(file, name).is_file()

    def is_intact(self, file: str, name: str) -> bool:
        """Say whether a content is still kept as it was."""
        content = files.read_bytes(self._path(file, name))
        return content is not None and digest(content) == name

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; Damaged if its bytes do not fit its hash."""
        content = files.read_bytes(self._path(file, name))
        if content is None:
            raise SoulError("version {hash} of {file} is no longer kept", hash=name[:12], file=file)
        if digest(content) != name:
            raise Damaged("{path} is not what was stored there", path=str(self._path(file, name)))
        return content

    def text(self, file: str, name: str) -> str:
        """Return a kept content as text, whatever its bytes are."""
        return self.content(file, name).decode("utf-8", "replace")

    def heads(self) -> dict[str, str | None]:
        """Return the hash of each soul file's latest content."""
        return {version.file: version.hash for version in self._follower.rows(VERSIONS).values()}

    def history(self, file: str) -> list[Version]:
        """Return all the versions that *file* has had, oldest first."""
        return versions_of(self._follower.rows(VERSIONS).values(), file, self.has)

    def find(self, file: str, wanted: str) -> Version:
        """Return the version with that number or that beginning of a hash."""
        return version_named(self.history(file), file, wanted)

    def prune(self, file: str, *, clock: Clock, zone: tzinfo) -> None:
        """Delete the contents that the settings do not keep."""
        history = [
            Dated(version.hash, version.at.astimezone(zone).date())
            for version in self.history(file)
            if version.hash is not None
        ]
        today = believed_day(history, clock().astimezone(zone).date())
        kept = hashes_to_keep(history, today, self.settings)
        doomed = {entry.hash for entry in history} - kept
        for name in doomed - self._proposed(file, clock()) - self._pinned(file) if doomed else ():
            files.remove(self._path(file, name))

    def _proposed(self, file: str, now: datetime) -> set[str]:
        """Return the contents that the open proposals for a file are about."""
        made = self._follower.rows(PROPOSALS).values()
        waiting = [each.body for each in made if not each.answers and not each.body.why]
        own = [body for body in waiting if body.file == file and not has_passed(body.until, now)]
        return {name for body in own for name in (body.from_ or "", body.to)}

    def _pinned(self, file: str) -> set[str]:
        """Return the contents of a file that drift was ever measured against by the owner's wish."""
        pins = [mark.files for mark in self._follower.rows(DRIFT).values() if mark.kind == "pinned"]
        return {pin[file] for pin in pins if file in pin}

    def _path(self, file: str, name: str) -> Path:
        return self._folder / file / os.path.basename(name)

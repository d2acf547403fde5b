"""Every content a soul file has had, by its hash, and the journal's account of when and why."""

import os
from datetime import datetime, tzinfo
from pathlib import Path

from almario.domain.documents.document import digest
from almario.domain.events import (
    Event,
    ProposalAnswered,
    ProposalMade,
    PurgeDone,
    SoulChanged,
    SoulEdited,
    SoulPinned,
)
from almario.domain.model import Version
from almario.domain.proposal import has_passed
from almario.domain.soul_versions import version_named, versions_in
from almario.errors import Damaged, SoulError
from almario.ports import Clock
from almario.store import files, replacing
from almario.store.journal import FolderJournal
from almario.store.retention import Dated, believed_day, hashes_to_keep
from almario.store.settings import VersionSettings


class FolderVersions:
    """Keeps contents in `.versions/<file>/<hash>` and tells their history from the journal."""

    def __init__(self, folder: Path, journal: FolderJournal, settings: VersionSettings) -> None:
        self._folder = folder
        self._journal = journal
        self.settings = settings
        self._known: tuple[int, dict[str, tuple[Event, ...]]] = (0, {})

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
        return {file: _content_of(events[-1]) for file, events in self._entries().items()}

    def history(self, file: str) -> list[Version]:
        """Return all the versions that *file* has had, oldest first."""
        return versions_in(self._entries().get(file, ()), file, self.has)

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
        answered: set[str] = set()
        found: set[str] = set()
        for event in self._journal.select("proposal."):  # newest first: an answer comes before its proposal
            if isinstance(event.body, ProposalAnswered):
                answered.add(event.body.id)
            elif isinstance(event.body, ProposalMade) and event.body.id not in answered:
                is_open = not event.body.why and not has_passed(event.body.until, now)
                if is_open and event.body.file == file:
                    found |= {event.body.from_ or "", event.body.to}
        return found

    def _pinned(self, file: str) -> set[str]:
        """Return the contents of a file that drift was ever measured against by the owner's wish."""
        pins = [event.body for event in self._journal.select("soul.pinned")]
        return {pin.files[file] for pin in pins if isinstance(pin, SoulPinned) and file in pin.files}

    def _entries(self) -> dict[str, tuple[Event, ...]]:
        """Return each file's events; the journal's past is read once, and then only what is new."""
        seq = self._journal.tail().seq
        known_seq, known = self._known
        new = self._journal.read(after=known_seq) if 0 < known_seq <= seq else []
        is_rewritten = any(isinstance(event.body, PurgeDone) for event in new)
        # Not read yet, or shorter than it was: brought back from a backup.
        if not 0 < known_seq <= seq or is_rewritten:
            known, new = {}, list(self._journal.select("soul."))[::-1]
        entries = dict(known)
        for event in new:
            if isinstance(event.body, SoulChanged | SoulEdited):
                file = event.body.file
                entries[file] = (*entries.get(file, ()), event)
        newest = max([seq, *(event.seq for event in new)])  # lines may have come since the tail was read
        self._known = (newest, entries)  # one assignment: threads see the old or the new
        return entries

    def _path(self, file: str, name: str) -> Path:
        return self._folder / file / os.path.basename(name)


def _content_of(event: Event) -> str | None:
    return event.body.to if isinstance(event.body, SoulChanged | SoulEdited) else None

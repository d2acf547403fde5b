"""Every content a soul file has had, by its hash, and the journal's account of when and why."""

import os
from datetime import datetime, tzinfo
from pathlib import Path
from typing import NamedTuple

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
from almario.errors import Damaged, SoulError
from almario.ports import Clock
from almario.store import files, replacing
from almario.store.journal import Journal
from almario.store.retention import Dated, hashes_to_keep
from almario.store.settings import VersionSettings

_EDITED = "edited by hand"
_DELETED = "deleted by hand"


class _Entry(NamedTuple):
    event: Event
    body: SoulChanged | SoulEdited


class Versions:
    """Keeps contents in `.versions/<file>/<hash>` and tells their history from the journal."""

    def __init__(self, folder: Path, journal: Journal, settings: VersionSettings) -> None:
        self._folder = folder
        self._journal = journal
        self.settings = settings
        self._known: tuple[int, dict[str, tuple[_Entry, ...]]] = (0, {})

    def put(self, file: str, content: bytes) -> str:
        """Keep a content and return its hash."""
        name = files.digest(content)
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
        return content is not None and files.digest(content) == name

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; Damaged if its bytes do not fit its hash."""
        content = files.read_bytes(self._path(file, name))
        if content is None:
            raise SoulError("the content {hash} of {file} is not kept any more", hash=name[:12], file=file)
        if files.digest(content) != name:
            raise Damaged("{path} is not what was stored there", path=str(self._path(file, name)))
        return content

    def text(self, file: str, name: str) -> str:
        """Return a kept content as text, whatever its bytes are."""
        return self.content(file, name).decode("utf-8", "replace")

    def heads(self) -> dict[str, SoulChanged | SoulEdited]:
        """Return each soul file's latest event."""
        return {file: entries[-1].body for file, entries in self._entries().items()}

    def history(self, file: str) -> list[Version]:
        """Return all the versions that *file* has had, oldest first."""
        versions = []
        for number, (event, body) in enumerate(self._entries().get(file, ()), 1):
            reason = body.reason if isinstance(body, SoulChanged) else _EDITED if body.to else _DELETED
            kept = body.to is not None and self.has(file, body.to)
            versions.append(Version(file, number, body.to, event.at, event.actor, reason, kept))
        return versions

    def find(self, file: str, wanted: str) -> Version:
        """Return the version with that number or that beginning of a hash."""
        history = self.history(file)
        if wanted.isdecimal() and len(wanted) < 10 and 1 <= int(wanted) <= len(history):
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

    def _entries(self) -> dict[str, tuple[_Entry, ...]]:
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
                entries[file] = (*entries.get(file, ()), _Entry(event, event.body))
        newest = max([seq, *(event.seq for event in new)])  # lines may have come since the tail was read
        self._known = (newest, entries)  # one assignment: threads see the old or the new
        return entries

    def _path(self, file: str, name: str) -> Path:
        return self._folder / file / os.path.basename(name)

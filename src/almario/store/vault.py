"""The vault: one agent's folder of plain files, and the only way they are written.

A soul file is written in three steps: its content to `.versions/`, a journal
line that says what it was and will be, then the exchange. Whatever was
interrupted is finished when the vault is next used, and an edit made by hand
is noticed then and entered in the journal as the owner's.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from pathlib import Path

from almario.domain.documents.daily import log_filing
from almario.domain.events import Body, DayLogged, Event, Filing, SoulChanged
from almario.domain.messages import Sentence
from almario.domain.model import Version, soul_file
from almario.domain.options import option
from almario.domain.retention import VersionSettings
from almario.errors import EditConflict, SoulError, StoreError
from almario.ports import Clock
from almario.store import files
from almario.store.journal import Appender, Journal
from almario.store.lock import locked
from almario.store.recovery import Recovery
from almario.store.versions import Versions


@dataclass(frozen=True, slots=True)
class StoreSettings:
    lock_seconds: float = option(
        10.0, "How long a write waits for another process before it gives up.", low=0, high=3600
    )


@dataclass(frozen=True, slots=True)
class Document:
    """A file as it was read; *content* is None if there is none."""

    name: str
    content: bytes | None

    @property
    def text(self) -> str:
        return files.decoded(self.content or b"", self.name)

    @property
    def hash(self) -> str | None:
        return None if self.content is None else files.digest(self.content)

    def renewed(self, content: bytes) -> "Document":
        """Return the same file with other content."""
        return Document(self.name, content)


class Vault:
    """Reads and writes one agent's folder."""

    def __init__(
        self,
        root: Path,
        clock: Clock,
        zone: tzinfo,
        *,
        versions: VersionSettings | None = None,
        store: StoreSettings | None = None,
    ) -> None:
        self.root = root
        self.zone = zone
        self.journal = Journal(root / "journal", clock)
        self._clock = clock
        self._store = store or StoreSettings()
        self.versions = Versions(root / ".versions", self.journal, versions or VersionSettings())
        self._recovery = Recovery(root, self.journal, self.versions)

    def now(self) -> datetime:
        """Return the present in the owner's time zone."""
        return self._clock().astimezone(self.zone)

    def read(self, name: str) -> Document:
        """Read a file of the vault by its path inside it."""
        return Document(name, files.read_bytes(files.inside(self.root, name)))

    @contextlib.contextmanager
    def writing(self) -> Iterator[Appender]:
        """Hold the lock with everything earlier finished and every hand edit entered."""
        with self._locked(), self.journal.appending() as appender:
            self._recover(appender)
            yield appender

    def settle(self) -> list[Sentence]:
        """Finish what was interrupted and enter the owner's edits; return what is worth telling.

        A folder that cannot be written is left as it is: it can still be read.
        """
        if not self._recovery.is_needed():
            return []
        try:
            with self._locked(), self.journal.appending() as appender:
                return self._recover(appender)
        except StoreError as exc:
            why = Sentence(exc.message, **exc.facts)
            return [Sentence("the folder was left as it is: {why}", why=why)]

    def record(self, body: Body, *, actor: str) -> Event:
        """Enter in the journal something that owes nothing to a file."""
        with self.writing() as appender:
            return appender.append(body, actor=actor)

    def write_soul(self, name: str, text: str, *, expected: str | None, actor: str, reason: str) -> None:
        """Replace a soul file; EditConflict unless it is still what *expected* says."""
        self._replace_soul(name, files.encoded(text), expected=expected, actor=actor, reason=reason)

    def restore(self, name: str, wanted: str, *, actor: str) -> Version:
        """Put an earlier version of a soul file back; what stands there now stays in the history."""
        version = self.versions.find(soul_file(name), wanted)
        if version.hash is None:
            raise SoulError("version {number} of {file} is its deletion", number=version.number, file=name)
        content = self.versions.content(name, version.hash)
        reason = f"version restored: {version.number}"
        current = self.read(name).hash
        self._replace_soul(name, content, expected=current, actor=actor, reason=reason)
        return version

    def add_to_log(self, text: str, *, actor: str) -> Event:
        """Enter a line in today's daily log."""
        if not text.strip():
            raise SoulError("the log needs words; the text is empty")
        now = self.now()
        filing = log_filing(now.date(), now.time(), text)
        files.inside(self.root, filing.path)
        with self.writing() as appender:
            body = DayLogged(now.date().isoformat(), str(self.zone))
            event = appender.append(body, actor=actor, filings=(filing,))
            self._recovery.file(filing, again=False)
            appender.mark_filed()
            return event

    def write_file(self, name: str, text: str, *, expected: str | None) -> None:
        """Replace a file that is not part of the soul; EditConflict unless it is still *expected*."""
        path = files.inside(self.root, name)
        with self.writing():
            files.replace(path, files.encoded(text), expected=expected)

    def move_to_archive(self, name: str) -> str:
        """Move a file to `memory/archive/` under a name that is free there; return where it is."""
        path = files.inside(self.root, name)
        with self.writing(), files.writing(path):
            return files.move_aside(path, self.root / "memory" / "archive").relative_to(self.root).as_posix()

    def archive(self, name: str, text: str) -> None:
        """Add *text* to `memory/archive/<name>`, once."""
        self._recovery.file(Filing(f"memory/archive/{name}", text), again=True)

    def log_of(self, day: date) -> Document:
        return self.read(f"memory/{day.isoformat()}.md")

    def mend_journal(self) -> list[Path]:
        """Take unreadable lines out of the journal; return where their bytes are kept."""
        with self.writing() as appender:
            return self.journal.mend(appender)

    def _replace_soul(
        self, name: str, content: bytes, *, expected: str | None, actor: str, reason: str
    ) -> None:
        path = files.inside(self.root, soul_file(name))
        with self.writing() as appender:
            if self.read(name).hash != expected:
                raise EditConflict(
                    "{path} was changed by someone else meanwhile; nothing was written", path=name
                )
            if not self.versions.settings.enabled:
                files.replace(path, content, expected=expected)
                return
            kept = self.versions.put(name, content)
            if kept == expected:
                return
            appender.append(SoulChanged(name, expected, kept, reason), actor=actor)
            try:
                files.replace(path, content, expected=expected)
            except EditConflict:
                self._recover(appender)
                raise
            appender.mark_filed()
            self.versions.prune(name, clock=self._clock, zone=self.zone)

    def _locked(self) -> contextlib.AbstractContextManager[None]:
        return locked(self.root / ".lock", seconds=self._store.lock_seconds)

    def _recover(self, appender: Appender) -> list[Sentence]:
        done = self._recovery.run(appender)
        for name in done.edited:
            self.versions.prune(name, clock=self._clock, zone=self.zone)
        return done.told

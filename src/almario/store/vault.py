"""The vault: one agent's folder of plain files, and the only way they are written.

A soul file is written in three steps: its content to `.versions/`, a journal
line that says what it was and will be, then the exchange. Whatever was
interrupted is finished when the vault is next used, and an edit made by hand
is noticed then and entered in the journal as the owner's.
"""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import NamedTuple

from almario.domain.documents.daily import log_filing, log_path
from almario.domain.events import Actor, Body, DayLogged, Event, Filing, PurgeBegun
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import Version, soul_file
from almario.domain.options import Group, option
from almario.domain.read_models import Follower
from almario.domain.soul_events import Cause, SoulChanged, cause_of
from almario.domain.turns import Said, Turn
from almario.errors import EditConflict, SoulError, StoreError
from almario.ports import Clock
from almario.store import files, replacing
from almario.store.journal import Appender, Journal
from almario.store.lock import locked
from almario.store.mending import mend
from almario.store.recovery import Recovery
from almario.store.retention import VersionSettings
from almario.store.transcripts import Transcripts
from almario.store.versions import Versions


class StoreSettings(Group):
    lock_seconds: float = option(
        10.0, "How long a write waits for another process before it gives up.", low=0, high=3600
    )


class Document(NamedTuple):
    """A file as it was read; *content* is None if there is none."""

    name: str
    content: bytes | None

    @property
    def text(self) -> str:
        return files.decoded(self.content or b"", self.name)

    @property
    def hash(self) -> str | None:
        return files.hash_of(self.content)


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
        self.follower = Follower(self.journal)
        self.versions = Versions(root / ".versions", self.follower, versions or VersionSettings())
        self.transcripts = Transcripts(root / "sessions", clock)
        self._recovery = Recovery(root, self.journal, self.versions)

    def now(self) -> datetime:
        """Return the present in the owner's time zone."""
        return self._clock().astimezone(self.zone)

    def read(self, name: str) -> Document:
        """Read a file of the vault by its path inside it."""
        return Document(name, files.read_bytes(files.inside(self.root, name)))

    @contextlib.contextmanager
    def writing(self, *, since: int | None = None) -> Iterator[Appender]:
        """Hold the lock with everything earlier finished and every hand edit entered.

        What is written may rest on what was read when the journal ended with line *since*: EditConflict if a
        purge began after it.
        """
        with self._locked(), self.journal.appending() as appender:
            self._recover(appender)
            if since is not None:
                self.need_nothing_erased(since)
            yield appender

    def settle(self) -> list[Sentence]:
        """Finish what was interrupted and enter the owner's edits; return what is worth telling.

        A folder that cannot be written is left as it is: it can still be read.
        """
        try:
            if not self._recovery.is_needed():
                return []
            with self._locked(), self.journal.appending() as appender:
                return self._recover(appender)
        except StoreError as exc:
            why = sentence_of(exc)
            return [Sentence("the folder was left as it is: {why}", why=why)]

    def record(self, body: Body, *, actor: Actor) -> Event:
        """Enter in the journal something that owes nothing to a file."""
        with self.writing() as appender:
            return appender.append(body, actor=actor)

    def need_nothing_erased(self, since: int) -> None:
        """Raise EditConflict if a purge began after line *since*: what was read by then may tell of it."""
        if any(isinstance(event.body, PurgeBegun) for event in self.journal.read(after=since)):
            raise EditConflict("something was erased meanwhile; try again")

    def append_turns(self, session: str, said: Sequence[Said], *, after: int = 0) -> list[Turn]:
        """Append to a session's transcript, with numbers above *after*.

        When this returns, the turns survive a power cut.
        """
        with self.writing():
            return self.transcripts.append(session, said, after=after)

    def archive_turns(self, session: str, upto: int) -> int:
        """Move a session's turns up to number *upto* to `sessions/archive/`; return how many."""
        with self.writing():
            return self.transcripts.archive(session, upto)

    def cut_torn_tails(self) -> None:
        """Take off what killed processes left of a line, in the journal and in every transcript."""
        with self.writing():
            self.transcripts.cut_torn_tails()

    def write_soul(
        self,
        document: Document,
        text: str,
        *,
        actor: Actor,
        reason: str | Cause,
        owed: Filing | None = None,
        line: int | None = None,
    ) -> None:
        """Replace a soul file as it was read, with what is *owed* to another.

        EditConflict if it changed, or if a purge began after a *line* of the journal.
        """
        with self.writing(since=line) as appender:
            self.rewrite_soul(appender, document, files.encoded(text), actor=actor, reason=reason, owed=owed)

    def restore(self, name: str, wanted: str, *, actor: Actor) -> Version:
        """Put an earlier version of a soul file back; what stands there now stays in the history."""
        document = self.read(soul_file(name))
        version = self.versions.find(document.name, wanted)
        if version.hash is None:
            sentence = "version {number} of {file} is its deletion"
            raise SoulError(sentence, number=version.number, file=document.name)
        reason = Sentence("version restored: {number}", number=version.number)
        with self.writing() as appender:
            content = self.versions.content(document.name, version.hash)  # a purge may have taken it away
            self.rewrite_soul(appender, document, content, actor=actor, reason=reason)
        return version

    def add_to_log(self, text: str, *, actor: Actor) -> list[Sentence]:
        """Enter a line in today's daily log; return what is worth telling.

        The line is safe once the journal has it: a log that cannot be
        written now gets it later.
        """
        if not text.strip():
            raise SoulError("the log needs words; the text is empty")
        now = self.now()
        filing = log_filing(now.date(), now.time(), text)
        files.inside(self.root, filing.path)
        with self.writing() as appender:
            filing = self.counted(filing)
            body = DayLogged(now.date().isoformat(), str(self.zone))
            appender.append(body, actor=actor, filings=(filing,))
            return self.settle_debt(appender, filing)

    def write_file(self, document: Document, text: str) -> None:
        """Replace a file that is not part of the soul, as it was read; EditConflict if it has changed."""
        path = files.inside(self.root, document.name)
        with self.writing():
            replacing.replace(path, files.encoded(text), expected=document.hash)

    def log_of(self, day: date) -> Document:
        """Read a day's log."""
        return self.read(log_path(day))

    def mend_journal(self) -> list[Path]:
        """Take unreadable lines out of the journal; return where their bytes are kept."""
        with self.writing() as appender:
            return mend(self.journal, appender)

    def rewrite_soul(
        self,
        appender: Appender,
        document: Document,
        content: bytes,
        *,
        actor: Actor,
        reason: str | Cause,
        owed: Filing | None = None,
    ) -> None:
        """Replace a soul file as it was read, within an open write; EditConflict if it changed."""
        name, before = soul_file(document.name), document.hash
        path = files.inside(self.root, name)
        with replacing.prepared(path, content, expected=before) as put:
            if self.read(name).hash != before:
                raise replacing.changed(path)
            if not self.versions.settings.enabled:
                if owed:
                    self._recovery.file(owed, again=True)
                put()
                return
            after = self.versions.put(name, content)
            if after == before:
                return
            change = SoulChanged(name, before, after, *cause_of(reason))
            appender.append(change, actor=actor, filings=(owed,) if owed else ())
            try:
                put()
            except (EditConflict, StoreError):
                if self.read(name).hash != after:
                    appender.mark_filed()  # nothing is owed: the change did not happen
                    self._recover(appender)
                raise
            self.settle_debt(appender, *((owed,) if owed else ()))
            self._prune(name)

    def counted(self, filing: Filing) -> Filing:
        """Say in a filing which of the equal texts in its file it is going to be; the lock is held."""
        return self._recovery.counted(filing)

    def settle_debt(self, appender: Appender, *filings: Filing) -> list[Sentence]:
        """Write what the last line owes to files; if that fails now, the next command does it."""
        for filing in filings:
            try:
                self._recovery.file(filing, again=False)
            except (SoulError, StoreError) as exc:
                sentence = "{path} could not be written now ({why}); the text is safe and will be added later"
                return [Sentence(sentence, path=filing.path, why=sentence_of(exc))]
        with contextlib.suppress(StoreError):  # it is done; the next command will say so
            appender.mark_filed()
        return []

    def _prune(self, name: str) -> None:
        with contextlib.suppress(OSError, StoreError):  # no reason to call a finished write failed
            self.versions.prune(name, clock=self._clock, zone=self.zone)

    def _locked(self) -> contextlib.AbstractContextManager[None]:
        return locked(self.root / ".lock", seconds=self._store.lock_seconds)

    def _recover(self, appender: Appender) -> list[Sentence]:
        done = self._recovery.run(appender)
        for name in done.edited:
            self._prune(name)
        return done.told

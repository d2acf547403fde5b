"""One agent's folder of plain files, and the only way they are written.

A soul file is written in three steps: its content to `.versions/`, a journal
line that says what it was and will be, then the exchange. Whatever was
interrupted is finished when the folder is next used, and an edit made by hand
is noticed then and entered in the journal as the owner's.
"""

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from almario.domain.messages import Sentence, sentence_of
from almario.domain.read_models import Follower
from almario.errors import StoreBusy, StoreError
from almario.ports import Clock, Job, Receive, Store
from almario.store.documents import FolderDocuments, FolderVersions
from almario.store.files import Contents, locked, locked_if_free
from almario.store.journal import FolderJournal
from almario.store.listing import Listing
from almario.store.recovery import Recovery
from almario.store.settings import LockSettings, VersionSettings, WatchSettings
from almario.store.transcripts import FolderTranscripts
from almario.store.writing import FolderWrite, WriteParts

if TYPE_CHECKING:
    from almario.store.watch import Watch


# Who has waited in vain waits so many times shorter until the lock is free: a command takes several steps.
_AGAIN = 20


class FolderStore(Store):
    """Keeps an agent in a folder that its owner may read and edit."""

    journal: FolderJournal
    documents: FolderDocuments
    versions: FolderVersions
    transcripts: FolderTranscripts

    def __init__(
        self,
        root: Path,
        clock: Clock,
        zone: tzinfo,
        *,
        versions: VersionSettings | None = None,
        locks: LockSettings | None = None,
        watch: WatchSettings | None = None,
    ) -> None:
        self.root = self.folder = root
        self.place = str(root)
        self.zone = zone
        listing, contents = Listing(), Contents()
        self.journal = FolderJournal(root / "journal", clock, listing=listing)
        self._clock = clock
        self._locks = locks or LockSettings()
        self._waited_in_vain = False
        self._watch = watch or WatchSettings()
        self.documents = FolderDocuments(root, clock, listing, contents)
        self.follower = Follower(self.journal)
        self.versions = FolderVersions(root / ".versions", self.follower, versions or VersionSettings())
        self.transcripts = FolderTranscripts(root / "sessions", clock, listing)
        self._recovery = Recovery(root, self.journal, self.versions, listing, contents)
        # Until what killed processes left was looked for here.
        self._is_new = True

    def now(self) -> datetime:
        return self._clock().astimezone(self.zone)

    @contextlib.contextmanager
    def writing(self, *, since: int | None = None) -> Iterator[FolderWrite]:
        """Hold the lock with everything earlier finished and every hand edit entered."""
        self._recovery.check_folders()
        with self._locked() as write:
            write.recover(strays=self._is_new)
            self._is_new = False
            if since is not None:
                self.need_nothing_erased(since)
            yield write

    def settle(self, *, thoroughly: bool = False) -> list[Sentence]:
        """Finish what was interrupted and enter the owner's edits; return what is worth telling.

        A folder that cannot be written is left as it is: it can still be read.
        """
        self._recovery.check_folders()
        try:
            if not thoroughly and not self._recovery.is_needed():
                self._is_new = False
                return []
            with self._locked() as write:
                told, self._is_new = write.recover(strays=True), False
                if thoroughly:
                    self.transcripts.cut_torn_tails()
                return told
        except StoreError as exc:
            why = sentence_of(exc)
            return [Sentence("the folder was left as it is: {why}", why=why)]

    @contextlib.contextmanager
    def receiving(self) -> Iterator[Receive]:
        from almario.store.receiving import Receiver  # noqa: PLC0415 - only for an agent that moves

        self._recovery.check_folders()
        with locked(self.root / ".lock", seconds=self._locks.seconds):
            yield Receiver(self.root, self.journal)

    @contextlib.contextmanager
    def lease(self, job: Job, *, seconds: float = 0) -> Iterator[bool]:
        with locked_if_free(self.root / f".{job}.lock", seconds=seconds) as is_held:
            yield is_held

    def watch(self, changed: Callable[[], object]) -> "Watch":
        from almario.store.watch import Watch  # noqa: PLC0415 - few commands watch

        return Watch(self.root, changed, self._watch)

    def mend_journal(self) -> list[Path]:
        """Take unreadable lines out of the journal; return where their bytes are kept."""
        with self.writing() as write:
            from almario.store.mending import mend  # noqa: PLC0415 - seldom is anything broken

            return mend(self.journal, write.appender)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[FolderWrite]:
        parts = WriteParts(
            self.root, self.documents, self.versions, self.transcripts, self._recovery, self._prune
        )
        with self._exclusively(), self.journal.appending() as appender:
            yield FolderWrite(parts, appender)

    @contextlib.contextmanager
    def _exclusively(self) -> Iterator[None]:
        seconds = self._locks.seconds / (_AGAIN if self._waited_in_vain else 1)
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(locked(self.root / ".lock", seconds=seconds))
            except StoreBusy:
                self._waited_in_vain = True
                raise
            self._waited_in_vain = False
            yield

    def _prune(self, name: str) -> None:
        with contextlib.suppress(OSError, StoreError):  # no reason to call a finished write failed
            self.versions.prune(name, clock=self._clock, zone=self.zone)

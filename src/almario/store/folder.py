"""One agent's folder of plain files, and the only way they are written.

A soul file is written in three steps: its content to `.versions/`, a journal
line that says what it was and will be, then the exchange. Whatever was
interrupted is finished when the folder is next used, and an edit made by hand
is noticed then and entered in the journal as the owner's.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from almario.domain.documents.daily import counted
from almario.domain.documents.document import Document, encoded
from almario.domain.events import Actor, Body, Cause, Event, Filing, SoulChanged, cause_of
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import soul_file
from almario.domain.read_models import Follower
from almario.domain.turns import Turn, Utterance
from almario.errors import EditConflict, SoulError, StoreBusy, StoreError
from almario.ports import Clock, Holding, Job, Receive, Rewrite, Store, changed_meanwhile
from almario.store import files, replacing
from almario.store.documents import READ_ONLY, FolderDocuments
from almario.store.files import Contents, locked, locked_if_free
from almario.store.journal import Appender, FolderJournal
from almario.store.line_files import rewrite_file
from almario.store.listing import Listing
from almario.store.recovery import Recovery
from almario.store.settings import LockSettings, WatchSettings
from almario.store.transcripts import FolderTranscripts
from almario.store.versions import FolderVersions

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
        keeps_versions: bool = True,
        locks: LockSettings | None = None,
        watch: WatchSettings | None = None,
    ) -> None:
        self.root = self.folder = root
        self.place = str(root)
        self.zone = zone
        listing, contents = Listing(), Contents()
        self.journal = FolderJournal(root / "journal", clock, listing=listing)
        self._clock = clock
        self.locks = locks or LockSettings()
        self._waited_in_vain = False
        self._watch = watch or WatchSettings()
        self.documents = FolderDocuments(root, clock, listing, contents)
        self.follower = Follower(self.journal)
        self.versions = FolderVersions(
            root / ".versions", self.follower, self.now, zone, enabled=keeps_versions
        )
        self.transcripts = FolderTranscripts(root / "sessions", clock, listing)
        self._recovery = Recovery(root, self.journal, self.versions, listing, contents)
        # Until what killed processes left was looked for here.
        self._is_new = True

    def now(self) -> datetime:
        return self._clock().astimezone(self.zone)

    @contextlib.contextmanager
    def writing(self, *, since: int | None = None) -> Iterator["FolderWrite"]:
        """Hold the lock with everything earlier finished and every hand edit entered."""
        self._recovery.check_folders()
        with self._locked() as write:
            self._recovery.run(write, strays=self._is_new)
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
                recovered, self._is_new = self._recovery.run(write, strays=True), False
                if thoroughly:
                    self.transcripts.cut_torn_tails()
                return recovered
        except StoreError as exc:
            why = sentence_of(exc)
            return [Sentence("the folder was left as it is: {why}", why=why)]

    @contextlib.contextmanager
    def receiving(self) -> Iterator[Receive]:
        from almario.store.receiving import Receiver  # noqa: PLC0415 - only for an agent that moves

        self._recovery.check_folders()
        with locked(self.root / ".lock", seconds=self.locks.seconds):
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

            return mend(self.journal, write)

    @contextlib.contextmanager
    def _locked(self) -> Iterator["FolderWrite"]:
        seconds = self.locks.seconds / (_AGAIN if self._waited_in_vain else 1)
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(locked(self.root / ".lock", seconds=seconds))
            except StoreBusy:
                self._waited_in_vain = True
                raise
            self._waited_in_vain = False
            yield held.enter_context(contextlib.closing(FolderWrite(self, self._recovery)))


class FolderWrite(Appender):
    """Writes to one agent's folder, as `OpenWrite` says.

    A journal's line is on the disk before the files that follow from it.
    """

    def __init__(self, store: FolderStore, recovery: Recovery) -> None:
        super().__init__(store.journal)
        self._store = store
        self._recovery = recovery

    def append(self, body: Body, *, actor: Actor, filings: Sequence[Filing] = ()) -> Event:
        own = counted(filings, self._content) if filings else ()
        return super().append(body, actor=actor, filings=own)

    def file(self, filings: Sequence[Filing]) -> list[Sentence]:
        """Write what the last line owes to files; if that fails now, the next command does it."""
        for filing in filings:
            try:
                self._recovery.file(filing, again=False)
            except (SoulError, StoreError) as exc:
                sentence = "{path} could not be written now ({why}); the text is safe and will be added later"
                return [Sentence(sentence, path=filing.path, why=sentence_of(exc))]
        with contextlib.suppress(StoreError):  # it is done; the next command will say so
            self.mark_filed()
        return []

    def replace(self, document: Document, content: str | bytes | None) -> Document:
        path = files.inside(self._store.root, document.name)
        if content is None:
            with files.writing(path):
                if self._store.documents.read(document.name).hash != document.hash:
                    raise changed_meanwhile(path)
                files.remove(path)
            return document._replace(content=None)
        replacing.replace(path, encoded(content), expected=document.hash)
        if document.name.startswith(READ_ONLY):
            with files.writing(path):
                os.chmod(path, 0o400)
        return document._replace(content=encoded(content))

    def change_soul(
        self,
        document: Document,
        content: str | bytes,
        *,
        actor: Actor,
        reason: str | Cause,
        owed: Filing | None = None,
    ) -> None:
        """Replace a soul file as it was read: first its version, then the line, then the exchange."""
        name, before = soul_file(document.name), document.hash
        path = files.inside(self._store.root, name)
        content = encoded(content)
        with replacing.prepared(path, content, expected=before) as put:
            if self._store.documents.read(name).hash != before:
                raise changed_meanwhile(path)
            if not self._store.versions.enabled:
                if owed:
                    self._recovery.file(owed, again=True)
                put()
                return
            after = self._store.versions.put(name, content)
            if after == before:
                return
            change = SoulChanged(name, before, after, *cause_of(reason))
            self.append(change, actor=actor, filings=[owed] if owed else [])
            try:
                put()
            except (EditConflict, StoreError):
                if self._store.documents.read(name).hash != after:
                    self.mark_filed()  # nothing is owed: the change did not happen
                    self._recovery.run(self, strays=True)
                raise
            self.file([owed] if owed else [])

    def keep_version(self, file: str, content: str | bytes) -> str:
        return self._store.versions.put(file, encoded(content), is_proposed=True)

    def move(self, name: str, to: str) -> None:
        path, place = (files.inside(self._store.root, each) for each in (name, to))
        with files.writing(place):
            if os.path.lexists(place):
                raise changed_meanwhile(place)
            os.rename(path, place)
            files.sync_folder(place.parent)

    def rewrite(
        self, holding: Holding, change: Callable[[str], str | None], lines: Rewrite | None = None
    ) -> bool:
        """Rewrite a file as a whole or line by line; say whether it changed."""
        if holding.holder == "journal":
            self.close()  # its descriptor would write to the file that is replaced
        path = self._store.root / holding.name
        if replacing.is_copy(path.name) and replacing.is_discardable(path):  # a killed writer's
            files.remove(path)
            return False
        return rewrite_file(path, change, lines)

    def append_turns(self, session: str, utterances: Sequence[Utterance], *, after: int = 0) -> list[Turn]:
        return self._store.transcripts.append(session, utterances, after=after)

    def archive_turns(self, session: str, upto: int) -> int:
        return self._store.transcripts.archive(session, upto)

    def _content(self, name: str) -> bytes | None:
        try:
            return self._store.documents.read(name).content
        except (SoulError, StoreError):  # told when it is to be written
            return None

"""Finishing what a killed process left, and noticing what the owner did by hand."""

import contextlib
import os
from pathlib import Path

from almario.domain.documents.daily import with_filing
from almario.domain.documents.document import digest, hash_of
from almario.domain.events import Filing, SoulChanged, SoulEdited
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import SOUL_FILES
from almario.errors import AlmarioError, DocumentError, EditConflict, SoulError, StoreError
from almario.named_tuples import NamedTuple
from almario.store import files, replacing
from almario.store.journal import Appender, FolderJournal
from almario.store.listing import Listing
from almario.store.versions import FolderVersions


class Edit(NamedTuple):
    """A soul file whose content is not the one of the journal, whose hash is *before*."""

    file: str
    before: str | None
    content: bytes | None


# Text whose own file cannot be written is kept here.
UNFILED = "unfiled.md"
# Besides the vault itself, files are replaced in these folders.
_FOLDERS = (
    "memory",
    "memory/archive",
    "memory/snapshots",
    "memory/explored",
    "memory/reflections",
    "memory/pages",
    "sessions",
    "sessions/archive",
    "journal",
)
# And in these, files are made by way of a folder above.
_ONLY_NEW = ("sessions/archive/cut", "sessions/cut", "journal/cut", ".versions")
_OURS = (*_FOLDERS, *_ONLY_NEW, *(f".versions/{name}" for name in SOUL_FILES))
# A file that somebody else keeps rewriting is left for later.
_TRIES = 20


class RecoveryPlan(NamedTuple):
    """What is to be done before the folder is as the journal says."""

    filings: list[Filing]
    finishes: list[SoulChanged]
    edits: list[Edit]
    is_pending: bool


class Recovery:
    """Compares the folder with its journal and mends the difference."""

    def __init__(
        self,
        root: Path,
        journal: FolderJournal,
        versions: FolderVersions,
        listing: Listing,
        contents: files.Contents,
    ) -> None:
        self._root = root
        self._journal = journal
        self._versions = versions
        self._listing = listing
        self._contents = contents

    def check_folders(self) -> None:
        """Refuse a folder of ours that is a link: what lies elsewhere is neither backed up nor erased."""
        for folder in _OURS:
            if os.path.islink(f"{self._root}/{folder}"):
                raise DocumentError(
                    "{path} is a link to {target}, so nothing in it would be backed up or erased; "
                    "put the folder itself there",
                    path=folder,
                    target=os.path.realpath(self._root / folder),
                )

    def is_needed(self) -> bool:
        """Return whether there is anything to do, without the lock."""
        end = self._journal.tail()
        plan = self._plan(end.seq, end.filed)
        return bool(plan.is_pending or plan.edits or self._strays())

    def run(self, appender: Appender, *, strays: bool) -> list[Sentence]:
        """Finish what was interrupted and enter the owner's edits; return what is worth telling.

        With *strays*, what killed writers left of their work is cleared away, too. The caller holds the lock.
        """
        plan = self._plan(appender.seq, appender.filed)
        notices: list[Sentence] = []
        for filing in plan.filings:
            try:
                self.file(filing, again=True)
            except (SoulError, StoreError) as exc:
                self.file(Filing(UNFILED, filing.text), again=True)
                sentence = "{path} could not be written ({why}); what it lacks is in {kept}"
                notices.append(Sentence(sentence, path=filing.path, why=sentence_of(exc), kept=UNFILED))
        for change in plan.finishes:
            content = self._versions.content(change.file, change.to)
            path = files.inside(self._root, change.file)
            with contextlib.suppress(EditConflict, StoreError):  # what stands there is entered next time
                replacing.replace(path, content, expected=change.from_)
        for edit in plan.edits:
            after = None if edit.content is None else self._versions.put(edit.file, edit.content)
            appender.append(SoulEdited(edit.file, edit.before, after), actor="owner")
        for stray in self._strays() if strays else ():
            notices += self._clear(stray)
        if strays:
            self._versions.rename_hashed()
        if plan.is_pending:
            appender.mark_filed()
        else:
            appender.filed = appender.seq
        return notices

    def file(self, filing: Filing, *, again: bool) -> None:
        """Add a filing's text to its file; if it is done *again*, only where it is not there yet."""
        path = files.inside(self._root, filing.path)
        for _ in range(_TRIES):
            content = files.read_bytes(path)
            new = with_filing(content, filing, again=again)
            if new is None:
                return
            try:
                replacing.replace(path, new, expected=hash_of(content))
            except EditConflict:
                continue
            return
        raise EditConflict("{path} keeps changing; try again when nobody else writes it", path=filing.path)

    def _plan(self, seq: int, filed: int) -> RecoveryPlan:
        pending = self._journal.read(after=filed) if filed < seq else []
        changes = {event.body.file: event.body for event in pending if isinstance(event.body, SoulChanged)}
        filings = [filing for event in pending for filing in event.filings]
        plan = RecoveryPlan(filings, [], [], any(event.owes for event in pending))
        if not self._versions.enabled:  # nobody knows what the soul files were
            return plan
        heads = self._versions.heads()
        for name in SOUL_FILES:
            try:
                content = self._contents.read(files.inside(self._root, name))
            except AlmarioError:  # whoever reads this file will be told
                continue
            edit, change = Edit(name, heads.get(name), content), changes.get(name)
            if edit.before == hash_of(content):
                continue
            if change and self._is_unfinished(change, edit):
                plan.finishes.append(change)
            else:
                plan.edits.append(edit)
        return plan

    def _is_unfinished(self, change: SoulChanged, edit: Edit) -> bool:
        """Return whether a file is still what it was before a change that the journal announced."""
        return (
            change.to == edit.before
            and change.from_ == hash_of(edit.content)
            and self._versions.is_intact(change.file, change.to)
        )

    def _strays(self) -> list[Path]:
        """Return the temporary files of writers that were killed."""
        folders = [str(self._root), *(f"{self._root}/{name}" for name in _FOLDERS)]
        return [
            Path(folder, name)
            for folder in folders
            for name in self._listing.names(folder)
            if replacing.is_copy(name)
        ]

    def _clear(self, stray: Path) -> list[Sentence]:
        """Remove a temporary file, unless it is the only home of something the owner wrote."""
        match = replacing.COPY.fullmatch(stray.name)
        name = match["name"] if match else stray.name  # an unfinished one is always discarded
        if replacing.is_discardable(stray):
            files.remove(stray)
            return []
        mark = digest(files.read_bytes(stray) or b"")[:8]
        stem, dot, suffix = name.rpartition(".")
        kept = stray.with_name(f"{stem}.conflict-{mark}{dot}{suffix}" if stem else f"{name}.conflict-{mark}")
        os.replace(stray, kept)
        files.sync_folder(kept.parent)
        sentence = "an edit of {name} that a killed process had set aside is kept in {kept}"
        return [Sentence(sentence, name=name, kept=str(kept))]

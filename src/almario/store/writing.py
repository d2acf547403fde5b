"""An open write of a folder: what is done while its lock is held."""

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from almario.domain.documents.daily import counted
from almario.domain.documents.document import Document, digest, encoded
from almario.domain.events import Actor, Body, Cause, Event, Filing, SoulChanged, cause_of
from almario.domain.journal_lines import is_sealed, seal
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import soul_file
from almario.domain.turns import Said, Turn
from almario.errors import EditConflict, SoulError, StoreError
from almario.named_tuples import NamedTuple
from almario.ports import Holding, Rewrite
from almario.store import files, replacing
from almario.store.documents import FolderDocuments, FolderVersions
from almario.store.journal import Appender
from almario.store.recovery import Recovery
from almario.store.transcripts import FolderTranscripts


def rewrite_file(path: Path, change: Callable[[str], str | None], lines: Rewrite | None = None) -> bool:
    """Put *change* of its text in the place of a file, or remove it; say whether it changed.

    With *lines*, what is a sealed line of JSON goes through that, and only the others through *change*.
    """
    before = files.read_bytes(path)
    if before is None:
        return False
    if lines:
        after: bytes | None = b"\n".join(_line(line, lines, change) for line in before.split(b"\n"))
    else:
        after = _plain(before, change)
    if after == before:
        return False
    if after is None:
        files.remove(path)
    else:
        replacing.replace(path, after, expected=digest(before))
    return True


def _line(line: bytes, lines: Rewrite, change: Callable[[str], str | None]) -> bytes:
    if not is_sealed(line):
        return _plain(line, change) or b""
    fields = json.loads(line)
    del fields["crc"]
    changed = lines(fields)
    if changed == fields:
        return line
    return seal(encoded(json.dumps(changed, ensure_ascii=False, separators=(",", ":")))).rstrip(b"\n")


def _plain(content: bytes, change: Callable[[str], str | None]) -> bytes | None:
    after = change(content.decode("utf-8", "surrogateescape"))
    return None if after is None else after.encode("utf-8", "surrogateescape")


# Nothing but a purge rewrites what is below.
READ_ONLY = "memory/snapshots/"


class WriteParts(NamedTuple):
    """What a folder is made of besides its journal; *prune* drops the versions of a file that are too old."""

    root: Path
    documents: FolderDocuments
    versions: FolderVersions
    transcripts: FolderTranscripts
    recovery: Recovery
    prune: Callable[[str], None]


class FolderWrite:
    """Writes to one agent's folder; a journal's line is on the disk before the files that follow from it."""

    def __init__(self, parts: WriteParts, appender: Appender) -> None:
        self._parts = parts
        self.appender = appender

    @property
    def last(self) -> Event | None:
        return self.appender.last

    @property
    def seq(self) -> int:
        return self.appender.seq

    @property
    def filed(self) -> int:
        return self.appender.filed

    def append(self, body: Body, *, actor: Actor, filings: Sequence[Filing] = ()) -> Event:
        """Enter one line, with what it owes to files. When this returns, it survives a power cut."""
        return self.appender.append(body, actor=actor, filings=counted(filings, self._content))

    def file(self, filings: Sequence[Filing]) -> list[Sentence]:
        """Write what the last line owes to files; if that fails now, the next command does it."""
        for filing in filings:
            try:
                self._parts.recovery.file(filing, again=False)
            except (SoulError, StoreError) as exc:
                sentence = "{path} could not be written now ({why}); the text is safe and will be added later"
                return [Sentence(sentence, path=filing.path, why=sentence_of(exc))]
        with contextlib.suppress(StoreError):  # it is done; the next command will say so
            self.appender.mark_filed()
        return []

    def replace(self, document: Document, content: str | bytes | None) -> Document:
        """Replace a file as it was read, or remove it; EditConflict if it has changed."""
        path = files.inside(self._parts.root, document.name)
        if content is None:
            with files.writing(path):
                if self._parts.documents.read(document.name).hash != document.hash:
                    raise replacing.changed(path)
                files.remove(path)
            return document._replace(content=None)
        new = document._replace(content=encoded(content))
        replacing.replace(path, encoded(content), expected=document.hash)
        if document.name.startswith(READ_ONLY):
            with files.writing(path):
                os.chmod(path, 0o400)
        return new

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
        path = files.inside(self._parts.root, name)
        content = encoded(content)
        with replacing.prepared(path, content, expected=before) as put:
            if self._parts.documents.read(name).hash != before:
                raise replacing.changed(path)
            if not self._parts.versions.enabled:
                if owed:
                    self._parts.recovery.file(owed, again=True)
                put()
                return
            after = self._parts.versions.put(name, content)
            if after == before:
                return
            change = SoulChanged(name, before, after, *cause_of(reason))
            self.append(change, actor=actor, filings=[owed] if owed else [])
            try:
                put()
            except (EditConflict, StoreError):
                if self._parts.documents.read(name).hash != after:
                    self.appender.mark_filed()  # nothing is owed: the change did not happen
                    self.recover(strays=True)
                raise
            self.file([owed] if owed else [])
            self._parts.prune(name)

    def keep_version(self, file: str, content: str | bytes) -> str:
        """Keep a content that a soul file may have one day; return its hash."""
        return self._parts.versions.put(file, encoded(content))

    def move(self, name: str, to: str) -> None:
        """Rename a file to a name that is free."""
        path, place = (files.inside(self._parts.root, each) for each in (name, to))
        with files.writing(place):
            if os.path.lexists(place):
                raise replacing.changed(place)
            os.rename(path, place)
            files.sync_folder(place.parent)

    def rewrite(
        self, holding: Holding, change: Callable[[str], str | None], lines: Rewrite | None = None
    ) -> bool:
        """Rewrite a file as a whole or line by line; say whether it changed."""
        if holding.holder == "journal":
            self.appender.close()  # its descriptor would write to the file that is replaced
        path = self._parts.root / holding.name
        if replacing.is_copy(path.name) and replacing.is_discardable(path):  # a killed writer's
            files.remove(path)
            return False
        return rewrite_file(path, change, lines)

    def append_turns(self, session: str, said: Sequence[Said], *, after: int = 0) -> list[Turn]:
        """Append to a session's transcript, with numbers above *after*."""
        return self._parts.transcripts.append(session, said, after=after)

    def archive_turns(self, session: str, upto: int) -> int:
        """Move a session's turns up to number *upto* to `sessions/archive/`; return how many."""
        return self._parts.transcripts.archive(session, upto)

    def _content(self, name: str) -> bytes | None:
        try:
            return self._parts.documents.read(name).content
        except (SoulError, StoreError):  # told when it is to be written
            return None

    def recover(self, *, strays: bool = False) -> list[Sentence]:
        """Finish what was interrupted and enter the owner's edits; return what is worth telling.

        With *strays*, what killed writers left of their work is cleared away, too.
        """
        done = self._parts.recovery.run(self.appender, strays=strays)
        for name in done.edited:
            self._parts.prune(name)
        return done.told

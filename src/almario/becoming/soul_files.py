"""The files of one agent, as its owner reads and writes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from almario.domain.events import Actor
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, any_file, soul_file
from almario.errors import SoulError

# Loaded when it is first used: most commands need little of it.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime, tzinfo

    from almario.domain.documents.daily import LogEntry
    from almario.domain.documents.document import Document
    from almario.domain.events import Event
    from almario.domain.model import Damage, Version
    from almario.ports import Store
    from almario.text.redaction import Redactor


class SoulFiles:
    """An agent's soul files, their versions, and its daily log."""

    def __init__(self, agent: str, vault: Store, redact: Callable[[], Redactor]) -> None:
        self.id = agent
        self._vault = vault
        self._redactor = redact

    @property
    def place(self) -> str:
        """Where it is kept, as a person is told."""
        return self._vault.place

    @property
    def folder(self) -> Path | None:
        """The folder it is kept in, if it is kept in one."""
        return self._vault.folder

    @property
    def path(self) -> Path:
        """The folder it is kept in; SoulError if it is kept in none."""
        if self.folder is None:
            raise SoulError("{id} is kept in a database and has no folder", id=self.id)
        return self.folder

    @property
    def zone(self) -> tzinfo:
        """The owner's time zone."""
        return self._vault.zone

    @property
    def today(self) -> date:
        """The day it is where the owner is."""
        return self._vault.now().date()

    @property
    def since(self) -> datetime | None:
        """When its journal begins."""
        first = self._vault.journal.first()
        return first.at if first else None

    @property
    def name(self) -> str:
        """The agent's name, or its id if it has none."""
        return self.identity("name") or self.id

    def identity(self, field: str) -> str:
        """Return one field of IDENTITY.md, or nothing."""
        from almario.domain.documents.identity import identity_value

        return identity_value(self._vault.read("IDENTITY.md").text, field)

    def files(self) -> list[Document]:
        """Return the soul files that exist."""
        documents = [self._vault.read(name) for name in SOUL_FILES]
        return [document for document in documents if document.content is not None]

    def read(self, file: str) -> Document:
        """Read a soul file, or any other file of the vault by its path."""
        return self._vault.read(any_file(file))

    def write(self, document: Document, text: str, *, reason: str = "", actor: Actor = "owner") -> None:
        """Put *text* in the place of a soul file as it was read; EditConflict if it changed since."""
        self._vault.write_soul(document, text, actor=actor, reason=reason or Sentence("written"))

    def history(self, file: str) -> list[Version]:
        """Return every version a soul file has had, oldest first, the owner's own edits included."""
        self._need_versions()
        self._vault.settle()
        return self._vault.versions.history(soul_file(file))

    def version(self, file: str, wanted: str) -> str:
        """Return the text of one version, by its number or the beginning of its hash."""
        self._need_versions()
        found = self._vault.versions.find(soul_file(file), wanted)
        return self._text_of(found)

    def diff(self, file: str, old: str = "", new: str = "") -> str:
        """Return a unified diff of two versions; the last two, or *old* and the latest."""
        from almario.domain.plain_text import difference

        history = self.history(file)
        name = soul_file(file)
        if not history:
            raise SoulError("{file} has no versions yet", file=name)
        after = self._vault.versions.find(name, new) if new else history[-1]
        before = self._vault.versions.find(name, old) if old else history[max(0, after.number - 2)]
        names = (f"{name} ({before.number})", f"{name} ({after.number})")
        return difference(self._text_of(before), self._text_of(after), *names)

    def restore(self, file: str, version: str, *, actor: Actor = "owner") -> Version:
        """Put an earlier version back; what stood there stays in the history."""
        self._need_versions()
        return self._vault.restore(soul_file(file), version, actor=actor)

    def lock(self, file: str, section: str, *, locked: bool = True, actor: Actor = "owner") -> None:
        """Lock a section, so that no proposal can touch it; or unlock it."""
        from almario.becoming.rules.locking import with_lock, without_lock
        from almario.domain.soul_events import FILES

        name = soul_file(file)
        if name not in FILES:
            raise SoulError("locks are for {files}", files=", ".join(FILES))
        document = self.read(name)
        text = (with_lock if locked else without_lock)(document.text, section)
        done = "locked: {section}" if locked else "unlocked: {section}"
        self.write(document, text, reason=Sentence(done, section=section), actor=actor)

    def log(self, text: str, *, actor: Actor = "owner") -> list[Sentence]:
        """Add a line to today's daily log, without its secrets; return what is worth telling.

        SoulError for a text that is nothing but a secret.
        """
        from almario.domain.withheld import left_out
        from almario.text.redaction import is_only_a_mask

        hidden = self._redactor()(text)
        kinds = ", ".join(hidden.kinds)
        if is_only_a_mask(hidden.whole):
            raise SoulError("not written: it is only a secret ({kinds})", kinds=kinds)
        return [*left_out(hidden.kinds, hidden.suspected), *self._vault.add_to_log(hidden.whole, actor=actor)]

    def log_of(self, day: date | None = None) -> list[LogEntry]:
        """Return the entries of a day's log; today's by default."""
        from almario.domain.documents.daily import parse_log

        return parse_log(self._vault.log_of(day or self._vault.now().date()).text)

    @property
    def position(self) -> int:
        """The last line of its journal: `events` tells what comes after."""
        return self._vault.journal.tail().seq

    def events(self, *, after: int = 0) -> list[Event]:
        """Return what has happened since line *after* of the journal, in order."""
        return self._vault.journal.read(after=after) if self.position > after else []

    def settle(self) -> list[Sentence]:
        """Notice edits made by hand since, and finish what was interrupted."""
        return self._vault.settle()

    def check(self) -> list[Damage]:
        """Read the whole journal and return what is damaged in it."""
        return self._vault.journal.check()

    def _need_versions(self) -> None:
        if not self._vault.versions.enabled:
            raise SoulError("versions are switched off; set versions.enabled = true")

    def _text_of(self, version: Version) -> str:
        return self._vault.versions.text(version.file, version.hash) if version.hash else ""

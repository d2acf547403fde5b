"""Finishing what a killed process left, and noticing what the owner did by hand."""

import contextlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from almario.domain.events import Filing, SoulChanged, SoulEdited
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES
from almario.errors import AlmarioError, EditConflict, SoulError
from almario.store import files
from almario.store.journal import Appender, Journal
from almario.store.versions import Versions

_STRAY = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{12}\.tmp")
# A file that somebody else keeps rewriting is left for later.
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done before the folder is as the journal says."""

    filings: list[Filing]
    finishes: list[SoulChanged]
    edits: list[tuple[str, str | None, bytes | None]]
    strays: list[Path]
    is_pending: bool


@dataclass(slots=True)
class Recovered:
    edited: list[str] = field(default_factory=list)
    told: list[Sentence] = field(default_factory=list)


class Recovery:
    """Compares the folder with its journal and mends the difference."""

    def __init__(self, root: Path, journal: Journal, versions: Versions) -> None:
        self._root = root
        self._journal = journal
        self._versions = versions

    def is_needed(self) -> bool:
        plan = self._plan()
        return bool(plan.is_pending or plan.edits or plan.strays)

    def run(self, appender: Appender) -> Recovered:
        """Do what is to be done; the caller holds the lock."""
        plan = self._plan()
        done = Recovered()
        for filing in plan.filings:
            try:
                self.file(filing, again=True)
            except SoulError as exc:
                appender.is_behind = True
                why = Sentence(exc.message, **exc.facts)
                done.told.append(Sentence("{path} still lacks a line: {why}", path=filing.path, why=why))
        for change in plan.finishes:
            wanted = self._versions.content(change.file, change.to)
            path = files.inside(self._root, change.file)
            with contextlib.suppress(EditConflict):  # the owner's edit is entered next time
                files.replace(path, wanted, expected=change.from_)
        for name, before, content in plan.edits:
            after = None if content is None else self._versions.put(name, content)
            appender.append(SoulEdited(name, before, after), actor="owner")
            done.edited.append(name)
        for stray in plan.strays:
            done.told += self._clear(stray)
        if plan.is_pending:
            appender.mark_filed()
        elif not appender.is_behind:
            appender.filed = appender.seq
        return done

    def file(self, filing: Filing, *, again: bool) -> None:
        """Add a filing's text to its file; if it is done *again*, only where it is not there yet."""
        path = files.inside(self._root, filing.path)
        new = files.encoded(filing.text)
        for _ in range(_TRIES):
            content = files.read_bytes(path)
            if again and b"\n" + new in b"\n" + (content or b"").replace(b"\r\n", b"\n"):
                return
            expected = None if content is None else files.digest(content)
            gap = b"\n" if content and not content.endswith(b"\n") else b""
            try:
                files.replace(path, (content or files.encoded(filing.title)) + gap + new, expected=expected)
            except EditConflict:
                continue
            return
        raise EditConflict("{path} keeps changing; try again when nobody else writes it", path=filing.path)

    def _plan(self) -> Plan:
        tail = self._journal.tail()
        pending = self._journal.read(after=tail.filed)
        filings = [filing for event in pending for filing in event.filings]
        changes = {event.body.file: event.body for event in pending if isinstance(event.body, SoulChanged)}
        finishes: list[SoulChanged] = []
        edits: list[tuple[str, str | None, bytes | None]] = []
        heads = self._versions.heads() if self._versions.settings.enabled else None
        for name in SOUL_FILES if heads is not None else ():
            try:
                content = files.read_bytes(files.inside(self._root, name))
            except AlmarioError:  # whoever reads this file will be told
                continue
            now = None if content is None else files.digest(content)
            head = heads.get(name) if heads else None
            known = head.to if head else None
            if now == known:
                continue
            change = changes.get(name)
            if change and change == head and now == change.from_ and self._versions.has(name, change.to):
                finishes.append(change)
            else:
                edits.append((name, known, content))
        return Plan(filings, finishes, edits, self._strays(), bool(filings or changes))

    def _strays(self) -> list[Path]:
        """Return the temporary files of writers that were killed."""
        found = []
        for folder in (self._root, self._root / "memory"):
            names = os.listdir(folder) if folder.is_dir() else []
            found += [folder / name for name in sorted(names) if _STRAY.fullmatch(name)]
        return found

    def _clear(self, stray: Path) -> list[Sentence]:
        """Remove a temporary file, unless it is the only home of something the owner wrote."""
        match = _STRAY.fullmatch(stray.name)
        name = match["name"] if match else stray.name
        content = files.read_bytes(stray) or b""
        current = files.read_bytes(stray.with_name(name)) or b""
        is_known = self._versions.has(name, files.digest(content)) or current.startswith(content)
        if is_known or set(content.splitlines()) <= set(current.splitlines()):
            files.remove(stray)
            return []
        stem, dot, suffix = name.rpartition(".")
        kept = stray.with_name(
            f"{stem or suffix}.conflict-{files.digest(content)[:8]}{dot}{suffix if stem else ''}"
        )
        os.replace(stray, kept)
        files.sync_folder(kept.parent)
        sentence = "an edit of {name} that a killed process had set aside is kept in {kept}"
        return [Sentence(sentence, name=name, kept=str(kept))]

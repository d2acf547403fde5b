"""Putting what another store held into a folder that nobody uses yet."""

from collections.abc import Iterator
from pathlib import Path

from almario.domain.documents.document import hash_of
from almario.domain.journal_lines import unsealed
from almario.ports import Holding
from almario.store import files, replacing
from almario.store.journal import LAST, FolderJournal, note_last
from almario.store.line_files import LineFile


class Receiver:
    """Writes to one agent's folder while its lock is held; each thing is on the disk when it returns."""

    def __init__(self, root: Path, journal: FolderJournal) -> None:
        self._root = root
        self._journal = journal

    def __call__(self, holding: Holding, content: bytes | None) -> None:
        """Put a content in its place, or after the lines that are there."""
        if holding.holder == "journal":
            self._receive_journal(content)
            return
        path = files.inside(self._root, holding.name)
        if content is not None and holding.holder == "transcript":
            _add(path, content)
        elif content is None:
            with files.writing(path):
                files.remove(path)
        elif (before := files.read_bytes(path)) != content:
            replacing.replace(path, content, expected=hash_of(before))

    def _receive_journal(self, content: bytes | None) -> None:
        if content is None:
            for path in (*self._journal.files(), self._journal.folder / LAST):
                with files.writing(path):
                    files.remove(path)
            return
        for first, lines in self._parts(content):
            _add(self._journal.folder / f"{first:09d}.jsonl", lines)
        note_last(self._journal.folder, self._journal.tail().seq)

    def _parts(self, content: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that go to each file, and the seq that the file is named by."""
        paths = self._journal.files()
        first = int(paths[-1].stem) if paths else 0
        room = self._journal.roll_bytes - (_whole_size(paths[-1]) if paths else 0)
        part: list[bytes] = []
        for line in content.splitlines(keepends=True):
            if room <= 0 or not first:
                if part:
                    yield first, b"".join(part)
                first, room, part = int(unsealed(line[:-1])["seq"]), self._journal.roll_bytes, []
            part.append(line)
            room -= len(line)
        if part:
            yield first, b"".join(part)


def _whole_size(path: Path) -> int:
    """Return how long a file is without a line that a killed process left unfinished."""
    return (files.read_bytes(path) or b"").rfind(b"\n") + 1


def _add(path: Path, lines: bytes) -> None:
    """Add lines to those of a file; what a killed process left of a line gives way: it is a copy."""
    with files.writing(path):
        files.make_folder(path.parent)
    with LineFile(path, keeps_torn=False) as file:
        file.add(lines)

"""Files of lines that only grow: the journal's and the transcripts'.

Whoever adds to one holds the agent's lock. A line that a killed process left
unfinished is cut off first, and its bytes are kept in `cut/` beside the file.
"""

import contextlib
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

from almario.domain.documents.document import digest, encoded
from almario.domain.journal_lines import is_sealed, seal
from almario.errors import DocumentError
from almario.ports import Rewrite
from almario.store import files, replacing

# Most often the last line or two are wanted; each further block is twice as long.
_BLOCK = 8 * 1024


class LineFile:
    """A file of lines, open at its end; it is made if it is not there."""

    def __init__(self, path: Path, *, keeps_torn: bool = True) -> None:
        """Without *keeps_torn*, an unfinished line is one of a copy, and just goes."""
        self.path = path
        self._keeps_torn = keeps_torn
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        with files.writing(path), contextlib.ExitStack() as undo:
            self._descriptor = os.open(path, flags, 0o600)
            undo.callback(self.close)
            if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                raise DocumentError("{path} is not a regular file; move it away", path=str(path))
            if not self.size:  # a name that is not on the disk would take its lines with it
                files.sync_folder(path.parent)
            self._cut_torn_tail()
            undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._descriptor)

    @property
    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def add(self, lines: bytes) -> None:
        """Add whole lines. When this returns, they survive a power cut; if it fails, nothing was added."""
        before = self.size
        try:
            files.write_all(self._descriptor, lines)
            files.sync(self._descriptor)
        except OSError as exc:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, before)
            raise files.unwritable(self.path, exc) from exc

    def end(self, length: int) -> bytes:
        """Return so many of the last bytes."""
        return os.pread(self._descriptor, length, max(0, self.size - length))

    def _cut_torn_tail(self) -> None:
        size = self.size
        if not size or self.end(1) == b"\n":
            return
        content = self.end(size)
        start = content.rfind(b"\n") + 1
        if self._keeps_torn:
            keep_cut(self.path, content[start:])
        os.ftruncate(self._descriptor, start)
        files.sync(self._descriptor)


def cut_torn_tail(path: Path) -> None:
    """Take a partial last line off the file, if there is one."""
    if path.is_file():
        LineFile(path).close()


def keep_cut(path: Path, content: bytes) -> Path:
    """Keep what was cut out of a file; return where."""
    kept = path.parent / "cut" / f"{path.stem}-{digest(content)[:12]}"
    if files.read_bytes(kept) is None:
        replacing.create(kept, content, by_way_of=path.parent)
    return kept


def lines_backward(path: Path) -> Iterator[bytes]:
    """Yield a file's complete lines, last first, without their newlines."""
    with files.reading(path), open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        block = _BLOCK
        in_line = False  # what follows the last newline is no line yet
        carry = b""
        while end > 0:
            start = max(0, end - block)
            first, *lines = (os.pread(file.fileno(), end - start, start) + carry).split(b"\n")
            if lines and not in_line:
                lines.pop()
                in_line = True
            yield from reversed(lines)
            carry, end, block = first, start, block * 2
        if in_line:
            yield carry


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

"""Faults in keeping and learning what was said, which prove the runs that look for them."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from almario.domain.turns import ARCHIVE
from almario.memory import lessons
from almario.memory.admission import Receipt
from almario.memory.memory_parts import MemoryParts
from almario.memory.writer import Write
from almario.ports.storing import Job
from almario.store import replacing
from almario.store.folder import FolderStore
from almario.store.line_files import LineFile
from proofs.torture import writing

FAULTS = ("no-watermark", "early-leave", "no-cut")


def plant(fault: str) -> None:
    """Take a safeguard out of this process and those it forks."""
    if fault in writing.FAULTS:
        writing.plant(fault)
    elif fault == "no-watermark":
        FolderStore.lease = _given_to_all  # type: ignore[method-assign]
        taken = lessons.taken

        def learned_again(
            parts: MemoryParts, write: Write, lesson: lessons.Lesson
        ) -> Sequence[Receipt] | None:
            flushed = parts.writer.ledger.session(lesson.session).flushed
            return taken(parts, write, lesson._replace(after=flushed, to=max(lesson.to, flushed + 1)))

        lessons.taken = learned_again
    elif fault == "early-leave":
        _leave_before_the_copy()
    elif fault == "no-cut":
        LineFile._cut_torn_tail = lambda self: None  # type: ignore[method-assign]


@contextlib.contextmanager
def _given_to_all(self: FolderStore, job: Job, *, seconds: float = 0) -> Iterator[bool]:
    yield True


def _leave_before_the_copy() -> None:
    """Let turns leave their file before they are in the archive."""
    add, replace = LineFile.add, replacing.replace
    owed: list[tuple[Path, bytes]] = []

    def late(self: LineFile, lines: bytes) -> None:
        if self.path.parent.name == ARCHIVE:
            owed.append((self.path, lines))
        else:
            add(self, lines)

    def early(path: Path, content: bytes, *, expected: str | None) -> None:
        replace(path, content, expected=expected)
        while owed:
            path, lines = owed.pop()
            with LineFile(path) as file:
                add(file, lines)

    LineFile.add = late  # type: ignore[method-assign]
    replacing.replace = early

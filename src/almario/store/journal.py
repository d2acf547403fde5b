"""The journal: what happened, one sealed line each, never rewritten by use.

Readers take a partial last line as the end. A writer holds the agent's lock:
it cuts a torn tail (its bytes go to `journal/cut/`), appends, and returns
when the line is on the disk. A damaged line is reported with its place and
passed over; reading and appending go on around it.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from almario.domain.documents.document import encoded
from almario.domain.events import Actor, Body, Event, Filed, Filing
from almario.domain.journal_lines import encode, is_sealed, readable, seal
from almario.domain.model import Damage
from almario.domain.plain_text import regex
from almario.ports import Clock, Tail
from almario.store import files
from almario.store.inspection import inspect
from almario.store.line_files import LineFile, lines_backward
from almario.store.listing import Listing

ROLL_BYTES = 16 * 1024 * 1024
NAME = regex(r"\d{9,}\.jsonl")
_SEQ = regex(rb'\{"seq":(\d+),')
# So near the end of a file a foreign line may have been added.
_END = 8 * 1024
# Says in the journal's folder which seq was given out last, so that lines missing at its end are missed.
LAST = ".last"
# This many older lines in a row are our own past; fewer may come from a sync program.
FOREIGN = 4


class FolderJournal:
    """Reads one agent's journal, and appends to it under that agent's lock."""

    def __init__(
        self, folder: Path, clock: Clock, *, listing: Listing | None = None, roll_bytes: int = ROLL_BYTES
    ) -> None:
        self.folder = folder
        self._listing = listing or Listing()
        self.clock = clock
        self.roll_bytes = roll_bytes
        # The end as it was last read, and the file it was read from, as it was then.
        self._end: tuple[tuple[object, ...], Tail] | None = None

    def files(self) -> list[Path]:
        """Return the journal's files, oldest first."""
        names = [name for name in self._listing.names(str(self.folder)) if NAME.fullmatch(name)]
        return [self.folder / name for name in sorted(names, key=lambda name: int(name.partition(".")[0]))]

    def tail(self) -> Tail:
        """Find the end, reading only the last lines, and those only if they have changed."""
        return self._end_of(self.files())

    def _end_of(self, paths: Sequence[Path]) -> Tail:
        try:
            there = paths[-1].stat() if paths else None
        except OSError as exc:
            raise files.unreadable(paths[-1], exc) from exc
        mark = (paths[-1], there.st_mtime_ns, there.st_size, there.st_ino) if there else ()
        known = self._end
        if known is None or known[0] != mark:
            known = (mark, self._read_end(paths))
            self._end = known  # one assignment: threads see the old or the new
        return known[1]

    def _read_end(self, paths: Sequence[Path]) -> Tail:
        unreadable = 0
        for path in reversed(paths):
            for line in lines_backward(path):
                if event := readable(line):
                    return Tail(event.seq + unreadable, event)
                unreadable += 1
        before_first = int(paths[0].stem) - 1 if paths else 0
        return Tail(before_first + unreadable, None)

    def first(self) -> Event | None:
        for path in self.files():
            with files.reading(path), open(path, "rb") as file:
                if found := next(filter(None, (readable(line[:-1]) for line in file)), None):
                    return found
        return None

    def read(self, *, after: int = 0) -> list[Event]:
        found: list[Event] = []
        older = 0
        for path in reversed(self.files()):
            for line in lines_backward(path):
                event = readable(line)
                if event and event.seq > after:
                    found.append(event)
                    older = 0
                elif event:
                    older += 1
                    if older == FOREIGN:
                        return found[::-1]
        return found[::-1]

    def select(self, prefix: str) -> Iterator[Event]:
        """Yield the events whose type begins with *prefix*, newest first, decoding no others."""
        wanted = b'"type":"' + prefix.encode()
        for path in reversed(self.files()):
            content = files.read_bytes(path) or b""
            end = content.rfind(b"\n") + 1
            while (found := content.rfind(wanted, 0, end)) >= 0:
                start = content.rfind(b"\n", 0, found) + 1
                stop = content.find(b"\n", found)
                event = readable(content[start:stop])
                if event and event.type.startswith(prefix):
                    yield event
                end = start

    def check(self) -> list[Damage]:
        # Before the files are listed: others may be writing.
        names, given_out = [each.name for each in self._listing.entries(str(self.folder))], self.given_out()

        return inspect(self.files(), names, given_out)

    def given_out(self) -> int:
        """Return the last seq that was noted as given out."""
        try:
            return int((self.folder / LAST).read_bytes())
        except (OSError, ValueError):  # never written, or not whole
            return 0


class Appender:
    """An open write: the lock is held, the tail is whole, lines may be appended."""

    def __init__(self, journal: FolderJournal) -> None:
        self._journal = journal
        with files.writing(journal.folder):
            files.make_folder(journal.folder)
        end, paths = journal.tail(), journal.files()
        end.check(str(journal.folder))
        self._path = paths[-1] if paths else None
        self._file = LineFile(self._path) if self._path else None
        near = self._file.end(_END).split(b"\n") if self._file else ()
        seqs = (int(match[1]) for line in near if is_sealed(line) and (match := _SEQ.match(line)))
        # No seq is given out twice, also if its line is gone: the gap tells.
        self.seq = self._noted = max(end.seq, journal.given_out(), *seqs)
        self.last, self.filed = end.last, end.filed

    def append(self, body: Body, *, actor: Actor, filings: Sequence[Filing] = ()) -> Event:
        """Append one line. When this returns, the line survives a power cut."""
        event = Event(
            seq=self.seq + 1,
            id=os.urandom(8).hex(),
            at=self._journal.clock(),
            host=os.uname().nodename,
            actor=actor,
            body=body,
            filings=tuple(filings),
            filed=self.filed,
        )
        if self._path and self._file is None:
            self._file = LineFile(self._path)
        if self._file is None or self._file.size >= self._journal.roll_bytes:
            self.close()
            self._file = LineFile(self._journal.folder / f"{self.seq + 1:09d}.jsonl")
            self._path = self._file.path
        self._file.add(seal(encoded(encode(event))))
        self.filed = event.settled
        self.last = event
        self.seq = event.seq
        return event

    def mark_filed(self) -> None:
        """Note that every line so far has reached its files.

        This is a line of its own: until it is there, a text that the owner
        took out again could not be told from one that was never filed.
        """
        self.filed = self.seq
        self.append(Filed(), actor="almario")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self.seq != self._noted:
            note_last(self._journal.folder, self.seq)
            self._noted = self.seq


def note_last(folder: Path, seq: int) -> None:
    """Note which seq was given out last."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder / LAST, os.O_WRONLY | os.O_CREAT, 0o600)
        with open(descriptor, "wb", buffering=0) as file:
            file.write(b"%020d\n" % seq)

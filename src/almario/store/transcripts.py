"""Transcripts: what was said in each session, one sealed line a turn, in `sessions/`.

They are written as the journal is: under the agent's lock, a torn tail cut
off first, and on the disk before the call returns. Older turns may lie in
`sessions/archive/`; readers see both as one, by the number of the turn.
"""

import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from almario.domain.documents.document import digest, encoded
from almario.domain.journal_lines import is_sealed, seal
from almario.domain.messages import Sentence
from almario.domain.model import Damage
from almario.domain.plain_text import regex
from almario.domain.turns import (
    ARCHIVE,
    Turn,
    Utterance,
    encode_turn,
    readable_turn,
    session_of,
    transcript_name,
    turn_of,
)
from almario.named_tuples import NamedTuple
from almario.ports import Clock
from almario.store import files, replacing
from almario.store.inspection import problem_of
from almario.store.journal import FOREIGN
from almario.store.line_files import LineFile, cut_torn_tail, lines_backward
from almario.store.listing import Listing

# How many missing turns are named.
_NAMED = 9


_USER = regex(rb'"role":"user","speaker":("(?:[^"\\]|\\.)+"),"origin":"([a-z]+)"')


class _Spoken(NamedTuple):
    inode: int = 0
    end: int = 0
    names: frozenset[str] = frozenset()


class Speakers:
    """Knows who has spoken in a transcript besides the owner, without reading what they said.

    A transcript only grows, so only what is new of it is looked at. In JSON a quotation mark within a text is
    escaped: what is looked for is never part of what somebody said.
    """

    def __init__(self) -> None:
        self._seen: dict[Path, _Spoken] = {}

    def of(self, path: Path) -> frozenset[str]:
        """Return the names of those who spoke in a transcript and are not the owner."""
        seen = self._seen.get(path, _Spoken())
        try:
            there = os.stat(path)
            if (there.st_ino, there.st_size) == (seen.inode, seen.end):
                return seen.names
            with open(path, "rb") as file:
                there = os.fstat(file.fileno())
                seen = seen if seen.inode == there.st_ino and seen.end <= there.st_size else _Spoken()
                file.seek(seen.end)
                content = file.read()
        except OSError:  # gone, or not to be read: nobody has been heard there
            return frozenset()
        whole = content[: content.rfind(b"\n") + 1]
        found = {speaker for speaker, origin in _USER.findall(whole) if origin != b"owner"}
        names = seen.names.union(str(json.loads(speaker)) for speaker in found)
        self._seen[path] = _Spoken(there.st_ino, seen.end + len(whole), names)
        return names


class FolderTranscripts:
    """Reads the sessions of one agent as `Transcripts` says, and appends to them under that agent's lock."""

    def __init__(self, folder: Path, clock: Clock, listing: Listing | None = None) -> None:
        self.folder = folder
        self._clock = clock
        self._listing = listing or Listing()
        self._speakers = Speakers()

    def sessions(self) -> list[str]:
        return sorted({session for _, session in self.files() if session is not None})

    def files(self) -> list[tuple[str, str | None]]:
        """Return the path of each file in `sessions/`, and its session; None for one that is not ours."""
        names = (
            place + name
            for place in (f"{ARCHIVE}/", "")
            for name in self._listing.names(f"{self.folder}/{place}")
        )
        own = ((name, name.removeprefix(f"{ARCHIVE}/")) for name in names)
        return [(name, session_of(last)) for name, last in own if not last.startswith(".")]

    def marks(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for name, session in self.files():
            with contextlib.suppress(OSError):  # gone meanwhile, or a link to nothing
                there = os.stat(f"{self.folder}/{name}")
                if session is not None:
                    mark = (there.st_mtime_ns, there.st_size, there.st_ino)
                    found[session] = (*found.get(session, ()), *mark)
        return found

    def read(self, session: str, *, after: int = 0, last: int = 0) -> list[Turn]:
        found: dict[int, Turn] = {}
        # In this order: a turn that leaves the first is already in the second.
        for path in self._paths(session):
            here: dict[int, Turn] = {}
            older = 0
            for turn in _backward(path, session):
                older = older + 1 if turn and turn.n <= after else 0 if turn else older
                if older == FOREIGN or (last and len(here) == last + FOREIGN):
                    break
                if turn and turn.n > after:
                    here[turn.n] = turn
            found = here | found
            if found and (min(found) == after + 1 or 0 < last <= len(found)):
                break
        return [found[n] for n in sorted(found)[-last:]]

    def speakers(self, session: str) -> frozenset[str]:
        current, older = self._paths(session)
        return self._speakers.of(current) | self._speakers.of(older)

    def first(self, session: str) -> Turn | None:
        for path in reversed([*self._paths(session)]):
            if path.is_file():
                with files.reading(path), open(path, "rb") as file:
                    turns = (readable_turn(line[:-1], session) for line in file if line.endswith(b"\n"))
                    if earliest := next(filter(None, turns), None):
                        return earliest
        return None

    def archived(self, session: str) -> int:
        _, older = self._paths(session)
        return _latest(older, session)[0]

    def append(self, session: str, utterances: Sequence[Utterance], *, after: int = 0) -> list[Turn]:
        """Append to a session, with numbers above *after*; the caller holds the lock.

        When this returns, it survives a power cut.
        """
        path = next(self._paths(session))
        if not utterances:
            return []
        with files.writing(path):
            files.make_folder(self.folder)
        with LineFile(path) as file:
            first = max(after, self.last_number(session)) + 1
            now = self._clock()
            turns = [turn_of(one, session, n, now=now) for n, one in enumerate(utterances, first)]
            file.add(b"".join(seal(encoded(encode_turn(turn))) for turn in turns))
        _touch(self.folder)
        return turns

    def archive(self, session: str, upto: int) -> int:
        """Move the turns up to number *upto* to the archive; return how many. The caller holds the lock.

        They are in the archive and on the disk before they leave: a kill in
        between leaves them in both places, which readers take for one. A line
        that cannot be read goes along with the turns around it.
        """
        path, older = self._paths(session)
        cut_torn_tail(path)
        before = files.read_bytes(path) or b""
        lines = [line + b"\n" for line in before.split(b"\n")[:-1]]
        turns = [readable_turn(line[:-1], session) for line in lines]
        leaving = _leaving(turns, upto)
        if not leaving:
            return 0
        numbers = {turn.n for place in leaving if (turn := turns[place])}
        with files.writing(older):
            files.make_folder(older.parent)
        with LineFile(older) as file:
            file.add(_lacking(older, session, [lines[place] for place in sorted(leaving)], min(numbers)))
        _touch(older.parent)
        with files.writing(older):
            files.sync_folder(older.parent)
            files.sync_folder(self.folder)
        rest = b"".join(line for place, line in enumerate(lines) if place not in leaving)
        replacing.replace(path, rest, expected=digest(before))
        return len(numbers)

    def cut_torn_tails(self) -> None:
        """Take off what killed processes left of a line, and keep its bytes; the caller holds the lock."""
        for name, session in self.files():
            if session is not None:
                cut_torn_tail(files.inside(self.folder, name))

    def check(self) -> list[Damage]:
        found = []
        places: dict[str, list[str]] = {}
        for name, session in self.files():
            if session is None:
                problem = Sentence("is not a transcript; a sync program or a second machine left it there")
                found.append(Damage(f"sessions/{name}", None, problem))
            else:
                places.setdefault(session, []).append(name)
        for session, names in places.items():
            # As in `read`: a turn may be on its way from the last of them to the first.
            contents = {name: self._content(name) for name in reversed(names)}
            found += _damages(session, {name: contents[name] for name in names})
        return found

    def _content(self, name: str) -> bytes:
        return files.read_bytes(files.inside(self.folder, name)) or b""

    def _paths(self, session: str) -> Iterator[Path]:
        name = transcript_name(session)
        yield files.inside(self.folder, name)
        yield files.inside(self.folder, f"{ARCHIVE}/{name}")

    def last_number(self, session: str) -> int:
        """Return the highest number that may have been given out; an unreadable line may have had one."""
        highest = 0
        for path in reversed([*self._paths(session)]):
            unreadable = readable_lines = 0
            last = 0
            for turn in _backward(path, session):
                unreadable += turn is None
                readable_lines += turn is not None
                last = max(last, turn.n + unreadable if turn else 0)
                if readable_lines == FOREIGN:
                    break
            highest = max(last, highest + unreadable)
        return highest


def _backward(path: Path, session: str) -> Iterator[Turn | None]:
    """Yield a file's turns, last first; None for a line that cannot be read."""
    if os.path.isfile(path):
        for line in lines_backward(path):
            yield readable_turn(line, session)


def _latest(path: Path, session: str) -> tuple[int, bool]:
    """Return the highest number near the end of a file, and whether every line there can be read."""
    ends: list[Turn | None] = []
    for turn in _backward(path, session):
        ends.append(turn)
        if len(ends) == FOREIGN:
            break
    return max((turn.n for turn in ends if turn), default=0), None not in ends


def _leaving(turns: Sequence[Turn | None], upto: int) -> set[int]:
    """Return the places of the lines that leave: the turns up to *upto*, and what stands among them.

    A line that cannot be read may have been the turn after the last that
    leaves: it stays, so that its number is not given out again.
    """
    own = [place for place, turn in enumerate(turns) if turn and turn.n <= upto]
    stays = next((place for place, turn in enumerate(turns) if turn and turn.n > upto), len(turns))
    end = max((place for place in own if place < stays), default=0)
    return {*own, *(place for place in range(end) if turns[place] is None)}


def _lacking(path: Path, session: str, lines: Sequence[bytes], lowest: int) -> bytes:
    """Return those of the lines that a file does not hold yet, whose turns are numbered from *lowest*."""
    latest, is_whole = _latest(path, session)
    if is_whole and latest < lowest:
        return b"".join(lines)
    there = Counter((files.read_bytes(path) or b"").split(b"\n"))
    lacking = []
    for line in lines:
        there[line[:-1]] -= 1
        if there[line[:-1]] < 0:
            lacking.append(line)
    return b"".join(lacking)


def _touch(folder: Path) -> None:
    """Say to whoever reads that there is more in one of its files."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def _damages(session: str, contents: dict[str, bytes]) -> Iterator[Damage]:
    """Yield what is damaged in the files of a session, the archive's first."""
    known: dict[int, tuple[str, Turn]] = {}
    unreadable = 0
    for name, content in contents.items():
        place = f"sessions/{name}"
        *lines, rest = content.split(b"\n")
        for number, line in enumerate(lines, 1):
            turn = readable_turn(line, session)
            if turn is None or not is_sealed(line):
                unreadable += 1
                yield Damage(place, number, problem_of(line))
            if turn is not None:
                home, earlier = known.get(turn.n, ("", turn))
                known.setdefault(turn.n, (place, turn))
                if home == place or earlier != turn:  # a turn on its way to the archive is in both
                    yield Damage(place, number, Sentence("repeats turn {n}", n=turn.n))
        if rest:
            problem = "is unfinished; the next write cuts it off and keeps its bytes"
            yield Damage(place, len(lines) + 1, Sentence(problem))
    missing = sorted(set(range(1, max(known, default=0) + 1)) - set(known))
    if len(missing) > unreadable:
        numbers = ", ".join(str(n) for n in missing[:_NAMED])
        problem = "is missing turns that were written, including number {numbers}"
        yield Damage(f"sessions/{next(reversed(contents))}", None, Sentence(problem, numbers=numbers))

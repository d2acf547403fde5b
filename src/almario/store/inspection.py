"""Reading a whole journal to find each place that is not as it was written."""

from collections.abc import Collection
from pathlib import Path

from almario.domain.events import Event, JournalMended
from almario.domain.journal_lines import decode
from almario.domain.messages import Sentence
from almario.domain.model import Damage
from almario.store import files

_MARKERS = (b"<<<<<<<", b"=======", b">>>>>>>")


def inspect(journal_files: list[Path], names: Collection[str], given_out: int) -> list[Damage]:
    """Return what is damaged in the journal, each with its file and line.

    *names* is what stands in its folder, *given_out* the last seq that is known to have been written.
    """
    inspection = _Inspection()
    for path in journal_files:
        inspection.read(path, is_newest=path == journal_files[-1])
    inspection.judge_gaps()
    if journal_files:
        inspection.judge_end(journal_files[-1].name, given_out)
    strangers = _strangers(names, {path.name for path in journal_files})
    return strangers + inspection.found


def whole_lines(content: bytes, *, is_newest: bool) -> list[bytes]:
    """Return a journal file's lines; only the newest file's last one may still be in the making."""
    *lines, last = content.split(b"\n")
    return [*lines, last] if last and not is_newest else lines


def problem_of(line: bytes) -> Sentence:
    """Say what is wrong with a line that cannot be read."""
    return Sentence("has a merge marker" if line[:7] in _MARKERS else "is not a line that Almario wrote")


def _strangers(names: Collection[str], known: set[str]) -> list[Damage]:
    problem = Sentence("is not a journal file; a sync program or a second machine left it there")
    return [
        Damage(f"journal/{name}", None, problem)
        for name in sorted(names)
        if name != "cut" and not name.startswith(".") and name not in known
    ]


class _Inspection:
    def __init__(self) -> None:
        self.found: list[Damage] = []
        self._mended: set[int] = set()
        self._gaps: list[tuple[str, int, int, int]] = []
        self._seq = 0
        self._unreadable = 0  # lines since the last readable one, each of which may have had a seq

    def read(self, path: Path, *, is_newest: bool) -> None:
        content = files.read_bytes(path) or b""
        lines = whole_lines(content, is_newest=is_newest)
        for number, line in enumerate(lines, 1):
            try:
                event = decode(line)
            except ValueError:
                self._unreadable += 1
                self.found.append(Damage(f"journal/{path.name}", number, problem_of(line)))
            else:
                self._follow(path.name, number, event)
        if is_newest and content and not content.endswith(b"\n"):
            self._report(
                path.name, len(lines) + 1, "is unfinished; the next write cuts it off and keeps its bytes"
            )

    def judge_gaps(self) -> None:
        for name, line, first, last in self._gaps:
            if not self._mended.issuperset(range(first, last + 1)):
                problem = "comes after a gap: seq {first} to {last} are missing"
                self._report(name, line, problem, first=first, last=last)

    def judge_end(self, name: str, given_out: int) -> None:
        first = self._seq + self._unreadable + 1
        if first <= given_out:
            problem = Sentence("was cut: seq {first} to {last} are missing", first=first, last=given_out)
            self.found.append(Damage(f"journal/{name}", None, problem))

    def _follow(self, name: str, number: int, event: Event) -> None:
        if isinstance(event.body, JournalMended):
            self._mended.update(event.body.lost)
        missing, self._unreadable = event.seq - self._seq - 1 - self._unreadable, 0
        if event.seq <= self._seq:
            self._report(
                name, number, "repeats seq {seq}; two machines have written this journal", seq=event.seq
            )
            return
        if missing > 0:
            self._gaps.append((name, number, event.seq - missing, event.seq - 1))
        self._seq = event.seq

    def _report(self, name: str, line: int, problem: str, **facts: object) -> None:
        self.found.append(Damage(f"journal/{name}", line, Sentence(problem, **facts)))

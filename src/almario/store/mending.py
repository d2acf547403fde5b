"""Taking what cannot be read out of a journal, and noting what is missing, so that the rest reads clean."""

from pathlib import Path

from almario.domain.documents.document import digest
from almario.domain.events import JournalMended
from almario.domain.journal_lines import readable
from almario.domain.model import Damage
from almario.store import files, replacing
from almario.store.inspection import whole_lines
from almario.store.journal import Appender, FolderJournal
from almario.store.line_files import keep_cut


def mend(journal: FolderJournal, appender: Appender) -> list[Path]:
    """Move unreadable lines to `journal/cut/`, and note the missing ones as lost; return where to.

    The caller holds the lock.
    """
    places = []
    paths = journal.files()
    for path in paths:
        lines = whole_lines(files.read_bytes(path) or b"", is_newest=path == paths[-1])
        bad = [line for line in lines if not readable(line)]
        if not bad:
            continue
        places.append(keep_cut(path, b"\n".join(bad) + b"\n"))
        # First the line that explains the gap: it is the last one of this file, or stands in a later one.
        appender.append(JournalMended(path.name, _lost_seqs(path, lines)), actor="almario")
        appender.close()
        content = files.read_bytes(path) or b""
        kept = [line + b"\n" for line in content.split(b"\n") if readable(line)]
        replacing.replace(path, b"".join(kept), expected=digest(content))
    for name, lost in [(damage.file, gap) for damage in journal.check() if (gap := missing(damage))]:
        appender.append(JournalMended(name.rpartition("/")[2], tuple(lost)), actor="almario")
    return places


def missing(damage: Damage) -> range:
    """Return the seqs that are missing according to a report."""
    first, last = (damage.problem.facts.get(name) for name in ("first", "last"))
    return range(first, last + 1) if isinstance(first, int) and isinstance(last, int) else range(0)


def _lost_seqs(path: Path, lines: list[bytes]) -> tuple[int, ...]:
    """Return the seqs that unreadable lines may have had: all that their readable neighbours leave out."""
    lost: list[int] = []
    last, unreadable = int(path.stem) - 1, 0
    for line in lines:
        if event := readable(line):
            lost += range(last + 1, event.seq) if unreadable else ()
            last, unreadable = event.seq, 0
        else:
            unreadable += 1
    return tuple(lost) + tuple(range(last + 1, last + 1 + unreadable))

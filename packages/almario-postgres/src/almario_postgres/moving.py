"""Copying one agent from a store to another, exactly: every line, turn, document and version, byte by byte.

A copy that was stopped goes on where it was: what is there and the same is passed over. What is derived is
not copied, as whoever opens the agent makes it again.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from almario.domain.events import Filed
from almario.domain.journal_lines import unsealed
from almario.domain.turns import ARCHIVE, session_of
from almario.errors import Damaged, DocumentError, StoreBusy
from almario.named_tuples import NamedTuple
from almario.ports import Holding, OpenWrite, Store
from almario.ports.storing import Holder

JOURNAL = Holding("journal", "journal")
_ARCHIVED = f"sessions/{ARCHIVE}/"
_COSTS = "costs"
_GROWING = (_COSTS, "flights")
_SETTINGS = "agent.toml"
# So many seconds are waited for another process that copies: one that was killed has let go by then.
_PATIENCE = 40.0
# So many bytes of lines are put at once, and so many things in one write.
_PIECE, _BATCH = 4 << 20, 500

# What is to be put where: nothing, or lines to add, or a content.
Put = tuple[Holding, bytes | None]


class MovedLine(NamedTuple):
    """A sealed line, with its newline, and the number that it bears."""

    number: int
    content: bytes


class Talk(NamedTuple):
    """What was said in a session: the lines in the archive, and those that follow."""

    archived: tuple[MovedLine, ...] = ()
    current: tuple[MovedLine, ...] = ()


@contextlib.contextmanager
def moving(source: Store, target: Store) -> Iterator[None]:
    """Let nobody else copy from the one or to the other."""
    with contextlib.ExitStack() as held:
        for store in (source, target):
            if not held.enter_context(store.lease("move", seconds=_PATIENCE)):
                raise StoreBusy("{place} is being moved by another process", place=store.place)
        yield


def copy(source: Store, target: Store) -> int:
    """Make a store that nobody uses hold what another holds; return how many things were put there."""
    done = 0
    for batch in _batches(lacking(source, target)):
        with target.receiving() as receive:
            for holding, content in batch:
                receive(holding, content)
        done += len(batch)
    return done


@contextlib.contextmanager
def finished(source: Store, target: Store, *, leaves: bool = True) -> Iterator[None]:
    """Copy what is left while nobody can write in the source; if it *leaves*, nobody can afterwards.

    Damaged if then the two do not hold the same.
    """
    with source.writing() as write:
        _note_filed(write)
    with source.leaving() if leaves else source.writing() as write:
        _note_filed(write)
        copy(source, target)
        if differing := differences(source, target):
            sentence = "the copy in {place} differs from what was copied: {names}"
            raise Damaged(sentence, place=target.place, names=", ".join(differing[:5]))
        yield


def _note_filed(write: OpenWrite) -> None:
    """Let the journal say that all is in its documents, or the next store would put it there again."""
    if write.last and write.last.settled < write.seq and write.filed == write.seq:
        write.append(Filed(), actor="almario")


def add_late_lines(source: Store, target: Store) -> None:
    """Add to the target what was added to a document of lines that needs no write, when all was copied."""
    for folder in _GROWING:
        for name in source.documents.names(folder):
            there = Counter((target.documents.read(name).content or b"").splitlines(keepends=True))
            own = Counter((source.documents.read(name).content or b"").splitlines(keepends=True))
            for line in (own - there).elements():
                target.documents.add_line(name, line)


def differences(source: Store, target: Store) -> list[str]:
    """Return the names under which two stores do not hold the same, byte by byte."""
    return sorted({holding.name for holding, _ in lacking(source, target)})


def lacking(source: Store, target: Store) -> Iterator[Put]:
    """Yield what must be put into *target* for it to hold what *source* holds."""
    wanted, there = _held(source), _held(target)
    yield from _lines_lacking(source, wanted, target, there)
    for name in sorted(there.keys() - wanted.keys()):
        if _is_plain(there[name]):
            yield there[name], None
    for name, holding in sorted(wanted.items()):
        if _is_plain(holding):
            content = source.documents.read(holding.name).content
            if name not in there or target.documents.read(there[name].name).content != content:
                yield holding._replace(name=name), content


def _lines_lacking(
    source: Store, wanted: dict[str, Holding], target: Store, there: dict[str, Holding]
) -> Iterator[Put]:
    journal, known = _journal(source, wanted), _journal(target, there)
    if journal[: len(known)] != known:
        yield JOURNAL, None
        known = []
    yield from _pieces(JOURNAL, journal[len(known) :])
    talks, kept = _talks(source, wanted), _talks(target, there)
    for name in sorted({*talks, *kept}):
        yield from _talk_lacking(name, talks.get(name, Talk()), kept.get(name, Talk()))


def _talk_lacking(name: str, wanted: Talk, there: Talk) -> Iterator[Put]:
    archive, current = Holding(_ARCHIVED + name, "transcript"), Holding(f"sessions/{name}", "transcript")
    follows = all(mine[: len(own)] == own for mine, own in zip(wanted, there, strict=True))
    if not follows or (there.current and wanted.archived != there.archived):
        yield current, None
        yield archive, None
        there = Talk()
    yield from _pieces(archive, wanted.archived[len(there.archived) :])
    yield from _pieces(current, wanted.current[len(there.current) :])


def _held(store: Store) -> dict[str, Holding]:
    """Return everything that a store holds by name: what holds text, what is a link there, and the costs."""
    documents = store.documents
    found = {named(store, each): each for each in documents.holdings() if not _is_stray(each)}
    for name in (*documents.marks(), *documents.names(_COSTS), _SETTINGS):
        if name not in found and documents.read(name).content is not None:
            found[name] = Holding(name, _holder(name))
    for name in found:
        if not name.isascii() and any("\ud800" <= sign <= "\udfff" for sign in name):
            raise DocumentError("{path} has a name that is not UTF-8 text; rename it", path=ascii(name))
    return found


def named(store: Store, holding: Holding) -> str:
    """Return what something is called in every store: an earlier content by its hash."""
    if holding.holder != "version":
        return holding.name
    return f"{holding.name.rpartition('/')[0]}/{store.documents.read(holding.name).hash}"


def _is_stray(holding: Holding) -> bool:
    """Return whether something lies among the versions that is none."""
    return holding.holder == "version" and holding.name.count("/") != 2


def _holder(name: str) -> Holder:
    folder, _, last = name.rpartition("/")
    is_transcript = folder in ("sessions", _ARCHIVED[:-1]) and session_of(last) is not None
    return "transcript" if is_transcript else "document"


def _is_plain(holding: Holding) -> bool:
    return holding.holder not in ("journal", "transcript")


def _journal(store: Store, held: dict[str, Holding]) -> list[MovedLine]:
    parts = [_lines(store, name, "seq") for name, each in held.items() if each.holder == "journal"]
    return _in_order("journal", [line for part in sorted(parts) for line in part])


def _talks(store: Store, held: dict[str, Holding]) -> dict[str, Talk]:
    """Return what was said, by the name of the transcript."""
    names = {name.rpartition("/")[2] for name, each in held.items() if each.holder == "transcript"}
    return {name: talk for name in names if any(talk := _talk(store, name))}


def _talk(store: Store, name: str) -> Talk:
    archived, current = (_lines(store, folder + name, "n") for folder in (_ARCHIVED, "sessions/"))
    there = set(archived)
    left = [line for line in current if line not in there]  # those that are on their way there are in both
    _in_order(f"sessions/{name}", [*archived, *left])
    return Talk(tuple(archived), tuple(left))


def _lines(store: Store, name: str, number: str) -> list[MovedLine]:
    """Return the lines under a name; one that is still being written is none."""
    content = store.documents.read(name).content or b""
    found = []
    for place, line in enumerate(content.split(b"\n")[:-1], 1):
        try:
            found.append(MovedLine(int(unsealed(line)[number]), line + b"\n"))
        except (ValueError, KeyError, TypeError):
            sentence = '{path} line {line} is damaged and cannot be copied; "almario doctor" says what to do'
            raise Damaged(sentence, path=name, line=place) from None
    return found


def _in_order(name: str, lines: list[MovedLine]) -> list[MovedLine]:
    """Return lines whose numbers grow; Damaged if they do not."""
    last = 0
    for line in lines:
        if line.number <= last:
            sentence = '{path} has number {number} in the wrong place; "almario doctor" says what to do'
            raise Damaged(sentence, path=name, number=line.number)
        last = line.number
    return lines


def _pieces(holding: Holding, lines: Sequence[MovedLine]) -> Iterator[Put]:
    piece: list[bytes] = []
    size = 0
    for line in lines:
        piece.append(line.content)
        size += len(line.content)
        if size >= _PIECE:
            yield holding, b"".join(piece)
            piece, size = [], 0
    if piece:
        yield holding, b"".join(piece)


def _batches(puts: Iterable[Put]) -> Iterator[list[Put]]:
    """Gather what is to be put into writes of a bearable size."""
    batch: list[Put] = []
    size = 0
    for put in puts:
        batch.append(put)
        size += len(put[1] or b"")
        if size >= _PIECE or len(batch) == _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch

"""Taking in what other programs kept: conversations as transcripts, notes as memories, souls as proposals.

All of it is `imported`: nobody's explicit word here, with the turn of a transcript as its evidence that says
where it came from. What came in before is known by its reference and does not come in twice, so that an
import that was cut short goes on where it ended.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from almario.becoming.proposals import Proposals
from almario.domain.digests import sha256
from almario.domain.memories import IN_FILES
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import IMPORTED
from almario.domain.turns import REF, Said, Turn, session_key
from almario.domain.words import SMALL, fold
from almario.errors import AlmarioError, SoulError
from almario.importing.arrivals import Arrival, ImportedTalk, Kind, NoText, Skipped, SoulText
from almario.importing.kinds import kind_of
from almario.importing.source import Export, opened
from almario.memory.facade import Memories
from almario.memory.lessons import Lesson
from almario.memory.rules.admission import Proposed
from almario.memory.transfer import Note
from almario.named_tuples import NamedTuple
from almario.ports import Transcripts

# In a turn that came in: the name of what it was imported from, the id of where that lay, and in its
# conversation's first one what that is called.
FROM, PLACE, TITLE = "from", "import", "title"
# So many turns are written at once.
_BATCH = 400
# So many of what was left out are named.
_NAMED = 1000
_UNDATED, _NOTES = "undated", "notes"

Progress = Callable[[int, int], None]


class ExportContents(NamedTuple):
    """What an export holds: of which kind it is, how much of what, of which time, and what cannot come in."""

    name: str
    kind: str
    called: Sentence
    conversations: int = 0
    messages: int = 0
    notes: int = 0
    soul_files: tuple[str, ...] = ()
    first: datetime | None = None
    last: datetime | None = None
    skipped: tuple[Skipped, ...] = ()
    left_out: int = 0
    no_text: Mapping[Sentence, int] = {}

    @property
    def steps(self) -> int:
        return self.messages + self.notes


class TakenIn(NamedTuple):
    """What came in: new messages and memories, what was here already, and the proposals that were made."""

    name: str
    messages: int = 0
    memories: int = 0
    known: int = 0
    proposals: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    left_out: int = 0
    no_text: Mapping[Sentence, int] = {}
    id: str = ""


class ImportSource(NamedTuple):
    """What was imported from: the *id* of that place, its file's *name*, and how much of it is in mind."""

    id: str
    name: str
    turns: int


class Importer:
    """Looks at exports and takes them in."""

    def __init__(
        self, memory: Memories, transcripts: Transcripts, proposals: Proposals, *, language: str = "en"
    ) -> None:
        self._language = language
        self._memory = memory
        self._transcripts = transcripts
        self._proposals = proposals

    def look(self, path: Path, kind: str = "") -> ExportContents:
        """Say what the export at a path holds; nothing is written. Its *kind* is seen from it, or said."""
        with opened(path) as source:
            return self._look(source._replace(language=self._language), kind_of(source, kind))

    def _look(self, source: Export, kind: Kind) -> ExportContents:
        found = ExportContents(source.name, kind.name, kind.called)
        skipped = _LeftOut(source)
        souls: list[str] = []
        for arrival in kind.read(source):
            match arrival:
                case ImportedTalk(messages=messages):
                    times = [each.at for each in messages if each.at]
                    found = _spanning(found, times)._replace(
                        conversations=found.conversations + 1, messages=found.messages + len(messages)
                    )
                case Note(since=since):
                    found = _spanning(found, [since] if since else [])._replace(notes=found.notes + 1)
                case SoulText(file=file):
                    souls.append(file)
                case _:
                    skipped.add(arrival)
        return found._replace(soul_files=tuple(souls), **skipped.fields())

    def take_in(
        self, path: Path, kind: str = "", *, progress: Progress | None = None, of: int = 0
    ) -> TakenIn:
        """Take in all that an export holds and is not here yet; *of* is how many steps that takes."""
        with opened(path) as found:
            source = found._replace(language=self._language)
            run = _Run(self._memory, self._transcripts, self._proposals, source, kind_of(source, kind))
            return run.all(progress, of)

    def sources(self) -> list[ImportSource]:
        """Return what was imported from and is in mind, by name."""
        found = Counter(map(_source_of, self._every()))
        return sorted(ImportSource(*source, count) for source, count in found.items())

    def undo(self, wanted: str) -> int:
        """Put all that came from an import out of mind, its memories and what was said; return how much.

        It is meant by its id, by its path, or by its name if no other has it. `undo` brings it back.
        Importing it again does not: what was forgotten stays so.
        """
        every = self.sources()
        ids = [each.id for each in every if each.id in (wanted, _place_id(Path(wanted)))]
        ids = ids or [each.id for each in every if each.name == Path(wanted).name]
        if not ids:
            known = ", ".join(each.name for each in every) or "–"
            raise SoulError('nothing was imported from "{name}"; there is: {known}', name=wanted, known=known)
        if len(ids) > 1:
            sentence = 'there are several imports called "{name}"; name one by its id: {ids}'
            raise SoulError(sentence, name=wanted, ids=", ".join(ids))
        turns = [turn.id for turn in self._every() if _source_of(turn)[0] == ids[0]]
        self._memory.leave_out(turns)
        return len(turns)

    def _every(self) -> Iterable[Turn]:
        out = self._memory.out_of_mind()
        for session in self._transcripts.sessions():
            if session.startswith(IMPORTED):
                yield from (turn for turn in self._transcripts.read(session) if turn.id not in out)


class _Run:
    """One import: what waits to be written, by session, and what is there already."""

    def __init__(
        self, memory: Memories, transcripts: Transcripts, proposals: Proposals, source: Export, kind: Kind
    ) -> None:
        self._memory, self._transcripts, self._proposals = memory, transcripts, proposals
        self._source, self._kind = source, kind
        self._from = {FROM: source.name, PLACE: _place_id(source.path)}
        self._here: dict[str, set[int]] = {}
        self._waiting: dict[str, list[tuple[Said, Note | None]]] = {}
        self._messages = self._memories = self._known = 0
        self._made: list[str] = []
        self._left = _LeftOut(source)

    def all(self, progress: Progress | None, steps: int) -> TakenIn:
        done = 0
        for arrival in self._kind.read(self._source):
            done += self._take(arrival)
            if progress and steps:
                progress(min(done, steps), steps)
        for session in list(self._waiting):
            self._write(session)
        return TakenIn(
            self._source.name,
            self._messages,
            self._memories,
            self._known,
            tuple(self._made),
            **self._left.fields(),
            id=_place_id(self._source.path),
        )

    def _take(self, arrival: Arrival) -> int:
        """Take in one thing; return how many steps that were."""
        match arrival:
            case ImportedTalk():
                self._hear(arrival)
                return len(arrival.messages)
            case Note():
                self._note(arrival)
                return 1
            case SoulText():
                self._propose(arrival)
            case _:
                self._left.add(arrival)
        return 0

    def _hear(self, talk: ImportedTalk) -> None:
        times = [each.at for each in talk.messages if each.at]
        session = self._session(f"{min(times):%Y-%m}" if times else _UNDATED)
        title = {TITLE: talk.title} if talk.title else {}
        for message in talk.messages:
            more = {REF: _ref(talk.id, message.id), **self._from, **title}
            self._add(session, Said(message.role, message.text, "imported", at=message.at, more=more), None)
            title = {}

    def _note(self, note: Note) -> None:
        session = self._session(_NOTES)
        ref = _ref(note.id) if note.id else _ref(note.key, note.text)
        more = {REF: ref, **self._from, "place": note.place}
        said = f"{note.key}: {note.text}" if note.key else note.text
        self._add(session, Said("tool", said, "imported", at=note.since, more=more), note)

    def _propose(self, soul: SoulText) -> None:
        reason = Sentence("imported from {name}", name=self._source.name)
        try:
            made = self._proposals.propose_edit(
                soul.file,
                lambda text: _with_section(text, self._source.name, soul.text),
                reason=reason,
                origin="imported",
            )
            self._made.append(made.id)
        except AlmarioError as exc:
            self._left.add(Skipped(soul.place, sentence_of(exc)))

    def _session(self, part: str) -> str:
        return session_key(f"{IMPORTED}{self._kind.name}", part)

    def _add(self, session: str, said: Said, note: Note | None) -> None:
        known, ref = self._known_in(session), int(said.more[REF], 16)
        if ref in known:
            self._known += 1
            return
        known.add(ref)
        waiting = self._waiting.setdefault(session, [])
        waiting.append((said, note))
        if len(waiting) >= _BATCH:
            self._write(session)

    def _known_in(self, session: str) -> set[int]:
        """Return the references of a session that are settled: what was never learned from is not.

        That it is out of mind or erased does not matter: it is not to come in again.
        """
        known = self._here.get(session)
        if known is None:
            settled = self._memory.session(session).flushed
            turns = (turn for turn in self._transcripts.read(session) if turn.n <= settled)
            known = self._here[session] = {int(str(turn.more.get(REF, "0")), 16) for turn in turns}
        return known

    def _write(self, session: str) -> None:
        """Write what waits for a session: as turns, and what they teach, in one step each."""
        waiting = self._waiting.pop(session, [])
        after = self._memory.session(session).flushed
        begun = {turn.more.get(REF): turn for turn in self._transcripts.read(session, after=after)}
        with self._memory.together():
            new = [said for said, _ in waiting if said.more[REF] not in begun]
            turns = {turn.more[REF]: turn for turn in self._memory.append(session, new)} | begun
            facts = [_fact(note, turns[said.more[REF]]) for said, note in waiting if note]
            last = max((turn.n for turn in turns.values()), default=after)
            lesson = Lesson(session, after, last, tuple(facts), is_kept=not facts)
            receipts = self._memory.take_lesson(lesson) if last > after else ()
        self._messages += sum(note is None for _, note in waiting)
        self._memories += sum(each.outcome in ("new", "superseded") for each in receipts or ())


class _LeftOut:
    """What does not come in: all of it is counted, and so much of it is named."""

    def __init__(self, source: Export) -> None:
        self._named = [Skipped(*each) for each in source.left[:_NAMED]]
        self._count = len(source.left)
        self._no_text = Counter[Sentence]()

    def add(self, left: Skipped | NoText) -> None:
        if isinstance(left, NoText):
            self._no_text += left.counts
            return
        self._count += 1
        if len(self._named) < _NAMED:
            self._named.append(left)

    def fields(self) -> dict[str, Any]:
        return {"skipped": tuple(self._named), "left_out": self._count, "no_text": dict(self._no_text)}


def _fact(note: Note, turn: Turn) -> Proposed:
    kind = note.kind if note.kind != "instruction" else "fact"  # what others kept commands nobody here
    at = note.since if kind in IN_FILES or note.since else None
    return Proposed(
        note.key,
        note.text,
        kind,
        "auto",
        "imported",
        (turn.id,),
        at=at,
        dated=note.dated,
        cues=tuple(each for each in note.cues if not SMALL.issuperset(fold(each).split())),
    )


def _with_section(text: str, name: str, added: str) -> str:
    """Return a soul file with another soul's text as a section of its own: what is there stays."""
    below = "\n".join(f"##{line}" if line.startswith("#") else line for line in added.strip().splitlines())
    return f"{text.rstrip()}\n\n## {name}\n\n{below}\n"


def _place_id(path: Path) -> str:
    """Return what tells exports of one name apart: where each lies."""
    return _ref(str(path.expanduser().resolve()))[:8]


def _source_of(turn: Turn) -> tuple[str, str]:
    name = str(turn.more.get(FROM, ""))
    return str(turn.more.get(PLACE) or _ref(name)[:8]), name


def _ref(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "replace"))[:16]


def _spanning(found: ExportContents, times: Sequence[datetime]) -> ExportContents:
    every = [*times, *filter(None, (found.first, found.last))]
    return found._replace(first=min(every), last=max(every)) if every else found

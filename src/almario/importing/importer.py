"""Taking in what other programs kept: conversations as transcripts, notes as memories, souls as proposals.

All of it is `imported`: nobody's explicit word here, with the turn of a transcript as its evidence that says
where it came from. What came in before is known by its reference and does not come in twice, so that an
import that was cut short goes on where it ended.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from almario.becoming.proposals import Proposals
from almario.becoming.rules.locking import without_markers
from almario.conversation.discretion import off_in
from almario.conversation.file_reading import TranscriptsInMind
from almario.domain.digests import sha256
from almario.domain.documents.daily import parse_log
from almario.domain.documents.document import digest, encoded
from almario.domain.memories import IN_FILES, same_value
from almario.domain.messages import CommandLine, Sentence, sentence_of
from almario.domain.model import IMPORTED
from almario.domain.places import NOWHERE
from almario.domain.turns import AROUND, NEXT, PREVIOUS, REF, TITLE, Turn, Utterance, session_key
from almario.domain.withheld import MASK
from almario.domain.words import SMALL, fold
from almario.errors import AlmarioError, SoulError
from almario.importing.arrivals import (
    Arrival,
    ImportedMessage,
    ImportedTalk,
    Kind,
    MemoryLines,
    NoText,
    Skipped,
    SoulText,
)
from almario.importing.kinds import kind_of
from almario.importing.source import Export, opened
from almario.memory.facade import Memories
from almario.memory.lessons import Lesson
from almario.memory.rules.admission import Proposed
from almario.memory.transfer import Note
from almario.named_tuples import NamedTuple
from almario.ports import Store

# In a turn that came in: the name of what it was imported from, and the id of where that lay.
FROM, PLACE = "from", "import"
# So many turns are written at once, and then others may write.
_BATCH = 50
# So many of what was left out are named.
_NAMED = 1000
_UNDATED, _NOTES, _MEMORIES = "undated", "notes", "memories"
_NEVER = datetime(1, 1, 1, tzinfo=UTC)

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
    told: tuple[Sentence, ...] = ()
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
        self, memory: Memories, vault: Store, proposals: Proposals, project_at: Callable[[str], str]
    ) -> None:
        """*project_at* names the project of a folder."""
        self._memory = memory
        self._vault = vault
        self._proposals = proposals
        self._project_at = project_at

    def look(self, path: Path, kind: str = "") -> ExportContents:
        """Say what the export at a path holds; nothing is written. Its *kind* is seen from it, or said."""
        with opened(path) as source:
            return self._contents(source, kind_of(source, kind))

    def _contents(self, source: Export, kind: Kind) -> ExportContents:
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
                case MemoryLines(many=many):
                    found = found._replace(notes=found.notes + many)
                case SoulText(file=file):
                    souls.append(file)
                case _:
                    skipped.add(arrival)
        return found._replace(soul_files=tuple(souls), **skipped.fields())

    def take_in(
        self, path: Path, kind: str = "", *, progress: Progress | None = None, of: int = 0
    ) -> TakenIn:
        """Take in all that an export holds and is not here yet; *of* is how many steps that takes."""
        with opened(path) as source:
            run = _Run(
                self._memory, self._vault, self._proposals, self._project_at, source, kind_of(source, kind)
            )
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
            if not every:
                raise SoulError('there is no import "{name}" to take back', name=wanted)
            sentence = 'there is no import "{name}" to take back; there is: {known}'
            raise SoulError(sentence, name=wanted, known=", ".join(each.name for each in every))
        if len(ids) > 1:
            sentence = 'there are several imports called "{name}"; name one by its id: {ids}'
            raise SoulError(sentence, name=wanted, ids=", ".join(ids))
        turns = [turn.id for turn in self._every() if _source_of(turn)[0] == ids[0]]
        self._memory.leave_out(turns)
        return len(turns)

    def _every(self) -> Iterable[Turn]:
        transcripts = TranscriptsInMind(self._vault.transcripts, self._memory.out_of_mind)
        for session in transcripts.sessions():
            yield from transcripts.read(session) if session.startswith(IMPORTED) else ()


class _Run:
    """One import: what waits to be written, by session, and what is there already."""

    def __init__(
        self,
        memory: Memories,
        vault: Store,
        proposals: Proposals,
        project_at: Callable[[str], str],
        source: Export,
        kind: Kind,
    ) -> None:
        self._memory, self._vault, self._proposals = memory, vault, proposals
        self._project_at = project_at
        self._transcripts = vault.transcripts
        self._source, self._kind = source, kind
        self._from = {FROM: source.name, PLACE: _place_id(source.path)}
        # The turns of each session by their references, and what each day's log says.
        self._here: dict[str, dict[int, str]] = {}
        self._logged: dict[date, frozenset[str]] = {}
        # The turns that one of ours is here, by its name there.
        self._moved: dict[str, str] = {}
        self._waiting: dict[str, list[tuple[Utterance, Note | None]]] = {}
        self._messages = self._memories = self._known = self._withheld = 0
        # What is here already but was put out of mind.
        self._gone: list[str] = []
        self._out = memory.out_of_mind()
        self._made: list[str] = []
        self._notices: tuple[Sentence, ...] = ()
        self._left = _LeftOut(source)
        # Most homes never erased anything.
        was_any = bool(memory.last_purge())
        self._was_purged = memory.was_purged if was_any else lambda _: False
        self._names = (str, memory.hidden) if was_any else (str,)

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
            told=(*self._notices, *self._away()),
            **self._left.fields(),
            id=_place_id(self._source.path),
        )

    def _away(self) -> Iterator[Sentence]:
        """Tell what came in and is withheld, and what is here but out of mind, each with the way to it."""
        if self._withheld:
            yield Sentence(
                'Left out of what I tell models, as it may be a secret: {count}. "{keep}" shows it.',
                count=self._withheld,
                keep=CommandLine("almario keep --list"),
            )
        if self._gone:
            yield Sentence(
                'Here already, but taken back or forgotten: {count}. "{undo}" brings it back.',
                count=len(self._gone),
                undo=CommandLine(f"almario undo {self._memory.put_out_by(self._gone[-1])}"),
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
            case MemoryLines(many=many):
                self._put_back(arrival)
                return many
            case SoulText():
                self._propose(arrival)
            case _:
                self._left.add(arrival)
        return 0

    def _hear(self, talk: ImportedTalk) -> None:
        times = [each.at for each in talk.messages if each.at]
        project = (self._project_at(talk.folder) or NOWHERE) if talk.folder else ""
        session = self._session(f"{min(times):%Y-%m}" if times else _UNDATED, project)
        heard = _on_the_record(talk.messages)
        if is_off := len(heard) < len(talk.messages):
            self._left.add(Skipped(talk.id, Sentence("something in it was said off the record")))
        title = {TITLE: talk.title} if talk.title and not is_off else {}
        own = {str(turn.n): turn.at for turn in self._transcripts.read(talk.id)} if talk.of_ours else {}
        for message in heard:
            # This very turn is here, whatever became of it; or was it erased?
            if own.get(message.id, _NEVER) == message.at or self._was_purged(message.text):
                self._known += 1
                continue
            more = {REF: _ref(talk.id, message.id), **self._from, **title}
            utterance = Utterance(
                message.role, message.text, message.origin, message.speaker, message.at, more
            )
            self._add(session, utterance, None)
            title = {}
        if talk.of_ours:
            if session in self._waiting:
                self._write(session)
            here = self._here.get(session, {})
            there = ((each.id, int(_ref(talk.id, each.id), 16)) for each in talk.messages)
            self._moved |= {f"{talk.id}#{n}": here[ref] for n, ref in there if ref in here}

    def _put_back(self, lines: MemoryLines) -> None:
        done = self._memory.import_lines(lines.lines(), evidence=self._grounds)
        self._memories += done.new
        self._known += done.known + done.different
        many = done.different
        differ = (Sentence("Different here, left unchanged: {count}.", count=many),) if many else ()
        self._notices = (*done.told, *differ)

    def _grounds(self, turns: Sequence[str]) -> list[str]:
        """Return the turns that these are here; in the place of none, one that says where it came from."""
        if not (found := [self._moved[turn] for turn in turns if turn in self._moved]):
            name, session = self._source.name, self._session(_NOTES)
            more = {REF: _ref(_MEMORIES, name), **self._from}
            if int(more[REF], 16) not in self._known_in(session):
                self._add(session, Utterance("tool", name, "imported", more=more), None)
                self._write(session)
                self._messages -= 1
            found = [self._known_in(session)[int(more[REF], 16)]]
        return found

    def _note(self, note: Note) -> None:
        session, happened = self._session(_NOTES), ""
        if self._was_purged(note.text):  # not even as what another program says
            self._known += 1
            return
        if note.kind == "episode" and note.since:
            day = note.since.astimezone(self._vault.zone).date()
            happened = day.isoformat()
            if same_value(note.text) in self._log_of(day):
                self._known += 1
                return
        parts = (note.id,) if note.id else filter(None, (note.key, note.text, happened))
        more = {REF: _ref(*parts), **self._from, "place": note.place}
        fact = f"{note.key}: {note.text}" if note.key else note.text
        self._add(session, Utterance("tool", fact, "imported", at=note.since, more=more), note)

    def _log_of(self, day: date) -> frozenset[str]:
        """Return what a day's log said when this import first asked."""
        if day not in self._logged:
            entries = parse_log(self._vault.log_of(day).text)
            self._logged[day] = frozenset(same_value(entry.text) for entry in entries)
        return self._logged[day]

    def _propose(self, soul: SoulText) -> None:
        """Propose another soul's text: in the place of a file that is as new, else as a section of it."""
        reason = Sentence("imported from {name}", name=self._source.name)
        versions = self._vault.versions
        history = versions.history(soul.file) if soul.is_whole and versions.enabled else []
        if digest(encoded(soul.text)) in {version.hash for version in history}:
            self._known += 1
            return
        is_new = soul.is_whole and (len(history) == 1 or not self._vault.read(soul.file).text.strip())
        proposed = without_markers(soul.text)
        if proposed != soul.text:
            self._left.add(Skipped(soul.place, Sentence("locks are not taken over; lock its sections again")))
        try:
            made = self._proposals.propose_edit(
                soul.file,
                lambda text: proposed if is_new else _with_section(text, self._source.name, proposed),
                reason=reason,
                origin="imported",
                by="import",
            )
            self._made.append(made.id)
        except AlmarioError as exc:
            self._left.add(Skipped(soul.place, sentence_of(exc)))

    def _session(self, part: str, project: str = "") -> str:
        return session_key(f"{IMPORTED}{self._kind.name}", part, project=project)

    def _add(self, session: str, utterance: Utterance, note: Note | None) -> None:
        known, ref = self._known_in(session), utterance.more[REF]
        turns = [known[int(each, 16)] for name in self._names if int(each := name(ref), 16) in known]
        if turns:
            self._known += 1
            self._gone += [turn for turn in turns if turn in self._out]
            return
        known[int(ref, 16)] = ""
        waiting = self._waiting.setdefault(session, [])
        waiting.append((utterance, note))
        if len(waiting) >= _BATCH:
            self._write(session)

    def _known_in(self, session: str) -> dict[int, str]:
        """Return the turns of a session that are settled, by reference: what was never learned from is not.

        That it is out of mind or erased does not matter: it is not to come in again.
        """
        known = self._here.get(session)
        if known is None:
            settled = self._memory.session(session).flushed
            turns = (turn for turn in self._transcripts.read(session) if turn.n <= settled)
            known = self._here[session] = {int(str(turn.more.get(REF, "0")), 16): turn.id for turn in turns}
        return known

    def _write(self, session: str) -> None:
        """Write what waits for a session: as turns, and what they teach, in one step each."""
        waiting = self._waiting.pop(session, [])
        after = self._memory.session(session).flushed
        begun = {turn.more.get(REF): turn for turn in self._transcripts.read(session, after=after)}
        with self._memory.together():
            new = [utterance for utterance, _ in waiting if utterance.more[REF] not in begun]
            turns = {turn.more[REF]: turn for turn in self._memory.append(session, new)} | begun
            facts = [_fact(note, turns[utterance.more[REF]]) for utterance, note in waiting if note]
            last = max((turn.n for turn in turns.values()), default=after)
            lesson = Lesson(session, after, last, tuple(facts), imported=True)
            receipts = self._memory.take_lesson(lesson) if last > after else ()
        self._here[session] |= {int(ref, 16): turn.id for ref, turn in turns.items() if ref}
        self._messages += sum(note is None for _, note in waiting)
        made = [each.memory for each in receipts or () if each.outcome in ("new", "superseded")]
        self._memories += len(made)
        self._withheld += sum(MASK in memory.value for memory in made if memory)


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


def _on_the_record(said: Sequence[ImportedMessage]) -> list[ImportedMessage]:
    """Return what of a conversation was not said off the record, as far as its own words tell."""
    starts = [0, *(place for place, each in enumerate(said) if place and each.role == "user"), len(said)]
    exchanges = [said[start:end] for start, end in pairwise(starts)]
    off = set[int]()
    for place, exchange in enumerate(exchanges):
        wish = off_in(exchange[0].text) if exchange and exchange[0].role == "user" else ""
        before, after = wish in (PREVIOUS, AROUND), wish in (NEXT, AROUND)
        off |= {place - before, place, place + after} if wish else set()
    return [each for place, exchange in enumerate(exchanges) if place not in off for each in exchange]


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

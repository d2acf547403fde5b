"""Whether journal, index and files agree, and every memory has a place where it can be read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from almario.domain.events import Event, JournalMended, MemoriesChanged, SessionQueued
from almario.domain.memories import Memory, Wanted, applied
from almario.domain.messages import NOTHING, Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, Damage
from almario.domain.read_models import follow, row_name
from almario.domain.soul_models import MODELS
from almario.domain.turns import SPOKEN, Turn, transcript_name
from almario.errors import AlmarioError, Damaged, SoulError
from almario.memory.keeping import Keeping
from almario.memory.ledger import changes_of
from almario.memory.mirror import Mirror
from almario.memory.rules.exchanges import session_in
from almario.memory.rules.ledger_models import LEDGER_MODELS
from almario.memory.rules.mirror import same
from almario.memory.rules.sources import entries_of, places_of
from almario.named_tuples import NamedTuple
from almario.ports import Transcripts

_EXTRACTED, _EMPTY, _LOST = "extracted", "empty", "lost"


class Outcome(NamedTuple):
    """How many messages of a session were learned from, held nothing, or wait; *why*, if that was tried.

    *lost* are those whose outcome stood in a line of the journal that was mended away; *off* those that
    were said off the record, of which nothing is kept.
    """

    session: str
    messages: int
    extracted: int
    empty: int
    waiting: int
    why: Sentence
    lost: int = 0
    off: int = 0


class Stretch(NamedTuple):
    """Turns that have one outcome: those after *after*, up to *to*."""

    after: int
    to: int
    outcome: str


class Chain(NamedTuple):
    """What the journal says of a session, line by line; *queued* is the last turn that ever waited."""

    stretches: tuple[Stretch, ...] = ()
    seq: int = 0
    queued: int = 0
    why: Sentence = NOTHING
    problems: tuple[Sentence, ...] = ()

    @property
    def end(self) -> int:
        return max((each.to for each in self.stretches), default=0)


def chains(events: Sequence[Event]) -> dict[str, Chain]:
    """Follow each session through the journal."""
    mended = [event.body.lost for event in events if isinstance(event.body, JournalMended)]
    lost = {seq for seqs in mended for seq in seqs}
    found: dict[str, Chain] = {}
    for event in events:
        if session := session_in(event):
            found[session] = _followed(found.get(session, Chain()), event, lost)
    return found


def outcomes(transcripts: Transcripts, events: Sequence[Event]) -> list[Outcome]:
    """Count what became of the messages of every session."""
    known = chains(events)
    return [_counted(s, transcripts.read(s), known.get(s, Chain())) for s in transcripts.sessions()]


def unaccounted(
    transcripts: Transcripts, archived: Mapping[str, int], events: Sequence[Event]
) -> Iterator[Damage]:
    """Yield where a message has no outcome; *archived* was looked up before the journal was read."""
    known = chains(events)
    for session in known.keys() | archived.keys():
        chain = known.get(session, Chain())
        place = _place(session)
        for problem in chain.problems:
            yield Damage(place, None, problem)
        end = transcripts.last_number(session) if place != "journal" else chain.end
        if chain.end > end:
            beyond = "ends at turn {end}, but was learned from up to {to}"
            yield Damage(place, None, Sentence(beyond, end=end, to=chain.end))
        covered = max(chain.end, chain.queued)
        if archived.get(session, 0) > covered:
            unknown = "has turns in the archive that nobody learned from or queued: {first} to {last}"
            yield Damage(place, None, Sentence(unknown, first=covered + 1, last=archived[session]))


def _followed(chain: Chain, event: Event, lost: Iterable[int]) -> Chain:
    body = event.body
    if isinstance(body, SessionQueued):
        return chain._replace(queued=max(body.to, chain.queued), why=body.why)
    if not isinstance(body, MemoriesChanged) or not body.flush:
        return chain
    new = Stretch(body.flush["from"], body.flush["to"], body.flush["outcome"])
    before, problems = chain.end, list(chain.problems)
    stretches = [*chain.stretches]
    if new.after > before:
        if any(chain.seq < seq < event.seq for seq in lost):
            stretches.append(Stretch(before, new.after, _LOST))
        else:
            problem = "has turns without an outcome: {first} to {last}"
            problems.append(Sentence(problem, first=before + 1, last=new.after))
    if new.after < before:
        problem = "was learned from twice: turns {first} to {last}"
        problems.append(Sentence(problem, first=new.after + 1, last=before))
    if new.to <= new.after or new.outcome not in (_EXTRACTED, _EMPTY):
        problems.append(Sentence("has an outcome that says nothing, in line {seq}", seq=event.seq))
    return Chain((*stretches, new), event.seq, chain.queued, NOTHING, tuple(problems))


def _counted(session: str, turns: Sequence[Turn], chain: Chain) -> Outcome:
    spoken = [turn for turn in turns if turn.role in SPOKEN]
    numbers = [turn.n for turn in spoken if not turn.is_off]
    judged = {n: each.outcome for each in chain.stretches for n in range(each.after + 1, each.to + 1)}
    found = [judged.get(n, "") for n in numbers]
    return Outcome(
        session,
        messages=len(spoken),
        extracted=found.count(_EXTRACTED),
        empty=found.count(_EMPTY),
        waiting=sum(n > chain.end for n in numbers),
        why=chain.why,
        lost=found.count(_LOST),
        off=len(spoken) - len(numbers),
    )


def _place(session: str) -> str:
    try:
        return f"sessions/{transcript_name(session)}"
    except SoulError:
        return "journal"


_INDEX = ".index"


def lasting(look: Callable[[], Sequence[Damage]]) -> Sequence[Damage]:
    """Look until nothing that was found is gone when it is looked at again; return that."""
    found = look()
    while found:
        again = {(damage.place, str(damage.problem)) for damage in look()}
        kept = [damage for damage in found if (damage.place, str(damage.problem)) in again]
        if len(kept) == len(found):
            break
        found = kept
    return found


class _Rows(dict[str, str]):
    """Rows of read models, as the index would keep them."""

    def noted(self, name: str) -> str:
        return self.get(name, "")

    def notes(self, prefix: str) -> dict[str, str]:
        found = ((name, row) for name, row in self.items() if name.startswith(prefix) and row)
        return {name.removeprefix(prefix): row for name, row in found}

    def note(self, name: str, text: str) -> None:
        self[name] = text


class Verifying:
    """Reads everything and compares it."""

    def __init__(self, keeping: Keeping, mirror: Mirror) -> None:
        self._keeping = keeping
        self._mirror = mirror

    def run(self) -> Iterator[Damage]:
        """Yield each place where something is not as it should be."""
        vault = self._keeping.vault
        self._cut_torn_tails()
        # In this order: a turn goes to the archive after the line that says what became of it.
        archived = {session: vault.transcripts.archived(session) for session in vault.transcripts.sessions()}
        events = vault.journal.read()
        yield from vault.journal.check()
        yield from vault.transcripts.check()
        yield from unaccounted(vault.transcripts, archived, events)
        for problem in self._keeping.derived.problems():
            yield Damage(_INDEX, None, Sentence("is damaged: {problem}", problem=problem))
        try:
            yield from self._derived()
            yield from self._places()
        except Damaged as exc:
            yield Damage(_INDEX, None, sentence_of(exc))

    def _cut_torn_tails(self) -> None:
        """Do what the next write to each file would: a line that was never whole was promised to nobody."""
        if not self._keeping.derived.is_private:
            self._keeping.vault.settle(thoroughly=True)  # if nothing can be written now, it is told

    def outcomes(self) -> list[Outcome]:
        """Count what became of the messages of every session."""
        return outcomes(self._keeping.vault.transcripts, self._keeping.vault.journal.read())

    def _derived(self) -> Iterator[Damage]:
        """Compare what the index says with the lines that it has taken in, while others write more."""
        with self._keeping.derived.reading():
            taken_in, _ = self._keeping.derived.table.position()
            events = [event for event in self._keeping.vault.journal.read() if event.seq <= taken_in]
            yield from self._states(events)
            yield from self._read_models(events)

    def _states(self, events: Sequence[Event]) -> Iterator[Damage]:
        """Compare what the index says of each memory with what the journal says."""
        told: dict[str, Memory] = {}
        for event in events:
            for change in changes_of(event):
                before = told.get(change["id"])
                told[change["id"]] = applied(before, change, seq=event.seq, at=event.at)
        kept = {memory.id: memory for memory in self._keeping.ledger.table.select(Wanted())}
        for memory_id in told.keys() | kept.keys():
            if told.get(memory_id) != kept.get(memory_id):
                problem = Sentence("memory {id} is not what the journal says", id=memory_id)
                yield Damage(_INDEX, None, problem)

    def _read_models(self, events: Sequence[Event]) -> Iterator[Damage]:
        """Compare the rows of the read models with those that the journal makes."""
        told, models = _Rows(), (*LEDGER_MODELS, *MODELS)
        for event in events:
            follow(models, told, event)
        table = self._keeping.ledger.table
        for prefix in [row_name(model.name) for model in models]:
            kept = {name: row for name, row in table.notes(prefix).items() if row}
            made = told.notes(prefix)
            for name in [f"{prefix}{name}" for name in kept | made if kept.get(name) != made.get(name)]:
                yield Damage(_INDEX, None, Sentence("row {name} is not what the journal says", name=name))

    def _places(self) -> Iterator[Damage]:
        """Find the memories in use that stand in no file."""
        now = self._keeping.vault.now()
        live = self._keeping.ledger.live(now)
        shown = self._mirror.lines()
        core = {memory.id for memory in self._mirror.core.facts(now)}
        for memory in map(self._keeping.ledger.whole, live):
            if memory.path:
                yield from self._in_log(memory)
            elif memory.id in core and self._mirror.enabled and same(memory.key, memory.value) not in shown:
                yield Damage(CORE_MEMORY, None, Sentence("does not show memory {id}", id=memory.id))

    def _in_log(self, memory: Memory) -> Iterator[Damage]:
        try:
            texts = {place: self._keeping.vault.read(place).text for place in places_of(memory.path)}
        except AlmarioError as exc:
            yield Damage(memory.path, None, sentence_of(exc))
            return
        entries = [entry for place, text in texts.items() for entry in entries_of(place, text)]
        is_trusted = memory.origin != "untrusted"
        if all((entry.text, entry.is_trusted) != (memory.value, is_trusted) for entry in entries):
            yield Damage(memory.path, None, Sentence("no longer holds memory {id}", id=memory.id))

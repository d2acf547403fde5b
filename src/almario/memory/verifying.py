"""Whether journal, index and files agree, and every memory has a place where it can be read."""

from collections.abc import Callable, Iterator, Sequence

from almario.domain.events import Event
from almario.domain.memories import Memory, Wanted, applied
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, Damage
from almario.domain.read_models import follow, row_name
from almario.domain.soul_models import MODELS
from almario.errors import AlmarioError, Damaged
from almario.memory.ledger import changes_of
from almario.memory.mirror import Mirror
from almario.memory.outcomes import Outcome, outcomes, unaccounted
from almario.memory.rules.ledger_models import LEDGER_MODELS
from almario.memory.rules.mirror import same
from almario.memory.rules.sources import entries_of, places_of
from almario.memory.writer import MemoryWriter

_INDEX = ".index"


def lasting(check: Callable[[], Sequence[Damage]]) -> Sequence[Damage]:
    """Look until nothing that was found is gone when it is looked at again; return that."""
    found = check()
    while found:
        again = {(damage.place, str(damage.problem)) for damage in check()}
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

    def __init__(self, writer: MemoryWriter, mirror: Mirror) -> None:
        self._writer = writer
        self._mirror = mirror

    def run(self) -> Iterator[Damage]:
        """Yield each place where something is not as it should be."""
        vault = self._writer.vault
        self._cut_torn_tails()
        # In this order: a turn goes to the archive after the line that says what became of it.
        archived = {session: vault.transcripts.archived(session) for session in vault.transcripts.sessions()}
        events = vault.journal.read()
        yield from vault.journal.check()
        yield from vault.transcripts.check()
        yield from unaccounted(vault.transcripts, archived, events)
        for problem in self._writer.derived.problems():
            yield Damage(_INDEX, None, Sentence("is damaged: {problem}", problem=problem))
        try:
            yield from self._derived()
            yield from self._places()
        except Damaged as exc:
            yield Damage(_INDEX, None, sentence_of(exc))

    def _cut_torn_tails(self) -> None:
        """Do what the next write to each file would: a line that was never whole was promised to nobody."""
        if not self._writer.derived.is_private:
            self._writer.vault.settle(thoroughly=True)  # if nothing can be written now, it is told

    def outcomes(self) -> list[Outcome]:
        """Count what became of the messages of every session."""
        return outcomes(self._writer.vault.transcripts, self._writer.vault.journal.read())

    def _derived(self) -> Iterator[Damage]:
        """Compare what the index says with the lines that it has taken in, while others write more."""
        with self._writer.derived.reading():
            taken_in, _ = self._writer.derived.table.position()
            events = [event for event in self._writer.vault.journal.read() if event.seq <= taken_in]
            yield from self._states(events)
            yield from self._read_models(events)

    def _states(self, events: Sequence[Event]) -> Iterator[Damage]:
        rebuilt: dict[str, Memory] = {}
        for event in events:
            for change in changes_of(event):
                before = rebuilt.get(change["id"])
                rebuilt[change["id"]] = applied(before, change, seq=event.seq, at=event.at)
        kept = {memory.id: memory for memory in self._writer.ledger.table.select(Wanted())}
        for memory_id in rebuilt.keys() | kept.keys():
            if rebuilt.get(memory_id) != kept.get(memory_id):
                problem = Sentence("memory {id} is not what the journal says", id=memory_id)
                yield Damage(_INDEX, None, problem)

    def _read_models(self, events: Sequence[Event]) -> Iterator[Damage]:
        rebuilt, models = _Rows(), (*LEDGER_MODELS, *MODELS)
        for event in events:
            follow(models, rebuilt, event)
        table = self._writer.ledger.table
        for prefix in [row_name(model.name) for model in models]:
            kept = {name: row for name, row in table.notes(prefix).items() if row}
            made = rebuilt.notes(prefix)
            for name in [f"{prefix}{name}" for name in kept | made if kept.get(name) != made.get(name)]:
                yield Damage(_INDEX, None, Sentence("row {name} is not what the journal says", name=name))

    def _places(self) -> Iterator[Damage]:
        """Find the memories in use that stand in no file."""
        now = self._writer.vault.now()
        live = self._writer.ledger.live(now)
        shown = self._mirror.lines()
        core = {memory.id for memory in self._mirror.core.facts(now)}
        for memory in map(self._writer.ledger.whole, live):
            if memory.path:
                yield from self._in_log(memory)
            elif memory.id in core and self._mirror.enabled and same(memory.key, memory.value) not in shown:
                yield Damage(CORE_MEMORY, None, Sentence("does not show memory {id}", id=memory.id))

    def _in_log(self, memory: Memory) -> Iterator[Damage]:
        try:
            texts = {place: self._writer.vault.read(place).text for place in places_of(memory.path)}
        except AlmarioError as exc:
            yield Damage(memory.path, None, sentence_of(exc))
            return
        entries = [entry for place, text in texts.items() for entry in entries_of(place, text)]
        is_trusted = memory.origin != "untrusted"
        if all((entry.text, entry.is_trusted) != (memory.value, is_trusted) for entry in entries):
            yield Damage(memory.path, None, Sentence("no longer holds memory {id}", id=memory.id))

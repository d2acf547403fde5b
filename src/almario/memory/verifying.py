"""Whether journal, index and files agree, and every memory has a place where it can be read."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from almario.domain.documents.conflicts import conflict_line
from almario.domain.events import Event
from almario.domain.memories import Memory, Wanted, applied
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Damage
from almario.domain.read_models import follow, row_name
from almario.domain.soul_models import MODELS
from almario.errors import AlmarioError, Damaged
from almario.memory.ledger import changes_of
from almario.memory.mirror import Mirror
from almario.memory.outcomes import unaccounted
from almario.memory.rules.ledger_models import LEDGER_MODELS
from almario.memory.rules.mirror import same
from almario.memory.rules.sources import entries_of, places_of
from almario.memory.writer import MemoryWriter
from almario.ports import MemoryTable, Store

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


def damages(writer: MemoryWriter, mirror: Mirror) -> Iterator[Damage]:
    """Read everything, and yield each place where something is not as it should be."""
    vault = writer.vault
    if not writer.derived.is_private:
        # As the next write to each file would, it cuts off lines that were never whole, nor promised to
        # anybody; if nothing can be written now, it is told.
        vault.settle(thoroughly=True)
    # In this order: a turn goes to the archive after the line that says what became of it.
    archived = {session: vault.transcripts.archived(session) for session in vault.transcripts.sessions()}
    events = vault.journal.read()
    yield from vault.journal.check()
    yield from vault.transcripts.check()
    yield from vault.versions.check()
    yield from unaccounted(vault.transcripts, archived, events)
    yield from _conflicts(vault)
    for problem in writer.derived.problems():
        yield Damage(_INDEX, None, Sentence("is damaged: {problem}", problem=problem))
    try:
        with writer.derived.reading():  # while others write more
            taken_in, _ = writer.derived.table.position()
            events = [event for event in vault.journal.read() if event.seq <= taken_in]
            yield from _states(writer.derived.table, events)
            yield from _read_models(writer.derived.table, events)
        yield from _places(writer, mirror)
    except Damaged as exc:
        yield Damage(_INDEX, None, sentence_of(exc))


def _conflicts(vault: Store) -> Iterator[Damage]:
    problem = Sentence("has merge markers: until you choose a side, what it said before them is told")
    for name in (*SOUL_FILES, CORE_MEMORY):
        with suppress(AlmarioError):  # whoever reads it for its own sake tells
            if line := conflict_line(vault.read(name).text):
                yield Damage(name, line, problem)


def _states(table: MemoryTable, events: Sequence[Event]) -> Iterator[Damage]:
    rebuilt: dict[str, Memory] = {}
    for event in events:
        for change in changes_of(event):
            before = rebuilt.get(change["id"])
            rebuilt[change["id"]] = applied(before, change, seq=event.seq, at=event.at)
    kept = {memory.id: memory for memory in table.select(Wanted())}
    for memory_id in rebuilt.keys() | kept.keys():
        if rebuilt.get(memory_id) != kept.get(memory_id):
            yield Damage(_INDEX, None, Sentence("memory {id} is not what the journal says", id=memory_id))


def _read_models(table: MemoryTable, events: Sequence[Event]) -> Iterator[Damage]:
    rebuilt, models = _Rows(), (*LEDGER_MODELS, *MODELS)
    for event in events:
        follow(models, rebuilt, event)
    for prefix in [row_name(model.name) for model in models]:
        kept = {name: row for name, row in table.notes(prefix).items() if row}
        made = rebuilt.notes(prefix)
        for name in [f"{prefix}{name}" for name in kept | made if kept.get(name) != made.get(name)]:
            yield Damage(_INDEX, None, Sentence("row {name} is not what the journal says", name=name))


def _places(writer: MemoryWriter, mirror: Mirror) -> Iterator[Damage]:
    """Find the memories in use that stand in no file."""
    now = writer.vault.now()
    shown = mirror.lines()
    core = {memory.id for memory in mirror.core.facts(now)}
    for memory in map(writer.ledger.whole, writer.ledger.live(now)):
        if memory.path:
            yield from _in_log(writer.vault, memory)
        elif memory.id in core and mirror.enabled and same(memory.key, memory.value) not in shown:
            yield Damage(CORE_MEMORY, None, Sentence("does not show memory {id}", id=memory.id))


def _in_log(vault: Store, memory: Memory) -> Iterator[Damage]:
    try:
        texts = {place: vault.read(place).text for place in places_of(memory.path)}
    except AlmarioError as exc:
        yield Damage(memory.path, None, sentence_of(exc))
        return
    entries = [entry for place, text in texts.items() for entry in entries_of(place, text)]
    is_trusted = memory.origin != "untrusted"
    if all((entry.text, entry.is_trusted) != (memory.value, is_trusted) for entry in entries):
        yield Damage(memory.path, None, Sentence("no longer holds memory {id}", id=memory.id))

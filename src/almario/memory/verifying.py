"""Whether journal, index and files agree, and every memory has a place where it can be read."""

from collections.abc import Iterator

from almario.domain.documents.mirror import same
from almario.domain.memories import MIRRORED, Memory, Wanted, applied
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, Damage
from almario.domain.sources import entries_of
from almario.errors import AlmarioError, Damaged
from almario.memory.keeping import Keeping
from almario.memory.ledger import changes_of
from almario.memory.mirror import Mirror

_INDEX = ".index"


class Verifying:
    """Reads everything and compares it."""

    def __init__(self, keeping: Keeping, mirror: Mirror) -> None:
        self._keeping = keeping
        self._mirror = mirror

    def run(self) -> Iterator[Damage]:
        """Yield each place where something is not as it should be."""
        vault = self._keeping.vault
        yield from vault.journal.check()
        yield from vault.transcripts.check()
        for problem in self._keeping.cabinet.problems():
            yield Damage(_INDEX, None, Sentence("is damaged: {problem}", problem=problem))
        try:
            yield from self._states()
            yield from self._places()
        except Damaged as exc:
            yield Damage(_INDEX, None, sentence_of(exc))

    def _states(self) -> Iterator[Damage]:
        """Compare what the index says of each memory with what the journal says."""
        told: dict[str, Memory] = {}
        for event in self._keeping.vault.journal.read():
            for change in changes_of(event):
                before = told.get(change["id"])
                told[change["id"]] = applied(before, change, seq=event.seq, at=event.at)
        kept = {memory.id: memory for memory in self._keeping.ledger.shelf.select(Wanted())}
        for memory_id in told.keys() | kept.keys():
            if told.get(memory_id) != kept.get(memory_id):
                problem = Sentence("memory {id} is not what the journal says", id=memory_id)
                yield Damage(_INDEX, None, problem)

    def _places(self) -> Iterator[Damage]:
        """Find the memories in use that stand in no file."""
        now = self._keeping.vault.now()
        live = [m for m in self._keeping.ledger.live(now) if m.origin != "untrusted"]
        shown = self._mirror.lines()
        for memory in live:
            if memory.path:
                yield from self._in_log(memory)
            elif (
                memory.kind in MIRRORED
                and self._mirror.enabled
                and same(memory.key, memory.value) not in shown
            ):
                yield Damage(CORE_MEMORY, None, Sentence("does not show memory {id}", id=memory.id))

    def _in_log(self, memory: Memory) -> Iterator[Damage]:
        try:
            entries = entries_of(memory.path, self._keeping.vault.read(memory.path).text)
        except AlmarioError as exc:
            yield Damage(memory.path, None, sentence_of(exc))
            return
        if all(entry.text != memory.value for entry in entries):
            yield Damage(memory.path, None, Sentence("does not hold memory {id} any more", id=memory.id))

"""What should bring memories to mind: given by the owner or written by a model, kept beside the memories."""

from collections.abc import Sequence

from almario.domain.cues import tidy
from almario.domain.events import Actor, Cued, MemoriesChanged
from almario.domain.memories import OWN_PASSAGE
from almario.errors import SoulError
from almario.memory.keeping import Keeping, Write
from almario.text.redaction import Redactor


class Cueing:
    """Gives memories their cues."""

    def __init__(self, keeping: Keeping, redact: Redactor) -> None:
        self._ledger = keeping.ledger
        self._redact = redact

    def give(self, write: Write, cued: Sequence[Cued], *, actor: Actor) -> None:
        """Keep the cues of memories, in the place of those they had; what cannot be a cue is left out."""
        kept = []
        for each in cued:
            memory = self._ledger.memory(each.id)
            if memory.kind not in OWN_PASSAGE:
                raise SoulError("memory {id} is found in its file, and has no cues", id=memory.id)
            kept.append(Cued(memory.id, self.fit(each.cues, memory.text), each.model))
        write.commit(MemoriesChanged("cued", (), cues=tuple(kept)), actor=actor)

    def fit(self, cues: Sequence[str], about: str) -> tuple[str, ...]:
        """Return those of the texts that can be cues of a memory *about* something, without secrets."""
        return tidy(map(self._redact.text, cues), about)

"""Which facts MEMORY.md shows, and which it showed: all of them, or the core of very many."""

import json
from collections.abc import Sequence
from datetime import datetime

from almario.domain.memories import MIRRORED, ORIGINS, UNTRUSTED, Memory, Wanted
from almario.memory.ledger import Ledger
from almario.memory.rules.mirror import Marker

# The core of very many facts is this part of what is still not many.
_PART = 4
# Under this note stands what the latest renderings showed that did not show all; of so many it is kept.
_NOTE, _KEPT = "renderings", 8
_SHOWN = Wanted(kinds=MIRRORED, origins=ORIGINS[: ORIGINS.index(UNTRUSTED)])


class Core:
    """Chooses the facts that are always at hand: *many* of them, or a part of more."""

    def __init__(self, ledger: Ledger, many: int) -> None:
        self._ledger = ledger
        self._many = many

    def facts(self, now: datetime) -> list[Memory]:
        """Return what is in use and trusted; of very many, the profile and the newest first."""
        found = self._ledger.live(now, _SHOWN._replace(most=self.most()))
        return [memory for memory in found if is_shown(memory)]

    def most(self) -> int:
        """Return how many facts are the core, if there are very many; 0: they all are."""
        return max(1, self._many // _PART) if self.count() > self._many else 0

    def count(self) -> int:
        """Return how many facts there are."""
        return self._ledger.table.extent(_SHOWN._replace(states=("live",)))[0]

    def shown_at(self, seq: int) -> list[str] | None:
        """Return the ids of what was shown when the core was rendered at *seq*; None if that is not known."""
        return self._renderings().get(str(seq))

    def note(self, marker: Marker | None, shown: Sequence[Memory]) -> None:
        """Remember what a rendering showed, if it did not show all."""
        if marker and marker.rest:
            kept = {seq: ids for seq, ids in self._renderings().items() if seq != str(marker.seq)}
            latest = [*kept.items(), (str(marker.seq), [memory.id for memory in shown])][-_KEPT:]
            self._ledger.table.note(_NOTE, json.dumps(dict(latest)))

    def _renderings(self) -> dict[str, list[str]]:
        noted: dict[str, list[str]] = json.loads(self._ledger.table.noted(_NOTE) or "{}")
        return noted


def is_shown(memory: Memory) -> bool:
    """Return whether a memory is a fact that the file may show."""
    return memory.is_live and memory.kind in MIRRORED and memory.origin != UNTRUSTED

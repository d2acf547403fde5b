"""Ways to meddle with MEMORY.md's safeguards: a save at the very exchange, and faults that prove the run."""

import os
from collections.abc import Callable
from pathlib import Path

from almario.memory import mirror
from almario.memory.ledger import Ledger
from almario.memory.mirror import Mirror
from almario.memory.rules import mirror_merge
from almario.memory.rules.mirror import Marker
from almario.memory.rules.mirror_merge import Edits
from almario.store import files, replacing

FAULTS = (
    "no-base",
    "no-since",
    "no-exchange",
    "no-wait",
    "no-question",
    "no-cut",
    "no-merge",
    "no-hash",
    "late-marker",
)
AT_EXCHANGE: list[Callable[[], None]] = []


def plant(fault: str) -> None:
    """Take a safeguard out of this process and those it forks, and make saves at the exchange possible."""
    files.sync = lambda descriptor: None  # no power is cut here
    real = replacing.replace

    def replace(path: Path, content: bytes, *, expected: str | None) -> None:
        if path.name == "MEMORY.md" and AT_EXCHANGE:
            AT_EXCHANGE.pop()()
        if fault == "no-exchange" and path.name == "MEMORY.md":
            path.write_bytes(content)
        else:
            real(path, content, expected=expected)

    replacing.replace = replace
    edits_of = Mirror._edits
    if fault == "no-base":
        Mirror._base = lambda self, write, parsed: self._in_use(write)  # type: ignore[method-assign]
    elif fault == "no-since":
        Ledger.ended_since = lambda self, seq: []  # type: ignore[method-assign]
    elif fault == "no-wait":
        replacing.check_whole = lambda path, content: None
    elif fault == "no-question":
        mirror_merge._FEW = 1_000_000
    elif fault == "no-cut":
        Mirror._edits = lambda *given: edits_of(*given)._replace(cut=())  # type: ignore[method-assign]
    elif fault == "no-merge":
        Mirror._take_in = lambda *given: Edits()  # type: ignore[method-assign]
    elif fault == "no-hash":
        replacing._swap = lambda copy, path, ours, expected: os.replace(copy, path)
    elif fault == "late-marker":
        vars(mirror)["Marker"] = lambda seq, *rest: Marker(seq - 1, *rest)

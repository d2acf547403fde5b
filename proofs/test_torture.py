"""The fault runs that come out the same each time, and the planted faults that prove they can fail.

`python -m proofs.torture --short` also has kills at any moment, and power cuts.
"""

import os
from pathlib import Path

from proofs.torture.__main__ import BROKEN
from tests.forking import forks
from tests.tables import each_row


@each_row(
    ("arguments", "says"),
    [
        ("steps --rounds 3", "3 kills"),
        ("whispers --rounds 2", "2 kills"),
        ("mirror --rounds 12 --at-once 0", "12 interleavings"),
        ("month --rounds 1 --nights 2", "1 months of 2 nights"),
    ],
)
def test_whatever_is_killed_or_interleaved_nothing_is_lost(tmp_path: Path, arguments: str, says: str) -> None:
    code, output = torture(tmp_path, arguments)

    assert code == 0, output
    assert says in output


# Of these seeds one of the first interleavings shows it.
@each_row(
    ("arguments", "says"),
    [
        ("steps --fault no-cut", "is unfinished"),
        ("whispers --rounds 1 --fault written-down", "holds b'perlagris'"),
        ("purge --rounds 1 --fault no-resume", "still holds it"),
        ("mirror --rounds 100 --fault no-since --seed 2", "came back"),
        ("mirror --rounds 100 --fault no-hash --seed 8", "lost"),
    ],
)
def test_without_a_safeguard_it_is_noticed(tmp_path: Path, arguments: str, says: str) -> None:
    code, output = torture(tmp_path, arguments)

    assert code == BROKEN, output
    assert says in output


def torture(folder: Path, arguments: str) -> tuple[int, str]:
    """Do `python -m proofs.torture` in a process of its own; return its exit code and what it printed."""
    printed = folder / arguments
    printed.touch()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), str(printed))
    code = forks().run(tuple(arguments.split()), dict(os.environ), streams, module="proofs.torture")
    return code, printed.read_text()

"""Where the answers to a question lie: "what's my address?" is nearer to other questions than to a street.

What all questions have in common is taken from the vector of one; for each aspect of a life that it seems to
ask about, such as home or health, it is moved to where facts of that aspect lie. `python -m
benchmarks.fit_answers` makes the weights, for vectors of the bundled encoder and no others.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from zlib import decompress

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The vector of a text has so many numbers.
DIMENSIONS = 512
WEIGHTS = Path(__file__).with_suffix(".weights")
# The mean and the spread of the cosines of a question so moved and of what has nothing to do with it.
BACKGROUND = (0.0, 0.09)


def towards_answers(question: Sequence[float]) -> Sequence[float]:
    """Return the vector of a question, of length 1, moved to where its answers lie."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    common, asking, lying = _weights()
    own = np.asarray(question, np.float32) - common
    moved = own + asking @ own @ lying
    return cast("Sequence[float]", moved / max(float(np.linalg.norm(moved)), 1e-9))


@cache
def _weights() -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]":
    """Return what questions have in common, what tells their aspects, and where facts of each lie."""
    import numpy as np  # noqa: PLC0415 - as above

    rows = np.frombuffer(decompress(WEIGHTS.read_bytes()), "<f2").astype(np.float32).reshape(-1, DIMENSIONS)
    half = (len(rows) - 1) // 2
    return rows[0], rows[1 : half + 1], rows[half + 1 :]

"""How hard the suite tries: soon each time, and thoroughly where THOROUGH=1 is set (`make torture`)."""

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

THOROUGH = bool(os.environ.get("THOROUGH"))

T = TypeVar("T")


def examples(few: int) -> settings:
    """Let hypothesis look at *few* examples of a claim; twenty times as many in a thorough run."""
    return settings(max_examples=few * 20 if THOROUGH else few, deadline=None)


def every(nth: int, rows: Sequence[T], start: int = 0) -> Sequence[T]:
    """Return every *nth* of *rows*; all of them in a thorough run."""
    return rows if THOROUGH else rows[start % nth :: nth]

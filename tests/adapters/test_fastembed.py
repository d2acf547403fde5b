import importlib.util
import os
import sys
from pathlib import Path

import pytest

from almario.adapters.embedders.fastembed import DEFAULT_MODEL, FastEmbedEmbedder, download
from almario.errors import EmbedderUnavailable, MissingExtra
from tests.adapters import fastembeds


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fastembeds.install(monkeypatch, tmp_path / "packages")


def test_a_missing_package_is_told_with_the_line_to_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "path", [place for place in sys.path if "packages" not in place])
    fastembeds.forget(monkeypatch)
    if importlib.util.find_spec("fastembed"):
        pytest.skip("the real package is installed")
    embedder = FastEmbedEmbedder(cache=tmp_path)

    assert not embedder.is_available()
    with pytest.raises(MissingExtra, match=r"run: pip install 'almario\[fastembed\]'"):
        embedder.embed(["a"])
    with pytest.raises(MissingExtra):
        download(cache=tmp_path)


@pytest.mark.usefixtures("installed")
def test_a_model_is_never_downloaded_by_embedding(tmp_path: Path) -> None:
    embedder = FastEmbedEmbedder(cache=tmp_path / "cache")

    assert not embedder.is_available()
    with pytest.raises(EmbedderUnavailable, match="run: almario memory download-model"):
        embedder.embed(["a"])
    assert not (tmp_path / "cache").exists()


@pytest.mark.usefixtures("installed")
def test_a_downloaded_model_is_found_and_its_progress_told(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    folder = download("", tmp_path / "cache", progress=lambda done, total: seen.append((done, total)))

    assert seen[-1] == (1000, 220_000_000)
    assert folder.stat().st_mode & 0o777 == folder.parent.stat().st_mode & 0o777 == 0o700
    assert FastEmbedEmbedder("", tmp_path / "cache").is_available()
    assert len(FastEmbedEmbedder("", tmp_path / "cache").embed(["a", "b"])) == 2


@pytest.mark.usefixtures("installed")
def test_a_download_that_failed_leaves_no_model_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fastembed

    monkeypatch.setattr(fastembed.TextEmbedding, "online", False)

    with pytest.raises(
        EmbedderUnavailable, match=f"the model {DEFAULT_MODEL} could not be downloaded: Could not"
    ):
        download(cache=tmp_path)
    assert not FastEmbedEmbedder(cache=tmp_path).is_available()


@pytest.mark.usefixtures("installed")
def test_a_cache_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(EmbedderUnavailable, match=r"could not be downloaded: .*Not a directory"):
        download(cache=tmp_path / "file" / "cache")


@pytest.mark.usefixtures("installed")
def test_a_model_that_does_not_load_is_not_downloaded_again_by_embedding(tmp_path: Path) -> None:
    folder = download(cache=tmp_path)
    (folder / "model.onnx").unlink()
    (folder / "whole.json").write_text("{}")

    with pytest.raises(EmbedderUnavailable, match="run: almario memory download-model"):
        FastEmbedEmbedder(cache=tmp_path).embed(["a"])
    assert not (folder / "model.onnx").exists()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("name", "kept"), [("model.onnx", None), ("model.onnx", 999), ("whole.json", None)])
def test_a_model_that_is_not_whole_is_told(tmp_path: Path, name: str, kept: int | None) -> None:
    file = download(cache=tmp_path) / name
    if kept is None:
        file.unlink()
    else:
        os.truncate(file, kept)

    assert not FastEmbedEmbedder(cache=tmp_path).is_available()
    with pytest.raises(EmbedderUnavailable, match="not downloaded, or not whole"):
        FastEmbedEmbedder(cache=tmp_path).embed(["a"])


@pytest.mark.usefixtures("installed")
def test_a_model_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    (download(cache=tmp_path) / "model.onnx").write_bytes(b"y" * 1000)

    with pytest.raises(EmbedderUnavailable, match="not downloaded, or not whole"):
        FastEmbedEmbedder(cache=tmp_path).embed(["a"])


@pytest.mark.usefixtures("installed")
def test_an_unknown_model_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"fastembed has no model \.\./\.\./evil"):
        download("../../evil", tmp_path)
    assert list(tmp_path.glob("fastembed")) == []


def test_its_name_is_the_models() -> None:
    assert FastEmbedEmbedder("some/model").model == "fastembed:some/model"

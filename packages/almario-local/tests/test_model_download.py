"""Fetching models: what was fetched is whole and the right one, or is told not to be."""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from almario.errors import ConfigError, LLMUnavailable, SoulError, StoreBusy, StoreError
from almario_local.weights import CATALOGUE, download, models_here, recommended, take_file, write
from tests.adapters.boxes import CONTENT, SMALL, Hub, serving_models


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving_models() as serving:
        yield serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "models"


def fetched(hub: Hub, folder: Path) -> list[tuple[int, int]]:
    seen: list[tuple[int, int]] = []
    download(SMALL, hub.url, folder, lambda done, total: seen.append((done, total)))
    assert (folder / "small.gguf").read_bytes() == CONTENT
    assert [path.name for path in folder.iterdir()] == ["small.gguf"]
    return seen


def refused(hub: Hub, folder: Path) -> str:
    with pytest.raises((LLMUnavailable, StoreError)) as caught:
        download(SMALL, hub.url, folder, lambda done, total: None)
    assert models_here(folder) == {}
    return str(caught.value)


def test_a_model_is_fetched_checked_and_only_its_owners(hub: Hub, folder: Path) -> None:
    seen = fetched(hub, folder)

    assert hub.asked[0][0] == "/some/repo/small.gguf"
    assert seen[-1] == (SMALL.size, SMALL.size)
    assert (folder / "small.gguf").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_one_that_is_here_is_not_fetched_again(hub: Hub, folder: Path) -> None:
    fetched(hub, folder)
    fetched(hub, folder)

    assert len(hub.asked) == 1


def test_what_was_cut_is_gone_on_with(hub: Hub, folder: Path) -> None:
    hub.most = 70_000
    result = refused(hub, folder)
    assert re.match(r"small: .* after 0 MB of 0 MB; run the same command to resume$", result)
    hub.most = SMALL.size

    fetched(hub, folder)

    assert hub.asked[1][1] == "bytes=70000-"


def test_a_server_that_knows_no_ranges_begins_anew(hub: Hub, folder: Path) -> None:
    hub.most = 70_000
    refused(hub, folder)
    hub.most, hub.knows_ranges = SMALL.size, False

    fetched(hub, folder)


def test_a_part_that_is_whole_is_only_checked(hub: Hub, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "small.part").write_bytes(CONTENT)

    fetched(hub, folder)

    assert hub.asked == []


def test_wrong_bytes_are_thrown_away(hub: Hub, folder: Path) -> None:
    hub.content = b"x" * SMALL.size
    assert refused(hub, folder).startswith("the downloaded file is not small (its sha256 is different)")
    hub.content = CONTENT

    fetched(hub, folder)

    assert hub.asked[1][1] == "bytes=0-"


def test_a_part_longer_than_the_model_is_thrown_away(hub: Hub, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "small.part").write_bytes(CONTENT + b"more")

    fetched(hub, folder)


def test_another_file_is_told_before_it_is_fetched(hub: Hub, folder: Path) -> None:
    hub.content = CONTENT * 20
    result = refused(hub, folder)

    assert result == "the server offers a different file for small: 2 MB instead of 0 MB"
    assert (folder / "small.part").stat().st_size == 0


def test_a_server_that_refuses_or_is_not_there_is_told(hub: Hub, folder: Path) -> None:
    hub.status = 404
    assert refused(hub, folder).startswith(f"{hub.url}/some/repo/small.gguf answered 404; try again later")

    hub.url = "http://127.0.0.1:1"
    result = refused(hub, folder)
    assert result.startswith("127.0.0.1:1 cannot be reached, so small was not downloaded")


def test_an_address_that_is_none_is_told(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"llm\.local_source is not an address"):
        download(SMALL, "file:///etc", folder, lambda done, total: None)


def test_an_address_that_no_server_can_have_is_told(folder: Path) -> None:
    with pytest.raises(LLMUnavailable, match="cannot be reached, so small was not downloaded"):
        download(SMALL, f"http://{'a' * 64}", folder, lambda done, total: None)


def test_a_disk_without_room_is_told_before_anything_is_fetched(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = shutil.disk_usage("/")._replace(free=1_000_000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: room)

    assert "has 1 MB free and 200 MB is needed; free up some space" in refused(hub, folder)
    assert hub.asked == []


def test_a_disk_that_fills_up_is_told() -> None:
    with open("/dev/full", "wb", buffering=0) as full, pytest.raises(StoreError, match="the disk is full"):
        write(full, b"x")


def test_two_commands_do_not_fetch_the_same(hub: Hub, folder: Path) -> None:
    folder.mkdir(parents=True)
    with open(folder / "small.part", "wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)

        with pytest.raises(StoreBusy, match="another command is downloading small"):
            download(SMALL, hub.url, folder, lambda done, total: None)


def test_a_file_of_ones_own_is_taken_and_stays_where_it_was(tmp_path: Path, folder: Path) -> None:
    own = tmp_path / "My Model (Q4).gguf"
    own.write_bytes(CONTENT)

    for _ in range(2):
        assert take_file(own, folder, lambda done, total: None) == "my-model-q4"

    assert models_here(folder)["my-model-q4"].read_bytes() == own.read_bytes() == CONTENT


def test_a_file_on_another_disk_is_copied(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def another_disk(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr("os.link", another_disk)
    own = tmp_path / "own.gguf"
    own.write_bytes(CONTENT)
    seen: list[tuple[int, int]] = []

    take_file(own, folder, lambda done, total: seen.append((done, total)))

    assert models_here(folder)["own"].read_bytes() == CONTENT
    assert seen[-1] == (SMALL.size, SMALL.size)


def test_what_is_no_model_or_would_take_anothers_place_is_refused(tmp_path: Path, folder: Path) -> None:
    own, other = tmp_path / "own.gguf", tmp_path / "OWN.gguf"
    own.write_bytes(CONTENT)
    take_file(own, folder, lambda done, total: None)
    other.write_bytes(CONTENT)
    with pytest.raises(SoulError, match="you already have a model called own"):
        take_file(other, folder, lambda done, total: None)

    own.write_text("# Not a model")
    with pytest.raises(SoulError, match=r"own\.gguf is not a model: it is not in GGUF format"):
        take_file(own, folder, lambda done, total: None)
    os.mkfifo(tmp_path / "pipe.gguf")
    for no_file in (tmp_path / "pipe.gguf", tmp_path):
        with pytest.raises(SoulError, match="is not a model: it is not a file"):
            take_file(no_file, folder, lambda done, total: None)


def test_every_known_model_is_pinned() -> None:
    for each in CATALOGUE:
        assert re.fullmatch(r"[a-z0-9.-]+", each.name)
        assert re.fullmatch(r"[0-9a-f]{64}", each.sha256)
        assert re.fullmatch(r"[\w.-]+/[\w.-]+/resolve/[0-9a-f]{40}/[\w.-]+\.gguf", each.path)
        assert each.size < each.memory
    assert sorted(CATALOGUE, key=lambda each: each.size) == list(CATALOGUE)


def test_the_best_that_fits_the_memory_and_the_cores_is_recommended() -> None:
    machines = {1: "qwen2.5-0.5b", 2: "qwen2.5-0.5b", 4: "qwen2.5-1.5b", 8: "qwen2.5-1.5b", 16: "qwen3-4b"}

    assert {gb: recommended(gb * 10**9, 8).name for gb in machines} == machines
    assert recommended(16 * 10**9, 2).name == "qwen2.5-1.5b"

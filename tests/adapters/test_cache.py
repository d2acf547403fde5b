import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from almario.adapters.embedders import cache
from almario.adapters.embedders.cache import cache_folder, keep, kept, made_once
from almario.errors import ConfigError

ARRAYS: dict[str, NDArray[Any]] = {
    "numbers": np.arange(12, dtype=np.float32).reshape(3, 4),
    "large": np.arange(256, dtype=np.uint8),
    "one": np.array([7], dtype=np.uint64),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cache") / "arrays"
    keep(path, ARRAYS, unchecked=("large",))
    return path


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "arrays"
    keep(path, ARRAYS)

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert os.listdir(path.parent) == ["arrays"]


@given(st.data())
def test_a_changed_byte_in_what_is_checked_is_noticed(written: Path, data: st.DataObject) -> None:
    content = bytearray(written.read_bytes())
    found = kept(written)
    assert found is not None
    start = content.index(ARRAYS["numbers"].tobytes())
    place = data.draw(st.integers(0, 4095) | st.integers(start, start + ARRAYS["numbers"].nbytes - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    damaged = written.with_name("damaged")
    damaged.write_bytes(content)

    assert kept(damaged) is None


@given(st.data())
def test_a_file_of_another_length_is_noticed(written: Path, data: st.DataObject) -> None:
    content = written.read_bytes()
    damaged = written.with_name("damaged")
    damaged.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    assert kept(damaged) is None
    damaged.write_bytes(content + b"x")
    assert kept(damaged) is None


def test_whoever_comes_second_waits_for_what_is_left_and_hears_how_far_the_first_is(tmp_path: Path) -> None:
    path, heard = tmp_path / "arrays", list[int]()
    is_known = Event()

    def hear(step: int) -> None:
        heard.append(step)
        if step:
            is_known.set()

    def come_second() -> None:
        with made_once(path, hear):
            assert kept(path) is not None

    with ThreadPoolExecutor() as pool, made_once(path, lambda step: None) as tell:
        tell(3)
        second = pool.submit(come_second)
        assert is_known.wait(60)
        assert not second.done()
        keep(path, ARRAYS)
    second.result()
    assert (heard[0], set(heard)) == (0, {0, 3})


def test_nobody_waits_for_ever_for_one_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_PATIENCE", 0.0)
    with (
        made_once(tmp_path / "arrays", print),
        pytest.raises(TimeoutError),
        made_once(tmp_path / "arrays", print),
    ):
        pass


def test_what_a_killed_process_left_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "arrays.new").write_bytes(b"half" * 10_000)

    keep(tmp_path / "arrays", ARRAYS)
    assert kept(tmp_path / "arrays") is not None
    assert os.listdir(tmp_path) == ["arrays"]


def test_the_folder_is_where_the_system_keeps_such_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder({}) == Path("/home/ana/.cache/almario")
    assert cache_folder({"XDG_CACHE_HOME": "/x"}) == Path("/x/almario")
    assert cache_folder({"XDG_CACHE_HOME": "relative"}) == Path("/home/ana/.cache/almario")
    assert cache_folder({"XDG_CACHE_HOME": "/x", "ALMARIO_CACHE": "~/c"}) == Path("/home/ana/c")
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder({}) == Path("/home/ana/Library/Caches/almario")
    with pytest.raises(ConfigError):
        cache_folder({"ALMARIO_CACHE": "~nobody-of-that-name/c"})


def test_an_array_that_is_read_here_and_there_gives_its_memory_back(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux tells what is in memory")
    table = np.ones((4096, 1024), dtype=np.float32)
    cache.keep(tmp_path / "arrays", {"small": np.ones(3), "table": table}, unchecked=("table",))
    arrays = cache.kept(tmp_path / "arrays")
    assert arrays is not None

    def held() -> int:
        """Return the bytes of files that are in memory."""
        lines = Path("/proc/self/status").read_text().splitlines()
        return sum(int(each.split()[1]) << 10 for each in lines if each.startswith(("RssFile", "RssShmem")))

    before = held()
    assert arrays["table"].sum() == table.size
    assert held() - before > table.nbytes / 2
    cache.let_go(arrays["table"])

    assert held() - before < table.nbytes / 4
    assert arrays["table"][7, 7] == arrays["small"][0] == 1

import json
import logging
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from almario.domain.messages import Sentence
from almario.testing import FixedClock
from almario.upkeep.daemon_state import DaemonState
from almario.upkeep.logbook import Logbook, overheard


def lines(folder: Path, name: str = "daemon.jsonl") -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_a_line_says_when_who_what_how_and_why(tmp_path: Path, clock: FixedClock) -> None:
    until = datetime(2026, 11, 15, tzinfo=UTC)

    Logbook(tmp_path, clock).add(
        "waits", agent="ana", job="learn", seconds=1.23456, why=Sentence("no model"), until=until
    )

    assert lines(tmp_path) == [
        {
            "at": "2026-11-14T13:30:00+00:00",
            "level": "info",
            "agent": "ana",
            "job": "learn",
            "outcome": "waits",
            "seconds": 1.235,
            "why": "no model",
            "until": "2026-11-15T00:00:00+00:00",
        }
    ]


@pytest.mark.parametrize("most", [0, 1, 3])
def test_a_long_log_is_begun_anew_and_so_many_older_ones_are_kept(
    tmp_path: Path, clock: FixedClock, most: int
) -> None:
    logbook = Logbook(tmp_path, clock, longest=1000, older=most)

    for number in range(100):
        logbook.add("done", job=f"job{number}")

    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(["daemon.jsonl", *(f"daemon.{n}.jsonl" for n in range(1, most + 1))])
    assert all(path.stat().st_size < 1200 for path in tmp_path.iterdir())
    told = [
        line["job"]
        for name in (*sorted(names[:-1], reverse=True), names[-1])
        for line in lines(tmp_path, name)
    ]
    assert told == [f"job{number}" for number in range(100 - len(told), 100)]


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path, clock: FixedClock) -> None:
    (tmp_path / "logs").write_text("a file in its place")
    shown: list[object] = []

    Logbook(tmp_path / "logs", clock, show=shown.append).add("done")

    assert len(shown) == 1


def test_what_modules_warn_of_is_entered_without_what_they_fill_in(tmp_path: Path, clock: FixedClock) -> None:
    with overheard(Logbook(tmp_path, clock)):
        logging.getLogger("almario.conversation.learning").warning("the turns of %s wait %.3g s", "CANARY", 3)
        logging.getLogger("another").warning("CANARY " + "is formatted already")

    told = lines(tmp_path)
    assert [line["why"] for line in told] == ["the turns of … wait … s", ""]
    assert "CANARY" not in (tmp_path / "daemon.jsonl").read_text()


def test_what_ends_a_thread_is_entered_by_its_kind(
    tmp_path: Path, clock: FixedClock, capfd: pytest.CaptureFixture[str]
) -> None:
    def fall() -> None:
        raise ValueError("CANARY")

    with overheard(Logbook(tmp_path, clock)):
        thread = threading.Thread(target=fall, name="almario-watch")
        thread.start()
        thread.join()

    [line] = lines(tmp_path)
    assert (line["job"], line["outcome"], line["why"]) == ("almario-watch", "failed", "ValueError (…)")
    assert "CANARY" not in capfd.readouterr().err


def test_a_home_that_was_put_in_the_place_of_another_is_left_alone(tmp_path: Path, clock: FixedClock) -> None:
    home = tmp_path / "home"
    home.mkdir()
    logbook, standing = Logbook(home / "logs", clock), DaemonState(home, clock)
    home.rename(tmp_path / "moved")
    home.mkdir()

    logbook.add("done")
    standing.save()

    assert list(home.iterdir()) == []

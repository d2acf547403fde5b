"""Kills while an agent goes out, or while what waits is delivered: whole or not there, each message once.

`python -m pytest proofs/test_moving.py -s` says how many kills came in between.
"""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import almario
from almario.domain.late import Late
from almario.served import Login, token_of
from almario.store.spool import HomeSpool
from almario.wiring import utc_now
from almario.wiring.logins import keep_login, refused, waiting
from tests.exporting.claims import everything

KILLS, SEED = (int(os.environ.get(name, most)) for name, most in {"KILLS": 18, "SEED": 28}.items())
MEMORIES, MESSAGES = 3_000, 120


def begin(*words: str) -> subprocess.Popen[bytes]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "almario", *words], **quiet)  # type: ignore[call-overload,no-any-return]


def killed(process: subprocess.Popen[bytes], has_begun: Callable[[], bool], after: float) -> bool:
    """Kill a process so many seconds after something has begun; say whether it was still at it."""
    with suppress(subprocess.TimeoutExpired):
        while process.poll() is None and not has_begun():
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.01)
        process.wait(after)
    process.kill()
    return process.wait() == -signal.SIGKILL


def test_a_killed_export_is_whole_or_not_there(tmp_path: Path) -> None:
    with closing(almario.create(tmp_path / "home", "default")) as soul:
        lines = ({"id": f"{n:012x}", "value": f"fact {n} of the boat"} for n in range(MEMORIES))
        soul.memory.import_lines(map(json.dumps, lines))
    chance, counts = random.Random(SEED), {"absent": 0, "half made": 0, "whole": 0}
    for kind, name in (("zip", "out.zip"), ("jsonl", "out.jsonl")):
        words = ("--home", str(tmp_path / "home"), "export", "--as", kind, "--to")
        begun = time.monotonic()
        assert begin(*words, str(tmp_path / f"whole-{name}")).wait() == 0
        takes = time.monotonic() - begun
        for number in range(KILLS // 2):
            place = tmp_path / f"{kind}{number}"
            place.mkdir()
            process = begin(*words, str(place / name))
            killed(process, lambda place=place: any(place.iterdir()), chance.uniform(0, 0.6) * takes)  # type: ignore[misc]
            half = [each for each in place.iterdir() if each.name != name]
            state = "whole" if (place / name).exists() else "half made" if half else "absent"
            counts[state] += 1
            if state == "whole":
                ours, whole = everything(place / name), everything(tmp_path / f"whole-{name}")
                assert ours.count("of the boat") == whole.count("of the boat") == MEMORIES
            assert begin(*words, str(place / name), "--force").wait() == 0
            shutil.rmtree(place)
    print(f"\n{counts}")
    assert counts["half made"]


@contextmanager
def serving(home: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    process = begin("--home", str(home), "serve", "--no-daemon", "--port", str(port))
    try:
        while True:
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None
        yield process
    finally:
        process.kill()
        process.wait()


def test_each_message_that_waits_is_delivered_once_whoever_is_killed(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    almario.create(there, "default").close()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    login = Login(f"http://127.0.0.1:{port}", token_of(there))
    chance, rounds, kills, parts = random.Random(SEED), 0, 0, 0
    said: list[str] = []
    spool, begun = HomeSpool(Path(login.waiting(here)), "default"), utc_now()
    while kills < KILLS:
        rounds += 1
        for n in range(MESSAGES):
            said.append(f"message {rounds}-{n}")
            at = begun + timedelta(seconds=len(said))
            spool.add(Late("user-prompt", "claude-code:s1", said[-1], f"{rounds}-{n}", at))
        while left := len(waiting(here, login)):
            with serving(there, port) as server:
                keep_login(here, login._replace(token=token_of(there)))
                deliverer = begin("--home", str(here), "recall", "boat")
                if kills < KILLS:
                    victim, is_late = chance.choice((deliverer, server)), chance.random() < 0.5

                    def has_begun(least: int = left - is_late) -> bool:
                        return deliverer.poll() is not None or len(waiting(here, login)) <= least  # noqa: B023

                    kills += killed(victim, has_begun, chance.uniform(0, 0.4 if is_late else 3.0))
                deliverer.wait()
            parts += 0 < len(waiting(here, login)) < left
    with closing(almario.open(there)) as soul:
        turns = [turn.text for turn in soul.sessions.turns("claude-code:s1", last=0) if turn.role == "user"]
    print(f"\n{kills} kills, {parts} of them with a part of it there: {len(said)} messages, each once")
    assert turns == said
    assert refused(here, login) == []

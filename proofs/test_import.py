"""A large import: how much memory it takes, and that no kill loses or doubles a message.

`python -m pytest proofs/test_import.py -s` prints the figures that docs/reference/benchmarks.md has.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import almario
from almario.soul import Soul

_MOST = {"TALKS": 10_000, "MESSAGES": 500_000, "KILLS": 50, "SEED": 28}
TALKS, MESSAGES, KILLS, SEED = (int(os.environ.get(name, most)) for name, most in _MOST.items())


def export(path: Path, talks: int, messages: int) -> Path:
    """Write a ChatGPT export, talk by talk; every message says something else."""
    each, step = messages // talks, 80_000_000 // max(talks, 800)  # of some years, or a few months
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("conversations.json", "w", force_zip64=True) as file,
    ):
        for number in range(talks):
            file.write(b"[" if not number else b",")
            file.write(json.dumps(_talk(number, each, step)).encode())
        file.write(b"]")
    return path


def _talk(number: int, messages: int, step: int) -> dict[str, Any]:
    at = 1_650_000_000 + number * step
    chance = random.Random(number)
    words = "boat garden Lisbon invoice violin bread winter garage sister train budget novel".split()
    nodes: dict[str, Any] = {}
    for n in range(messages):
        said = " ".join(chance.choices(words, k=30))
        message = {
            "author": {"role": "assistant" if n % 2 else "user"},
            "create_time": at + n * 20,
            "content": {"content_type": "text", "parts": [f"message {number}-{n}: {said}"]},
        }
        nodes[f"{number}-{n}"] = {"parent": f"{number}-{n - 1}" if n else None, "message": message}
    return {
        "title": f"Talk {number}",
        "conversation_id": f"talk-{number}",
        "create_time": at,
        "current_node": f"{number}-{messages - 1}",
        "mapping": nodes,
    }


def begin(home: Path, path: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "almario", "--home", str(home), "import", str(path), "--yes"]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL)


def imported(soul: Soul) -> Counter[str]:
    sessions = [view.session for view in soul.sessions.list() if view.session.startswith("import")]
    texts = (turn.text for each in sessions for turn in soul.sessions.turns(each, last=0))
    return Counter(text.partition(":")[0] for text in texts)


def test_half_a_million_messages_come_in_within_400_mb(tmp_path: Path) -> None:
    home = tmp_path / "home"
    almario.create(home, "default").close()
    path = export(tmp_path / "export.zip", TALKS, MESSAGES)
    process = begin(home, path)

    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status

    rss = used.ru_maxrss / (1 if sys.platform == "darwin" else 1024)
    cpu = used.ru_utime + used.ru_stime
    print(f"\n{MESSAGES:,} messages: {cpu:.0f} s CPU, peak RSS {rss:.0f} MB")
    assert status == 0
    found = imported(almario.open(home))
    assert (len(found), max(found.values())) == (MESSAGES, 1)
    assert rss <= 400


def test_no_kill_loses_or_doubles_a_message(tmp_path: Path) -> None:
    whole = Counter(f"message {talk}-{n}" for talk in range(80) for n in range(25))
    path = export(tmp_path / "export.zip", 80, 2_000)
    fresh = tmp_path / "fresh"
    almario.create(fresh, "default").close()
    shutil.copytree(fresh, tmp_path / "timed")
    begun = time.monotonic()
    assert begin(tmp_path / "timed", path).wait() == 0
    chance, takes = random.Random(SEED), time.monotonic() - begun

    killed = parts = 0
    while killed < KILLS:
        home = tmp_path / "home"
        shutil.copytree(fresh, home)
        process = begin(home, path)
        try:
            process.wait(chance.uniform(0.2, 1.0) * takes)
        except subprocess.TimeoutExpired:
            process.kill()
            killed += process.wait() == -signal.SIGKILL
            parts += any(b"message 0-0:" in each.read_bytes() for each in home.rglob("*.jsonl"))
        assert begin(home, path).wait() == 0
        with closing(almario.open(home)) as soul:
            assert imported(soul) == whole
            assert soul.memory.verify() == []
        shutil.rmtree(home)
    print(f"\n{killed} kills, {parts} of them with a part of it here: none lost, none doubled")

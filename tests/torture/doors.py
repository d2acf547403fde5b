"""All doors of one agent at once: chat, MCP, hooks, HTTP, the daemon, and its owner at an editor.

Each is a process of its own, as people run them, with a model that a plug-in brings. The server goes away
and comes back all the while, or is killed. What was acknowledged through any door must be there at the end.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import almario
from tests.plugged import Site
from tests.torture.diary import Diary
from tests.torture.mirror import environment
from tests.torture.said import Acknowledged, problems_after, transcript
from tests.torture.talking import SETTINGS
from tests.torture.visitors import VISITORS, House

SECONDS = 120
_ROOT = Path(__file__).parent.parent.parent
_PLUGIN = """
import random
from almario.testing import ScriptedLLM
from tests.torture.talking import Model

def make(model, settings):
    return ScriptedLLM(Model(random.Random()))
"""
# So many seconds the server lives between two restarts that nobody forces, and so long it stays away.
_LIFE, _AWAY = 12.0, 1.5
# How often it may live once it is up; otherwise it may be stopped while it starts.
_PATIENT = 0.8
_PATIENCE = 60.0


def run(kills: int, fault: str = "none", *, seed: int = 0, seconds: int = SECONDS) -> list[str]:
    """Return what went wrong in so many seconds, in which the server is killed so often at most."""
    if fault != "none":
        raise SystemExit(f"no {fault} here")
    memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(
            dir=memory if os.access(memory, os.W_OK) else None, ignore_cleanup_errors=True
        ) as folder,
        environment(),
    ):
        house = _furnished(Path(folder))
        server = Server(house, random.Random(f"server {seed}"), seconds, kills)
        works: dict[str, Callable[[], None]] = {"server": server.keep}
        for name, visit in VISITORS.items():
            dice, diary = random.Random(f"{name} {seed}"), Diary(house.said / name)
            works[name] = lambda visit=visit, dice=dice, diary=diary: visit(house, dice, diary)  # type: ignore[misc]
        threads = [threading.Thread(target=_done, args=(house, *work)) for work in works.items()]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        house.is_over.set()
        for thread in threads:
            thread.join()
        _left_alone(house.home)
        print(f"{seconds} seconds, {server.kills} kills of the server and {server.stops} stops")
        return _problems(house)


def _furnished(folder: Path) -> House:
    """Make the home, the model and the surroundings that all processes share."""
    site = Site(folder / "site")
    site.put("torture-model", {"almario.llms": {"torture": "torture_model:make"}}, torture_model=_PLUGIN)
    for name, value in {**SETTINGS, "llm.model": "torture"}.items():
        os.environ[f"ALMARIO_{name.upper().replace('.', '_')}"] = str(value)
    paths = (str(site.folder), str(_ROOT), str(_ROOT / "src"))
    os.environ |= {"PYTHONPATH": os.pathsep.join(paths), "ALMARIO_HOME": str(folder / "home")}
    with almario.create(folder / "home") as soul:
        soul.remember("locker", "Locker K0 holds keys")  # and so there is a MEMORY.md
        house = House(folder, soul.path)
    house.said.mkdir()
    return house


class Server:
    """`almario serve`, which is killed or stopped, and comes back."""

    def __init__(self, house: House, dice: random.Random, seconds: int, kills: int) -> None:
        self._house = house
        self._dice = dice
        self._life = seconds / (2 * kills) if kills else _LIFE
        self._kills = kills
        self.kills = self.stops = 0

    def keep(self) -> None:
        over = self._house.is_over
        while not over.is_set():
            process = self._house.start("serve", "--port", "0")
            if self._dice.random() < _PATIENT:
                self._await(process)
            over.wait(self._life * self._dice.uniform(0.5, 1.5))
            is_killed = self.kills < self._kills and not over.is_set()
            process.send_signal(signal.SIGKILL if is_killed else signal.SIGTERM)
            code = process.wait(_PATIENCE)
            if is_killed:
                self.kills += 1
                continue
            if code not in (0, -signal.SIGTERM):
                self._house.trouble("server", f"the server ended with {code}")
            self.stops += 1
            over.wait(self._dice.uniform(0, _AWAY))

    def _await(self, process: "subprocess.Popen[str]") -> None:
        """Wait until a server has said where it is."""
        mark = f'"pid": {process.pid}}}'
        while process.poll() is None and not self._house.is_over.wait(0.05):
            with contextlib.suppress(OSError):
                if mark in (self._house.home / "serve.json").read_text():
                    return


def _done(house: House, name: str, work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException:  # noqa: BLE001 - told at the end
        house.trouble(name, traceback.format_exc())


def _left_alone(home: Path) -> None:
    """Wait for those who learn apart from everybody."""
    mark, until = f"ALMARIO_HOME={home}\0".encode(), time.monotonic() + _PATIENCE
    while any(_is_at(path, mark) for path in Path("/proc").glob("[0-9]*")) and time.monotonic() < until:
        time.sleep(0.1)


def _is_at(process: Path, mark: bytes) -> bool:
    try:
        return process.name != str(os.getpid()) and mark in (process / "environ").read_bytes()
    except OSError:
        return False


def _problems(house: House) -> list[str]:
    """Say what was acknowledged and is not so, what anybody met, and what the product finds itself."""
    lines = [
        json.loads(line) for path in house.said.iterdir() for line in path.read_text().splitlines() if line
    ]
    did = [line for line in lines if line["when"] == "did"]
    by: dict[str, list[str]] = {}
    for line in did:
        by.setdefault(line["verb"], []).append(line["text"])
    counts = Counter((line["agent"], line["verb"]) for line in did)
    print(
        "acknowledged: " + ", ".join(f"{who} {verb} {count}" for (who, verb), count in sorted(counts.items()))
    )
    found = [f"a process wrote: {text[-2000:]}" for text in house.tracebacks()]
    found += list(_said(house.agent, by.get("say", ()), by.get("tell", ())))
    user = (house.agent / "USER.md").read_text()
    found += [f"{text!r} is not in USER.md" for text in by.get("note", ()) if text not in user]
    troubles = [line["text"] for line in lines if line["when"] == "met"]
    acknowledged = Acknowledged((), by.get("keep", ()), by.get("fact", ()), (), troubles)
    return found + problems_after(house.home, acknowledged)


def _said(agent: Path, once: Sequence[str], at_least_once: Sequence[str]) -> Iterator[str]:
    """Everything that was said and acknowledged is in a transcript."""
    there = Counter(text for name in _sessions(agent) for text in transcript(agent, name).values())
    yield from (f"{text!r} is there {there[text]} times" for text in once if there[text] != 1)
    yield from (f"{text!r} is gone" for text in at_least_once if not there[text])
    print(f"told twice: {sum(there[text] > 1 for text in at_least_once)}")


def _sessions(agent: Path) -> set[str]:
    with almario.open(agent.parent.parent, agent.name) as soul:
        return {view.session for view in soul.sessions.all()}

"""All doors of one agent at once: chat, MCP, hooks, HTTP, the gateway, Telegram, the daemon, and an editor.

Each is a process of its own, as people run them, with models that tell all they see. The server goes away and
comes back all the while; any process may be killed. At the end what was acknowledged through any door must be
there, what was said must be there once, no stranger may have heard of what the owner said, and nothing that a
stranger said may count as the owner's.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import almario
from almario.apps.web.access import Tokens
from almario.domain.memories import STATES, Wanted
from almario.wiring import utc_now
from almario.wiring.souls import Souls
from almario_telegram.pairing import Pairing
from proofs.torture.diary import Diary
from proofs.torture.gossip import GossipingProvider, names_in
from proofs.torture.house import KILLED, PATIENCE, House
from proofs.torture.mirror import own_folder
from proofs.torture.outsiders import Network, answering, programming, writing
from proofs.torture.said import Acknowledged, problems_after, transcript
from proofs.torture.talking import SETTINGS
from proofs.torture.visitors import VISITORS
from tests.apps.gateway.providers import running
from tests.apps.telegram_stand_in import ANA, GROUP, TOKEN, over_http
from tests.plugged import Site

SECONDS = 120
_ROOT = Path(__file__).parent.parent.parent
_PLUGIN = """
import random
from almario.testing import ScriptedLLM
from proofs.torture.gossip import Gossip

def make(model, settings):
    return ScriptedLLM(Gossip(random.Random()))
"""
# Planted with the model, and so in every process: strangers hear whatever the owner may; and whoever comes
# learns from a session, however far it was learned from.
FAULTS = {
    "none": "",
    "all-ears": """
from almario.domain.audiences import Audience
Audience.is_private = property(lambda self: True)
""",
    "no-watermark": """
from proofs.torture import lapses
lapses.plant("no-watermark")
""",
}
# So many seconds the server lives between two restarts that nobody forces, and so long it stays away.
_LIFE, _AWAY = 12.0, 1.5
# How often it may live once it is up, at least as long as it took to start; and how often it is killed.
_PATIENT, _KILLED = 0.8, 0.7
# So long the bot may take at the end for what is left.
_LONG = 900.0


def run(kills: int, fault: str = "none", *, seed: int = 0, seconds: int = SECONDS) -> list[str]:
    """Return what went wrong in so many seconds, in which the server and so many others are killed."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started here must hear it
    with (
        own_folder() as folder,
        running(GossipingProvider()) as provider,
    ):
        house = _furnished(folder, _PLUGIN + FAULTS[fault])
        network = Network(house)
        with over_http(network) as place:
            _point_at(provider.url, place)
            server = Server(house, random.Random(f"server {seed}"), is_killed=kills > 0)
            reaper = Reaper(house, random.Random(f"reaper {seed}"), seconds, kills)
            _let_live(
                house, _lives(house, network, seed) | {"server": server.keep, "reaper": reaper.keep}, seconds
            )
            print(f"left on Telegram: {len(network.updates)} messages")
            code, _ = house.run(("telegram", "--once"), "", patience=_LONG)
            if code or network.waiting():
                house.trouble(
                    "telegram", f"{code}: {len(network.updates)} messages were not fetched for good"
                )
        _left_alone(house)
        print(f"{seconds} seconds; server: {dict(server.ends)}; killed besides: {dict(reaper.killed)}")
        return _problems(house)


def _furnished(folder: Path, plugin: str) -> House:
    """Make the home, the model and the surroundings that all processes share."""
    site = Site(folder / "site")
    site.put("torture-model", {"almario.llms": {"torture": "torture_model:make"}}, torture_model=plugin)
    more = {"llm.model": "torture", "telegram.stranger_answers": 10_000, "serve.per_second": 0}
    for name, value in {**SETTINGS, **more}.items():
        os.environ[_variable(name)] = str(value)
    paths = (str(site.folder), str(_ROOT), str(_ROOT / "src"))
    os.environ |= {"PYTHONPATH": os.pathsep.join(paths), "ALMARIO_HOME": str(folder / "home")}
    with almario.create(folder / "home") as soul:
        soul.remember("basket", "Basket Ka holds candles")  # and so there is a MEMORY.md
        soul.presence.trust(f"telegram:{GROUP}", hears="shared")  # as when the owner puts the bot there
        house = House(folder, soul.path)
    house.said.mkdir()
    souls = Souls(house.home)
    house.token = Tokens(souls).owner_token()
    pairing = Pairing(souls.home.papers, house.agent.name, utc_now)
    pairing.tried(ANA, "Ana", pairing.new_code())
    return house


def _point_at(provider: str, telegram: str) -> None:
    """Let all processes find the stand-ins."""
    os.environ[_variable("gateway.openai_url")] = f"{provider}/v1"
    os.environ[_variable("gateway.anthropic_url")] = provider
    os.environ[_variable("telegram.url")] = telegram
    os.environ["ALMARIO_TELEGRAM_TOKEN"] = TOKEN


def _variable(setting: str) -> str:
    return f"ALMARIO_{setting.upper().replace('.', '_')}"


def _lives(house: House, network: Network, seed: int) -> dict[str, Callable[[], None]]:
    """Return what everybody does, each with dice of their own."""
    every: Mapping[str, Callable[[House, random.Random, Diary], None]] = {
        **VISITORS,
        "gateway": programming,
        "telegram": partial(answering, telegram=network),
        "people": partial(writing, telegram=network),
    }
    return {
        name: partial(visit, house, random.Random(f"{name} {seed}"), Diary(house.said / name))
        for name, visit in every.items()
    }


def _let_live(house: House, lives: Mapping[str, Callable[[], None]], seconds: int) -> None:
    threads = [threading.Thread(target=_done, args=(house, *life)) for life in lives.items()]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    until = time.monotonic() + PATIENCE
    while _unheard(house) and time.monotonic() < until:
        time.sleep(0.2)
    house.is_over.set()
    for thread in threads:
        thread.join()


def _unheard(house: House) -> list[str]:
    """Return the doors through which nothing was acknowledged yet: on a busy machine they open late."""
    return [path.name for path in sorted(house.said.iterdir()) if not _acknowledged(path)]


def _acknowledged(diary: Path) -> bool:
    lines = map(json.loads, filter(None, diary.read_text().splitlines()))
    return any(line["when"] == "did" and line["verb"] not in ("fail", "yield") for line in lines)


def _done(house: House, name: str, work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException:  # noqa: BLE001 - told at the end
        house.trouble(name, traceback.format_exc())


class Server:
    """`almario serve`, which is stopped or killed, and comes back."""

    def __init__(self, house: House, dice: random.Random, *, is_killed: bool) -> None:
        self._house = house
        self._dice = dice
        self._is_killed = is_killed
        self.ends: Counter[str] = Counter()

    def keep(self) -> None:
        over = self._house.is_over
        while not over.is_set():
            began = time.monotonic()
            process = self._house.start("serve", "--port", "0")
            if self._dice.random() < _PATIENT:
                self._await(process)
            life = max(_LIFE, time.monotonic() - began)
            over.wait(life * self._dice.uniform(0.5, 1.5))
            is_killed = self._is_killed and not over.is_set() and self._dice.random() < _KILLED
            process.send_signal(signal.SIGKILL if is_killed else signal.SIGTERM)
            code = process.wait(PATIENCE)
            if code not in (0, -signal.SIGTERM, KILLED):
                self._house.trouble("server", f"the server ended with {code}")
            self.ends["killed" if is_killed else "stopped"] += 1
            over.wait(self._dice.uniform(0, _AWAY))

    def _await(self, process: "subprocess.Popen[str]") -> None:
        """Wait until a server has said where it is."""
        mark = f'"pid": {process.pid}}}'
        while process.poll() is None and not self._house.is_over.wait(0.05):
            with contextlib.suppress(OSError):
                if mark in (self._house.home / "serve.json").read_text():
                    return


class Reaper:
    """Kills whoever is at the home besides the server, at any moment."""

    def __init__(self, house: House, dice: random.Random, seconds: int, kills: int) -> None:
        self._house = house
        self._dice = dice
        self._pause = seconds / (kills + 1)
        self._kills = kills
        self.killed: Counter[str] = Counter()

    def keep(self) -> None:
        while self.killed.total() < self._kills:
            if self._house.is_over.wait(self._pause * self._dice.uniform(0.3, 1.5)):
                return
            found = {path: command for path in self._house.processes() if (command := _command(path))}
            if found:
                path = self._dice.choice(list(found))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(path.name), signal.SIGKILL)
                    self.killed[found[path]] += 1


def _command(process: Path) -> str:
    """Return what a process does, if it is one that may be killed."""
    try:
        words = (process / "cmdline").read_bytes().decode().split("\0")
    except OSError:
        return ""
    known = ("chat", "mcp", "hook", "daemon", "telegram", "flush")
    return next((word for word in words if word in known), "")


def _left_alone(house: House) -> None:
    """Wait for those who learn apart from everybody."""
    until = time.monotonic() + PATIENCE
    while house.processes() and time.monotonic() < until:
        time.sleep(0.1)


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
    found += [f"nothing was acknowledged through {name}: nothing is proved of it" for name in _unheard(house)]
    tried = [line["text"] for line in lines if (line["when"], line["verb"]) == ("will", "say")]
    found += list(_said(house.agent, by.get("say", ()), tried))
    user = (house.agent / "USER.md").read_text()
    found += [f"{text!r} is not in USER.md" for text in by.get("note", ()) if text not in user]
    troubles = [line["text"] for line in lines if line["when"] == "met"]
    acknowledged = Acknowledged(memories=by.get("keep", ()), facts=by.get("fact", ()), troubles=troubles)
    found += problems_after(house.home, acknowledged)
    return found + list(_made_the_owners(house.agent))


def _said(agent: Path, once: Sequence[str], tried: Sequence[str]) -> Iterator[str]:
    """Everything that was said and acknowledged is in a transcript, once; and nothing is there twice."""
    there = Counter(text for name in _sessions(agent) for text in transcript(agent, name).values())
    yield from (f"{text!r} is there {there[text]} times" for text in once if there[text] != 1)
    yield from (
        f"{text!r} was said once and is there {there[text]} times" for text in tried if there[text] > 1
    )


def _made_the_owners(agent: Path) -> Iterator[str]:
    """Nothing that a stranger said counts as the owner's: no message, no memory."""
    with almario.open(agent.parent.parent, agent.name) as soul:
        memories = soul.memory.list(Wanted(states=STATES))
        for memory in memories:
            if memory.origin == "owner" and _is_strangers(memory.value):
                yield f"{memory.value!r} counts as the owner's"
        turns = [turn for view in soul.sessions.list() for turn in soul.sessions.turns(view.session)]
        for turn in turns:
            if turn.role == "user" and turn.origin == "owner" and _is_strangers(turn.text):
                yield f"{turn.id} counts as the owner's: {turn.text!r}"
    hearsay = sum(_is_strangers(memory.value) for memory in memories)
    print(f"strangers' words: {sum(_is_strangers(turn.text) for turn in turns)} messages, {hearsay} memories")


def _is_strangers(text: str) -> bool:
    return any(place.startswith("Q") for place in names_in(text))


def _sessions(agent: Path) -> set[str]:
    with almario.open(agent.parent.parent, agent.name) as soul:
        return {view.session for view in soul.sessions.list()}

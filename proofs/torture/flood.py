"""More messages than can be answered, at the daemon's socket and over HTTP; and SIGTERM while they come.

So many a minute are told at even intervals, nine of ten to one agent, in many sessions. Whoever is sent away
does what its program does: a hook lets wait what it was told. At most so many threads and so much memory are
used, nobody waits long, another agent is answered all the while, and it ends in time. What a hook was told,
or was acknowledged over HTTP, is there once. All of it stays on this machine, and stops by itself.
"""

import contextlib
import fcntl
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import almario
from almario.apps.hooks import HookQuestion, entry, hooking
from almario.served import resident_at
from proofs.torture.mirror import own_folder
from tests.apps.hooked import recorded

MINUTES, PER_MINUTE = 2.0, 1000
AGENTS = ("default", "other")
# Every so manieth message is for the other agent; of every so many is one a wish.
_OTHER, _WISH = 10, 7
# What is wanted: of the daemon so many answers a minute; of both, mostly, a verdict within so many seconds.
_ANSWERED, _VERDICT, _MOSTLY = 200, 1.0, 0.95
_THREADS, _MEGABYTES, _END = 64, 250, 5.0
# So many are under way at once; for so many seconds they still come when the end has come.
_AT_ONCE, _TAIL, _PATIENCE = 48, 2.0, 60.0
# So many more come at once at the end, and one in so many by a process of its own.
_BURST, _REAL = 200, 50
# So many of those who come at once are told soon: this machine is theirs, too.
_TOLD_AT_ONCE = 0.5
# Planted in the program: nobody is sent away; what is under way is waited for.
FAULTS = {
    "none": "",
    "no-room": """
from almario.apps.daemon import bounds
from almario.apps.hooks import resident
bounds.Room.enter = lambda *_: True
resident._TURN = resident._VERDICT = 60.0
""",
    "no-end": """
from almario.apps.daemon import bounds
bounds.END = 60.0
""",
}


class Message(NamedTuple):
    """One of a flood: to which agent, in which session, and what."""

    number: int
    agent: str
    session: str
    event: str
    text: str


# What may become of a message that comes with many others at once.
_FINE = ("answered", "sent away", "process")


class Verdict(NamedTuple):
    """What became of a message: `answered`, `sent away`, `by itself`, or what went wrong; and how soon."""

    what: str
    seconds: float


def run(rounds: int, fault: str = "none", *, seconds: float) -> list[str]:
    """Return what went wrong in so many floods at each door."""
    found: list[str] = []
    for _ in range(rounds):
        for name, door in DOORS.items():
            with own_folder() as folder:
                del os.environ["ALMARIO_EMBEDDER_NAME"]  # the model of meaning is there, too
                os.environ |= {"ALMARIO_HOME": str(folder / "home"), "ALMARIO_LOCKS_SECONDS": "60"}
                found += [f"{name}: {each}" for each in Flood(folder / "home", door, seconds, fault).run()]
    return found


class Door:
    """Where messages are told: a program, and how one is told to it."""

    words: tuple[str, ...] = ()

    def __init__(self, home: Path) -> None:
        self.home = home

    def is_open(self) -> bool:
        """Whether it answers for every agent."""
        raise NotImplementedError

    def tell(self, message: Message) -> tuple[Verdict, Callable[[], object]]:
        """Tell a message; return what became of it, and what is still to do."""
        raise NotImplementedError

    def missing(self, verdicts: dict[Message, str], kept: Counter[str]) -> list[str]:
        """Say which messages are there, but not once, or not at all."""
        raise NotImplementedError


def question_of(home: Path, message: Message) -> tuple[HookQuestion, bytes]:
    ref = f"{message.number:016x}"
    told = recorded("claude-code", message.event, message.text, session=message.session, folder="/src/boat")
    return HookQuestion(message.event, str(home), message.agent, "claude-code", ref), told


class Hooks(Door):
    """`almario daemon`, and hooks as their processes ask it, without the time that it takes to start one."""

    words = ("daemon",)

    def is_open(self) -> bool:
        if not resident_at(self.home)[1]:
            return False
        asked = [Message(2**60 + n, name, "begin", "user-prompt", "Hello") for n, name in enumerate(AGENTS)]
        with contextlib.suppress(OSError):
            return all(entry.by_server(*question_of(self.home, each)) is not None for each in asked)
        return False

    def tell(self, message: Message) -> tuple[Verdict, Callable[[], object]]:
        question, told = question_of(self.home, message)
        begun = time.monotonic()
        after: Callable[[], object] = lambda: None  # noqa: E731
        if message.number % _REAL == 0:
            return self._hooked(question, told), after
        try:
            what = "answered" if entry.by_server(question, told) is not None else "by itself"
        except entry.Crowded:
            what = "sent away"
        except OSError as exc:
            what, question = f"no answer: {type(exc).__name__}", question._replace(again=True)
        seconds = time.monotonic() - begun
        if what == "sent away":
            after = lambda: hooking.put_by(question, told, os.environ)  # noqa: E731
        elif what != "answered":
            after = lambda: hooking.run(question, told, os.environ)  # noqa: E731
        return Verdict(what, seconds), after

    def _hooked(self, question: HookQuestion, told: bytes) -> Verdict:
        """Call the hook as a program does; its process takes its time."""
        words = ["hook", question.event, "--home", str(self.home), "--agent", question.agent or ""]
        done = subprocess.run(
            [sys.executable, "-m", "almario", *words], input=told, capture_output=True, check=False
        )
        return Verdict("process" if not (done.returncode or done.stderr) else "a hook failed", 0.0)

    def missing(self, verdicts: dict[Message, str], kept: Counter[str]) -> list[str]:
        return [
            f"{each.text!r} is there {kept[each.text]} times ({what})"
            for each, what in verdicts.items()
            if kept[each.text] != 1
        ]


class Http(Door):
    """`almario serve`: what is said is appended or remembered, or told as a hook does."""

    words = ("serve", "--port", "0")

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._address = ""
        self._token = ""

    def is_open(self) -> bool:
        with contextlib.suppress(OSError, ValueError):
            served = json.loads((self.home / "serve.json").read_bytes())
            self._address = served["url"].removeprefix("http://")
            self._token = (self.home / ".token").read_text().strip()
            for agent in AGENTS:
                self._ask(f"/api/v1/agents/{agent}/recall", {"question": "What is there?"})
            return True
        return False

    def tell(self, message: Message) -> tuple[Verdict, Callable[[], object]]:
        begun = time.monotonic()
        try:
            status, again = self._ask(*self._request(message))
            what = "answered" if status < 300 else f"status {status}"
            what = "sent away" if status == 503 and again else what
        except (OSError, http.client.HTTPException) as exc:
            what = f"no answer: {type(exc).__name__}"
        return Verdict(what, time.monotonic() - begun), lambda: None

    def _request(self, message: Message) -> tuple[str, Any]:
        if message.number % 5 == 1:
            question, told = question_of(self.home, message)
            asked = {"event": question.event, "told": told.decode(), "agent": message.agent}
            return "/api/v1/hooks", asked | {"client": "claude-code", "ref": question.ref, "environment": {}}
        here = f"/api/v1/agents/{message.agent}"
        if message.number % 5 == 2:
            return f"{here}/memories", {"text": message.text}
        return f"{here}/turns", {"session": f"app:{message.session}", "text": message.text}

    def _ask(self, path: str, body: Any) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self._address, timeout=_PATIENCE)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.getheader("Retry-After") or ""
        finally:
            connection.close()

    def missing(self, verdicts: dict[Message, str], kept: Counter[str]) -> list[str]:
        """What was acknowledged is there once; of what was not, nobody knows, but it is not there twice."""
        return [
            f"{each.text!r} is there {kept[each.text]} times ({what})"
            for each, what in verdicts.items()
            if kept[each.text] > 1 or (what == "answered" and not kept[each.text])
        ]


DOORS: dict[str, type[Door]] = {"daemon": Hooks, "http": Http}


class Flood:
    """One flood at one door of a new home."""

    def __init__(self, home: Path, door: type[Door], seconds: float, fault: str) -> None:
        self._door = door(home)
        self._home = home
        self._seconds = seconds
        self._fault = FAULTS[fault]
        self._verdicts: dict[Message, Verdict] = {}
        self._is_over = threading.Event()
        self._one = threading.Lock()
        self._grown = {"Threads": 0, "VmHWM": 0}

    def run(self) -> list[str]:
        """Let it come; return what was promised and is not so."""
        with almario.create(self._home) as soul:
            soul.remember("The boat in Cádiz is called Gaviota.")
        with almario.create(self._home, AGENTS[1]):
            pass
        sys.setswitchinterval(0.0005)  # whoever is answered here is to see it at once
        with self._program() as process:
            found = self._come(process)
        begun = time.monotonic()
        kept = self._kept()
        print(f"  what waited was taken in within {time.monotonic() - begun:.0f} s")
        whats = {message: verdict.what for message, verdict in self._verdicts.items()}
        return found + self._door.missing(whats, kept)

    @contextlib.contextmanager
    def _program(self) -> Iterator["subprocess.Popen[bytes]"]:
        code = f"{self._fault}\nimport sys\nfrom almario.__main__ import main\nsys.exit(main())"
        words = [sys.executable, "-c", code, *self._door.words]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + _PATIENCE
            while not self._door.is_open():
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError("what was to be flooded did not start")
                time.sleep(0.1)
            yield process
        finally:
            process.kill()
            process.wait()

    def _come(self, process: "subprocess.Popen[bytes]") -> list[str]:
        watching = threading.Thread(target=self._watch, args=(process.pid,))
        watching.start()
        count = round(PER_MINUTE / 60 * self._seconds)
        begun = time.monotonic()
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for message in _messages(0, count):
                self._wait_for(begun, message.number)
                pool.submit(self._tell, message)
        found = self._judged(dict(self._verdicts))
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            pool.map(self._tell, _messages(count, count + _BURST))
        found += self._refused(list(self._verdicts.values())[count:])
        with self._held():
            ended = self._ended(process, count + _BURST)
        self._is_over.set()
        watching.join()
        print(
            f"  most threads {self._grown['Threads']}, most memory {self._grown['VmHWM'] / 1024:.0f} MB; "
            f"SIGTERM: {ended:.1f} s"
        )
        found += [f"it had {self._grown['Threads']} threads"] * (self._grown["Threads"] > _THREADS)
        found += [f"it took {self._grown['VmHWM'] >> 10} MB"] * (self._grown["VmHWM"] > _MEGABYTES << 10)
        return found + [f"SIGTERM took {ended:.1f} s"] * (ended > _END)

    def _wait_for(self, begun: float, number: int) -> None:
        time.sleep(max(0.0, begun + number * 60 / PER_MINUTE - time.monotonic()))

    def _ended(self, process: "subprocess.Popen[bytes]", count: int) -> float:
        """Tell it to end while messages still come; return how long that took."""
        begun = time.monotonic()
        ended: list[float] = []

        def wait() -> None:
            process.wait()
            ended.append(time.monotonic() - begun)

        waiting = threading.Thread(target=wait)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for message in _messages(count, count + round(_TAIL * PER_MINUTE / 60)):
                self._wait_for(begun, message.number - count)
                pool.submit(self._tell, message)
                if message.number == count + 8:  # some are under way
                    process.send_signal(signal.SIGTERM)
                    begun = time.monotonic() - 8 * 60 / PER_MINUTE
                    waiting.start()
        waiting.join(_PATIENCE)
        return ended[0] - 8 * 60 / PER_MINUTE if ended else _PATIENCE

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        """Hold the lock of an agent, so that something is under way that does not come to its end."""
        with (self._home / "agents" / AGENTS[0] / ".lock").open("rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _tell(self, message: Message) -> None:
        verdict, after = self._door.tell(message)
        self._verdicts[message] = verdict
        with self._one:  # in a process of its own it would take nobody's time
            after()

    def _refused(self, verdicts: Sequence[Verdict]) -> list[str]:
        """Say what is wrong with the answers to those who came at once: who has no room is told soon."""
        counts = Counter(verdict.what for verdict in verdicts)
        soon = [each for each in verdicts if each.what in _FINE and each.seconds <= _VERDICT]
        print(f"  {len(verdicts)} at once: {dict(counts)}, {len(soon)} of them within a second")
        wrong = [f"at once, {count}: {what}" for what, count in counts.items() if what.startswith("status")]
        return wrong + [f"at once, {len(soon)} were told soon"] * (len(soon) < _TOLD_AT_ONCE * len(verdicts))

    def _watch(self, pid: int) -> None:
        while not self._is_over.wait(0.1):
            with contextlib.suppress(OSError):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                for name in self._grown:
                    line = next((line for line in lines if line.startswith(f"{name}:")), "x 0")
                    self._grown[name] = max(self._grown[name], int(line.split()[1]))

    def _judged(self, told: dict[Message, Verdict]) -> list[str]:
        """Say what is wrong with the answers."""
        counts = Counter(verdict.what for verdict in told.values())
        soon = [v for v in told.values() if v.what in ("answered", "sent away") and v.seconds <= _VERDICT]
        times = sorted(verdict.seconds for verdict in told.values())
        others = [verdict.what for message, verdict in told.items() if message.agent == AGENTS[1]]
        print(
            f"{type(self._door).__name__}: {len(told)} messages in {self._seconds:.0f} s: {dict(counts)}; "
            f"median {times[len(times) // 2]:.2f} s, longest {times[-1]:.2f} s; "
            f"of the other agent's {len(others)}: {dict(Counter(others))}"
        )
        found = []
        if len(soon) < _MOSTLY * len(told):
            found.append(f"{len(soon)} of {len(told)} had an answer, or were sent away, within a second")
        if counts["answered"] < _ANSWERED * self._seconds / 60:
            found.append(f"{counts['answered']} were answered in {self._seconds:.0f} s")
        if others.count("answered") < counts["answered"] / len(told) * len(others):
            found.append("the other agent was answered less often")
        return found + [f"{count}: {what}" for what, count in counts.items() if what.startswith("status")]

    def _kept(self) -> Counter[str]:
        """Count what was said wherever it is kept, once all that waits is taken in."""
        kept: Counter[str] = Counter()
        for agent in AGENTS:
            with almario.open(self._home, agent) as soul:
                for view in soul.sessions.list():
                    kept.update(turn.text for turn in soul.sessions.turns(view.session))
                if isinstance(self._door, Http):
                    kept.update(memory.value for memory in soul.memory.list())
        assert not list((self._home / "spool").glob("*.json")), "something waits on"
        return kept


def _messages(first: int, end: int) -> Iterator[Message]:
    """Make up messages, each with words of its own."""
    for n in range(first, end):
        agent = AGENTS[n % _OTHER == _OTHER - 1]
        event = "stop" if n // 2 % 2 else "user-prompt"
        text = f"Basket {n} holds {n % 97} candles and {n % 89} marbles."
        yield Message(
            n,
            agent,
            f"s{n // 2 % 10}",
            event,
            f"Remember that basket {n} is full." if n % _WISH == 0 and event == "user-prompt" else text,
        )

"""`python -m benchmarks.http_load`: recalls over HTTP, so many a second for a minute, with writers beside.

One `almario serve` answers from an agent with about 10,000 passages; 2,000 different questions are asked at
even intervals, each timed from when it was due. Four writers remember and append all the while. At the end
everything that was acknowledged must be there. `--home` keeps the agent for a second run.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.large import grown
from benchmarks.measuring import environment, percentile
from benchmarks.texts import passages, questions

MEMORIES, TURNS = 7_500, 5_000
QUESTIONS = 2000
PER_SECOND, SECONDS = 100, 60
# So many connections ask, and each of so many writers writes so often a second.
ASKING, WRITERS, WRITES = 12, 4, 2
AGENT = "/api/v1/agents/default"


class Client:
    """One connection that is kept open."""

    def __init__(self, address: str, token: str) -> None:
        self._connection = http.client.HTTPConnection(address.removeprefix("http://"))
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        content = None if body is None else json.dumps(body)
        self._connection.request(method, path, content, self._headers)
        answer = self._connection.getresponse()
        read = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {read[:300]!r}")
        return json.loads(read)


class Load:
    """What is asked and written, and what became of it."""

    def __init__(self, address: str, token: str, seconds: int, rate: int) -> None:
        self._address, self._token, self._rate = address, token, rate
        self._asked = questions(QUESTIONS, passages(TURNS))
        self._due = iter(range(rate * seconds))
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.times: list[float] = []
        self.writing: list[float] = []
        self.kept: list[tuple[str, str]] = []
        self.errors: list[str] = []

    def run(self) -> None:
        self._begun = time.perf_counter() + 0.5
        asking = [threading.Thread(target=self._ask) for _ in range(ASKING)]
        writing = [threading.Thread(target=self._write, args=(number,)) for number in range(WRITERS)]
        for thread in (*asking, *writing):
            thread.start()
        for thread in asking:
            thread.join()
        self._over.set()
        for thread in writing:
            thread.join()

    def _ask(self) -> None:
        client = Client(self._address, self._token)
        while True:
            with self._lock:
                number = next(self._due, None)
            if number is None:
                return
            due = self._begun + number / self._rate
            time.sleep(max(0.0, due - time.perf_counter()))
            try:
                client.ask("POST", f"{AGENT}/recall", {"question": self._asked[number % QUESTIONS]})
            except (OSError, RuntimeError, http.client.HTTPException) as exc:
                self.errors.append(str(exc))
                client = Client(self._address, self._token)
            self.times.append(time.perf_counter() - due)

    def _write(self, writer: int) -> None:
        client, count = Client(self._address, self._token), 0
        while not self._over.wait(1 / WRITES):
            count += 1
            text = f"Writer {writer} saw {count} boats in harbour {writer * 1000 + count}."
            begun = time.perf_counter()
            try:
                if count % 2:
                    made = client.ask(
                        "POST", f"{AGENT}/memories", {"text": f"boats {writer} {count}: {text}"}
                    )
                    self.kept.append(("memory", made["memory"]["id"]))
                else:
                    turn = {"session": f"load:{writer}", "text": text}
                    self.kept.append(("turn", client.ask("POST", f"{AGENT}/turns", turn)["id"]))
            except (OSError, RuntimeError, http.client.HTTPException) as exc:
                self.errors.append(str(exc))
                client = Client(self._address, self._token)
            self.writing.append(time.perf_counter() - begun)

    def lost(self) -> list[str]:
        """Return what was acknowledged and is not there."""
        client = Client(self._address, self._token)
        turns: set[str] = set()
        for writer in range(WRITERS):
            found = client.ask("GET", f"{AGENT}/turns?session=load:{writer}&limit=1000")
            turns |= {turn["id"] for turn in found["items"]}
        gone = [name for kind, name in self.kept if kind == "turn" and name not in turns]
        for kind, name in self.kept:
            if kind == "memory" and client.ask("GET", f"{AGENT}/memories/{name}")["id"] != name:
                gone.append(name)
        return gone


def computed(process: int) -> float:
    """Return for how many seconds a process has computed, where the system tells."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(home: Path, **settings: str) -> Iterator[tuple[str, int]]:
    """Serve a home in a process of its own, with settings as variables; give its address and its id."""
    command = [sys.executable, "-m", "almario", "--home", str(home), "serve", "--port", "0", "--no-daemon"]
    (home / "serve.json").unlink(missing_ok=True)
    process = subprocess.Popen(command, env=environment(ALMARIO_LLM_MODEL="none", **settings))
    try:
        while not (home / "serve.json").exists():
            if process.poll() is not None:
                raise SystemExit("the server did not start")
            time.sleep(0.05)
        yield str(json.loads((home / "serve.json").read_bytes())["url"]), process.pid
    finally:
        process.terminate()
        process.wait()


def measure(home: Path, seconds: int, rate: int) -> None:
    """Print the table of one run."""
    first = questions(20, passages(100))
    with serving(home) as (address, process):
        token = (home / ".token").read_text().strip()
        client = Client(address, token)
        stats = client.ask("POST", f"{AGENT}/do/memory.stats", {})
        for question in first:  # what is loaded once is loaded
            client.ask("POST", f"{AGENT}/recall", {"question": question})
        load = Load(address, token, seconds, rate)
        before = computed(process)
        load.run()
        spent = computed(process) - before
        lost = load.lost()
    print(f"{stats['passages']:,} passages; {rate} recalls/s for {seconds} s; {len(load.writing)} writes")
    print("| | median | p95 | p99 | longest |\n|---|--:|--:|--:|--:|")
    for what, times in (("recall", load.times), ("write", load.writing)):
        shares = [percentile(times, share) for share in (0.5, 0.95, 0.99, 1.0)]
        print(f"| {what} | " + " | ".join(f"{each * 1000:.1f} ms" for each in shares) + " |")
    each = spent / len(load.times) * 1000
    print(f"the server computed for {spent:.1f} s: {each:.0f} ms for each recall, with all that was written")
    print(
        f"errors: {len(load.errors)} {load.errors[:3] or ''}; acknowledged {len(load.kept)}, lost {len(lost)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep the agent here")
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("--rate", type=int, default=PER_SECOND, help="recalls a second")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        home = given.home or Path(place) / "home"
        if not home.exists():
            os.environ.setdefault("ALMARIO_LLM_MODEL", "none")
            grown(home, MEMORIES, TURNS)
        measure(home, given.seconds, given.rate)


if __name__ == "__main__":
    main()

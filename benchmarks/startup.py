"""`python -m benchmarks.startup`: how long commands take as whole processes, in bare starts of Python.

All are run in turn, so that what else the machine does falls on each alike; the
medians are compared.
"""

import contextlib
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import almario
from almario.served import resident_at

RUNS = 21
HOOK = ("hook", "user-prompt")
# Each command, and how many bare starts it may take.
BARS = {
    ("--help",): 5,
    ("goals",): 9,
    ("remember", "The boat needs paint."): 9,
    ("prompt",): 9,
    HOOK: 16,
}
# Through a server that runs, or the process that stays for hooks.
SERVED = 3.3
# So many milliseconds of computing a hook may take by itself while another process answers it.
COMPUTING = 50
_BARE = "pass"
_START = "import sys; from almario.__main__ import main; sys.exit(main())"
_CALL = {"session_id": "1", "cwd": "/src/boat", "hook_event_name": "UserPromptSubmit"}
_INPUTS = {
    HOOK: {**_CALL, "prompt": "Which varnish did we buy for the deck of the boat?"},
    ("hook", "stop"): {**_CALL, "last_assistant_message": "The clear one, and two brushes."},
}


def measured(home: Path, runs: int = RUNS) -> dict[tuple[str, ...], float]:
    """Return how many bare starts each command takes, by their medians; () is a bare start in seconds."""
    almario.create(home).close()
    return _measured(_environment(home), runs, tuple(BARS))


def served(home: Path, runs: int = RUNS) -> dict[tuple[str, ...], float]:
    """Return the same of a hook that a running server answers."""
    environment = _environment(home)
    with _serving(home, environment):
        return _measured(environment, runs, (HOOK,))


def staying(home: Path, runs: int = RUNS) -> tuple[dict[tuple[str, ...], float], float]:
    """Return the same of one that is answered by meaning by the process that the first hook starts.

    And the milliseconds of computing that it takes itself.
    """
    environment = _environment(home) | {"ALMARIO_HOOKS_RESIDENT_MINUTES": "30"}
    del environment["ALMARIO_EMBEDDER_NAME"]
    _run(environment, HOOK)
    try:
        while not resident_at(home)[1]:
            time.sleep(0.05)
        found = _measured(environment, runs, (HOOK,))
        computing = []
        for _ in range(runs):
            before = _computed()
            _run(environment, HOOK)
            computing.append(_computed() - before)
        return found, 1000 * statistics.median(computing)
    finally:
        _run(environment, ("daemon", "stop"))


def _computed() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measured(
    environment: Mapping[str, str], runs: int, commands: tuple[tuple[str, ...], ...]
) -> dict[tuple[str, ...], float]:
    took: dict[tuple[str, ...], list[float]] = {words: [] for words in ((), *commands)}
    for run in range(runs + 1):
        for words, times in took.items():
            seconds = _run(environment, words)
            if words == HOOK:  # the model answers before the next message comes
                _run(environment, ("hook", "stop"))
            if run:  # the first one compiles
                times.append(seconds)
    bare = statistics.median(took[()])
    return {words: statistics.median(each) / bare if words else bare for words, each in took.items()}


def _run(environment: Mapping[str, str], words: tuple[str, ...]) -> float:
    command = [sys.executable, "-c", _START if words else _BARE, *words]
    reply = json.dumps(_INPUTS[words]).encode() if words in _INPUTS else None
    start = time.perf_counter()
    subprocess.run(command, env=environment, input=reply, capture_output=True, check=True)
    return time.perf_counter() - start


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = {"HOME": str(home), "EMBEDDER_NAME": "none", "LLM_MODEL": "none", "HOOKS_RESIDENT_MINUTES": "0"}
    return kept | {f"ALMARIO_{name}": value for name, value in own.items()}


@contextlib.contextmanager
def _serving(home: Path, environment: Mapping[str, str]) -> Iterator[None]:
    command = [sys.executable, "-c", _START, "serve", "--no-daemon", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            while not (home / "serve.json").exists() and server.poll() is None:
                time.sleep(0.05)
            yield
        finally:
            server.send_signal(signal.SIGTERM)


def main() -> None:
    """Print each command beside its bar."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        found = measured(home)
        quick = served(home)
        resident, computing = staying(home)
    print(f"a bare start: {1000 * found[()]:.1f} ms\n")
    print("| command | bare starts | at most |\n|---|---:|---:|")
    for words, most in BARS.items():
        print(f"| `almario {' '.join(words) if words == HOOK else words[0]}` | {found[words]:.1f} | {most} |")
    print(f"| the same through `almario serve` | {quick[HOOK]:.1f} | {SERVED} |")
    print(f"| the same through the process that stays for hooks | {resident[HOOK]:.1f} | {SERVED} |")
    print(f"\nThe last takes {computing:.0f} ms of computing itself; at most {COMPUTING}.")


if __name__ == "__main__":
    main()

"""A PostgreSQL server that falls silent at each point of a hook, a turn and a recall.

No message may be lost that a hook was given, though it is killed after five seconds; nobody waits much
longer than without a fault, and each says so in a sentence.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import get_args

import almario
from proofs.torture.pg_runs import house
from tests import postgres
from tests.cut_wire import Silence, Wire, wire_to

# So many seconds a hook and a command may take longer than right before, with nothing in their way: half a
# second and a bit of it is their own work, of 2.5 and 12. After
# so many a hook is killed, as a coding agent would.
_HOOK, _COMMAND, _KILL = 1.9, 11.4, 5.0
# What is run, and whether it is told something as a hook, as a line, or not at all.
_RUNS = {
    "hook": ["hook", "user-prompt", "--client", "claude-code"],
    "turn": ["chat"],
    "recall": ["recall", "boat"],
}


class Tried:
    """How one run went: what it said, how long it took, and how often it spoke to the server."""

    def __init__(self, name: str, text: str, wire: Wire, environment: Mapping[str, str]) -> None:
        spoken, since = wire.spoken, monotonic()
        payload = {"session_id": "s1", "cwd": "/tmp", "prompt": text}
        told = json.dumps(payload) if name == "hook" else text
        command = [sys.executable, "-m", "almario", *_RUNS[name]]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)
        ends = _KILL if name == "hook" and wire.silent_after is not None else None
        try:
            self.out, self.err = process.communicate(told, timeout=ends)
        except subprocess.TimeoutExpired:
            process.kill()
            self.out, self.err = process.communicate()
        self.seconds, self.points = monotonic() - since, wire.spoken - spoken


def run(rounds: int) -> list[str]:
    """Let the server fall silent at so many points of each, or at all; return which promises it breaks."""
    with house() as (cluster, _), tempfile.TemporaryDirectory() as name, ExitStack() as undo:
        url, folder = postgres.as_in_settings(cluster.url), Path(name)
        with almario.create(folder / "home", store=url) as soul:
            soul.remember("boat: the Gaviota lies in Cádiz")
        wire, far = undo.enter_context(wire_to(url, folder / "wire"))
        environment = {
            **os.environ,
            "ALMARIO_STORE": postgres.as_in_settings(far),
            "ALMARIO_HOME": str(folder / "home"),
            "ALMARIO_LLM_MODEL": "none",
            "ALMARIO_HOOKS_RESIDENT_MINUTES": "0",
        }
        given: list[str] = []
        problems = [each for name in _RUNS for each in _silenced(name, rounds, wire, environment, given)]
        return problems + _lost(given, folder / "home", url)


def _silenced(
    name: str, rounds: int, wire: Wire, environment: Mapping[str, str], given: list[str]
) -> list[str]:
    """Silence the server at points of one command; return what it did that it may not.

    What hooks are told is added to what is *given*.
    """
    whole = Tried(name, f"{name} with nothing in its way", wire, environment)
    points = range(0, whole.points, max(1, whole.points // (rounds or whole.points)))
    limit, problems, worst = (_HOOK if name == "hook" else _COMMAND), list[str](), 0.0
    for silence in get_args(Silence):
        for point in points:
            whole = Tried(name, f"{name}, nothing in its way, before {silence} {point}", wire, environment)
            wire.silence, wire.silent_after = silence, wire.spoken + point
            tried = Tried(name, text := f"{name} {silence} {point}", wire, environment)
            given += [text] * (name == "hook")
            wire.silent_after = None
            longer = tried.seconds - whole.seconds
            worst = max(worst, longer)
            if longer > limit:
                problems.append(f"{name}, not {silence} at {point}: it took {longer:.1f} s longer")
            if "Traceback" in tried.err or tried.err.count("Error: ") > 1:
                problems.append(f"{name}, not {silence} at {point}: it said {tried.err}")
    count = 2 * len(points)
    print(
        f"{name}: {whole.seconds:.1f} s; silenced at {count} points, {worst:.1f} s longer at most", flush=True
    )
    return problems


def _lost(given: Collection[str], home: Path, url: str) -> list[str]:
    """Return which messages to a hook are not in the store once, when all that waits is taken in."""
    waiting = [json.loads(path.read_text())["text"] for path in (home / "spool").glob("*.json")]
    with almario.open(home, "default", store=url) as soul:
        turns = [turn for view in soul.sessions.list() for turn in soul.sessions.turns(view.session)]
    said = [turn.text for turn in turns if turn.role == "user"]
    wanted = {*given, *waiting}
    print(f"{len(waiting)} waited in the spool, {len(wanted)} were told", flush=True)
    return [f'"{text}" is there {said.count(text)} times' for text in wanted if said.count(text) != 1]

"""`make bench`: how fast, on this machine, against a baseline of the same run."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, timedelta
from pathlib import Path

import almario
from almario.domain.events import AgentCreated, Event
from almario.domain.journal_lines import encode, seal
from almario.store.folder import FolderStore
from almario.store.journal import ROLL_BYTES, Appender, FolderJournal
from benchmarks import speed, turns
from benchmarks.measuring import HEAD, compare, environment, now, program

EVENTS = 100_000
APPENDS = 200


def appending(folder: Path) -> None:
    """Append through the journal, and through the whole vault, against a bare write and fsync."""
    body = AgentCreated("a name of an ordinary length", "x" * 100)
    line = b"x" * 300 + b"\n"

    def bare() -> None:
        descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for _ in range(APPENDS):
            os.write(descriptor, line)
            os.fsync(descriptor)
        os.close(descriptor)

    def journal() -> None:
        with closing(Appender(FolderJournal(folder / "journal", now))) as appender:
            for _ in range(APPENDS):
                appender.append(body, actor="owner")

    (folder / "agent").mkdir()
    vault = FolderStore(folder / "agent", now, UTC)

    def whole() -> None:
        for _ in range(APPENDS):
            vault.record(body, actor="owner")

    named = "bare write + fsync"
    compare("appends, in one open write", journal, bare, named=named, count=APPENDS)
    compare("appends, each with its own lock and look at the folder", whole, bare, named=named, count=APPENDS)


def opening(folder: Path) -> None:
    """Open an agent with a long journal, against reading every line of it."""
    soul = almario.create(folder / "home")
    fill_journal(soul.path / "journal")
    paths = sorted((soul.path / "journal").glob("*.jsonl"))

    def all_lines() -> None:
        for path in paths:
            for line in path.read_bytes().splitlines():
                json.loads(line)

    size = sum(path.stat().st_size for path in paths) / 1e6
    what = f"opening an agent with {EVENTS:,} events ({size:.0f} MB)"
    compare(what, lambda: almario.open(folder / "home"), all_lines, named="json.loads of every line", runs=5)
    compare("checking that whole journal", soul.check, all_lines, named="json.loads of every line", runs=3)


def fill_journal(folder: Path) -> None:
    """Add events up to the wanted number, in files of the usual size."""
    [path] = folder.glob("*.jsonl")
    seq = path.read_bytes().count(b"\n")
    file = path.open("ab")
    while seq < EVENTS:
        if file.tell() >= ROLL_BYTES:
            file.close()
            file = (folder / f"{seq + 1:09d}.jsonl").open("ab")
        seq += 1
        body = AgentCreated(f"name {seq}", "x" * 100)
        event = Event(
            seq=seq, id=f"{seq:016x}", at=now(), host="here", actor="owner", body=body, filed=seq - 1
        )
        file.write(seal(encode(event).encode()))
    file.close()


def commands(folder: Path) -> None:
    """Run whole commands on an agent with 200 facts and a year of daily logs."""
    soul = almario.create(folder / "year")
    facts = "".join(f"## key {n}\n\n- the value of fact number {n}\n\n" for n in range(200))
    (soul.path / "MEMORY.md").write_text(facts)
    (soul.path / "memory").mkdir()
    for back in range(365):
        day = (now().date() - timedelta(days=back)).isoformat()
        lines = "".join(f"- [10:{n:02d}] something that happened, number {n}\n" for n in range(15))
        (soul.path / f"memory/{day}.md").write_text(f"# Memory Log: {day}\n\n{lines}")

    def runner(*command: str) -> Callable[[], object]:
        return lambda: subprocess.run(
            command, env=environment(ALMARIO_HOME=str(folder / "year")), capture_output=True, check=True
        )

    base = runner(sys.executable, "-c", "import click")
    for command in (("--help",), ("prompt",), ("soul", "history", "SOUL"), ("goals",)):
        what = f"`almario {' '.join(command)}`, whole process"
        compare(what, runner(program("almario"), *command), base, named="python -c 'import click'")


def main() -> None:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{machine}, Python {platform.python_version()}\n")
    print(HEAD)
    for measure in (appending, opening, commands, *speed.MEASURES, *turns.MEASURES):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))


if __name__ == "__main__":
    main()

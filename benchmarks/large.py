"""`python -m benchmarks.large`: an agent of many years, 100,000 memories and 300,000 turns.

Its journal and transcripts are written directly, as a life of learning would
have left them; then a fresh process each does one thing, and the time that it
computes is printed beside its bar. `--home` keeps the agent for a second run,
`--agents` measures a daemon that keeps a thousand agents instead.
"""

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import almario
from almario.domain.events import Event, Flush, MemoriesChanged
from almario.domain.journal_lines import encode, seal
from almario.domain.memories import Change
from almario.domain.turns import Role, Turn, encode_turn, transcript_name
from almario.store.journal import ROLL_BYTES
from almario.wiring.daemon_parts import housekeeping
from benchmarks.chance import embedding_by_chance
from benchmarks.measuring import batched, environment, now
from benchmarks.texts import passages, questions

MEMORIES = 100_000
# So many turns each was learned from.
TURNS = 3
IN_SESSION, IN_LINE = 100, 5
# A fact is forgotten after a year, unless it is renewed.
DAYS = 300
RUNS = 5
AGENTS = 1000


def grown(home: Path, memories: int, turns: int) -> None:
    """Make the agent; what is derived is made too, with vectors by chance."""
    soul = almario.create(home)
    sessions = max(1, turns // IN_SESSION)
    gap = timedelta(days=DAYS) / sessions
    begun = now() - timedelta(days=DAYS)
    texts = batched(passages(turns), IN_SESSION)
    facts = batched(passages(memories, seed=3, words=12), -(-memories // sessions))
    folder = soul.path / "sessions"
    folder.mkdir(exist_ok=True)
    lines: list[Event] = []
    seq = (soul.path / "journal" / "000000001.jsonl").read_bytes().count(b"\n")
    for number, said in enumerate(texts):
        at, session = begun + gap * number, f"talk:{number}"
        told = [
            Turn(session, n, at + timedelta(minutes=n), *_speaker(n), text, ("agent", "owner")[n % 2])
            for n, text in enumerate(said, 1)
        ]
        content = b"".join(seal(encode_turn(turn).encode()) for turn in told)
        (folder / transcript_name(session)).write_bytes(content)
        for body in _lessons(session, next(facts, ())):
            seq += 1
            lines.append(Event(seq, f"{seq:016x}", at, "here", "agent", body, seq - 1))
    _write_journal(soul.path / "journal", lines)
    with embedding_by_chance():
        soul.memory.reindex()
    soul.close()


def _speaker(n: int) -> tuple[Role, str]:
    return ("user", "") if n % 2 else ("assistant", "")


def _lessons(session: str, facts: Sequence[str]) -> Iterator[MemoriesChanged]:
    """Yield what was learned from a session, a few facts a line."""
    chance = random.Random(session)
    groups = list(batched(facts, IN_LINE))
    for place, group in enumerate(groups):
        start, end = (IN_SESSION * each // len(groups) for each in (place, place + 1))
        flush: Flush = {"session": session, "from": start, "to": end, "outcome": "extracted", "summary": ""}
        yield MemoriesChanged("learned", tuple(_fact(text, chance, session) for text in group), flush=flush)


def _fact(text: str, chance: random.Random, session: str) -> Change:
    said_so = chance.random() < 0.2
    fields = {
        "key": f"subject {chance.randrange(5000)}",
        "value": text,
        "kind": "profile" if said_so else "fact",
        "source": "explicit" if said_so else "auto",
        "origin": "owner",
    }
    return {
        "id": f"{chance.getrandbits(48):012x}",
        "set": fields,
        "evidence": [f"{session}#{chance.randrange(100) + 1}"],
    }


def _write_journal(folder: Path, events: Sequence[Event]) -> None:
    file = (folder / "000000001.jsonl").open("ab")
    for event in events:
        if file.tell() >= ROLL_BYTES:
            file.close()
            file = (folder / f"{event.seq:09d}.jsonl").open("ab")
        file.write(seal(encode(event).encode()))
    file.close()


def computing(home: Path, doing: str, before: str = "pass") -> float:
    """Do something with the agent in a fresh process; return for how many seconds that computes."""
    code = (
        f"import time, almario; begun = time.process_time(); soul = almario.open(); {before}; "
        f"at = time.process_time(); {doing}; "
        f"print(time.process_time() - {'begun' if doing == 'pass' else 'at'})"
    )
    command, variables = [sys.executable, "-c", code], environment(ALMARIO_HOME=str(home))
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def years(home: Path, size: str) -> None:
    """Print what the agent of many years costs: each time in a fresh process, modules and models included."""
    [asked] = questions(1, passages(100))
    one = "soul.remember(f'dentist {time.time()}: every spring')"
    for what, bar, doing, before in (
        ("open", 0.3, "pass", "pass"),
        ("first recall, by words and meaning", 1.5, f"soul.recall({asked!r})", "pass"),
        ("prompt", 0.3, "soul.prompt()", "pass"),
        ("closing after one remember", 1.0, "soul.close()", one),
    ):
        computing(home, doing, before)  # what came before is taken in, and the disk's cache is warm
        took = statistics.median(computing(home, doing, before) for _ in range(RUNS))
        print(f"| {size}: {what} | {took:.2f} s | {bar} s |", flush=True)


def thousand(folder: Path) -> None:
    """Print what a daemon of a thousand agents holds, and what a round costs in which nothing happens."""
    home = folder / "home"
    almario.create(home, "agent0").close()
    for number in range(1, AGENTS):
        shutil.copytree(home / "agents" / "agent0", home / "agents" / f"agent{number}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    kept = housekeeping(home)
    kept.state.begin(os.getpid())
    kept.rounds.make()
    begun = time.process_time()
    kept.rounds.make()
    took, held = time.process_time() - begun, len(os.listdir("/dev/fd"))
    failed = sum(kept.state.job(agent, "open").outcome == "failed" for agent in os.listdir(home / "agents"))
    what = f"{AGENTS:,} agents in a daemon"
    print(f"| {what}: descriptors, threads | {held}, {threading.active_count()} | 1,024 |")
    print(f"| {what}: not opened | {failed} | 0 |")
    print(f"| {what}: a round, once a minute, in which nothing happens | {took:.1f} s | |", flush=True)
    kept.rounds.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="where the agent is, or is to be kept")
    parser.add_argument("--memories", type=int, default=MEMORIES, help="default: %(default)s")
    parser.add_argument("--agents", action="store_true", help="measure a daemon of a thousand agents instead")
    chosen = parser.parse_args()
    print("| what | computing | bar |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        if chosen.agents:
            thousand(Path(folder))
            return
        home = chosen.home or Path(folder) / "home"
        if not home.exists():
            grown(home, chosen.memories, chosen.memories * TURNS)
        years(home, f"{chosen.memories:,} memories, {chosen.memories * TURNS:,} turns")


if __name__ == "__main__":
    main()

"""`python -m benchmarks.large`: an agent of many years, 100,000 memories and 300,000 turns.

Its journal and transcripts are written directly, as a life of learning would
have left them; then one fresh process each does one thing, and the time that
it computes is printed beside its bar. `--home` keeps the agent for a second run.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import almario
from almario.domain.events import Event, Flush, MemoriesChanged
from almario.domain.journal_lines import encode, seal
from almario.domain.memories import Change, written
from almario.domain.turns import Turn, encode_turn, transcript_name
from almario.store.journal import ROLL_BYTES
from benchmarks.chance import embedding_by_chance
from benchmarks.measuring import batched, environment, now
from benchmarks.texts import passages, questions

MEMORIES, TURNS = 100_000, 300_000
IN_SESSION, IN_LINE = 100, 5
# A fact is forgotten after a year, unless it is renewed.
DAYS = 300
RUNS = 3


def grown(home: Path, memories: int = MEMORIES, turns: int = TURNS) -> None:
    """Make the agent; what is derived is made too, with vectors by chance."""
    soul = almario.create(home)
    sessions = max(1, turns // IN_SESSION)
    gap = timedelta(days=DAYS) / sessions
    begun = now() - timedelta(days=DAYS)
    texts = batched(passages(turns), IN_SESSION)
    facts = batched(passages(memories, seed=3, words=12), max(1, memories // sessions))
    folder = soul.path / "sessions"
    folder.mkdir(exist_ok=True)
    lines: list[Event] = []
    seq = (soul.path / "journal" / "000000001.jsonl").read_bytes().count(b"\n")
    for number, (said, learned) in enumerate(zip(texts, facts, strict=False)):
        at, session = begun + gap * number, f"talk:{number}"
        told = [
            Turn(session, n, at + timedelta(minutes=n), *_speaker(n), text, ("agent", "owner")[n % 2])
            for n, text in enumerate(said, 1)
        ]
        content = b"".join(seal(encode_turn(turn).encode()) for turn in told)
        (folder / transcript_name(session)).write_bytes(content)
        for body in _lessons(session, learned, number):
            seq += 1
            lines.append(Event(seq, f"{seq:016x}", at, "here", "agent", body, seq - 1))
    _write_journal(soul.path / "journal", lines)
    with embedding_by_chance():
        soul.memory.reindex()
    soul.close()


def _speaker(n: int) -> tuple[str, str]:
    return (("assistant", "user")[n % 2], "")


def _lessons(session: str, facts: Sequence[str], number: int) -> Iterator[MemoriesChanged]:
    """Yield what was learned from a session, a few facts a line."""
    chance = random.Random(session)
    groups = list(batched(facts, IN_LINE))
    for place, group in enumerate(groups):
        start, end = (IN_SESSION * each // len(groups) for each in (place, place + 1))
        flush: Flush = {"session": session, "from": start, "to": end, "outcome": "extracted", "summary": ""}
        yield MemoriesChanged(
            "learned", tuple(_fact(text, chance, session, number) for text in group), flush=flush
        )


def _fact(text: str, chance: random.Random, session: str, number: int) -> Change:
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


_MEASURES = {
    "open": ("pass", "", 0.3),
    "first recall": ("soul.recall({asked!r})", "", 1.5),
    "prompt": ("soul.prompt()", "", 0.3),
    "closing after one remember": ("soul.close()", "soul.remember('dentist: every spring {number}')", 1.0),
}


def cpu_of(doing: str, home: Path, *, before: str = "") -> float:
    """Do something with the agent in a fresh process; return for how long that computes, in seconds."""
    said = "opened" if doing == "open" else "at"
    code = (
        "import time, almario; opened = time.process_time(); soul = almario.open(); "
        f"{before or 'pass'}; at = time.process_time(); {'pass' if doing == 'open' else doing}; "
        f"print(time.process_time() - {said})"
    )
    variables = environment(ALMARIO_HOME=str(home))
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return float(done.stdout.split()[-1])

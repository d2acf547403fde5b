"""Agents with as much in them as a measurement needs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import almario
from benchmarks.measuring import batched, now
from benchmarks.texts import passages

TURNS = 100
_YEARS = 2


def talked(home: Path, texts: Sequence[str], settings: Mapping[str, Any] | None = None) -> almario.Soul:
    """Make an agent that was told the texts in sessions of a hundred turns, over two years."""
    soul = almario.create(home, settings=settings)
    sessions = list(batched(texts, TURNS))
    gap = timedelta(days=365 * _YEARS) / max(1, len(sessions))
    for number, turns in enumerate(sessions):
        at = now() - gap * (len(sessions) - number)
        soul.memory.append(
            f"talk:{number}", [_said(text, n, at + timedelta(minutes=n)) for n, text in enumerate(turns)]
        )
    return soul


def _said(text: str, n: int, at: datetime) -> almario.Utterance:
    if n % 2:
        return almario.Utterance("assistant", text, "agent", at=at)
    return almario.Utterance("user", text, "owner", at=at)


def facts(count: int, *, seed: int = 3) -> Iterator[str]:
    """Yield made-up facts of about twelve words, "key: value", under a twentieth as many keys."""
    for number, text in enumerate(passages(count, seed=seed, words=12)):
        yield f"subject {number % max(1, count // 20)}: {text}"


def remembering(home: Path, count: int) -> almario.Soul:
    """Make an agent that remembers so many facts; they come in as an import does."""
    soul = almario.create(home)
    soul.remember(next(facts(1)))
    first = soul.memory.export()[0]
    lines = []
    for number, fact in enumerate(facts(count - 1)):
        key, _, value = fact.partition(": ")
        lines.append(json.dumps({**json.loads(first), "id": f"{number:012x}", "key": key, "value": value}))
    soul.memory.import_lines(lines)
    soul.memory.settle()
    return soul

"""python -m benchmarks.harm: what is lost, left out, marked or hidden of what nobody asked to lose.

- everyday: 400 harmless sentences, English and Spanish: what is destroyed, what is suspected
- pairs: two facts under one key, unrelated or a true change: what comes of both for a question
- dialogues: confidences, announcements, taking back, and what is to be kept between them
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from almario.testing import FixedClock, ScriptedLLM
from almario.text.redaction import redact
from tests.memory_store import MemoryStore
from tests.souls import soul_on

_AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
_SESSION = "cli:main"


def rows(name: str) -> Iterator[dict[str, Any]]:
    for line in Path(__file__).with_name(f"{name}.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)


def everyday() -> Counter[str]:
    found = Counter[str]()
    for row in rows("everyday"):
        hidden = redact(row["text"])
        destroyed = hidden.whole != row["text"]
        found["destroyed" if destroyed else "suspected" if hidden.suspected else "left alone"] += 1
    return found


def pairs() -> Counter[str]:
    """Tell both facts, some days apart; then ask what the first answers, or for the value of now."""
    found = Counter[str]()
    for row in rows("pairs"):
        clock, kind = FixedClock(_AT), row["kind"]
        with soul_on(MemoryStore(clock)) as soul:
            soul.remember(row["key"], row["first"])
            clock.advance(days=row["days_between"])
            soul.remember(row["key"], row["second"])
            clock.advance(days=1)
            prompt = soul.prompt(row["question"]).text
            hits = [hit.text for hit in soul.recall(row["question"], limit=10, min_score=0.0)]
        line = next((each for each in prompt.splitlines() if row["first"] in each), "")
        places = [
            next((n for n, text in enumerate(hits) if row[each] in text), 99) for each in ("first", "second")
        ]
        found[f"{kind}: all"] += 1
        found[f"{kind}: the older is in the prompt"] += bool(line)
        found[f"{kind}: the older is marked"] += "told earlier: " in line
        found[f"{kind}: the newer is found first"] += places[1] < places[0]
    return found


def dialogues() -> Counter[str]:
    """Hold each dialogue, end its session, and see what is left of each message; no model judges."""
    found = Counter[str]()
    for row in rows("dialogues"):
        clock = FixedClock(_AT)
        model = ScriptedLLM(*["Fine."] * 60)
        with soul_on(MemoryStore(clock), {"flush.enabled": False}, llm=model) as soul:
            for turn in row["turns"]:
                soul.talk(turn["text"], _SESSION)
                clock.advance(minutes=1)
            soul.end_session(_SESSION)
            turns = [turn for turn in soul.sessions.turns(_SESSION) if turn.role == "user"]
            out = soul.memory.out_of_mind()
            states = {turn.text: "set aside" if turn.id in out else "kept" for turn in turns}
        for turn in row["turns"]:
            found[f"{turn['label']}: {states.get(turn['text'], 'erased')}"] += 1
    return found


if __name__ == "__main__":
    for measure in (everyday, pairs, dialogues):
        for name, count in sorted(measure().items()):
            print(f"{measure.__name__:10} {name:45} {count:4}")

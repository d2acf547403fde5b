"""What must be so after processes that talked and learned were killed.

Transcripts and journal are read here as plain lines, without the product's
readers. The model learns one fact from each message, so that what must have
been learned is known from the messages alone.
"""

import contextlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import almario
from almario.domain.memories import OWN_PASSAGE, STATES, Memory, Wanted, same_key, same_value
from almario.domain.turns import transcript_name
from almario.soul import Soul
from almario.store.replacing import is_copy
from almario.testing import ScriptedLLM
from proofs.torture.talking import CHANGED, SETTINGS, Model, basket_in

Line = Mapping[str, Any]


class Acknowledged(NamedTuple):
    """What processes were told: turns, ids of memories, facts that a tool kept; and errors."""

    turns: Sequence[tuple[str, int, str, str]] = ()
    memories: Sequence[str] = ()
    facts: Sequence[str] = ()
    troubles: Sequence[str] = ()


def read_acknowledged(path: Path) -> Acknowledged:
    """Read what a process has acknowledged."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    turns = [tuple(line["turn"]) for line in lines if "turn" in line]
    return Acknowledged(turns, [line["memory"] for line in lines if "memory" in line])


def problems_after(home: Path, acknowledged: Acknowledged, *, apart: bool = True) -> list[str]:
    """Open the agent as the next process would, and say what was promised and is not so.

    First of all it is verified: *apart*, by the command in a process of its own.
    """
    found = [f"a process met {trouble}" for trouble in dict.fromkeys(acknowledged.troubles)]
    found += verified(home) if apart else []
    llm = ScriptedLLM(Model(random.Random(0), is_sound=True))
    with almario.open(home, settings=SETTINGS, llm=llm) as soul:
        found += [f"{damage.place} {damage.problem}" for damage in soul.memory.verify()]
        found += [f"{path.name} was left behind" for path in soul.path.rglob("*") if is_copy(path.name)]
        found += _said(soul, acknowledged)
        found += _kept(soul, acknowledged)
        soul.flush()
        found += _learned(soul)
        found += [f"{damage.place} {damage.problem}, once all is learned" for damage in soul.memory.verify()]
        found += [
            f"{each.session} has {each.waiting} messages that wait, {each.lost} without an outcome"
            for each in soul.memory.outcomes()
            if each.waiting or each.lost
        ]
        found += indexed(soul)
    return found


def verified(home: Path, *agents: str) -> list[str]:
    """Return what `almario doctor` complains about, in a process of its own for each agent."""
    return [problem for agent in agents or ("default",) for problem in _verified(home, agent)]


def _verified(home: Path, agent: str) -> list[str]:
    command = [sys.executable, "-m", "almario", "doctor", "--agent", agent]
    environment = {**os.environ, "ALMARIO_HOME": str(home), "ALMARIO_LLM_MODEL": "none"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=60)
    return [] if done.returncode == 0 else [f"almario doctor: {done.stdout}{done.stderr}"]


def _said(soul: Soul, acknowledged: Acknowledged) -> Iterator[str]:
    """Every acknowledged turn is there once, as it was said, and no number is missing or given out twice."""
    for view in soul.sessions.list():
        turns = transcript(soul.path, view.session)
        yield from _numbered(view.session, turns)
        read = [(turn.n, turn.text) for turn in soul.sessions.turns(view.session)]
        if read != sorted(turns.items()):
            yield f"{view.session} is not read as it is written"
    kept = {session: transcript(soul.path, session) for session in {turn[0] for turn in acknowledged.turns}}
    for session, n, _, text in acknowledged.turns:
        if kept[session].get(n) != text:
            yield f"{session}#{n} was {text!r}, and is {kept[session].get(n)!r}"
    given = Counter((session, n) for session, n, _, _ in acknowledged.turns)
    yield from (f"{turn} was given out {count} times" for turn, count in given.items() if count > 1)


def _numbered(session: str, turns: Mapping[int, str]) -> Iterator[str]:
    if sorted(turns) != list(range(1, len(turns) + 1)):
        yield f"{session} has not all its turns: {len(turns)}, the last is {max(turns)}"


def transcript(root: Path, session: str) -> dict[int, str]:
    """Return the text of every turn of a session; one that is there twice and not the same is not told."""
    found: dict[int, set[str]] = {}
    for folder in (root / "sessions" / "archive", root / "sessions"):
        path = folder / transcript_name(session)
        for line in _lines(path) if path.exists() else ():
            found.setdefault(line["n"], set()).add(line["text"])
    return {n: texts.pop() if len(texts) == 1 else f"several: {texts}" for n, texts in found.items()}


def _kept(soul: Soul, acknowledged: Acknowledged) -> Iterator[str]:
    """Every acknowledged fact is in use, or another that says the same or more took its place."""
    every = {memory.id: memory for memory in soul.memory.list(Wanted(states=STATES))}
    for name in set(acknowledged.memories):
        if name not in every:
            yield f"memory {name} was acknowledged, and is not there"
        elif not _heir(every[name], every).is_live:
            yield f"{every[name].text!r} is {every[name].state}, and nothing is in its place"
    values = {memory.value for memory in every.values()}
    yield from (
        f"{fact!r} was kept by a tool, and is gone" for fact in acknowledged.facts if fact not in values
    )


def _heir(memory: Memory, every: Mapping[str, Memory]) -> Memory:
    while memory.state == "superseded" and memory.by in every:
        memory = every[memory.by]
    return memory


def _learned(soul: Soul) -> Iterator[str]:
    """Every message was learned from once, in order, and its fact is known."""
    events = [line for path in sorted((soul.path / "journal").glob("*.jsonl")) for line in _lines(path)]
    every = soul.memory.list(Wanted(states=STATES))
    live = Counter(
        (same_key(each.key), same_value(each.value))
        for each in every
        if each.is_live and each.kind in OWN_PASSAGE
    )
    yield from (f"{fact} is in use {count} times" for fact, count in live.items() if count > 1)
    yield from _chained(events)
    yield from _made_once(events)
    yield from _filed(soul.path, events)
    yield from _merged(events, {each.id: each for each in every})
    known = {(turn, basket_in(each.value)) for each in every for turn in each.evidence}
    for view in soul.sessions.list():
        for n, text in transcript(soul.path, view.session).items():
            fact = basket_in(text)
            if fact and (f"{view.session}#{n}", fact) not in known and not _is_answer(text):
                yield f"nothing was learned from {view.session}#{n}: {text!r}"


def indexed(soul: Soul) -> Iterator[str]:
    """What is derived is what it would be if it were made anew."""
    soul.memory.settle()
    before, exported = soul.memory.stats(), soul.memory.export()
    soul.memory.reindex()
    after = soul.memory.stats()
    if (before, exported) != (after, soul.memory.export()):
        yield f"the index was {before}, and made anew it is {after}"


def _is_answer(text: str) -> bool:
    return text.startswith(("Kept", "Known already"))


def _chained(events: Sequence[Line]) -> Iterator[str]:
    """The lines that learned from a session follow each other without gap or overlap."""
    ends: dict[str, int] = {}
    for flush in (event["flush"] for event in events if event.get("flush")):
        session, end = flush["session"], ends.get(flush["session"], 0)
        if flush["from"] != end:
            yield f"{session} was learned from up to {end}, then from {flush['from']} on"
        ends[session] = flush["to"]


def _made_once(events: Sequence[Line]) -> Iterator[str]:
    """No turn has made the same memory in two lines."""
    made: Counter[tuple[str, str, str]] = Counter()
    for event in events:
        for change in event.get("changes", ()):
            fields = change.get("set", {})
            if "value" in fields and event.get("flush"):
                made.update((turn, fields["kind"], fields["value"]) for turn in change.get("evidence", ()))
    yield from (f"{each} was learned {count} times" for each, count in made.items() if count > 1)


def _merged(events: Sequence[Line], every: Mapping[str, Memory]) -> Iterator[str]:
    """Of two memories that were found to say the same or to contradict each other, one gave way or may."""
    made = [event for event in events if event["type"] == "proposal.made"]
    proposed = {change["id"] for event in made for change in event["changes"]}
    # What is marked as left as it is, or until one of them begins, is named with a remark.
    judged = [pair for event in events for pair in event.get("judged", ()) if " " not in pair]
    for pair in judged:
        two = sorted((every[name] for name in pair.split("+")), key=lambda each: (each.valid_from, each.at))
        older, newer = (basket_in(each.value) for each in two)
        gives_way = older == newer or (older and newer and older[0] == newer[0] and CHANGED in two[1].value)
        if gives_way and all(each.is_live and each.id not in proposed for each in two):
            yield f"{two[0].value!r} was compared with {two[1].value!r}, and nothing came of it"


def _filed(root: Path, events: Sequence[Line]) -> Iterator[str]:
    """Every text that the journal owes to a file is there, as often as it is owed."""
    owed = Counter(
        (filing["path"], filing["text"].strip()) for event in events for filing in event.get("filings", ())
    )
    there: dict[str, Counter[str]] = {}
    for path in {path for path, _ in owed}:
        there[path] = Counter((root / path).read_text().splitlines()) if (root / path).exists() else Counter()
    for (path, text), count in owed.items():
        if there[path][text] != count:
            yield f"{path} has {text!r} {there[path][text]} times, and owes it {count} times"


def _lines(path: Path) -> Iterator[Line]:
    """Yield what the lines of a file say; the product itself must tell of one that is none."""
    for line in path.read_bytes().split(b"\n"):
        with contextlib.suppress(ValueError):
            yield json.loads(line)

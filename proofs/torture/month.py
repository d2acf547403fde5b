"""A month of nights, killed at any step of writing: what it ends in is what it ends in unkilled.

An agent writes its log, and a daemon lets it reflect each night, on a clock
that is moved by hand; its model answers the same whenever it is asked the same.
"""

import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import almario
from almario.becoming.reflecting import Reflection
from almario.domain.soul_events import ReflectionBegun, ReflectionEnded
from almario.domain.talk import Ask
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring import listed_agents
from almario.wiring.daemon_parts import housekeeping
from proofs.torture.fuses import killed_at
from proofs.torture.mirror import own_folder

# Each month has a change of the clock in it, at another hour of the night and in both directions.
MONTHS = (
    ("Europe/Madrid", date(2026, 3, 15)),
    ("America/Santiago", date(2026, 3, 25)),
    ("Australia/Lord_Howe", date(2026, 9, 20)),
    ("America/New_York", date(2026, 10, 20)),
)
NIGHTS = 30
FAULTS = ("another-name",)
_SETTINGS = {"watch.enabled": False, "backup.enabled": False}
_WALKED = re.compile(r"Walked (\d+) km|I walk on: (\d+)\.")
# Also what was changed: what stood there when a run was begun anew is no change.
_MARKER = re.compile(r"<!-- almario .* -->|(?m:^(?:Changes|- changed): .*)")
_LABEL = re.compile(r"\[(L\d+|D\d+)\]")


class Month(NamedTuple):
    """Where the owner is, the first night, and how many there are."""

    zone: str
    first: date
    nights: int = NIGHTS

    def hours(self) -> Iterator[tuple[datetime, int]]:
        """Yield each moment at which something happens: the how manieth walk is logged, or 0, a round."""
        for number in range(self.nights):
            day = self.first + timedelta(days=number)
            yield self._at(day - timedelta(days=1), time(20)), number + 1
            for minutes in (3 * 60 + 29, 3 * 60 + 31, 12 * 60):
                yield self._at(day, time(minutes // 60, minutes % 60)), 0

    def _at(self, day: date, clock: time) -> datetime:
        return datetime.combine(day, clock, ZoneInfo(self.zone)).astimezone(UTC)


def run(rounds: int = 100, fault: str = "none", *, seed: int = 0, nights: int = NIGHTS) -> list[str]:
    """Return what went wrong in the first month in which something did, of so many that were killed."""
    plant(fault)
    chance, months = random.Random(seed), [Month(*each, nights) for each in MONTHS[:rounds]]
    with own_folder() as folder:
        whole: list[tuple[int, dict[str, Any]]] = []
        for month in months:
            home = folder / "whole"
            steps = _lived(month, home)
            whole.append((steps, _state(month, home)))
            if found := _wrong(month, home):
                return [f"{month.zone}, unkilled: {problem}" for problem in found]
            shutil.rmtree(home)
        for number in range(rounds):
            month, (steps, wanted) = months[number % len(months)], whole[number % len(months)]
            home, step = folder / "killed", chance.randint(1, steps)
            _lived(month, home, step)
            _lived(month, home)
            if found := [*_wrong(month, home), *_difference(wanted, _state(month, home))]:
                return [f"{month.zone}, killed at step {step} of {steps}: {problem}" for problem in found]
            shutil.rmtree(home)
    told = ", ".join(f"{month.zone} {steps}" for month, (steps, _) in zip(months, whole, strict=True))
    print(
        f"{rounds} months of {nights} nights, each killed at a step of writing (of: {told}) and gone on with"
    )
    return []


def plant(fault: str) -> None:
    """Take a safeguard out: that what a reflection applied which was stopped is known by its name."""
    if fault == "another-name":
        Reflection._name = lambda self, day: f"{day}-{os.getpid()}"  # type: ignore[method-assign]


def _lived(month: Month, home: Path, step: int = 0) -> int:
    """Live a month, or go on with it, up to a step of writing or to the end; return how many there were."""
    return killed_at(step, lambda: _live(month, home))


def _live(month: Month, home: Path) -> None:
    hours = list(month.hours())
    clock, settings = FixedClock(hours[0][0]), {**_SETTINGS, "timezone": month.zone}
    if not any(agent.id == "default" for agent in listed_agents(home)):
        almario.create(home, clock=clock, settings=settings).close()
    with almario.open(home, clock=clock, settings=settings) as soul:
        night = soul.reflection.latest()
    upkeep = housekeeping(home, settings=settings, clock=clock, llm=ScriptedLLM(_answer))
    upkeep.state.begin(1)
    for clock.now, walk in hours:
        if night and clock().astimezone(ZoneInfo(month.zone)).date() < night.day:
            continue
        if walk:
            with almario.open(home, clock=clock, settings=settings) as soul:
                _log(soul, f"Walked {walk} km.")
        else:
            upkeep.rounds.make()
    upkeep.rounds.close()


def _log(soul: Soul, text: str) -> None:
    """Log what was not logged before the process was killed."""
    if text not in [entry.text for entry in soul.days.get().log]:
        soul.log(text)


def _answer(ask: Ask) -> str:
    """Answer as the walks that are told want it; the same for the same."""
    told = "\n".join(message.text for message in ask.messages)
    walks, labels = (
        sorted(int(one or other) for one, other in _WALKED.findall(told)),
        _LABEL.findall(told)[-1:],
    )
    last = walks[-1] if walks else 0
    finding = {"evidence": labels, "dimension": "patterns", "text": f"I walk on: {last}."}
    grounds = {"evidence": labels, "reason": f"Walk {last}"}
    own = {**grounds, "file": "MOTIVATIONS.md"}
    changes = [{**own, "title": "Current Focus", "body": f"Walking on after {last} km."}]
    if last % 4 == 0:
        changes.append({**own, "title": "Core Drives", "body": "To finish the walk of Monday."})
    if last % 5 == 0:
        body = f"I like long walks, and I say so in {last} ways whenever somebody asks me about them."
        changes.append({**grounds, "file": "SOUL.md", "title": f"Walks {last}", "body": body})
    goals: list[dict[str, Any]] = []
    if last % 3 == 0:
        goals = [{**grounds, "action": "add", "goal": f"Walk number {last} round the lake"}]
    if last % 3 == 1 and last > 1:
        goals = [
            {
                **grounds,
                "action": "complete",
                "goal": f"Walk number {last - 1} round the lake",
                "text": "It rained",
            }
        ]
    walked = {"changes": changes, "goals": goals, "journal": f"I walked {last}."}
    return json.dumps({"findings": [finding], **walked})


def _wrong(month: Month, home: Path) -> list[str]:
    """Return what no month may end in, killed or not."""
    with _opened(month, home) as soul:
        bodies = [event.body for event in soul._vault.journal.select("reflection.")]
        done = Counter(body.id for body in bodies if isinstance(body, ReflectionEnded))
        begun = {body.id: body.day for body in bodies if isinstance(body, ReflectionBegun)}
        found = [f"{damage.place} {damage.problem}" for damage in soul.memory.verify()]
        known = Counter((each.by, each.file, each.diff) for each in soul.proposals.list(every=True))
    nights = Counter(day for name, day in begun.items() if done[name])
    wanted = {str(month.first + timedelta(days=number)): 1 for number in range(month.nights)}
    found += [f"the nights are {dict(nights)}"] if nights != wanted else []
    found += [f"{count} proposals are one: {each}" for each, count in known.items() if count > 1]
    return found + [f"{each} was ended {count} times" for each, count in done.items() if count > 1]


def _state(month: Month, home: Path) -> dict[str, Any]:
    """Return what an agent is and has, without what says only when and by whom it was written."""
    agent = home / "agents" / "default"
    paths = [*agent.glob("*.md"), *(agent / "memory").rglob("*.md")]
    state: dict[str, Any] = {
        path.relative_to(agent).as_posix(): _MARKER.sub("", path.read_text()) for path in sorted(paths)
    }
    with _opened(month, home) as soul:
        state["proposals"] = [
            (each.id, each.file, each.state, each.why, each.reason, _MARKER.sub("", each.after))
            for each in soul.proposals.list(every=True)
            if each.evidence  # the day of a run that was begun anew may be entered by itself
        ]
        state["memories"] = [memory.text for memory in soul.memory.list()]
    return state


def _opened(month: Month, home: Path) -> Soul:
    """Open the agent at the end of its month."""
    *_, (end, _) = month.hours()
    return almario.open(home, clock=FixedClock(end), settings={**_SETTINGS, "timezone": month.zone})


def _difference(wanted: dict[str, Any], found: dict[str, Any]) -> list[str]:
    return [
        f"{name} is {found.get(name)!r} and not {wanted.get(name)!r}"
        for name in sorted({*wanted, *found})
        if wanted.get(name) != found.get(name)
    ]

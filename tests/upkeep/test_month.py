"""A scripted month: each agent reflects once a night whatever the clock does and whenever it is restarted."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import almario
from almario.domain.soul_events import ReflectionBegun, ReflectionEnded
from almario.domain.talk import Ask
from almario.errors import LLMUnavailable
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.upkeep.agent_jobs import DONE, Ended, Job, TendedAgent
from almario.wiring.daemon_parts import Housekeeping, housekeeping
from tests.killed import Killed
from tests.upkeep.keeping import House, kept

ZONES = ("Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "America/Havana")
# In each of these months every one of the zones changes its clock: Lord Howe's against the others.
SPRING, AUTUMN = date(2026, 3, 7), date(2026, 10, 3)
NIGHTS = 30


class Life(NamedTuple):
    """Agents in several zones, a model that at times fails or ends the process, and what keeps them."""

    home: Path
    clock: FixedClock
    llm: ScriptedLLM

    def begin(self) -> Housekeeping:
        upkeep = housekeeping(
            self.home,
            settings={"watch.enabled": False, "consolidation.enabled": False},
            clock=self.clock,
            llm=self.llm,
        )
        upkeep.state.begin(1)
        return upkeep

    def souls(self, zones: Sequence[str]) -> list[Soul]:
        return [almario.open(self.home, agent_of(zone), clock=self.clock) for zone in zones]


def agent_of(zone: str) -> str:
    return zone.rpartition("/")[2].lower()


def thinking(chance: random.Random) -> Any:
    """Return a model that answers as each question wants; now and then it is away, or the process ends."""

    def answer(ask: Ask) -> str | BaseException:
        fate = chance.random()
        if fate < 0.04:
            return Killed()
        if fate < 0.08:
            return LLMUnavailable("it is away")
        asked = str(ask.schema)
        if "findings" in asked:
            found = {
                "dimension": "patterns",
                "text": "Walked many km.",
                "evidence": ["L1", "L2", "M1", "D1"],
            }
            return json.dumps({"findings": [found], "changes": [], "journal": "I looked at my days."})
        return json.dumps({"changes": []})

    return answer


def nights_of(soul: Soul) -> Counter[str]:
    """Return how often each day's night was done."""
    events = [event.body for event in soul._vault.journal.select("reflection.")]
    done = {body.id for body in events if isinstance(body, ReflectionEnded) and body.outcome == "done"}
    begun = [body for body in events if isinstance(body, ReflectionBegun) and body.trigger == "night"]
    return Counter(body.day for body in begun if body.id in done)


def beginning(first: date) -> datetime:
    """Return the afternoon before the first night, in every one of the zones."""
    return datetime(first.year, first.month, first.day, 14, tzinfo=UTC) - timedelta(days=1)


def month_from(first: date, nights: int = NIGHTS) -> list[date]:
    return [first + timedelta(days=n) for n in range(nights)]


def test_who_is_restarted_at_any_time_still_has_thirty_nights(tmp_path: Path) -> None:
    restarted(SPRING, 0, tmp_path)


def restarted(first: date, seed: int, tmp_path: Path) -> None:
    """Keep house for a month of restarts, and see that each agent had each night once."""
    chance, clock = random.Random(1), FixedClock(beginning(first))
    house, end = House(tmp_path, clock), clock() + timedelta(days=NIGHTS)
    failed: dict[str, bool] = {}  # every third night does not go well before the second time
    done: dict[str, list[date]] = {zone: [] for zone in ZONES}

    def agent(zone: str) -> TendedAgent:
        def reflect(day: date) -> Ended:
            if len(done[zone]) % 3 == 2 and not failed.pop(zone, None):
                failed[zone] = True
                raise OSError(5, "the disk")
            done[zone].append(day)
            return DONE

        def last() -> date | None:
            return done[zone][-1] if done[zone] else None

        return kept(
            Job("night", reflect, nightly=True, done=last), zone=ZoneInfo(zone), since=beginning(first)
        )

    house.agents = {zone: partial(agent, zone) for zone in ZONES}
    while clock() < end:
        house.tick()
        if chance.random() < 0.2:
            house.restart()
        if chance.random() < 0.1:
            (tmp_path / "daemon.json").unlink()  # what it says is a convenience: the journal knows
            house.restart()
        clock.now = min(clock.now + timedelta(minutes=chance.choice((1, 20, 240, 600))), end)

    for _ in range(2):  # what failed in the last night is tried once more
        house.tick(minutes=1)

    assert done == dict.fromkeys(ZONES, month_from(first))


# The nights in which two zones change their clocks in opposite directions are days apart: `proofs/` has them
# all, and here are those around the first.
def test_of_real_reflections_there_is_one_a_night_none_twice_and_none_missing(tmp_path: Path) -> None:
    reflected(date(2026, 3, 28), 3, ZONES[:1], tmp_path)


def reflected(first: date, nights: int, zones: Sequence[str], tmp_path: Path) -> None:
    """Let agents reflect at night, now and then killed, and see that each did so once."""
    chance, clock = random.Random(1), FixedClock(beginning(first))
    for zone in zones:
        soul = almario.create(tmp_path / "home", agent_of(zone), clock=clock)
        (soul.path / "agent.toml").write_text(f'timezone = "{zone}"\n')
    life = Life(tmp_path / "home", clock, ScriptedLLM(thinking(chance)))
    keeping, end, restarts = life.begin(), clock() + timedelta(days=nights), 0
    souls = life.souls(zones)
    while clock() < end:
        if clock().hour < 12:
            for soul in souls:
                soul.log(f"Walked {chance.randrange(20)} km.")
        for _ in range(chance.choice((1, 2))):
            try:
                keeping.rounds.make()
            except Killed:
                keeping, restarts = life.begin(), restarts + 1
            clock.advance(minutes=chance.choice((1, 5, 15)))
        clock.now = min(clock.now + timedelta(hours=chance.choice((5, 10))), end)
    for _ in range(10):  # what was stopped in the last night is gone on with
        try:
            keeping.rounds.make()
        except Killed:
            keeping = life.begin()
        clock.advance(minutes=1)
    keeping.rounds.close()

    assert restarts > nights // 6
    for soul in souls:
        assert nights_of(soul) == Counter({str(day): 1 for day in month_from(first, nights)}), soul.id

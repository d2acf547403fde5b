"""The nights of many agents in a database: each is looked after once a local night, by whoever is free."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from almario.becoming.rules.reflections import NIGHT
from almario.errors import LLMUnavailable
from almario.ports import ListedAgent
from almario.testing import FixedClock
from almario.upkeep.agent_jobs import DONE, Ended, Job, TendedAgent
from almario.upkeep.logbook import Logbook
from almario.upkeep.rules.costs import Spent
from almario_postgres.database import Server
from almario_postgres.directory import PostgresHome
from almario_postgres.nights import RoundResult
from almario_postgres.queue_rounds import QueueRounds
from tests.postgres import home_url

ZONES = [ZoneInfo(name) for name in ("Asia/Tokyo", "Europe/Madrid", "America/Lima", "UTC")]


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server(home_url())
    yield found
    found.close()


class Land:
    """Agents all over the world, and machines that look after them."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.clock = FixedClock(datetime(2026, 11, 16, 0, 10, tzinfo=UTC))
        self.home = PostgresHome(server, self.clock)
        self.nights: list[tuple[str, date]] = []
        self.opened: Counter[str] = Counter()
        self.ends: dict[str, Callable[[], Ended]] = {}
        self.has_more: set[str] = set()
        self.spent = Spent()
        self._server, self._folder = server, folder
        self._lock = threading.Lock()

    def settle(self, count: int) -> list[ListedAgent]:
        return [self.home.create(f"a{number:02}", lambda _: None) for number in range(count)]

    def machine(self) -> QueueRounds:
        """Return what another process would make its rounds with."""
        queue = PostgresHome(self._server, self.clock).queue
        return QueueRounds(queue, self.open, Logbook(self._folder, self.clock), self.clock, workers=2)

    def open(self, agent: ListedAgent) -> TendedAgent:
        with self._lock:
            self.opened[agent.id] += 1
        zone = ZONES[int(agent.id[1:]) % len(ZONES)]
        job = Job(NIGHT, lambda day: self._night(agent.id, day), nightly=True, thinks=True)
        kept = TendedAgent((job,), "30 3 * * *", zone, spent=lambda: self.spent)
        return kept._replace(has_more=lambda: agent.id in self.has_more)

    def _night(self, agent: str, day: date) -> Ended:
        ended = self.ends.get(agent, lambda: DONE)()
        with self._lock:
            self.nights.append((agent, day))
        return ended

    def pass_time(self, machines: list[QueueRounds], **time: float) -> None:
        """Let time pass, and all machines make a round at once."""
        self.clock.advance(**time)
        threads = [threading.Thread(target=machine.make) for machine in machines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)


@pytest.fixture
def land(server: Server, tmp_path: Path) -> Land:
    return Land(server, tmp_path)


def test_each_agent_has_one_night_where_it_is_whoever_looks_after_it(land: Land) -> None:
    agents = land.settle(8)
    machines = [land.machine(), land.machine()]
    land.pass_time(machines)
    first = set(land.nights)
    for _ in range(24):
        land.pass_time(machines, hours=1)

    by_night = Counter(land.nights)
    assert set(by_night.values()) == {1}
    later = {agent for agent, day in by_night if (agent, day) not in first}
    assert later == {agent.id for agent in agents}
    assert max(land.opened.values()) <= 4  # they are not opened when nothing is due


def test_nobody_else_has_an_agent_that_is_taken_until_its_holder_is_gone(land: Land) -> None:
    [agent] = land.settle(1)
    one, two = (PostgresHome(land.home.server, land.clock).queue for _ in range(2))
    now = land.clock()
    taken = one.take(now, now + timedelta(minutes=5))

    assert taken is not None
    assert taken.agent == agent
    assert two.take(now, now + timedelta(minutes=5)) is None
    one.keep([agent], now + timedelta(minutes=20))
    assert two.take(now + timedelta(minutes=19), now + timedelta(hours=1)) is None
    again = two.take(now + timedelta(minutes=21), now + timedelta(hours=1))
    assert again is not None
    assert again.agent == agent
    one.put_back(agent, RoundResult({"jobs": {}}, None, 0, now.date()))  # it woke up too late
    assert one.take(now + timedelta(minutes=22), now + timedelta(hours=1)) is None
    two.put_back(agent, RoundResult({"jobs": {"x": {}}}, now + timedelta(days=2), 0, now.date()))
    assert one.notes() == {"a00": {"jobs": {"x": {}}}}


def test_what_fails_is_tried_again_when_it_is_due_and_holds_up_nobody(land: Land) -> None:
    land.settle(2)

    def fail() -> Ended:
        raise LLMUnavailable("no model")

    land.ends["a00"] = fail
    machine = land.machine()
    land.clock.advance(hours=30)
    land.pass_time([machine])
    assert [agent for agent, _ in land.nights] == ["a01"]
    notices = land.home.queue.notes("A00")["a00"]["jobs"][NIGHT]
    assert (notices["tries"], notices["outcome"]) == (1, "failed")

    del land.ends["a00"]
    land.pass_time([machine], seconds=30)
    assert len(land.nights) == 1
    land.pass_time([machine], seconds=40)
    assert [agent for agent, _ in land.nights] == ["a01", "a00"]


def test_where_something_was_written_somebody_looks_once_it_is_quiet(land: Land, server: Server) -> None:
    [agent] = land.settle(1)
    machine = land.machine()
    land.pass_time([machine])
    before = land.opened["a00"]
    land.pass_time([machine], minutes=20)
    assert land.opened["a00"] == before

    with server.bound(agent.number).writing():
        pass
    land.pass_time([machine], minutes=1)
    assert land.opened["a00"] == before
    land.pass_time([machine], minutes=16)
    assert land.opened["a00"] == before + 1
    land.has_more.add("a00")
    with server.bound(agent.number).writing():
        pass
    land.pass_time([machine], minutes=1)
    land.pass_time([machine], minutes=16)
    land.pass_time([machine], minutes=16)  # there was more to learn from
    assert land.opened["a00"] == before + 3
    assert len(land.nights) == 1  # which was before all that


def test_who_was_removed_is_looked_after_when_it_is_back(land: Land) -> None:
    land.settle(2)
    land.home.remove("a00")
    machine = land.machine()
    land.pass_time([machine])
    assert dict(land.opened) == {"a01": 1}

    land.home.bring_back("a00")
    land.pass_time([machine], minutes=1)
    assert dict(land.opened) == {"a01": 1, "a00": 1}


def test_what_all_agents_have_cost_on_a_day_is_known_everywhere(land: Land) -> None:
    land.settle(3)
    land.spent = Spent(calls=1, told=70, said=30, cost=0.5)
    land.clock.advance(hours=12)
    machine = land.machine()
    land.pass_time([machine])

    days = [land.clock().astimezone(zone).date() for zone in ZONES[:3]]
    totals = [PostgresHome(land.home.server, land.clock).queue.spent(day) for day in {*days}]
    assert sum(tokens for tokens, _ in totals) == 300
    assert sum(cost for _, cost in totals) == 1.5
    assert land.home.queue.is_kept(land.clock())
    assert not land.home.queue.is_kept(land.clock() + timedelta(minutes=4))
    machine.close()
    assert not land.home.queue.is_kept(land.clock())

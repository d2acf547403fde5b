import errno
import json
import os
import stat
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from almario.domain.messages import Sentence
from almario.errors import BadReply, ConfigError, LLMUnavailable, StoreError
from almario.store import files
from almario.testing import FixedClock
from almario.upkeep.agent_jobs import DONE, NOTHING, Ended, Job, TendedAgent
from almario.upkeep.scheduler import OVER_BUDGET
from tests.upkeep.keeping import Chore, House, kept

NIGHT = date(2026, 11, 15)


@pytest.fixture
def house(tmp_path: Path, clock: FixedClock) -> House:
    """A home, at half past one in the afternoon of the day before the first night."""
    return House(tmp_path, clock)


def nightly(chore: Chore, **others: object) -> Job:
    return Job("night", chore, nightly=True, **others)  # type: ignore[arg-type]


def test_a_night_is_done_once_for_its_day(house: House) -> None:
    chore = Chore()
    house.agents["ana"] = lambda: kept(nightly(chore), since=house.clock())

    for _ in range(48):
        house.tick(hours=1)

    assert chore.days == [NIGHT, NIGHT + timedelta(days=1)]


def test_a_night_that_is_done_elsewhere_is_not_done_here(house: House) -> None:
    chore = Chore()
    house.agents["ana"] = lambda: kept(nightly(chore, done=lambda: NIGHT))

    house.tick(days=1)

    assert chore.days == []
    assert house.status()["agents"]["ana"]["last"] == "2026-11-15"


def test_the_status_tells_the_last_and_the_next_night(house: House) -> None:
    house.agents["ana"] = lambda: kept(nightly(Chore()))

    house.tick(days=1)

    told = house.status()["agents"]["ana"]
    assert told["last"] == "2026-11-15"
    assert told["next"] == "2026-11-16T03:30:00+00:00"
    assert house.status()["heartbeat"] == house.clock().isoformat()
    assert stat.S_IMODE((house.folder / "daemon.json").stat().st_mode) == 0o600


def test_what_fails_holds_up_no_other_job_and_no_other_agent(house: House) -> None:
    first, second, third = Chore(RuntimeError("boom")), Chore(), Chore()
    house.agents = {
        "ana": lambda: kept(Job("settle", first), Job("learn", second)),
        "berta": lambda: kept(Job("settle", third)),
    }

    house.tick()

    assert first.days
    assert second.days
    assert third.days


def test_all_are_told_that_the_end_has_come_before_any_is_waited_for(house: House) -> None:
    told: list[str] = []
    leave, close = partial(told.append, "leave"), partial(told.append, "close")
    house.agents = {name: lambda: kept(leave=leave, close=close) for name in ("ana", "berta")}
    house.tick()

    house.rounds.close()

    assert told == ["leave", "leave", "close", "close"]


class Hung(Chore):
    """A model that is waited for in vain, for two minutes each time."""

    def __init__(self, clock: FixedClock) -> None:
        super().__init__(LLMUnavailable("no"))
        self.clock = clock

    def __call__(self, day: date) -> Ended:
        self.clock.advance(minutes=2)
        return super().__call__(day)


def thinking(chore: Chore) -> TendedAgent:
    return kept(Job("learn", chore, thinks=True))


def test_a_model_that_hangs_holds_up_a_round_once_and_then_it_is_the_others_turn(house: House) -> None:
    hung = {name: Hung(house.clock) for name in ("ana", "berta")}
    other, settled, saved = Chore(), Chore(), Chore()
    house.agents = {
        **{name: partial(thinking, chore) for name, chore in hung.items()},
        "clara": lambda: kept(Job("settle", settled), Job("learn", other, thinks=True)),
        "": lambda: kept(Job("backup", saved)),
    }

    for _ in range(3):
        began = house.clock()
        house.tick()
        assert house.clock() - began <= timedelta(minutes=2)

    assert len(settled.days) == len(saved.days) == 3  # what asks no model is never put off
    assert len(other.days) == 1
    house.restart()
    house.tick(hours=2)
    assert len(other.days) == 2  # whose model hung before is last, also after a restart


def test_however_many_models_hang_each_is_tried_in_its_turn(house: House) -> None:
    hung = {name: Hung(house.clock) for name in "abcdefghij"}
    house.agents = {name: partial(thinking, chore) for name, chore in hung.items()}

    for _ in range(50):
        house.tick(minutes=1)

    tried = [len(chore.days) for chore in hung.values()]
    assert max(tried) - min(tried) <= 1
    assert min(tried) >= 3


def test_a_round_that_is_made_once_leaves_nobody_out(house: House) -> None:
    other = Chore()
    house.agents = {"ana": lambda: thinking(Hung(house.clock)), "berta": lambda: thinking(other)}

    house.rounds.make(whole=True)

    assert other.days


def test_a_model_that_fails_at_once_puts_nobody_off(house: House) -> None:
    other = Chore()
    house.agents = {"ana": lambda: thinking(Chore(LLMUnavailable("no"))), "berta": lambda: thinking(other)}

    house.tick()

    assert other.days


def test_what_fails_is_tried_again_after_growing_pauses(house: House) -> None:
    chore = Chore(LLMUnavailable("no"))
    house.agents["ana"] = lambda: kept(nightly(chore))
    house.clock.advance(days=1)

    tried = []
    for minute in range(4 * 60):
        before = len(chore.days)
        house.tick(minutes=1)
        tried += [minute] if len(chore.days) > before else []

    assert tried == [0, 1, 6, 21, 81, 141, 201]
    assert house.job("ana", "night")["tries"] == 7


def test_pauses_outlive_the_process(house: House) -> None:
    chore = Chore(LLMUnavailable("no"))
    house.agents["ana"] = lambda: kept(Job("learn", chore))

    for _ in range(3):
        house.tick()
        house.restart()

    assert len(chore.days) == 1


def test_a_pause_that_a_wrong_clock_made_is_not_kept(house: House) -> None:
    chore = Chore(LLMUnavailable("no"))
    house.agents["ana"] = lambda: kept(Job("learn", chore))
    house.tick(days=3650)

    house.tick(days=-3650)

    assert len(chore.days) == 2


def test_a_day_that_a_wrong_clock_did_is_not_believed(house: House) -> None:
    chore = Chore()
    house.agents["ana"] = lambda: kept(nightly(chore))
    house.tick(days=3650)

    house.tick(days=-3649)

    assert chore.days[-1] == NIGHT


def test_a_clock_that_leaps_lets_nothing_be_erased_in_its_first_night(house: House) -> None:
    chore = Chore()
    house.agents["ana"] = lambda: kept(Job("purge", chore, nightly=True, erases=True))
    house.tick(days=1)
    assert chore.days == []  # the first night there ever was
    house.tick(days=1)
    assert len(chore.days) == 1

    house.tick(days=365)
    house.restart()
    house.tick(minutes=1)
    assert len(chore.days) == 1

    house.tick(days=-365)
    assert len(chore.days) == 1
    house.tick(days=1)
    house.tick(days=30)
    assert len(chore.days) == 3


def test_a_night_that_a_wrong_clock_wrote_in_the_journal_is_not_believed(house: House) -> None:
    chore = Chore()
    job = nightly(chore)._replace(done=lambda: NIGHT + timedelta(days=3650))
    house.agents["ana"] = lambda: kept(job)

    house.tick(days=1)

    assert chore.days == [NIGHT]


def test_a_clock_that_was_ahead_when_all_began_does_not_end_all_nights(house: House) -> None:
    house.standing.save()
    house.clock.advance(days=-3650)

    house.restart()

    assert house.standing.since == house.clock()


def test_the_next_night_is_not_one_that_only_a_wrong_clock_has_seen(house: House) -> None:
    began = house.clock()
    house.agents["ana"] = lambda: kept(nightly(Chore()), since=began)
    house.tick(days=3650)

    house.tick(days=-3650)

    told = house.status()["agents"]["ana"]
    assert (told["last"], told["next"]) == (None, "2026-11-15T03:30:00+00:00")


def test_an_account_that_cannot_be_read_stops_no_other_agent(house: House) -> None:
    other = Chore()

    def over() -> bool:
        raise StoreError("the account cannot be read")

    house.agents = {
        "ana": lambda: kept(Job("learn", Chore(), thinks=True), is_over=over),
        "berta": lambda: kept(Job("settle", other)),
    }

    house.tick()

    assert house.job("ana", "learn")["tries"] == 1
    assert other.days


def test_the_same_reason_is_told_once(house: House) -> None:
    house.agents["ana"] = lambda: kept(Job("learn", Chore(Ended("waits", Sentence("no model")))))

    for _ in range(10):
        house.tick(hours=1)

    assert [entry.outcome for entry in house.told] == ["waits"]
    assert house.job("ana", "learn")["why"] == "no model"


def test_an_agent_that_cannot_be_opened_stops_no_other_and_is_opened_once_it_can(house: House) -> None:
    other, own = Chore(), Chore()
    broken = [True]

    def ana() -> TendedAgent:
        if broken[0]:
            raise ConfigError("agent.toml: prompt.mode must be …, not 'the secret of Ana'")
        return kept(Job("settle", own))

    house.agents = {"ana": ana, "berta": lambda: kept(Job("settle", other))}
    house.tick()
    assert (len(other.days), len(own.days)) == (1, 0)
    assert house.job("ana", "open")["why"] == 'a setting is wrong; "almario doctor" says which'

    broken[0] = False
    house.tick(minutes=1)

    assert len(own.days) == 1


def test_agents_come_and_go(house: House) -> None:
    closed: list[str] = []
    house.agents["ana"] = lambda: kept(Job("settle", Chore()), close=lambda: closed.append("ana"))
    house.tick()
    del house.agents["ana"]
    house.agents["berta"] = lambda: kept(Job("settle", Chore()))

    house.tick(minutes=1)

    assert closed == ["ana"]
    assert list(house.status()["agents"]) == ["berta"]


def test_while_the_agents_cannot_be_listed_those_that_are_known_are_kept(house: House) -> None:
    chore = Chore()
    house.agents["ana"] = lambda: kept(Job("settle", chore))
    house.tick()
    house.is_unreadable = True

    house.tick(minutes=1)

    assert len(chore.days) == 2
    assert house.status()["home"]["jobs"]["list"]["outcome"] == "failed"


def test_an_agent_whose_settings_changed_is_opened_anew_and_tries_at_once(house: House) -> None:
    chore, current = Chore(LLMUnavailable("no")), [True]
    opened: list[int] = []

    def ana() -> TendedAgent:
        opened.append(1)
        return kept(Job("learn", chore), is_current=lambda: current[0])

    house.agents["ana"] = ana
    house.tick()
    current[0] = False

    house.tick(seconds=1)

    assert len(opened) == 2
    assert len(chore.days) == 2


def test_who_is_told_to_read_the_settings_again_opens_everything_anew(house: House) -> None:
    opened: list[int] = []
    house.agents["ana"] = lambda: opened.append(1) or kept()  # type: ignore[func-returns-value]
    house.tick()

    house.rounds.renew()
    house.tick()
    house.tick()

    assert len(opened) == 2


def test_over_its_budget_an_agent_stops_until_its_next_day_and_says_so(house: House) -> None:
    learning, settling, is_over = Chore(), Chore(), [True]
    jobs = (Job("learn", learning, thinks=True), Job("settle", settling))
    house.agents["ana"] = lambda: kept(*jobs, is_over=lambda: is_over[0])

    for _ in range(10):
        house.tick(hours=1)  # until half past eleven
    assert (len(learning.days), len(settling.days)) == (0, 10)
    assert house.status()["agents"]["ana"]["stopped_until"] == "2026-11-15T00:00:00+00:00"
    assert [(entry.outcome, str(entry.why)) for entry in house.told if entry.job == "learn"] == [
        ("waits", str(OVER_BUDGET))
    ]
    assert house.told[0].until == datetime(2026, 11, 15, tzinfo=UTC)

    is_over[0] = False
    house.tick(minutes=31)

    assert len(learning.days) == 1
    assert house.status()["agents"]["ana"]["stopped_until"] is None


def test_a_budget_that_ends_in_the_middle_stops_it_until_the_next_day(house: House) -> None:
    is_over = [False]

    def learn(day: date) -> Ended:
        is_over[0] = True
        raise LLMUnavailable("the daily budget is used up")

    house.agents["ana"] = lambda: kept(Job("learn", learn, thinks=True), is_over=lambda: is_over[0])

    house.tick()

    assert house.job("ana", "learn")["why"] == str(OVER_BUDGET)
    assert house.job("ana", "learn")["again"] == "2026-11-15T00:00:00+00:00"


def test_once_it_is_to_stop_no_other_job_is_begun(house: House) -> None:
    last = Chore()

    def stop(day: date) -> Ended:
        house.rounds.stop()
        return DONE

    house.agents = {
        "ana": lambda: kept(Job("settle", stop), Job("learn", last)),
        "b": lambda: kept(Job("x", last)),
    }

    house.tick()

    assert last.days == []


@pytest.mark.parametrize(
    "error",
    [
        BadReply('the answer "CANARY" is no JSON'),
        LLMUnavailable("CANARY"),
        OSError(2, "no such file", "/sessions/CANARY.jsonl"),
        OSError("CANARY"),
        ValueError("CANARY"),
        KeyError("CANARY"),
    ],
)
def test_no_word_of_an_error_is_written_down(house: House, error: Exception) -> None:
    house.agents["ana"] = lambda: kept(Job("learn", Chore(error)))

    house.tick()

    written = (house.folder / "daemon.json").read_text() + (house.folder / "logs/daemon.jsonl").read_text()
    assert "CANARY" not in written
    assert house.job("ana", "learn")["why"]


def test_what_the_system_refuses_is_told_in_its_words(house: House) -> None:
    def fill(_: date) -> Ended:
        with files.writing(Path("CANARY")):
            raise OSError(errno.ENOSPC, "CANARY", "CANARY")

    house.agents["ana"] = lambda: kept(Job("settle", fill))

    house.tick()

    assert house.job("ana", "settle")["why"] == "No space left on device"


def test_a_status_that_cannot_be_written_is_told_once(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    chore = Chore(NOTHING)
    house.agents["ana"] = lambda: kept(Job("settle", chore))
    with monkeypatch.context() as patch:
        patch.setattr(files, "overwrite", full)
        for _ in range(3):
            house.tick(minutes=1)

    house.tick(minutes=1)

    assert [record.message for record in caplog.records] == [
        "the state of the daemon could not be saved: [Errno 28] No space left on device"
    ]
    assert len(chore.days) == 4
    assert house.status()["heartbeat"] == house.clock().isoformat()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"agents": 3}',
        '{"home": {}, "agents": {"ana": {"jobs": {"night": {"day": 7}}}}}',
    ],
)
def test_a_status_that_makes_no_sense_is_begun_anew(tmp_path: Path, clock: FixedClock, content: str) -> None:
    (tmp_path / "daemon.json").write_text(content)
    house = House(tmp_path, clock)
    house.agents["ana"] = lambda: kept(nightly(Chore()))

    house.tick(days=1)

    assert json.loads((tmp_path / "daemon.json").read_text())["agents"]["ana"]["last"] == "2026-11-15"

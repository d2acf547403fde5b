from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from almario.upkeep.schedules import due_night, is_schedule, next_day, next_night
from tests.tables import each_row

HALF_PAST_THREE = "30 3 * * *"
MADRID = ZoneInfo("Europe/Madrid")
# Each with days around its changes of the clock.
ZONES = {
    "Europe/Madrid": ("2026-03-26", "2026-10-22"),
    "America/New_York": ("2026-03-05", "2026-10-29"),
    "Australia/Lord_Howe": ("2026-04-02", "2026-10-01"),
    "America/Santiago": ("2026-04-02", "2026-09-03"),
    "Asia/Kolkata": ("2026-03-26", "2026-10-22"),
    "Pacific/Apia": ("2011-12-27", "2011-09-22"),
    "UTC": ("2026-12-28", "2026-02-26"),
}
SCHEDULES = (HALF_PAST_THREE, "30 2 * * *", "0 0 * * *", "59 23 * * *", "*/20 * * * *", "0 1,2,3 * * *")


def at(text: str, zone: str = "Europe/Madrid") -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def days_of(zone: ZoneInfo, start: datetime, end: datetime) -> list[date]:
    """Return every day that the clock of a zone shows between two instants."""
    hours = int((end - start).total_seconds() // 3600)
    return sorted({(start + timedelta(hours=n)).astimezone(zone).date() for n in range(hours + 1)})


def nights(schedule: str, zone: ZoneInfo, ticks: list[datetime]) -> list[date]:
    """Return the days that were done by whoever looked at these instants."""
    done: list[date] = []
    for now in ticks:
        if day := due_night(schedule, zone, now, done[-1] if done else None, since=ticks[0]):
            done.append(day)
    return done


def test_a_night_is_due_from_its_hour_on() -> None:
    yesterday = date(2026, 11, 14)

    assert due_night(HALF_PAST_THREE, MADRID, at("2026-11-15T03:29"), yesterday) is None
    assert due_night(HALF_PAST_THREE, MADRID, at("2026-11-15T03:30"), yesterday) == date(2026, 11, 15)
    assert due_night(HALF_PAST_THREE, MADRID, at("2026-11-15T22:00"), yesterday) == date(2026, 11, 15)


def test_of_five_missed_nights_only_the_latest_is_due_and_that_once() -> None:
    now = at("2026-11-15T12:00")

    assert due_night(HALF_PAST_THREE, MADRID, now, date(2026, 11, 10)) == date(2026, 11, 15)
    assert due_night(HALF_PAST_THREE, MADRID, now, date(2026, 11, 15)) is None


def test_a_new_agent_waits_for_its_first_night() -> None:
    born = at("2026-11-15T10:00")

    assert due_night(HALF_PAST_THREE, MADRID, at("2026-11-15T12:00"), None, since=born) is None
    assert due_night(HALF_PAST_THREE, MADRID, at("2026-11-16T03:30"), None, since=born) == date(2026, 11, 16)


def test_a_time_that_the_clock_skips_is_taken_at_the_skip() -> None:
    spring = date(2026, 3, 29)  # 02:00 becomes 03:00
    before = spring - timedelta(days=1)

    assert due_night("30 2 * * *", MADRID, at("2026-03-29T01:59"), before) is None
    assert due_night("30 2 * * *", MADRID, at("2026-03-29T03:00"), before) == spring
    assert next_night("30 2 * * *", MADRID, at("2026-03-29T01:59"), before) == at("2026-03-29T03:00")


def test_a_schedule_of_some_days_leaves_the_others_alone() -> None:
    sunday, monday = at("2026-11-15T12:00"), at("2026-11-16T12:00")

    assert due_night("30 3 * * 1", MADRID, sunday, date(2026, 11, 9)) is None
    assert due_night("30 3 * * 1", MADRID, monday, date(2026, 11, 9)) == date(2026, 11, 16)
    assert next_night("30 3 * * 1", MADRID, monday, date(2026, 11, 16)) == at("2026-11-23T03:30")


def test_the_next_night_leaves_out_what_is_done() -> None:
    now = at("2026-11-15T02:00")

    assert next_night(HALF_PAST_THREE, MADRID, now, None) == at("2026-11-15T03:30")
    assert next_night(HALF_PAST_THREE, MADRID, now, date(2026, 11, 15)) == at("2026-11-16T03:30")


def test_the_next_day_begins_where_the_clock_does() -> None:
    santiago = ZoneInfo("America/Santiago")  # on 2026-09-06 the clock skips from midnight to one

    assert next_day(MADRID, at("2026-11-15T12:00")) == at("2026-11-16T00:00")
    assert next_day(santiago, at("2026-09-05T12:00", "America/Santiago")) == datetime(
        2026, 9, 6, 4, tzinfo=UTC
    )


@each_row("text", [HALF_PAST_THREE, "0 0 * * *", "*/5 1-3 L * *", "0 4 * * mon-fri", " 1 2 * * * "])
def test_cron_expressions_are_schedules(text: str) -> None:
    assert is_schedule(text)


@each_row(
    "text",
    [
        "",
        "at night",
        "30 25 * * *",
        "60 3 * * *",
        "0 0 30 2 *",
        "0 30 3 * * *",
        "@daily",
        "9" * 5000 + " 3 * * *",
    ],
)
def test_nothing_else_is(text: str) -> None:
    assert not is_schedule(text)


@given(st.data())
def test_each_local_day_is_done_once_by_whoever_looks_at_least_daily(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(ZONES)))
    zone, schedule = ZoneInfo(name), data.draw(st.sampled_from(SCHEDULES))
    start = at(data.draw(st.sampled_from(ZONES[name])) + "T00:00", name)
    ticks = [start]
    for minutes in data.draw(st.lists(st.integers(1, 22 * 60), min_size=8, max_size=20)):
        ticks.append(ticks[-1] + timedelta(minutes=minutes))

    done = nights(schedule, zone, ticks)

    passed = days_of(zone, start, ticks[-1])
    # The first may have begun with the first look, and the last may still be to come.
    assert done == sorted(set(done))
    assert set(passed[1:-1]) <= set(done) <= set(passed)


@given(st.data())
def test_who_travels_doubles_no_day_and_skips_none(data: st.DataObject) -> None:
    zones = [
        ZoneInfo(name)
        for name in ("Europe/Madrid", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")
    ]
    now, zone = at("2026-03-26T00:00"), MADRID
    done: list[date] = []
    for hours in data.draw(st.lists(st.integers(1, 40), min_size=3, max_size=7)):
        for _ in range(hours * 2):
            if day := due_night(HALF_PAST_THREE, zone, now, done[-1] if done else None):
                done.append(day)
            now += timedelta(minutes=30)
        zone = data.draw(st.sampled_from(zones))

    assert done == [done[0] + timedelta(days=n) for n in range(len(done))]


@given(st.integers(0, 60 * 24 * 400), st.sampled_from(SCHEDULES), st.sampled_from(sorted(ZONES)))
def test_a_clock_that_is_set_back_makes_nothing_due_again(minutes: int, schedule: str, name: str) -> None:
    zone, now = ZoneInfo(name), at("2026-11-15T12:00")
    last = due_night(schedule, zone, now, None)

    assert due_night(schedule, zone, now - timedelta(minutes=minutes), last) is None

"""Stories of dates: what is told in June for September, learned late, or comes every year."""

from datetime import UTC, datetime

import pytest

from almario.memory.rules.admission import Proposed
from almario.memory.rules.lives import verb_of
from almario.soul import Soul
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


def learned(soul: Soul, told: str, value: str, key: str = "", dated: str = "") -> None:
    """Let a fact be learned now that was said on a day."""
    fact = Proposed(key, value, "fact", "auto", at=at(told), dated=dated)
    soul.memory.admit(fact, actor="agent")


def test_a_job_from_september_told_in_june_is_no_job_of_last_year(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-02-02")
    soul.memory.learn("job", "Nurse on ward 14")
    clock.now = at("2026-06-08")
    soul.memory.learn("job", "Deputy sister on ward 22 from 1 September")

    [plan] = soul.memory.plans()
    assert str(plan.when) == "2026-09-01/.."
    assert "Deputy sister on ward 22 from 1 September (from 2026-09-01)" in soul.prompt("my job").text
    clock.now = at("2026-10-25")
    first, *_ = soul.recall("what is my job?")
    assert first.text.startswith("Deputy sister")
    assert "(since 2026-09-01)" in soul.prompt("my job").text


def test_a_visit_on_friday_is_a_plan_for_that_friday_and_not_a_profile(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-03-02")

    memory = soul.remember("The wifi guy comes on Friday").memory

    assert memory is not None
    assert (memory.kind, memory.dated) == ("fact", "2026-03-06")
    clock.now = at("2026-03-08")
    assert "ask how it went" in soul.prompt("hello there").text
    clock.now = at("2026-04-08")
    assert "wifi" not in soul.prompt("hello there").text
    assert soul.memory.restore(memory.id).valid_to is None


def test_what_says_more_than_the_appointment_stays_when_it_is_over(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-04-13")
    soul.memory.learn("kitchen", "Doña Beatriz gets hers on 15 May, in walnut, for 8,100 euros")

    assert [str(plan.when) for plan in soul.memory.plans()] == ["2026-05-15"]
    clock.now = at("2026-07-01")

    assert "8,100 euros (on 2026-05-15)" in soul.prompt("what does the kitchen of Doña Beatriz cost?").text


@each_row(
    "text, stays",
    [
        ("rent is 640 euros, due on the 1st", True),
        ("la luz vence el 3", True),
        ("leaves for Vigo on the 3rd of December", False),
        ("leaves on Thursday the 3rd", False),
    ],
)
def test_what_names_only_a_day_of_some_month_is_told_before_it_and_not_over_after_it(
    text: str, *, stays: bool
) -> None:
    clock = FixedClock(at("2026-11-22"))
    soul = soul_on(MemoryStore(clock))
    soul.memory.learn("plan", text)

    assert [plan.when.first[:7] for plan in soul.memory.plans()] == ["2026-12"]
    clock.now = at("2027-02-20")

    assert bool(soul.memory.core()) == stays


def test_what_is_learned_late_is_dated_by_its_turn(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-03-12")

    learned(soul, "2026-03-03", "Rides a red bicycle")
    assert "Rides a red bicycle\n" in soul.prompt("what shall we do?").text  # a month later nobody knows
    clock.now = at("2026-04-12")

    assert "Rides a red bicycle (told 2026-03-03)" in soul.prompt("what shall we do?").text


def test_a_plan_that_is_learned_two_days_after_it_is_asked_about(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-03-12")

    learned(soul, "2026-03-03", "Dentist at nine", dated="2026-03-10")

    assert [(plan.memory.value, plan.away) for plan in soul.memory.plans(passed=7)] == [
        ("Dentist at nine", -2)
    ]
    assert "Dentist at nine (was on 2026-03-10, 2 days ago; ask how it went)" in soul.prompt("hello").text


def test_what_is_learned_late_does_not_replace_what_was_said_since(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-03-08")
    soul.remember("rent: pays 940 euros a month")
    clock.now = at("2026-03-12")

    learned(soul, "2026-03-03", "pays 900 euros a month", "rent")

    first, *_ = soul.recall("how much rent do I pay?")
    assert first.text == "pays 940 euros a month"
    assert first.state == ""


def test_a_birthday_comes_up_every_year_and_a_child_grows(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-03-02")
    soul.remember("Leo turns 7 on 3 May")
    soul.remember("Nora is 4")

    for year, age in ((2026, 7), (2027, 8), (2029, 10)):
        clock.now = at(f"{year}-04-28")
        assert f"on {year}-05-03, in 5 days, turns {age}" in soul.prompt("what shall we do?").text
    assert "Nora is 4 (told 2026-03-02; about 7 now)" in soul.prompt("what shall we do?").text


def test_a_birthday_is_found_by_its_month_whenever_it_was_told(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-06-10")
    soul.remember("Iván's birthday is on 14 May")
    clock.now = at("2026-11-10")

    assert [hit.text for hit in soul.recall("whose birthday is in May?")] == ["Iván's birthday is on 14 May"]


@pytest.mark.folder
def test_a_log_line_keeps_its_day_whatever_months_it_names(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-05-12")
    soul.log("Booked the cottage for August with Sara")
    clock.now = at("2026-10-12")

    assert [hit.text for hit in soul.recall("what happened in May?")] == [
        "Booked the cottage for August with Sara"
    ]


def test_a_job_counts_for_every_month_in_which_it_was_held(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-01-05")
    job = soul.remember("job: works at the bakery").memory
    assert job is not None
    clock.now = at("2026-08-20")
    soul.remember("job: works at the library", replaces=job.id)
    clock.now = at("2026-11-10")

    assert "works at the bakery" in [hit.text for hit in soul.recall("what was I doing in May?")]
    assert "works at the bakery" in [hit.text for hit in soul.recall("where did I work in May?")]
    assert "works at the library" not in [hit.text for hit in soul.recall("where did I work in May?")]


def test_an_appointment_that_is_moved_ahead_has_not_ended(soul: Soul, clock: FixedClock) -> None:
    clock.now = at("2026-11-02")
    memory = soul.remember("Dentist on Friday").memory
    assert memory is not None

    soul.memory.change(memory.id, when="2026-12-10")
    moved = soul.memory.history(memory.id)[-1]
    soul.memory.change(memory.id, ended="2026-11-01")
    ended = soul.memory.history(memory.id)[-1]

    assert (verb_of(moved), verb_of(ended)) == ("amended", "ended")


def test_a_plan_that_is_replaced_before_its_day_held_from_when_it_was_said(
    soul: Soul, clock: FixedClock
) -> None:
    clock.now = at("2026-03-03")
    soul.memory.admit(Proposed("job", "Teaches in Bath from 1 May", dated="2026-05-01/.."), actor="agent")
    clock.now = at("2026-03-09")
    receipt = soul.memory.admit(
        Proposed("job", "Teaches in York from 1 May", dated="2026-05-01/..", act="replaces"), actor="agent"
    )

    [bath] = receipt.replaced
    assert (bath.valid_from, bath.valid_to) == (at("2026-03-03"), at("2026-03-09"))

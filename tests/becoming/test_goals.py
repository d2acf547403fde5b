"""Goals are changed one at a time, also by several at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario.domain.documents.goal_list import GoalUpdate
from almario.errors import EditConflict, SoulError
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.store.versions import FolderVersions
from almario.testing import FixedClock

pytestmark = pytest.mark.light


def texts(soul: Soul) -> list[str]:
    return [goal.text for goal in soul.goals.list()]


def meanwhile(monkeypatch: pytest.MonkeyPatch, deed: Callable[[], object]) -> None:
    """Do something just before the next write, as another process would."""
    write = FolderStore.write_soul
    left = [deed]

    def with_company(self: FolderStore, *args: object, **kwargs: object) -> None:
        if left:
            left.pop()()
        write(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(FolderStore, "write_soul", with_company)


def test_a_goal_added_by_another_at_the_same_time_is_kept(
    soul: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: reopened().goals.add("theirs"))

    soul.goals.add("ours")

    assert texts(soul)[2:] == ["theirs", "ours"]


def test_a_goal_meant_by_its_number_is_still_the_same_one_when_the_list_has_changed(
    soul: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, second = texts(soul)
    meanwhile(monkeypatch, lambda: reopened().goals.change("1", state="dropped"))

    soul.goals.change("2", state="started")

    [goal] = soul.goals.list()
    assert (goal.text, goal.status) == (second, "in progress")


@pytest.mark.folder
def test_a_list_that_keeps_changing_is_left_alone(soul: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    def conflict(self: FolderStore, *args: object, **kwargs: object) -> None:
        raise EditConflict("{path} was changed", path="GOALS.md")

    monkeypatch.setattr(FolderStore, "write_soul", conflict)

    with pytest.raises(EditConflict):
        soul.goals.add("never")


def test_a_priority_nobody_knows_is_refused(soul: Soul) -> None:
    with pytest.raises(SoulError, match="use high, medium or low"):
        soul.goals.add("x", priority="urgent")


@pytest.mark.folder
def test_old_goals_are_in_the_archive_before_they_leave_the_list(soul: Soul) -> None:
    for _ in range(12):
        soul.goals.add("Water the plants")
        first = "3" if len(texts(soul)) == 3 else str(texts(soul).index("Water the plants") + 1)
        soul.goals.change(first, state="done")

    archive = (soul.path / "memory/archive/goals.md").read_text()
    kept = Path(soul.path / "GOALS.md").read_text()
    assert archive.count("Water the plants") + kept.count("Water the plants") == 12
    assert kept.count("[x]") == 10


def test_what_an_agent_does_unasked_is_one_version_and_a_new_goal_is_only_proposed(soul: Soul) -> None:
    before = len(soul.history("GOALS"))
    updates = [
        GoalUpdate("complete", "2", "It went well", evidence=("a1b2", "cli:main#3")),
        GoalUpdate("note", "1", "Half of it is done"),
        GoalUpdate("add", "Learn\nthe names of the trees", priority="low"),
        GoalUpdate("start", "names of the trees"),
        GoalUpdate("add", "Walk more"),
    ]
    first, second = texts(soul)

    told = soul.goals.apply(updates, reflection="2026-11-14-1")

    [version] = soul.history("GOALS")[before:]
    assert version.reason.startswith("reflection 2026-11-14-1: goal completed: ")
    assert "[a1b2, cli:main#3]" in version.reason
    assert version.actor == "agent"
    goals = {goal.text: goal for goal in soul.goals.list()}
    assert goals[second].done
    assert goals[second].outcome == "It went well"
    assert goals[first].notes == ("Half of it is done",)
    assert goals["Learn the names of the trees"].status == "in progress"
    assert goals["Walk more"].status == "proposed"
    assert [str(sentence) for sentence in told][1] == f"goal noted: {first}"


def test_what_an_agent_cannot_do_is_told_and_left_out_and_the_rest_is_done(soul: Soul) -> None:
    first, second = texts(soul)
    soul.goals.change(second, state="done")
    soul.goals.change(first, note="Noted")
    updates = [
        GoalUpdate("complete", second),
        GoalUpdate("complete", "a goal that nobody has"),
        GoalUpdate("add", f"  {first.upper()} "),
        GoalUpdate("add", f"{first}."),
        GoalUpdate("add", "", priority="high"),
        GoalUpdate("add", "Paint", priority="urgent"),
        GoalUpdate("drop", first),
        GoalUpdate("reopen", second),
        GoalUpdate("reprioritise", first, priority="low"),
        GoalUpdate("wipe", first),  # type: ignore[arg-type]
        GoalUpdate("note", first, "Noted"),
        GoalUpdate("note", first, " "),
        GoalUpdate("add", "Walk more"),
        GoalUpdate("add", "walk more"),
    ]

    told = [str(sentence) for sentence in soul.goals.apply(updates, reflection="2026-11-14-1")]

    assert texts(soul) == [first, "Walk more", second]
    assert len(told) == len(updates)
    assert [line for line in told if not line.startswith("left out")] == ["goal added: Walk more"]


def test_a_reason_is_good_for_once_whatever_became_of_the_list_since(
    soul: Soul, reopened: Callable[[], Soul]
) -> None:
    updates = [GoalUpdate("add", "Walk more"), GoalUpdate("note", "1", "Half")]
    told = soul.goals.apply(updates, reflection="2026-11-14-1")
    soul.goals.change("Walk more", state="dropped")
    before = soul.read("GOALS.md").content

    again = reopened().goals.apply(updates, reflection="2026-11-14-1")

    assert [str(each) for each in again] == [str(each) for each in told]
    assert soul.read("GOALS.md").content == before


def test_the_tenth_reflection_of_a_day_is_not_taken_for_the_first(soul: Soul) -> None:
    assert soul.goals.apply([GoalUpdate("add", "Rest")], reflection="2026-11-14-10")
    assert soul.goals.apply([GoalUpdate("add", "Sing")], reflection="2026-11-14-1")

    assert texts(soul)[2:] == ["Rest", "Sing"]


def test_two_that_apply_the_same_at_once_apply_it_once(
    soul: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch
) -> None:
    updates = [GoalUpdate("note", "1", "Half"), GoalUpdate("add", "Walk more")]
    meanwhile(monkeypatch, lambda: reopened().goals.apply(updates, reflection="2026-11-14-1"))

    told = soul.goals.apply(updates, reflection="2026-11-14-1")

    assert len(told) == len(updates)
    assert soul.goals.list()[0].notes == ("Half",)
    assert texts(soul).count("Walk more") == 1


@pytest.mark.folder
def test_nothing_to_do_is_no_version_and_no_file(soul: Soul) -> None:
    (soul.path / "GOALS.md").unlink()
    soul.settle()
    before = len(soul.history("GOALS"))

    told = soul.goals.apply([GoalUpdate("complete", "1")], reflection="x")

    assert len(told) == 1
    assert len(soul.history("GOALS")) == before
    assert not (soul.path / "GOALS.md").exists()


def stale(soul: Soul) -> list[tuple[str, int]]:
    return [(each.goal.text, each.days) for each in soul.goals.stale()]


def test_a_goal_is_stale_when_nothing_of_it_has_changed_for_so_many_days(
    soul: Soul, clock: FixedClock, reopened: Callable[[], Soul]
) -> None:
    first, second = texts(soul)
    clock.advance(days=13)
    assert stale(soul) == []
    clock.advance(days=1)
    assert stale(soul) == [(first, 14), (second, 14)]

    soul.goals.change("1", note="One step")
    soul.goals.add("Something else")
    assert stale(soul) == [(second, 14)]

    clock.advance(days=20)
    soul.goals.change("3", state="done")
    assert stale(soul) == stale(reopened()) == [(first, 20), (second, 34)]


@pytest.mark.folder
def test_an_edit_by_hand_is_movement_and_one_taken_back_too(soul: Soul, clock: FixedClock) -> None:
    path = soul.path / "GOALS.md"
    as_it_was = path.read_text()
    first, second = texts(soul)
    clock.advance(days=20)
    assert len(stale(soul)) == 2

    path.write_text(as_it_was.replace(first, f"{first} soon"))
    assert stale(soul) == [(second, 20)]  # before it is entered, too
    soul.settle()
    assert stale(soul) == [(second, 20)]
    path.write_text(as_it_was)
    soul.settle()

    assert stale(soul) == [(second, 20)]


@pytest.mark.folder
def test_a_goal_that_left_and_came_back_has_moved(soul: Soul, clock: FixedClock) -> None:
    path = soul.path / "GOALS.md"
    text = path.read_text()
    clock.advance(days=20)
    path.unlink()
    soul.settle()
    path.write_text(text)
    soul.settle()

    assert stale(soul) == []


@pytest.mark.folder
def test_a_version_that_is_not_kept_any_more_says_nothing(soul: Soul, clock: FixedClock) -> None:
    clock.advance(days=1)
    soul.goals.add("Walk more")
    clock.advance(days=20)
    soul.goals.change("Walk more", state="done")
    for path in sorted((soul.path / ".versions" / "GOALS.md").iterdir())[1:-1]:
        path.unlink()

    assert [days for _, days in stale(soul)] == [21, 21]


def test_without_versions_no_goal_is_stale(soul: Soul, home: Path, clock: FixedClock) -> None:
    clock.advance(days=100)
    other = almario.open(home, clock=clock, settings={"versions.enabled": False})

    assert soul.goals.stale()
    assert other.goals.stale() == []


def test_the_past_of_a_long_list_is_read_once_a_day(
    soul: Soul, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        soul.goals.add(f"Goal number {number}")
    clock.advance(days=30)
    assert len(soul.goals.stale()) == 52

    with monkeypatch.context() as patched:
        patched.setattr(FolderVersions, "content", None)  # nobody needs it today
        assert len(soul.goals.stale()) == 52

    clock.advance(days=1)
    assert {stale.days for stale in soul.goals.stale()} == {31}


def test_a_goal_that_a_model_wanted_before_a_purge_is_not_added(soul: Soul) -> None:
    soul.remember("secret love: Carmen from the bakery")
    line = soul._vault.journal.tail().seq
    soul.memory.purge(soul.memory.plan_purge("secret love"))

    with pytest.raises(EditConflict, match="erased in the meantime"):
        soul.goals.apply([GoalUpdate("add", "Think of Carmen from the bakery")], reflection="x", line=line)

    assert "Carmen" not in soul.read("GOALS.md").text


@pytest.mark.folder
def test_a_secret_in_a_goal_is_written_nowhere(soul: Soul) -> None:
    secret = "4111 1111 1111 1111"

    soul.goals.add(f"Cancel the card {secret}")
    soul.goals.change("Cancel", note=f"the new one is {secret}")
    soul.goals.change("Cancel", state="done", note=f"{secret} is no more")

    assert soul.goals.list()[-1].text == "Cancel the card [redacted:card]"
    holding = [
        path for path in soul.path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]
    assert holding == []


def test_a_goal_that_is_nothing_but_a_secret_is_refused(soul: Soul) -> None:
    with pytest.raises(SoulError, match="only a secret"):
        soul.goals.add("4111 1111 1111 1111")


@pytest.mark.folder
def test_a_secret_that_the_owner_wrote_into_a_goal_stays_there(soul: Soul) -> None:
    by_hand = "# Goals\n\n## Active Goals\n\n- [ ] Cancel 4111 1111 1111 1111\n"
    (soul.path / "GOALS.md").write_text(by_hand)

    soul.goals.change("Cancel", state="started")

    assert "4111 1111 1111 1111" in (soul.path / "GOALS.md").read_text()
    assert "4111" not in soul.history("GOALS")[-1].reason

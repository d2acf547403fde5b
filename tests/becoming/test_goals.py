"""Goals are changed one at a time, also by several at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from almario.errors import EditConflict, SoulError
from almario.soul import Soul
from almario.store.vault import Vault


def texts(soul: Soul) -> list[str]:
    return [goal.text for goal in soul.goals.all()]


def meanwhile(monkeypatch: pytest.MonkeyPatch, deed: Callable[[], object]) -> None:
    """Do something just before the next write, as another process would."""
    write = Vault.write_soul
    left = [deed]

    def with_company(self: Vault, *args: object, **kwargs: object) -> None:
        if left:
            left.pop()()
        write(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Vault, "write_soul", with_company)


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
    meanwhile(monkeypatch, lambda: reopened().goals.drop("1"))

    soul.goals.start("2")

    [goal] = soul.goals.all()
    assert (goal.text, goal.status) == (second, "in progress")


def test_a_list_that_keeps_changing_is_left_alone(soul: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    def conflict(self: Vault, *args: object, **kwargs: object) -> None:
        raise EditConflict("{path} was changed", path="GOALS.md")

    monkeypatch.setattr(Vault, "write_soul", conflict)

    with pytest.raises(EditConflict):
        soul.goals.add("never")


def test_a_priority_nobody_knows_is_refused(soul: Soul) -> None:
    with pytest.raises(SoulError, match="use high, medium or low"):
        soul.goals.add("x", priority="urgent")


def test_old_goals_are_in_the_archive_before_they_leave_the_list(soul: Soul) -> None:
    for _ in range(12):
        soul.goals.add("Water the plants")
        soul.goals.complete("3" if len(texts(soul)) == 3 else str(texts(soul).index("Water the plants") + 1))

    archive = (soul.path / "memory/archive/goals.md").read_text()
    kept = Path(soul.path / "GOALS.md").read_text()
    assert archive.count("Water the plants") + kept.count("Water the plants") == 12
    assert kept.count("[x]") == 10

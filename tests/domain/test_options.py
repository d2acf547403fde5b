"""Groups of settings."""

import pytest

from almario.domain.options import Group, group, option, switch


class Tea(Group):
    cups: int = option(2, "How many.")
    is_hot: bool = switch("Warm it up.")


class Kitchen(Group):
    name: str = option("small", "Which one.")
    tea: Tea = group(Tea)


def test_what_is_not_chosen_is_the_default() -> None:
    kitchen = Kitchen(tea=Tea(cups=5))

    assert (kitchen.name, kitchen.tea.cups, kitchen.tea.is_hot) == ("small", 5, True)
    assert Kitchen().tea.cups == 2


def test_what_was_chosen_does_not_change() -> None:
    with pytest.raises(AttributeError, match="cups is set when Tea is made"):
        Tea().cups = 3  # type: ignore[misc]


def test_nothing_can_be_chosen_that_was_not_declared() -> None:
    with pytest.raises(TypeError, match="Tea has no sugar"):
        Tea(sugar=1)  # type: ignore[call-arg]


def test_groups_with_the_same_values_are_equal() -> None:
    assert Tea() == Tea(cups=2)
    assert hash(Kitchen()) == hash(Kitchen(tea=Tea()))
    assert Tea() != Tea(cups=3)
    assert Tea() != Kitchen()
    assert repr(Tea()) == "Tea(2, True)"

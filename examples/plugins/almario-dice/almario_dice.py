"""Dice for an agent: once this is installed, its model can roll them."""

import random
from typing import Annotated

from almario.errors import ToolError
from almario.plugins import Tools


def roll_dice(
    dice: Annotated[int, "How many, up to 100."] = 1,
    sides: Annotated[int, "How many sides each has."] = 6,
) -> str:
    """Roll dice and tell what they show."""
    if not (1 <= dice <= 100 and 2 <= sides <= 1000):
        raise ToolError("there can be 1 to 100 dice, with 2 to 1000 sides")
    rolled = [random.randint(1, sides) for _ in range(dice)]  # noqa: S311 - a game
    return f"{', '.join(map(str, rolled))}: {sum(rolled)} in all"


def add_tools(tools: Tools) -> None:
    """Offer the dice; they keep nothing, so they can be rolled off the record, and in company."""
    tools.add(roll_dice, modes=("conversation", "autonomous", "collaboration"), reads=True)

"""The settings of goals and of reflection."""

from dataclasses import dataclass

from almario.domain.options import option, switch


@dataclass(frozen=True, slots=True)
class GoalSettings:
    keep_completed: int = option(10, "How many completed goals stay in GOALS.md.", low=0, high=10_000)


@dataclass(frozen=True, slots=True)
class ReflectionSettings:
    enabled: bool = switch("Let the agent examine itself and propose changes to its soul.")

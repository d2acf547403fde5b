"""The settings of goals, proposals and reflection."""

from almario.domain.options import Group, option, switch


class GoalSettings(Group):
    keep_completed: int = option(10, "How many completed goals stay in GOALS.md.", low=0, high=10_000)


class ProposalSettings(Group):
    accept: str = option(
        "Current Focus, Open Questions, Self-Observations, Last Reflection",
        "Sections of MOTIVATIONS.md whose changes by a reflection are accepted without asking.",
    )


class ReflectionSettings(Group):
    enabled: bool = switch("Let the agent examine itself and propose changes to its soul.")
    schedule: str = option(
        "30 3 * * *", "When it does so each night, in your time zone, written as for cron."
    )
    goals: bool = switch("Let it add, move on and complete goals.")

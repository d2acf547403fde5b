"""The settings of goals, proposals and reflection."""

from almario.domain.options import Group, option, switch


class GoalSettings(Group):
    keep_completed: int = option(10, "How many completed goals stay in GOALS.md.", low=0, high=10_000)
    stale_days: int = option(
        14, "Days without progress after which it asks about a goal; 0 is never.", low=0, high=36_500
    )


class ProposalSettings(Group):
    accept: str = option(
        "Current Focus, Open Questions, Self-Observations, Last Reflection",
        "Sections of MOTIVATIONS.md whose changes by a reflection are accepted without asking.",
    )
    days: int = option(30, "Days after which an unanswered proposal expires; 0 is never.", low=0, high=36_500)


class ReflectionSettings(Group):
    enabled: bool = switch("Let the agent examine itself and propose changes to its soul.")
    schedule: str = option(
        "30 3 * * *", "When it does so each night, in your time zone, written as for cron."
    )
    goals: bool = switch("Let it add, move on and complete goals.")
    max_chars: int = option(
        40_000, "How much of the past days it looks at, in characters.", low=1000, high=10_000_000
    )

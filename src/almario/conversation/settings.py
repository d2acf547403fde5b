"""The settings of prompts, of sessions and of learning from them."""

from dataclasses import dataclass

from almario.domain.model import MODES
from almario.domain.options import option, switch


@dataclass(frozen=True, slots=True)
class SoulSettings:
    enabled: bool = switch("Put the soul files in the prompt.")
    fallback: str = option("", "The prompt of an agent without soul files; empty is a sentence of our own.")


@dataclass(frozen=True, slots=True)
class PromptSettings:
    mode: str = option("conversation", "The mode when none is asked for.", choices=MODES)
    identity_tokens: int = option(300, "Budget for IDENTITY.md.", low=0, high=1_000_000)
    soul_tokens: int = option(4000, "Budget for SOUL.md.", low=0, high=1_000_000)
    motivations_tokens: int = option(1200, "Budget for MOTIVATIONS.md.", low=0, high=1_000_000)
    goals_tokens: int = option(800, "Budget for the active goals.", low=0, high=1_000_000)
    user_tokens: int = option(1000, "Budget for USER.md.", low=0, high=1_000_000)
    behaviour_tokens: int = option(
        3000, "Budget for AGENTS.md, TOOLS.md and added blocks.", low=0, high=1_000_000
    )
    core_tokens: int = option(1600, "Budget for core memory.", low=0, high=1_000_000)
    recent_days: int = option(2, "How many days of daily logs are told, today included.", low=0, high=366)
    recent_day_tokens: int = option(500, "Budget for each of those days.", low=0, high=1_000_000)
    humanizer: bool = option(False, "Ask the agent to write as a person does.")
    group_chat: bool = option(False, "Tell the agent that several people are listening.")


@dataclass(frozen=True, slots=True)
class SessionSettings:
    window: int = option(20, "How many of a session's last messages go to the model.", low=2, high=1000)
    index: bool = switch("Index what was said in sessions.")
    index_on_start: bool = switch("Index at start what was said since.")


@dataclass(frozen=True, slots=True)
class FlushSettings:
    enabled: bool = switch("Learn facts and episodes from sessions.")
    threshold: int = option(5, "Learn after this many messages.", low=1, high=1000)

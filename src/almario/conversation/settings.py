"""The settings of prompts, of sessions and of learning from them."""

from almario.domain.model import MODES
from almario.domain.options import Group, option, switch


class SoulSettings(Group):
    enabled: bool = switch("Put the soul files in the prompt.")
    fallback: str = option("", "The prompt of an agent without soul files; empty is a sentence of our own.")
    examples: str = option(
        "", "A folder of souls that genesis shows a model, beside three that come along.", home_only=True
    )


class PromptSettings(Group):
    mode: str = option("conversation", "The mode when none is asked for.", choices=MODES)
    memory_tokens: int = option(1200, "Budget for all that is remembered.", low=0, high=1_000_000)
    recent_days: int = option(2, "How many days of daily logs are told, today included.", low=0, high=366)
    humanizer: bool = option(False, "Ask the agent to write as a person does.")
    group_chat: bool = option(False, "Tell the agent that several people are listening.")


class HookSettings(Group):
    enabled: bool = switch("Answer the hooks of coding agents.")
    capture: bool = switch("Keep what is said to and by coding agents, and learn from it.")
    acts: bool = switch("Keep what coding agents do: commands, changes of files, failures with their cures.")
    at_act: bool = switch(
        "Tell a coding agent what matters for a file or a command as it is about to use it."
    )
    hold: str = option(
        "off",
        "Hold a command once that surely breaks a rule of yours or has failed before; off, or rules.",
        choices=("off", "rules"),
    )
    soul: str = option(
        "brief",
        "How much of its soul a coding agent is told as a session begins: brief, or whole.",
        choices=("brief", "whole"),
    )
    resident_minutes: int = option(
        30,
        "For how many quiet minutes the process that answers hooks by meaning stays; 0: there is none.",
        low=0,
        high=525_600,
    )


class ToolSettings(Group):
    plugins: bool = switch("Offer a model the tools that installed plug-ins bring.")
    mcp: str = option("usual", "Which tools programs that speak MCP are offered.", choices=("usual", "all"))


class SessionSettings(Group):
    window: int = option(
        20, "How many of a session's last messages go to the model, at least.", low=2, high=1000
    )
    index: bool = switch("Index what was said in sessions.")
    daily_reset: bool = switch("Begin a session anew each day.")
    reset_hour: int = option(
        4, "The hour of the day at which that happens, in your time zone.", low=0, high=23
    )
    idle_minutes: int = option(
        0, "Quiet minutes after which a session starts afresh; 0 is never.", low=0, high=525_600
    )


class FlushSettings(Group):
    enabled: bool = switch("Learn facts and episodes from sessions.")
    threshold: int = option(
        5, "How many messages, with their answers, a session has before it is learned from.", low=1, high=1000
    )


class ModelSettings(Group):
    model: str = option(
        "auto",
        'The model that talks, as provider/model; several, parted by commas, are tried in turn. "auto" takes '
        'what it finds, "none" does without.',
    )
    background: str = option("", "The model that learns from conversations; empty is the one that talks.")
    url: str = option("", "Where an OpenAI-compatible endpoint is, for the provider openai.")
    local_source: str = option(
        "https://huggingface.co", 'Where "almario model get" downloads models from; each file is checked.'
    )
    timeout: float = option(
        120.0,
        "How many seconds a model may be silent, before its first word and between words.",
        low=1,
        high=3600,
    )
    daily_tokens: int = option(
        0, "Tokens a day after which background work stops; 0 is no limit.", low=0, high=1_000_000_000
    )
    daily_cost: float = option(
        0.0, "US dollars a day after which background work stops; 0 is no limit.", low=0, high=1_000_000
    )
    prices: str = option(
        "",
        "US dollars per million tokens sent and received (and sent from a cache), as provider/model = "
        "3, 15, 0.3; semicolons separate several.",
    )

"""The settings of sessions and of learning from them."""

from dataclasses import dataclass

from almario.domain.options import option, switch


@dataclass(frozen=True, slots=True)
class SessionSettings:
    window: int = option(20, "How many of a session's last messages go to the model.", low=2, high=1000)
    index: bool = switch("Index what was said in sessions.")
    index_on_start: bool = switch("Index at start what was said since.")


@dataclass(frozen=True, slots=True)
class FlushSettings:
    enabled: bool = switch("Learn facts and episodes from sessions.")
    threshold: int = option(5, "Learn after this many messages.", low=1, high=1000)

"""The settings of upkeep."""

from dataclasses import dataclass

from almario.domain.options import switch


@dataclass(frozen=True, slots=True)
class WatchSettings:
    enabled: bool = switch("Notice edits as they are made, in long-running processes.")

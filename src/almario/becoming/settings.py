"""The settings of reflection."""

from dataclasses import dataclass

from almario.domain.options import switch


@dataclass(frozen=True, slots=True)
class ReflectionSettings:
    enabled: bool = switch("Let the agent examine itself and propose changes to its soul.")

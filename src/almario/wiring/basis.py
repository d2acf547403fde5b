"""What every part of one agent is built on."""

from typing import NamedTuple

from almario.config import Settings
from almario.memory.facade import Memories
from almario.ports import Store
from almario.wiring.thinking import Thinking


class Basis(NamedTuple):
    """An agent's folder, memory and models, the settings in force, and its language."""

    vault: Store
    memory: Memories
    thinking: Thinking
    settings: Settings
    language: str

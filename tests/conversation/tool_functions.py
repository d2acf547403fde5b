"""The tools of a soul, over any vault."""

from almario.conversation.presence import Discretion
from almario.conversation.tools import Tools, own_functions
from almario.ports import Store
from almario.soul import Soul


def tools_of(soul: Soul, vault: Store) -> Tools:
    discretion = Discretion(soul.memory, vault.transcripts, vault.now)
    functions = own_functions(vault, soul.memory, soul.goals, soul.proposals, soul.improving, discretion)
    return Tools(lambda: functions)

"""The tools of a soul, over any vault."""

from almario.conversation.discretion import Discretion
from almario.conversation.tools import Tools, own_functions
from almario.soul import Soul
from almario.store.vault import Vault


def tools_of(soul: Soul, vault: Vault) -> Tools:
    discretion = Discretion(soul.memory, vault.transcripts, vault.now)
    functions = own_functions(vault, soul.memory, soul.goals, soul.proposals, soul.improving, discretion)
    return Tools(lambda: functions)

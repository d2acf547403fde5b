"""What the tools of the table do, by their names there."""

from collections.abc import Mapping

from almario.becoming.goals import Goals
from almario.becoming.proposals import Proposals
from almario.conversation.change_tools import ChangeTools
from almario.conversation.memory_tools import MemoryTools
from almario.conversation.program_tools import ProgramTools
from almario.conversation.soul_tools import SoulTools
from almario.conversation.tool_calls import Function
from almario.conversation.voice import Voice
from almario.ports import Store


def own_functions(vault: Store, voice: Voice, goals: Goals, proposals: Proposals) -> Mapping[str, Function]:
    """Return each tool's function."""
    memory_tools = MemoryTools(vault, voice.memory, voice.discretion)
    return {
        **memory_tools.functions(),
        **SoulTools(goals, proposals, voice.improving, voice.memory).functions(),
        **ChangeTools(voice.memory, proposals, vault.zone).functions(),
        **ProgramTools(vault, voice, memory_tools).functions(),
    }

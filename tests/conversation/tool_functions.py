"""The tools of a soul, over any vault."""

from typing import Any, cast

from almario.conversation.program_tools import own_functions
from almario.conversation.tools import Tools
from almario.conversation.voice import Voice
from almario.ports import Store
from almario.soul import Soul


def tools_of(soul: Soul, vault: Store) -> Tools:
    parts = cast("Any", soul)._parts
    voice = cast("Voice", parts)
    functions = own_functions(vault, voice, soul.goals, soul.proposals, keep=parts.agent.append)
    return Tools(lambda: functions)

"""What a model may do for a soul: the one table of tools, as a session sees it, and yours beside it."""

import os
from collections.abc import Mapping
from typing import Any

from almario.conversation.agent import Agent
from almario.conversation.tool_calls import Caller
from almario.conversation.tools import Done, Tools
from almario.domain.model import Mode
from almario.domain.talk import ToolCall, ToolSpec
from almario.domain.turns import DEFAULT_SESSION


class Toolbox:
    """Lists, calls and adds tools; `Soul.tools` gives it."""

    def __init__(self, tools: Tools, agent: Agent) -> None:
        self._tools = tools
        self._agent = agent
        self.add = tools.add

    def specs(self, mode: Mode = "", *, session: str = "") -> tuple[ToolSpec, ...]:
        """Return the tools that a model may use in a mode (of the settings, without one) and a session."""
        return self._tools.specs(mode or self._agent.mode, self._agent.audience(session, mode))

    def call(
        self, name: str, arguments: Mapping[str, Any], *, session: str = DEFAULT_SESSION, mode: Mode = ""
    ) -> Done:
        """Use a tool as a session's model wants; the result is kept in the session."""
        call = ToolCall(os.urandom(4).hex(), name, arguments)
        return self._agent.use(session, call, mode=mode)[0]

    def call_for(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> Done:
        """Use a tool, by the name that programs know it by, as another program's model wants.

        What that model says is its own word, unless it stands in a message of the owner's that was captured.
        """
        return self._agent.use_for(caller, ToolCall(os.urandom(4).hex(), name, arguments))

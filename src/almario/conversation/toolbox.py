"""What a model may do for a soul: the one table of tools, as a session sees it, and yours beside it."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from almario.conversation.agent import Agent
from almario.conversation.tools import Done, Tools
from almario.domain.model import Mode
from almario.domain.talk import ToolCall, ToolSpec
from almario.domain.turns import DEFAULT_SESSION
from almario.ports import Store

if TYPE_CHECKING:
    from almario.conversation.notes import Notes


class Toolbox:
    """Lists, calls and adds tools; `Soul.tools` gives it."""

    def __init__(self, tools: Tools, agent: Agent, vault: Store) -> None:
        self._tools = tools
        self._agent = agent
        self._vault = vault
        self.add = tools.add

    @property
    def notes(self) -> "Notes":
        """What a model writes down for itself with Anthropic's memory tool."""
        from almario.conversation.notes import Notes  # noqa: PLC0415 - few models have it

        return Notes(self._vault, self._agent.parts.memory, self._agent)

    def specs(self, mode: Mode = "", *, session: str = "") -> tuple[ToolSpec, ...]:
        """Return the tools that a model may use in a mode (of the settings, without one) and a session."""
        return self._tools.specs(mode or self._agent.mode, self._agent.audience(session, mode))

    def call(
        self, name: str, arguments: Mapping[str, Any], *, session: str = DEFAULT_SESSION, mode: Mode = ""
    ) -> Done:
        """Use a tool as a session's model wants; the result is kept in the session."""
        call = ToolCall(os.urandom(4).hex(), name, arguments)
        return self._agent.use(session, call, mode=mode)[0]

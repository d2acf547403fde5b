"""Programs that speak MCP with a soul, in this process, in either era of the protocol."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import mcp_types as types
from mcp import Client
from mcp.shared.exceptions import MCPError

from almario.apps.mcp.server import create_server
from almario.apps.mcp.visiting import Visitor
from almario.soul import Soul

# How a client opens: by asking which versions there are (2026-07-28), or by a handshake (2025-11-25).
ERAS = ("auto", "legacy")
Asked = list[types.ElicitRequestFormParams]


class Program:
    """A program that asks one thing; *says* is what its user answers to a form, None if it has none.

    *asked* are the forms that it has shown.
    """

    def __init__(
        self, visitor: Visitor | Soul, era: str = ERAS[0], says: str | None = None, ticks: bool = True
    ) -> None:
        self.visitor = visitor if isinstance(visitor, Visitor) else Visitor(lambda: visitor)
        self._era = era
        self._says = says
        self._ticks = ticks
        self.asked: Asked = []

    def call(self, name: str, **arguments: Any) -> types.CallToolResult:
        done = self.do(lambda client: client.call_tool(name, arguments))
        assert isinstance(done, types.CallToolResult)
        return done

    def refusal(self, name: str, **arguments: Any) -> str:
        """Return why a tool did not do it: one line."""
        done = self.call(name, **arguments)
        assert done.is_error
        return text_of(done)

    def do(self, ask: Callable[[Client], Awaitable[Any]], *, every: bool = False) -> Any:
        """Ask a client something; what the server refuses is raised as it is."""
        refused: list[MCPError] = []

        async def run() -> Any:
            server = create_server(lambda _: self.visitor, every=every)
            callback = self._answer if self._says else None
            async with Client(server, mode=self._era, elicitation_callback=callback) as client:
                try:
                    return await ask(client)
                except MCPError as exc:
                    refused.append(exc)

        found = anyio.run(run)
        for each in refused:
            raise each
        return found

    async def _answer(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert isinstance(params, types.ElicitRequestFormParams)
        self.asked.append(params)
        content = dict.fromkeys(params.requested_schema["properties"], self._ticks)
        return types.ElicitResult(action=self._says, content=content)  # type: ignore[arg-type]


def text_of(done: types.CallToolResult) -> str:
    """Return what a tool says in words."""
    [block] = done.content
    assert isinstance(block, types.TextContent)
    return block.text


def names(found: Sequence[Mapping[str, Any]], field: str = "text") -> list[Any]:
    return [each[field] for each in found]

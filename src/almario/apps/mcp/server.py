"""The MCP server of an agent: what it says of itself, and who answers which request.

It speaks both eras of the protocol, 2026-07-28 and 2025-11-25; the SDK tells them apart.
"""

import os
from typing import Any

import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

from almario import __version__
from almario.apps.mcp import reading, using
from almario.apps.mcp.first_answers import INSTRUCTIONS, LISTED_MS, NAME, TITLE, described
from almario.apps.mcp.visiting import Context, VisitorOf

# What is listed changes only with a new version; what is read changes at any time.
_LISTED, _READ = CacheHint(ttl_ms=LISTED_MS), CacheHint(ttl_ms=0)
_HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": _LISTED,
    "prompts/list": _LISTED,
    "resources/templates/list": _LISTED,
    "server/discover": _LISTED,
    "resources/list": _READ,
    "resources/read": _READ,
}
# Which page of a list is asked for: there is one.
_Page = types.PaginatedRequestParams | None


class _Answers:
    """Answers each request of the protocol, for whoever it comes from."""

    def __init__(self, visitor_of: VisitorOf, *, every: bool) -> None:
        self._visitor_of = visitor_of
        self._every = every

    async def list_tools(self, ctx: Context, _: _Page) -> types.ListToolsResult:
        tools = self._visitor_of(ctx).tools(every=self._every)
        listed = [types.Tool.model_validate(described(name, tool)) for name, tool in tools.items()]
        return types.ListToolsResult(tools=listed)

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> using.Called:
        return await using.call(ctx, params, self._visitor_of(ctx))

    async def list_resources(self, ctx: Context, _: _Page) -> types.ListResourcesResult:
        found = await anyio.to_thread.run_sync(reading.resources, self._visitor_of(ctx))
        return types.ListResourcesResult(resources=found)

    async def list_templates(self, ctx: Context, _: _Page) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=reading.templates())

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await anyio.to_thread.run_sync(reading.read, self._visitor_of(ctx), str(params.uri))

    async def list_prompts(self, ctx: Context, _: _Page) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=reading.prompts(self._visitor_of(ctx)))

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        arguments = params.arguments or {}
        return await anyio.to_thread.run_sync(reading.prompt, self._visitor_of(ctx), params.name, arguments)


def create_server(visitor_of: VisitorOf, *, every: bool = False) -> Server[Any]:
    """Make the server; *every* tool is listed, or the usual ones."""
    answers = _Answers(visitor_of, every=every)
    server: Server[Any] = Server(
        NAME,
        version=__version__,
        title=TITLE,
        instructions=INSTRUCTIONS,
        cache_hints=_HINTS,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )
    # What comes back with an answer was sealed here, for the same call by the same program.
    sealed = RequestStateSecurity(keys=[os.urandom(32)], bind_principal=lambda ctx: visitor_of(ctx).name)
    server.middleware.append(RequestStateBoundary(sealed, default_audience=NAME))
    return server

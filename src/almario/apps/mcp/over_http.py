"""The agents of a home for programs that speak MCP over HTTP: `/mcp`, or `/mcp/AGENT`.

Who asks was let in by the gate, which has checked Host and Origin; its grant says which agents there are
and what it may do. Nothing is kept from one request to the next.
"""

import anyio.to_thread
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import State
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from almario.apps.mcp.server import create_server
from almario.apps.mcp.visiting import Context, Visitor
from almario.apps.web.access import Grant
from almario.apps.web.asking import agent_for
from almario.wiring.souls import Souls

PATH = "/mcp"
# The gate checks them exactly; the SDK would only look how they begin.
_CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class McpDoor:
    """Answers MCP requests; `manager.run()` must be open as long as they come."""

    def __init__(self, souls: Souls) -> None:
        self._souls = souls
        every = souls.config().settings.tools.mcp == "all"
        server = create_server(self._visitor, every=every)
        self.manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, security_settings=_CHECKED
        )

    @property
    def routes(self) -> list[Route]:
        # Nothing is sent that was not asked for: a stream for it, which GET would open, has no end.
        paths = (PATH, f"{PATH}/{{agent}}")
        return [Route(path, self, methods=["POST"], include_in_schema=False) for path in paths]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        wanted, grant = request.path_params.get("agent", ""), request.state.grant
        # Only an agent that the token knows gets any further.
        request.state.agent = await anyio.to_thread.run_sync(agent_for, self._souls, grant, wanted)
        await self.manager.handle_request(scope, receive, send)

    def _visitor(self, ctx: Context) -> Visitor:
        state: State = ctx.request.state if ctx.request else State()
        grant: Grant = state.grant
        agent: str = state.agent
        return Visitor(
            lambda: self._souls.soul(agent),
            may_write=grant.scope != "read",
            may_decide=grant.scope == "admin",
            name=f"{grant.name} {agent}",
            home=str(self._souls.root),
        )

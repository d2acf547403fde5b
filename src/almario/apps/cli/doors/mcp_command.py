"""`almario mcp`: the agent for programs that speak MCP."""

from functools import cache, partial
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from almario import config
from almario.apps.cli.common import CommandCall, make_command
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_line
from almario.apps.mcp.over_stdio import serve
from almario.domain.installing import to_install
from almario.errors import MissingExtra
from almario.served import Login
from almario.wiring import choose_agent

if TYPE_CHECKING:
    from almario.wiring.souls import Souls


@make_command(
    "mcp",
    "Offer your agent to a program that speaks MCP, over standard input and output. The program starts it "
    "by itself.",
    "almario mcp",
    "almario mcp --agent work",
    as_json=False,
)
def command(call: CommandCall) -> None:
    if find_spec("mcp") is None:
        raise MissingExtra("mcp is not installed; run: {line}", line=to_install("almario[mcp]"))
    if at_terminal():
        print_line(_("Waiting for a program that speaks MCP; Ctrl+C stops it."), err=True)
    if login := call.login:
        serve(lambda: elsewhere(call, login), call.agent or login.agent, every=False)
        return
    opened = call.opened()
    agent = choose_agent(opened, call.agent)  # one that is not there is told before MCP is spoken
    every = opened.configured(agent).settings.tools.mcp == "all"

    def souls() -> "Souls":
        from almario.wiring.souls import Souls  # noqa: PLC0415 - half a second

        return Souls(call.home, settings=call.settings)

    serve(souls, agent.id, every=every)


def elsewhere(call: CommandCall, login: Login) -> Any:
    """Return what stands for the agents of a home where a server keeps them."""
    from almario.client.stand_in import away  # noqa: PLC0415 - loads what sends requests

    opened = cache(partial(away, login))
    return SimpleNamespace(root=config.home_path(call.home), soul=opened, close=opened.cache_clear)

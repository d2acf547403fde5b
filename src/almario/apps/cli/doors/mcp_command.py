"""`almario mcp`: the agent for programs that speak MCP."""

import gc
from importlib.util import find_spec

from almario.apps.cli.common import CommandCall, make_command
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_line
from almario.errors import MissingExtra
from almario.wiring import choose_agent


@make_command(
    "mcp",
    "Offer your agent to a program that speaks MCP, over standard input and output. The program starts it "
    "by itself.",
    "almario mcp",
    "almario mcp --agent work",
    as_json=False,
)
def command(call: CommandCall) -> None:
    opened = call.opened()
    agent = choose_agent(opened, call.agent)  # one that is not there is told before MCP is spoken
    if find_spec("mcp") is None:
        raise MissingExtra("mcp is not installed; run: pip install 'almario[mcp]'")
    gc.disable()  # there is no garbage among a thousand new classes, and looking for it takes a tenth longer
    from almario.apps.mcp.over_stdio import serve  # noqa: PLC0415 - a second
    from almario.wiring.souls import Souls  # noqa: PLC0415 - as above

    gc.enable()
    if at_terminal():
        print_line(_("Waiting for a program that speaks MCP; Ctrl+C stops it."), err=True)
    every = opened.configured(agent).settings.tools.mcp == "all"
    serve(Souls(call.home, settings=call.settings), agent.id, every=every)

"""Who asks: the agent they may ask, and what they may do."""

from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext

from almario.named_tuples import NamedTuple
from almario.soul import Soul
from almario.wiring.offering import Tool, offered

Context = ServerRequestContext[Any, Any]


class Visitor(NamedTuple):
    """A program that asks; *soul* opens the agent when it is needed, *name* tells it from others.
    In *home* it is noted that it asked, if one is named.

    One that *may_write* can change things; one that *may_decide* carries the owner's yes.
    """

    soul: Callable[[], Soul]
    may_write: bool = True
    may_decide: bool = True
    name: str = ""
    home: str = ""

    def tools(self, *, every: bool) -> dict[str, Tool]:
        """Return the tools that are offered here, by their names; the usual, or *every* one."""
        found = offered(every=every)
        return {name: tool for name, tool in found.items() if self.may_write or tool.reads}


# Says who asks, for each request.
VisitorOf = Callable[[Context], Visitor]

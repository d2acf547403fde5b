"""The hooks of coding agents: memory without being asked."""

from almario.named_tuples import NamedTuple

EVENTS = (
    "session-start",
    "user-prompt",
    "pre-tool-use",
    "post-tool-use-failure",
    "stop",
    "pre-compact",
    "post-compact",
    "session-end",
)


class HookQuestion(NamedTuple):
    """A hook as it was called: of which event, and for which home, agent and client if that was said.

    *ref* is this call's own name; *again* says that a server was told of it, and did not answer.
    """

    event: str
    home: str | None = None
    agent: str | None = None
    client: str = ""
    ref: str = ""
    again: bool = False

"""What goes to a language model and what comes back, in words that every provider has."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from almario.named_tuples import NamedTuple

_EMPTY: Mapping[str, Any] = MappingProxyType({})


class ToolCall(NamedTuple):
    """A tool that the model wants used; *problem* says why its arguments cannot be read, if so."""

    id: str
    name: str
    arguments: Mapping[str, Any] = _EMPTY
    problem: str = ""


class Message(NamedTuple):
    """One message to a model: of the `user`, of the `assistant`, or what a `tool` gave back.

    *calls* are the assistant's; *answers* is the id of the call whose result a tool's message is.
    """

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    answers: str = ""


class ToolSpec(NamedTuple):
    """A tool as a model is told of it; *schema* is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


class Ask(NamedTuple):
    """What a model is asked: who it is (*stable*), what was said, and what it knows by now (*changing*).

    The latter is told right before the newest of what was said, so that all that comes earlier is the same
    from call to call, and may be cached. With a *schema*, the answer must be one JSON value that fits it.
    *most* is how many tokens the answer may have; 0 leaves it to the settings.
    """

    messages: tuple[Message, ...]
    stable: str = ""
    changing: str = ""
    tools: tuple[ToolSpec, ...] = ()
    schema: Mapping[str, Any] | None = None
    most: int = 0

    @property
    def system(self) -> str:
        return "\n\n".join(part for part in (self.stable, self.changing) if part)


class Usage(NamedTuple):
    """Tokens of one call: what the model was told (of it *cached*), and what it said.

    *cost* is in US dollars, as the provider told it; None if it did not.
    """

    told: int = 0
    said: int = 0
    cached: int = 0
    cost: float | None = None

    def plus(self, other: "Usage") -> "Usage":
        costs = [each.cost for each in (self, other) if each.cost is not None]
        return Usage(
            self.told + other.told,
            self.said + other.said,
            self.cached + other.cached,
            sum(costs) if costs else None,
        )


class Reply(NamedTuple):
    """What a model answered; *stop* is `end`, `tools`, `length` or `refused`."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    model: str = ""
    usage: Usage = Usage()
    stop: str = "end"

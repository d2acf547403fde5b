"""What is asked of a server, apart from who asks: every verb is written once, for both faces.

A verb is a generator: it yields calls, is sent what came of each, and returns a value. So it says what is
asked and what the answer means, and a face, which waits or does not, says how it is carried.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

from almario.client.from_json import read
from almario.domain.messages import Sentence
from almario.errors import AlmarioError, ServerUnavailable
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from almario.ports import Hear

T = TypeVar("T")
_NOTHING: Mapping[str, Any] = {}
UNREADABLE = Sentence("the server's answer cannot be read; it may be another version of Almario")


class Call(NamedTuple):
    """One request, of the agent that the face is about; a text is sent as it is, any other body as JSON.

    *hear* is told the text of an answer as it comes. If the connection is lost, what *is_safe*, as it changes
    nothing, or has a *key* is sent again: with the same key the same is done once.
    """

    method: str
    path: str
    body: Any = None
    query: Mapping[str, Any] = _NOTHING
    headers: Mapping[str, str] = _NOTHING
    hear: Hear | None = None
    key: str = ""
    is_safe: bool = False

    @property
    def can_be_repeated(self) -> bool:
        return self.method == "GET" or self.is_safe or bool(self.key)


Steps = Generator[Call, Any, T]


def next_call(steps: Steps[Any], said: Any) -> Call:
    """Tell a verb what came of its last call, be it an error, and return its next one.

    StopIteration has what it returns. An answer that it cannot read is an error, too.
    """
    if isinstance(said, AlmarioError):
        return steps.throw(said)
    try:
        return steps.send(said)
    except (AttributeError, KeyError, TypeError, ValueError) as exc:
        if said is None:  # nothing was answered yet: it is about what was asked
            raise
        raise ServerUnavailable(UNREADABLE) from exc


def one(kind: type[T], call: Call, *, at: str = "") -> Steps[T]:
    """Ask once, and return the answer, or what it has *at* a name, as a value of a type."""
    said = yield call
    return read(kind, said[at] if at else said)


def done(call: Call) -> Steps[None]:
    """Ask once, and return nothing."""
    yield call


def pages(kind: type[T], path: str, /, **query: Any) -> Steps[list[T]]:
    """Ask for one page after another, and return what is on all of them."""
    items: list[Any] = []
    place: dict[str, Any] = {"limit": 1000}
    while True:
        page = yield Call("GET", path, query=query | place)
        items += page["items"]
        if page["next"] is None:
            return read(list[kind], items)  # type: ignore[valid-type]
        place["after" if path == "/turns" else "offset"] = page["next"]


def named(name: str) -> str:
    """Return a name as a part of a path: whatever it is, it stays one part, and there is one."""
    return quote(name, safe="", errors="replace").replace(".", "%2E") or "%20"


def new_key() -> str:
    """Return a key under which something is done once, however often it is sent."""
    return uuid4().hex

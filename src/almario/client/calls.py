"""What is asked of a server, apart from who asks: every verb is written once, for both faces.

A verb is a generator: it yields calls, is sent what came of each, and returns a value. So it says what is
asked and what the answer means, and a face, which waits or does not, says how it is carried.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar, overload
from uuid import uuid4

from almario.client.values import read

if TYPE_CHECKING:
    from almario.client.faces import Here, There
    from almario.ports import Hear

P = ParamSpec("P")
T = TypeVar("T")
Face = TypeVar("Face", "Here", "There")
_NOTHING: Mapping[str, Any] = {}


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


class Part(Generic[Face]):
    """A soul that is elsewhere, or a part of one: what a verb of it asks, its face carries."""

    def __init__(self, face: Face) -> None:
        self._face: Face = face


class verb(Generic[P, T]):  # noqa: N801 - a decorator
    """Lets a generator of calls be a method: one that waits, or one to await, as its part's face is."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self._steps: Any = steps
        own: Any = self
        update_wrapper(own, steps)

    @overload
    def __get__(self, part: Part[Here], owner: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, part: Part[There], owner: object = None) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, part: None, owner: object = None) -> verb[P, T]: ...
    def __get__(self, part: Part[Any] | None, owner: object = None) -> Any:
        if part is None:
            return self
        own, face = self._steps.__get__(part), part._face

        def ask(*given: Any, **named: Any) -> Any:
            return face.run(own(*given, **named))

        return update_wrapper(ask, own)


class fact(Generic[T]):  # noqa: N801 - a decorator
    """Does the same for a property: it is asked for each time, and to be awaited where its part's face is."""

    def __init__(self, steps: Callable[[Any], Steps[T]]) -> None:
        self._steps: Any = steps
        self.__doc__ = steps.__doc__

    @overload
    def __get__(self, part: Part[Here], owner: object = None) -> T: ...
    @overload
    def __get__(self, part: Part[There], owner: object = None) -> Coroutine[Any, Any, T]: ...
    @overload
    def __get__(self, part: None, owner: object = None) -> fact[T]: ...
    def __get__(self, part: Part[Any] | None, owner: object = None) -> Any:
        return self if part is None else part._face.run(self._steps(part))


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


def new_key() -> str:
    """Return a key under which something is done once, however often it is sent."""
    return uuid4().hex

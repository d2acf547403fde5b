"""How a generator of calls becomes a method: one that waits for what comes of it, or one to be awaited."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from almario.client.calls import Steps

if TYPE_CHECKING:
    from almario.client.carrying import Here, There

P = ParamSpec("P")
T = TypeVar("T")
Face = TypeVar("Face", "Here", "There")


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

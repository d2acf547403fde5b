"""What a server holds in its memory of an agent: it may tell what is erased later, by whatever door."""

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class UntilErased(Generic[Value]):
    """Holds a value until anything of its agent is erased; *erased* gives the line of the latest erasure."""

    def __init__(self, erased: Callable[[], int]) -> None:
        self._erased, self._at = erased, 0
        self._value: Value | None = None

    def hold(self, make: Callable[[], Value]) -> Value:
        """Make a value, hold it and return it; what is erased meanwhile may be in it."""
        self._at = self._erased()
        self._value = value = make()
        return value

    @property
    def value(self) -> Value | None:
        if self._value is not None and self._erased() != self._at:
            self._value = None
        return self._value

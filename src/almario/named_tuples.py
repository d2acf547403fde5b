"""`NamedTuple` as it is in `typing`, made in a tenth of the time.

A command loads more than a hundred of them and makes a value of a few. What takes long is compiling
the constructor, so that is done when the first value is made.
"""

import sys
from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING or sys.version_info >= (3, 14):  # where a class does not know its annotations yet
    from typing import NamedTuple
else:
    from collections import _tuplegetter
    from collections.abc import Iterable
    from typing import Any, Self

    class _Slotted(type):
        @classmethod
        def __prepare__(cls, name: str, bases: tuple[type, ...], /) -> dict[str, Any]:
            return {"__slots__": ()}

        @property
        def __signature__(cls) -> Any:
            from inspect import signature  # noqa: PLC0415 - only for help

            return signature(_constructor(cls).__get__(cls))

    class NamedTuple(tuple, metaclass=_Slotted):
        _fields = ()

        def __init_subclass__(cls) -> None:
            super().__init_subclass__()
            if NamedTuple not in cls.__bases__:
                return
            own = cls.__dict__
            cls._fields = cls.__match_args__ = fields = tuple(own.get("__annotations__", ()))
            cls._field_defaults = {name: own[name] for name in fields if name in own}
            for place, name in enumerate(fields):
                setattr(cls, name, _tuplegetter(place, ""))

        def __new__(cls, /, *values: Any, **named: Any) -> Self:
            made_by = _constructor(cls)
            next(each for each in cls.__mro__ if "_fields" in each.__dict__).__new__ = made_by
            return made_by(cls, *values, **named)

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **named: Any) -> Self:
            made = self._make(map(named.pop, self._fields, self))
            if named:
                raise ValueError(f"Got unexpected field names: {list(named)!r}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            told = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({told})"

    def _constructor(cls: type[NamedTuple]) -> Any:
        names = "".join(f"{name}, " for name in cls._fields)
        source = f"lambda _cls, {names}: _new(_cls, ({names}))"
        made = eval(source, {"_new": tuple.__new__})  # noqa: S307 - as typing does it
        made.__defaults__ = tuple(cls._field_defaults.values())
        made.__name__, made.__qualname__ = "__new__", f"{cls.__qualname__}.__new__"
        return made

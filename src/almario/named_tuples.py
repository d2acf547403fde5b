"""`NamedTuple` as it is in `typing`, made in a tenth of the time.

A command loads more than a hundred of them and makes values of fifty. What takes long is compiling a
constructor: that is done when the first value is made, and once for all that have as many fields.
"""

import sys
from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING or sys.version_info >= (3, 14):  # where a class does not know its annotations yet
    from typing import NamedTuple
else:
    from collections import _tuplegetter
    from collections.abc import Iterable
    from functools import cache
    from types import CodeType, FunctionType
    from typing import Any

    class _Made(type):
        """Makes a tuple with names of what is written as a subclass of NamedTuple."""

        def __new__(cls, name: str, bases: tuple[type, ...], own: dict[str, Any]) -> type:
            fields = tuple(own.get("__annotations__", ()))
            own["_field_defaults"] = {field: own[field] for field in fields if field in own}
            own["_fields"] = own["__match_args__"] = fields
            own.update((field, _tuplegetter(place, "")) for place, field in enumerate(fields))
            return type(name, (tuple, *bases[1:]), _SHARED | own)

    class _Signature:
        """What the constructor takes, which `inspect` asks for."""

        def __get__(self, value: Any, cls: Any) -> Any:
            from inspect import signature  # noqa: PLC0415 - only for help

            return signature(_constructor(cls).__get__(cls))

    def _first(cls: Any, /, *values: Any, **named: Any) -> Any:
        made_by = _constructor(cls)
        next(each for each in cls.__mro__ if "_fields" in each.__dict__).__new__ = made_by
        return made_by(cls, *values, **named)

    def _constructor(cls: Any) -> FunctionType:
        code = _code(len(cls._fields)).replace(co_varnames=("_cls", *cls._fields), co_name="__new__")
        defaults = tuple(cls._field_defaults.values())
        made = FunctionType(code, {"_new": tuple.__new__}, "__new__", defaults)
        made.__qualname__ = f"{cls.__qualname__}.__new__"
        return made

    @cache
    def _code(arity: int) -> CodeType:
        names = "".join(f"_{place}, " for place in range(arity))
        made = eval(f"lambda _cls, {names}: _new(_cls, ({names}))")  # noqa: S307 - as typing does it
        return made.__code__

    @classmethod
    def _make(cls: Any, values: Iterable[Any]) -> Any:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self: Any, /, **named: Any) -> Any:
        made = self._make(map(named.pop, self._fields, self))
        if named:
            raise ValueError(f"Got unexpected field names: {list(named)!r}")
        return made

    def _asdict(self: Any) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _repr(self: Any) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in _asdict(self).items())
        return f"{type(self).__name__}({fields})"

    def _given(self: Any) -> tuple[Any, ...]:
        return tuple(self)

    _SHARED = {
        "__slots__": (),
        "__new__": _first,
        "__signature__": _Signature(),
        "__repr__": _repr,
        "__getnewargs__": _given,
        "_make": _make,
        "_replace": _replace,
        "__replace__": _replace,
        "_asdict": _asdict,
    }
    # A class that is written as a subclass of it is made by `_Made`, and is none.
    NamedTuple = type.__new__(_Made, "NamedTuple", (), {})

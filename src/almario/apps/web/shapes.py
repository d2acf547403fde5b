"""Answers as JSON, and the shapes that OpenAPI is told, made from the types of values alone."""

from collections.abc import Mapping, Sequence
from datetime import date, time, tzinfo
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, is_typeddict

from fastapi.responses import JSONResponse
from pydantic import Field
from typing_extensions import TypedDict

from almario.apps.web.readers import tell
from almario.domain.records import hints_of, plain
from almario.verb_table import verb

_PLAIN = (str, int, float, bool, type(None))
# A number that a program gives is no longer than any of ours.
_INTEGER = Annotated[int, Field(ge=-(10**12), le=10**12)]


def shown(value: Any) -> Any:
    """Return a value as JSON has it, its sentences in the language of whoever reads it."""
    return plain(value, tell)


def answer(value: Any, status: int = 200, **headers: str) -> JSONResponse:
    """Return a value as an answer."""
    return JSONResponse(shown(value), status, headers or None)


def record(name: str, /, **parts: Any) -> Any:
    """Return the shape of an answer that is put together of parts."""
    return _typed_dict(name, {each: shape(kind) for each, kind in parts.items()})


def returned(verb_name: str) -> Any:
    """Return the shape of what a verb gives."""
    return shape(verb(verb_name).returns)


def many(kind: Any) -> Any:
    """Return the shape of a list."""
    return list[kind]


def page_of(kind: Any) -> Any:
    """Return the shape of a page: some items, how many there are, and where the next page begins."""
    return record(f"{kind.__name__}Page", items=list[kind], total=int, next=int | None)


def part(items: Sequence[Any], total: int, offset: int) -> dict[str, Any]:
    """Return a page of items that were cut out of *total*."""
    end = offset + len(items)
    return {"items": items, "total": total, "next": end if items and end < total else None}


def shape(kind: Any, *, given: bool = False) -> Any:
    """Return the type that a value has in JSON; *given* by a program, what has a default may be left out."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return shape(inner[0], given=given)
    if origin in (Union, UnionType):
        return Union[tuple(shape(each, given=given) for each in inner)]  # noqa: UP007 - made of what is found
    if origin is None or origin is Literal:
        return kind if origin else _shape_of_one(kind, given)
    if origin in (dict, Mapping):
        return dict[str, shape(inner[1], given=given)]  # type: ignore[misc]
    parts = tuple(shape(each, given=given) for each in inner if each is not ...)
    return tuple[parts] if origin is tuple and ... not in inner else list[parts[0]]  # type: ignore[valid-type]


def _shape_of_one(kind: Any, given: bool) -> Any:
    if is_typeddict(kind):
        return kind if kind.__module__ == __name__ else dict[str, Any]
    if hasattr(kind, "_fields") or hasattr(kind, "_items"):
        return _record(kind, given)
    if kind is int and given:
        return _INTEGER
    if kind in _PLAIN or not isinstance(kind, type) or issubclass(kind, date | time | dict):
        return kind
    if issubclass(kind, bytes):
        return str | dict[str, str]
    return str if issubclass(kind, str | Path | tzinfo) else Any


@cache
def _record(kind: Any, given: bool) -> Any:
    hints = hints_of(kind)
    if hasattr(kind, "_items"):
        item = get_args(kind.__orig_bases__[0])[0]
        beside = {name: shape(each) for name, each in hints.items()}
        return _typed_dict(kind.__name__, {kind._items: list[shape(item)], **beside})  # type: ignore[misc]
    own = {name.rstrip("_"): shape(hints[name], given=given) for name in kind._fields}
    besides = getattr(kind, "_shown", ())
    own |= {name: shape(hints_of(getattr(kind, name).fget)["return"]) for name in besides}
    if not given:
        return _typed_dict(kind.__name__, own)
    own |= {name: NotRequired[own[name]] for name in (*kind._field_defaults, *besides)}
    return _typed_dict(f"Given{kind.__name__}", own)


def _typed_dict(name: str, fields: Mapping[str, Any]) -> Any:
    made: Any = TypedDict
    found = made(name, dict(fields))
    found.__module__ = __name__
    return found

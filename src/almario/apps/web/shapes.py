"""Values as JSON: one encoder for all of them, and the shapes that OpenAPI is told.

A shape is made from the type of a value and needs no class of its own: of a record, its fields; of those
that are not for everybody, a choice.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from fastapi.responses import JSONResponse
from typing_extensions import TypedDict

from almario.apps.web.readers import tell
from almario.domain.messages import Sentence

_PLAIN = (str, int, float, bool, type(None))


def shown(value: Any) -> Any:
    """Return a value as JSON has it: of a record all fields; a sentence in the language of who reads it."""
    if isinstance(value, Sentence):
        return tell(value)
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, date):  # and instants
        return value.isoformat()
    if (named := _named(value)) is not None:
        return {str(name): shown(inner) for name, inner in named.items()}
    if isinstance(value, Collection) and not isinstance(value, str):
        return [shown(inner) for inner in value]
    return str(value)


def _named(value: Any) -> Mapping[Any, Any] | None:
    """Return what a record or a mapping holds, by name; None if it is neither."""
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "_asdict"):
        found: dict[str, Any] = value._asdict()
        return found
    return {each.name: getattr(value, each.name) for each in fields(value)} if is_dataclass(value) else None


def answer(value: Any, status: int = 200, **headers: str) -> JSONResponse:
    """Return a value as an answer."""
    return JSONResponse(shown(value), status, headers or None)


def shape(kind: Any, *, but: tuple[str, ...] = (), **more: Any) -> Any:
    """Return the JSON shape of a record's type, without some fields and with *more*."""
    own = {name: told for name, told in _hints(kind).items() if name not in but}
    return record(kind.__name__, **own, **more)


def record(name: str, /, **parts: Any) -> Any:
    """Return the shape of an answer that is put together of parts."""
    made: Any = TypedDict
    found = made(name, {each: _json(kind) for each, kind in parts.items()})
    found.__module__ = __name__
    return found


def many(kind: Any) -> Any:
    """Return the shape of a list."""
    return list[kind]


def page_of(kind: Any) -> Any:
    """Return the shape of a page: some items, how many there are, and where the next page begins."""
    return record(f"{kind.__name__}Page", items=many(kind), total=int, next=int | None)


def part(items: Sequence[Any], total: int, offset: int) -> dict[str, Any]:
    """Return a page that the store has cut out of *total* items."""
    end = offset + len(items)
    return {"items": items, "total": total, "next": end if items and end < total else None}


def page(items: Sequence[Any], offset: int, limit: int) -> dict[str, Any]:
    """Return one page of items."""
    end = offset + limit
    return {"items": items[offset:end], "total": len(items), "next": end if end < len(items) else None}


@cache
def _record_shape(kind: Any) -> Any:
    return shape(kind)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _json(kind: Any) -> Any:
    """Return the type that a value of a type has in JSON."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _json(inner[0])
    if origin in (Union, UnionType):
        return Union[tuple(_json(each) for each in inner)]  # noqa: UP007 - made of what is found
    if origin is None:
        return _json_of_one(kind)
    if issubclass(origin, Mapping) if isinstance(origin, type) else False:
        return dict[str, _json(inner[1])]  # type: ignore[misc]
    if origin is Literal:
        return kind
    is_mixed = origin is tuple and inner[1:] != (...,)
    return list[Any] if is_mixed else list[_json(inner[0])]  # type: ignore[misc]


def _json_of_one(kind: Any) -> Any:
    if is_typeddict(kind):
        return kind if kind.__module__ == __name__ else dict[str, Any]
    if hasattr(kind, "_fields") or is_dataclass(kind):
        return _record_shape(kind)
    if kind in _PLAIN or not isinstance(kind, type) or issubclass(kind, date | dict):
        return kind
    return str if issubclass(kind, str | Path) else Any

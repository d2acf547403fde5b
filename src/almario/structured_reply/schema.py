"""Does a value fit a JSON Schema? The part of it that tools and replies of models need, and no more.

Known are type (also a list of types), properties, required, additionalProperties,
items, enum, and the least and most of lengths, items and numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

# A model that erred in every one of a thousand items is told of the first ones.
MOST_PROBLEMS = 12
_SHOWN = 40

# What each type is called, and what is of it.
_TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "object": ("an object", lambda value: isinstance(value, Mapping)),
    "array": ("a list", lambda value: isinstance(value, list | tuple)),
    "string": ("a string", lambda value: isinstance(value, str)),
    "integer": ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "number": ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "null": ("null", lambda value: value is None),
}


def problems(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a value, each in a short English sentence that begins with the place."""
    return list(islice(_problems(value, schema, ""), MOST_PROBLEMS))


def without_extras(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value without the properties that its schema does not know, unless it allows others."""
    if isinstance(value, Mapping) and isinstance(known := schema.get("properties"), Mapping):
        others = schema.get("additionalProperties")
        return {
            name: without_extras(inner, known.get(name, {}))
            for name, inner in value.items()
            if name in known or others
        }
    if isinstance(value, list) and isinstance(items := schema.get("items"), Mapping):
        return [without_extras(inner, items) for inner in value]
    return value


def _problems(value: Any, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    wanted = schema.get("type", [])
    types = [wanted] if isinstance(wanted, str) else list(wanted)
    if types and not any(_TYPES[name][1](value) for name in types):
        yield _at(path, f"must be {' or '.join(_TYPES[name][0] for name in types)}, not {_kind(value)}")
        return
    if "enum" in schema and not any(_is_same(value, allowed) for allowed in schema["enum"]):
        allowed = ", ".join(_shown(each) for each in schema["enum"])
        yield _at(path, f"must be one of {allowed}, not {_shown(value)}")
    elif isinstance(value, Mapping):
        yield from _of_object(value, schema, path)
    elif isinstance(value, list | tuple):
        yield from _of_size(len(value), schema, ("minItems", "maxItems", "items"), path)
        for place, inner in enumerate(value):
            yield from _problems(inner, schema.get("items", {}), f"{path}[{place}]")
    elif isinstance(value, str):
        yield from _of_size(len(value), schema, ("minLength", "maxLength", "characters"), path)
    elif _TYPES["number"][1](value):
        if not schema.get("minimum", value) <= value:
            yield _at(path, f"must be at least {schema['minimum']}, not {_shown(value)}")
        if not value <= schema.get("maximum", value):
            yield _at(path, f"must be at most {schema['maximum']}, not {_shown(value)}")


def _of_object(value: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> Iterator[str]:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield _at(_joined(path, name), "is missing")
    for name, inner in value.items():
        if name in known:
            yield from _problems(inner, known[name], _joined(path, name))
        elif isinstance(others, Mapping):
            yield from _problems(inner, others, _joined(path, name))
        elif not others:
            yield _at(_joined(path, name), f"is not known; there are {', '.join(known)}")


def _of_size(size: int, schema: Mapping[str, Any], words: tuple[str, str, str], path: str) -> Iterator[str]:
    least, most, units = words
    if size < schema.get(least, size) == 1:
        yield _at(path, "must not be empty")
    elif size < schema.get(least, size):
        yield _at(path, f"must have at least {schema[least]} {units}, not {size}")
    if size > schema.get(most, size):
        yield _at(path, f"must have at most {schema[most]} {units}, not {size}")


def _is_same(value: Any, allowed: Any) -> bool:
    # True == 1 in Python, and not in JSON.
    return bool(value == allowed) and isinstance(value, bool) == isinstance(allowed, bool)


def _at(path: str, sentence: str) -> str:
    return f"{path}: {sentence}" if path else sentence


def _joined(path: str, name: str) -> str:
    return f"{path}.{_clipped(name)}" if path else _clipped(name)


def _kind(value: Any) -> str:
    return next((name for name, fits in _TYPES.values() if fits(value)), type(value).__name__)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{_clipped(value)}"'
    if isinstance(value, bool | None):
        return {True: "true", False: "false", None: "null"}[value]
    return _clipped(repr(value)) if isinstance(value, int | float) else _kind(value)


def _clipped(text: str) -> str:
    seen = "".join(char if char.isprintable() else " " for char in text)
    return seen if len(seen) <= _SHOWN else seen[: _SHOWN - 1] + "…"


Shape = Mapping[str, Any]
STRING, NUMBER, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}


def text(most: int, *, least: int = 0) -> dict[str, Any]:
    """A text of so many characters."""
    shape: dict[str, Any] = {"type": "string", "maxLength": most}
    return shape | {"minLength": least} if least else shape


def one_of(words: Iterable[str]) -> dict[str, Any]:
    """One of these words."""
    return {"type": "string", "enum": list(words)}


def listed(items: Shape, most: int, *, least: int = 0) -> dict[str, Any]:
    """A list of so many items."""
    shape: dict[str, Any] = {"type": "array", "items": items, "maxItems": most}
    return shape | {"minItems": least} if least else shape


def record(*, optional: Iterable[str] = (), **fields: Shape) -> dict[str, Any]:
    """An object with these fields and no others; all but the *optional* ones must be there."""
    left_open = set(optional)
    required = [name for name in fields if name not in left_open]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def loosened(shape: Any, times: int) -> Any:
    """Return a schema that lets pass texts and lists so many times as long."""
    if isinstance(shape, Mapping):
        return {
            name: each * times if name in ("maxLength", "maxItems") else loosened(each, times)
            for name, each in shape.items()
        }
    return shape

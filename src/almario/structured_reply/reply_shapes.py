"""JSON Schemas in few words, for what models are asked to answer."""

from collections.abc import Iterable, Mapping
from typing import Any

Shape = Mapping[str, Any]


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

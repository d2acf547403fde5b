"""The shapes of what tools give back to programs, and of what a function takes, as JSON Schemas."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from almario.domain.plain_text import regex
from almario.domain.talk import ToolSpec
from almario.errors import ConfigError


def listed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a list of objects, all of whose properties are there."""
    return {"type": "array", "items": shaped(properties)}


def shaped(properties: Mapping[str, Any], *, optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the schema of an object; what is not *optional* is always there."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": dict(properties), "required": required}


_TEXT, _NUMBER, _YES = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
_TEXTS = {"type": "array", "items": _TEXT}
_HIT = dict.fromkeys(("id", "kind", "text", "when", "certainty", "state"), _TEXT)
_MEMORY = {**dict.fromkeys(("id", "kind", "text", "when", "origin"), _TEXT), "guess": _YES}
_PROPOSAL = dict.fromkeys(("id", "file", "state", "reason", "diff"), _TEXT)
_GOAL = {"number": _NUMBER, "text": _TEXT, "priority": _TEXT, "done": _YES, "more": _TEXTS}
_CHANGE = dict.fromkeys(("when", "by", "what"), _TEXT)
_RESULT = dict.fromkeys(("id", "title", "url"), _TEXT)

FOUND = shaped({"found": listed(_HIT), "notes": _TEXTS})
KEPT = shaped({"outcome": _TEXT, "memory": shaped(_MEMORY), "notes": _TEXTS}, optional=("memory",))
CHANGED = shaped(
    {"changed": listed(_MEMORY), "proposals": listed(_PROPOSAL)}, optional=("changed", "proposals")
)
PROPOSED = shaped({"proposals": listed(_PROPOSAL), "notes": _TEXTS})
FORGOTTEN = shaped({"forgotten": listed(_MEMORY)})
REASONS = shaped(
    {
        "memory": shaped(_MEMORY),
        "state": _TEXT,
        "source": _TEXT,
        "evidence": _TEXTS,
        "history": listed(_CHANGE),
        "replaced": listed(_MEMORY),
        "replaced_by": shaped(_MEMORY),
    },
    optional=("replaced_by",),
)
GOALS = shaped({"goals": listed(_GOAL)})
APPENDED = shaped({"session": _TEXT, "turns": _TEXTS, "ended": _YES})
ENDED = shaped({"session": _TEXT, "ended": _YES})
RESULTS = shaped({"results": listed(_RESULT)})
FETCHED = shaped({**_RESULT, "text": _TEXT, "metadata": {"type": "object", "additionalProperties": _TEXT}})
TEXT = shaped({"text": _TEXT})

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
# What every provider takes as a tool's name.
_NAME = regex(r"[A-Za-z0-9_-]{1,64}")


def tool_of(
    function: Callable[..., object],
    *,
    name: str = "",
    description: str = "",
    schema: Mapping[str, Any] | None = None,
) -> ToolSpec:
    """Return a function as a model is told of it; ConfigError says what it lacks."""
    called = name or getattr(function, "__name__", "")
    told = description or (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
    if not _NAME.fullmatch(called):
        raise ConfigError('"{name}" cannot be the name of a tool; use letters, digits and _', name=called)
    if not told:
        raise ConfigError(
            'the tool "{name}" needs a docstring, which tells the model what it does', name=called
        )
    if inspect.iscoroutinefunction(function):
        raise ConfigError(
            'the tool "{name}" is asynchronous; give a function that returns its result', name=called
        )
    return ToolSpec(called, told, schema or _schema(function, called))


def _schema(function: Callable[..., object], tool: str) -> dict[str, Any]:
    """Return the JSON Schema of what a function takes."""
    try:
        hints = get_type_hints(function, include_extras=True)
        parameters = inspect.signature(function).parameters.values()
        properties = {each.name: _shape(_hint(each, hints)) for each in parameters}
    except (NameError, TypeError, ValueError) as exc:
        sentence = (
            'the arguments of the tool "{name}" need types that a model understands: str, int, float, '
            "bool, a list of these, or a Literal of strings; or give a schema ({why})"
        )
        raise ConfigError(sentence, name=tool, why=str(exc)) from exc
    required = [each.name for each in parameters if each.default is each.empty]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    schema |= {"required": required} if required else {}
    return schema | {"additionalProperties": False}


def _hint(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Any:
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        raise TypeError(f"{parameter} cannot be given by its name")
    if parameter.name not in hints:
        raise TypeError(f"{parameter.name} has no type")
    return hints[parameter.name]


def _shape(hint: Any) -> dict[str, Any]:
    """Return the schema of one type; TypeError if a model cannot be told of it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        told = next((each for each in inner[1:] if isinstance(each, str)), "")
        return _shape(inner[0]) | ({"description": told} if told else {})
    if origin in (Union, UnionType) and len(inner) == 2 and NoneType in inner:
        return _shape(next(each for each in inner if each is not NoneType))
    if origin is Literal and all(isinstance(each, str) for each in inner):
        return {"type": "string", "enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": _shape(inner[0])}
    if hint not in _TYPES:
        raise TypeError(f"{hint} is none of them")
    return {"type": _TYPES[hint]}

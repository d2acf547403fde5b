"""The tools as a model is told of them: names, descriptions, arguments, and the modes they are for.

Names and arguments are stable: other programs call these tools, too. Whatever
is said here is sent with every message, so it is short; how long a text and how
large a number may be is checked, and told only to who gets it wrong.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from almario.becoming.goals import ACTIONS
from almario.domain.documents.goal_list import PRIORITIES
from almario.domain.model import MODES
from almario.domain.plain_text import regex
from almario.domain.talk import ToolSpec
from almario.errors import ConfigError

GOAL_ACTIONS = ("list", *ACTIONS)
SAVED_KINDS = ("fact", "profile", "episode", "correction")
PROPOSED_FILES = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md")
# Working with others, the agent keeps its human's affairs to itself.
AMONG_OTHERS = "collaboration"
_FOR_OTHERS = ("memory_search", "save_memory")
_READING = ("memory_search", "memory_get", "recall_as_of", "off_record")
# What a schema says for the check alone.
_LIMITS = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "additionalProperties")
_KEY = 80
_DATE = 40
_FACT = 2000
_QUERY = 2000
_TEXT = 100_000


class Row(NamedTuple):
    """A tool of the table: as a model is told of it, the whole schema of its arguments, its modes."""

    spec: ToolSpec
    schema: Mapping[str, Any]
    modes: tuple[str, ...]
    # Whether it only looks: then it can be used off the record, too.
    reads: bool = True


def _text(description: str, most: int, *, enum: Sequence[str] = ()) -> dict[str, Any]:
    told = {"description": description} if description else {}
    if enum:
        return {"type": "string", **told, "enum": list(enum)}
    return {"type": "string", **told, "minLength": 1, "maxLength": most}


def _number(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def _row(name: str, description: str, properties: Mapping[str, Any], *, required: Sequence[str] = ()) -> Row:
    schema: dict[str, Any] = {"type": "object", "properties": dict(properties)}
    schema |= {"required": list(required)} if required else {}
    schema |= {"additionalProperties": False}
    modes = MODES if name in _FOR_OTHERS else tuple(mode for mode in MODES if mode != AMONG_OTHERS)
    return Row(ToolSpec(name, description, _told(schema)), schema, modes, reads=name in _READING)


def _told(schema: Any) -> Any:
    """Return a schema without its limits."""
    if isinstance(schema, Mapping):
        return {name: _told(value) for name, value in schema.items() if name not in _LIMITS}
    return schema


_REASON = _text("", 500)
_SECTIONS = {
    "type": "array",
    "description": "To replace or add; in IDENTITY.md each is a field.",
    "minItems": 1,
    "maxItems": 20,
    "items": {
        "type": "object",
        "properties": {"title": _text("", _KEY), "body": _text("", _TEXT)},
        "required": ["title", "body"],
        "additionalProperties": False,
    },
}

_ROWS = (
    _row(
        "save_memory",
        "Keep what your human asked you to keep.",
        {
            "fact": _text("In the third person, in your human's words and language.", _FACT),
            "key": _text('Its topic, like "job".', _KEY),
            "kind": _text(
                "profile: lasting; episode: happened; correction: how to behave.", 0, enum=SAVED_KINDS
            ),
            "when": _text(
                'When it was or holds: "2026-12-03", "2025", "2026-08-20/2026-08-27", "2025/..", '
                '"../2026-11-27".',
                _DATE,
            ),
        },
        required=("fact",),
    ),
    _row(
        "update_memory",
        "Change a memory. What is no longer so is ended, not forgotten.",
        {
            "id": _text("", _KEY),
            "fact": _text("Its new text.", _FACT),
            "when": _text("", _DATE),
            "ended": _text("Its last day, like 2026-11-14.", _DATE),
            "share": _flag("Others may be told."),
            "reason": _REASON,
        },
        required=("id",),
    ),
    _row(
        "forget",
        "Put out of mind what your human asked you to forget.",
        {"key": _text("Its key or id.", _KEY)},
        required=("key",),
    ),
    _row("off_record", "Erase this exchange: your human does not want it kept.", {}),
    _row(
        "memory_search",
        "Search facts, logs, conversations and notes.",
        {
            "query": _text("", _QUERY),
            "top_k": _number(1, 20),
            "include_untrusted": _flag("Also what strangers said."),
        },
        required=("query",),
    ),
    _row(
        "memory_get",
        "Read a file that a search named.",
        {"path": _text("", 500), "from_line": _number(1, 10_000_000), "lines": _number(1, 1000)},
        required=("path",),
    ),
    _row(
        "recall_as_of",
        "Tell what was true on a day, like 2026-11-14.",
        {"date": _text("", _DATE), "query": _text("", _QUERY)},
        required=("date",),
    ),
    _row(
        "manage_goals",
        "List your goals or change one.",
        {
            "action": _text("", 0, enum=GOAL_ACTIONS),
            "goal": _text("Its text, to add; else its number.", 500),
            "text": _text("A note or outcome.", _FACT),
            "priority": _text("", 0, enum=tuple(PRIORITIES)),
        },
        required=("action",),
    ),
    _row(
        "propose_change",
        "Propose to your human a change to who you are. Without a file, text is what they want changed, in "
        "their words.",
        {
            "file": _text("", 0, enum=PROPOSED_FILES),
            "sections": _SECTIONS,
            "text": _text("The whole new text.", _TEXT),
            "reason": _REASON,
        },
        required=("reason",),
    ),
)
TABLE: Mapping[str, Row] = {row.spec.name: row for row in _ROWS}


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

"""Tools: what a model may do, in which mode, and the way it is done.

A tool is one function with all that is said of it: `tool` makes one, and what it takes follows from the
function's annotations. The agent's loop and every other program call tools here. What goes wrong is told to
the model, which may try otherwise; nothing is thrown.
"""

import inspect
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from almario.conversation.tool_calls import Context, Done
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.logs import Log
from almario.domain.memories import Origin
from almario.domain.messages import Sentence, naming, say, sentence_of
from almario.domain.model import AMONG_OTHERS, MODES, Mode, checked_mode
from almario.domain.plain_text import regex
from almario.domain.talk import ToolCall, ToolSpec
from almario.errors import AlmarioError, ConfigError, ToolError
from almario.named_tuples import NamedTuple

log = Log(__name__)
Own = TypeVar("Own", bound=Callable[..., object])

# What a tool says may have so many characters.
MOST_CHARACTERS = 6000
_CUT = "\n… (cut)"
# Working with others, the agent keeps its human's affairs to itself.
_ALONE = tuple(mode for mode in MODES if mode != AMONG_OTHERS)
# What every provider takes as a tool's name.
_NAME = regex(r"[A-Za-z0-9_-]{1,64}")
# What a model calls where a sentence names a command, which is for people.
_IN_PLACE_OF = {"almario memory list": "memory_search", "almario goals": "manage_goals"}
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def shaped(properties: Mapping[str, Any], *, optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the schema of an object; what is not *optional* is always there."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": dict(properties), "required": required}


def listed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a list of objects, all of whose properties are there."""
    return {"type": "array", "items": shaped(properties)}


STRING, NUMBER, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
STRINGS = {"type": "array", "items": STRING}
_TEXT = shaped({"text": STRING})


class ArgumentLimits(dict[str, int]):
    """What an argument has to keep to, in words of JSON Schema: checked, but not told with every message."""


def up_to(most: int) -> ArgumentLimits:
    """Limit a text to so many characters."""
    return ArgumentLimits(minLength=1, maxLength=most)


Name = Annotated[str, up_to(80)]
Date = Annotated[str, up_to(40)]
Line = Annotated[str, up_to(500)]
Passage = Annotated[str, up_to(2000)]
Document = Annotated[str, up_to(100_000)]


class Offer(NamedTuple):
    """A tool as other programs are offered it: its name there, a title, and the shape of what it gives back.

    *destroys*: it may put out of use what is there; *repeats*: once more does no more. It may be *usual*, or
    offered only where all are wanted. What it says *in_json* is told as that, even where others are told in
    words. One that is *at_hand* wants to be in sight where the model has to search for the rest.
    """

    name: str
    title: Sentence
    output: Mapping[str, Any]
    destroys: bool = False
    repeats: bool = False
    usual: bool = True
    in_json: bool = False
    at_hand: bool = False


class Tool(NamedTuple):
    """A tool: as a model is told of it, the whole schema of its arguments, its modes, and what it does.

    One without a mode is for other programs alone; one that only *reads* can be used off the record, too.
    *origin* is whose words an error of it may tell.
    """

    spec: ToolSpec
    schema: Mapping[str, Any]
    modes: tuple[str, ...]
    reads: bool
    function: Callable[..., Done]
    origin: Origin = "agent"
    offer: Offer | None = None

    def is_for(self, mode: Mode, audience: Audience) -> bool:
        """Return whether it can be used: among others, only if it is made for working with them."""
        return mode in self.modes and (audience.is_private or AMONG_OTHERS in self.modes)

    def is_offered_to(self, audience: Audience) -> bool:
        """Return whether another program can use it: one made for programs alone asks who is told itself."""
        return audience.is_private or not self.modes or AMONG_OTHERS in self.modes


def tool(
    description: str, *, modes: Sequence[str] = _ALONE, reads: bool = False
) -> Callable[[Callable[..., Done]], Tool]:
    """Make a tool of a function: it takes the parts of an agent, a Context, and what the model gives.

    Names and arguments are stable: other programs call these tools, too. What is said here is sent with
    every message, so it is short.
    """

    def made(function: Callable[..., Done]) -> Tool:
        schema = _schema(function, besides=2)
        spec = ToolSpec(function.__name__, description, _without_limits(schema))
        return Tool(spec, schema, tuple(modes), reads, function)

    return made


def offer(
    name: str, title: Sentence, output: Mapping[str, Any] = _TEXT, **hints: bool
) -> Callable[[Tool], Tool]:
    """Offer a tool to other programs, too."""
    return lambda tool: tool._replace(offer=Offer(name, title, output, **hints))


class Tools:
    """Offers tools to a model, and calls them."""

    def __init__(self, parts: object, table: Mapping[str, Tool], offered: Mapping[str, Tool]) -> None:
        """*parts* is what the tools work on; *offered* has those for programs, by their names there."""
        self._parts = parts
        self._offered = offered
        # What only programs are offered is in no mode, and its names are free.
        self._tools = {name: tool for name, tool in table.items() if tool.modes}

    def add(
        self,
        function: Own,
        *,
        name: str = "",
        description: str = "",
        schema: Mapping[str, Any] | None = None,
        modes: Collection[str] = ("conversation", "autonomous"),
        reads: bool = False,
    ) -> Own:
        """Offer a function of your own to the model, and return it, so that this can be a decorator.

        Its name, docstring and annotated arguments tell the model what it is. What it returns is not trusted:
        nothing that a model makes of it is kept as the owner's. With others present only tools for the mode
        "collaboration" can be used; off the record only one that *reads*, and keeps nothing anywhere.
        """
        spec = _spec(function, name=name, description=description, schema=schema)
        if spec.name in self._tools:
            raise ConfigError('there is already a tool called "{name}"', name=spec.name)
        for mode in modes:
            checked_mode(mode)

        def call(_: object, __: Context, /, **given: object) -> Done:
            return Done(_as_text(function(**given)), "untrusted")

        self._tools[spec.name] = Tool(spec, spec.schema, tuple(modes), reads, call, "untrusted")
        return function

    def specs(self, mode: Mode, audience: Audience = OWNER_ALONE) -> tuple[ToolSpec, ...]:
        """Return the tools that a mode offers where these are present."""
        checked_mode(mode)
        return tuple(tool.spec for tool in self._tools.values() if tool.is_for(mode, audience))

    def reads(self, name: str) -> bool:
        """Return whether a tool that is offered to programs only reads."""
        return name in self._offered and self._offered[name].reads

    def call(self, call: ToolCall, context: Context = Context()) -> Done:  # noqa: B008 - a constant
        """Do what a model wants done; what comes of it, or why not, is in the Done."""
        known = (self._offered if context.caller else self._tools).get(call.name)
        origin = known.origin if known else "agent"
        try:
            tool = self._usable(call.name, known, context)
            if context.off and not tool.reads:
                raise ToolError("this is off the record: none of it is kept")
            _check(call, tool.schema)
            result = tool.function(self._parts, context, **call.arguments)
        except AlmarioError as exc:
            with naming(partial(self._as_tool, is_offered=bool(context.caller))):
                return _failed(call, say("en", sentence_of(exc)), origin)
        except (Exception, SystemExit) as exc:  # whatever a tool does, the conversation goes on
            log.warning("the tool %s failed", call.name, exc_info=exc)
            return _failed(call, f"the tool failed: {type(exc).__name__} {exc}", origin)
        return result._replace(text=_capped(result.text), name=call.name, arguments=call.arguments)

    def _as_tool(self, command: str, *, is_offered: bool) -> str:
        """Return the tool that does what a command does, if there is one."""
        tools = self._offered if is_offered else self._tools
        named = (name for name, tool in tools.items() if tool.spec.name == _IN_PLACE_OF.get(command))
        return next(named, command)

    def _usable(self, name: str, known: Tool | None, context: Context) -> Tool:
        """Return the tool that is meant, if it can be used here; ToolError names those that can."""
        mode, audience = context.mode, context.audience
        if known and (known.is_offered_to(audience) if context.caller else known.is_for(mode, audience)):
            return known
        if context.caller:
            here = [offered for offered, tool in self._offered.items() if tool.is_offered_to(audience)]
        else:
            here = [spec.name for spec in self.specs(mode, audience)]
        if known and (context.caller or mode in known.modes):
            sentence = "{name} cannot be used while others are present; you can use {names}"
            raise ToolError(sentence, name=name, names=", ".join(here))
        if known:
            sentence = "{name} cannot be used in {mode} mode; there are {names}"
            raise ToolError(sentence, name=name, mode=mode, names=", ".join(here))
        raise _unknown(name, here)


def _unknown(name: str, here: Sequence[str]) -> ToolError:
    sentence = 'there is no tool "{name}"; there are {names}'
    return ToolError(sentence, name=name[:80], names=", ".join(here))


def _as_text(result: object) -> str:
    if isinstance(result, str):
        return result
    return json.dumps(result, ensure_ascii=False, default=str)


def _check(call: ToolCall, schema: Mapping[str, Any]) -> None:
    from almario.structured_reply.schema import problems  # noqa: PLC0415 - only when one is called

    if call.problem:
        raise ToolError("the arguments cannot be read: {why}", why=call.problem)
    wrong = problems(call.arguments, schema)
    if wrong:
        raise ToolError("the arguments do not fit: {why}", why="; ".join(wrong))
    try:
        json.dumps(dict(call.arguments), ensure_ascii=False).encode()
    except ValueError as exc:  # half a character, as JSON allows it
        raise ToolError("the arguments are not valid Unicode") from exc


def _failed(call: ToolCall, why: str, origin: Origin) -> Done:
    text = _capped(f"Error: {why}")
    return Done(text, origin, is_error=True, name=call.name, arguments=call.arguments)


def _capped(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - len(_CUT)] + _CUT


def _spec(
    function: Callable[..., object], *, name: str, description: str, schema: Mapping[str, Any] | None
) -> ToolSpec:
    """Return a function as a model is told of it; ConfigError says what it lacks."""
    called = name or getattr(function, "__name__", "")
    about = description or (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
    if not _NAME.fullmatch(called):
        raise ConfigError('"{name}" cannot be the name of a tool; use letters, digits and _', name=called)
    if not about:
        raise ConfigError(
            'the tool "{name}" needs a docstring, which tells the model what it does', name=called
        )
    if inspect.iscoroutinefunction(function):
        raise ConfigError(
            'the tool "{name}" is asynchronous; give a function that returns its result', name=called
        )
    try:
        return ToolSpec(called, about, schema or _schema(function))
    except (NameError, TypeError, ValueError) as exc:
        sentence = (
            'the arguments of the tool "{name}" need types that a model understands: str, int, float, '
            "bool, a list of these, or a Literal of strings; or give a schema ({why})"
        )
        raise ConfigError(sentence, name=called, why=str(exc)) from exc


def _schema(function: Callable[..., object], besides: int = 0) -> dict[str, Any]:
    """Return the JSON Schema of what a function takes, *besides* so many parameters that come first."""
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[besides:]
    required = [each.name for each in parameters if each.default is each.empty]
    return _object({each.name: _hint(each, hints) for each in parameters}, required)


def _hint(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Any:
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        raise TypeError(f"{parameter} cannot be given by its name")
    if parameter.name not in hints:
        raise TypeError(f"{parameter.name} has no type")
    return hints[parameter.name]


def _object(hints: Mapping[str, Any], required: Collection[str]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {name: _shape(hint) for name, hint in hints.items()}
    schema |= {"required": list(required)} if required else {}
    return schema | {"additionalProperties": False}


def _shape(hint: Any) -> dict[str, Any]:
    """Return the schema of one type; TypeError if a model cannot be told of it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        shape = _shape(inner[0])
        description = next(({"description": each} for each in inner[1:] if isinstance(each, str)), {})
        limits: Mapping[str, int] = next((each for each in inner[1:] if isinstance(each, ArgumentLimits)), {})
        return {"type": shape["type"], **description, **shape, **limits}
    if origin in (Union, UnionType) and len(inner) == 2 and NoneType in inner:
        return _shape(next(each for each in inner if each is not NoneType))
    if origin is Literal and all(isinstance(each, str) for each in inner):
        return {"type": "string", "enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": _shape(inner[0])}
    if is_typeddict(hint):
        fields = get_type_hints(hint, include_extras=True)
        return _object(fields, [name for name in fields if name in hint.__required_keys__])
    if hint not in _TYPES:
        raise TypeError(f"{hint} is none of them")
    return {"type": _TYPES[hint]}


def _without_limits(schema: Any) -> Any:
    """Return a schema as a model is told it: what is only for the check is left out."""
    limits = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "additionalProperties")
    if isinstance(schema, Mapping):
        return {name: _without_limits(value) for name, value in schema.items() if name not in limits}
    return schema

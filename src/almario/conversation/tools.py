"""The one table of tools: what a model may do, in which mode, and the way it is done.

The agent's loop and every other program call tools here. What goes wrong is
told to the model, which may try otherwise; nothing is thrown.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from almario.conversation.tool_calls import Context, Done, Function, Result
from almario.conversation.tool_shapes import tool_of
from almario.conversation.tool_table import AMONG_OTHERS, TABLE, Row, offered
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.logs import Log
from almario.domain.memories import Origin
from almario.domain.model import MODES, Mode
from almario.domain.talk import ToolCall, ToolSpec
from almario.errors import AlmarioError, ConfigError, ToolError

__all__ = ["Context", "Done", "Result", "Tools"]

log = Log(__name__)
Own = TypeVar("Own", bound=Callable[..., object])

# What a tool says may have so many characters.
MOST_CHARACTERS = 6000
_CUT = "\n… (cut)"


class Tools:
    """Offers tools to a model, and calls them."""

    def __init__(self, own: Callable[[], Mapping[str, Function]]) -> None:
        """*own* gives the functions of the table, when one is first called."""
        self._own = cache(own)
        # What only programs are offered is in no mode, and its names are free.
        self._rows: dict[str, Row] = {name: row for name, row in TABLE.items() if row.modes}
        self._added: dict[str, Function] = {}

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
        spec = tool_of(function, name=name, description=description, schema=schema)
        if spec.name in self._rows:
            raise ConfigError('there is already a tool called "{name}"', name=spec.name)
        for mode in modes:
            _need(mode)
        self._rows[spec.name] = Row(spec, spec.schema, tuple(modes), reads=reads)
        self._added[spec.name] = lambda given, _: Result(_as_text(function(**given)), "untrusted")
        return function

    def specs(self, mode: Mode, audience: Audience = OWNER_ALONE) -> tuple[ToolSpec, ...]:
        """Return the tools that a mode offers where these are present."""
        _need(mode)
        rows = self._rows.values()
        return tuple(row.spec for row in rows if _is_for(row, mode, audience))

    def call(self, call: ToolCall, context: Context = Context()) -> Done:  # noqa: B008 - a constant
        """Do what a model wants done; what comes of it, or why not, is in the Done."""
        added = {} if context.caller else self._added
        origin: Origin = "untrusted" if call.name in added else "agent"
        try:
            row = self._row(call, context)
            name = row.spec.name
            if context.off and not row.reads:
                raise ToolError("this is off the record: none of it is kept")
            _check(call, row.schema)
            function = added.get(name) or self._own()[name]
            result = function(call.arguments, context)
        except AlmarioError as exc:
            return _failed(call, str(exc), origin)
        except (Exception, SystemExit) as exc:  # whatever a tool does, the conversation goes on
            log.warning("the tool %s failed", call.name, exc_info=exc)
            return _failed(call, f"the tool failed: {type(exc).__name__} {exc}", origin)
        fields = result._asdict() | {"text": _capped(result.text)}
        return Done(call.name, call.arguments, **fields)

    def _row(self, call: ToolCall, context: Context) -> Row:
        row = self._rows.get(call.name)
        if context.caller:
            return _offered(call.name, context.audience)
        if row and _is_for(row, context.mode, context.audience):
            return row
        here = [spec.name for spec in self.specs(context.mode, context.audience)]
        if row and context.mode in row.modes:
            sentence = "{name} cannot be used while others are present; you can use {names}"
            raise ToolError(sentence, name=call.name, names=", ".join(here))
        if row:
            sentence = "{name} cannot be used in {mode} mode; there are {names}"
            raise ToolError(sentence, name=call.name, mode=context.mode, names=", ".join(here))
        raise _unknown(call.name, here)


def _offered(name: str, audience: Audience) -> Row:
    """Return the tool that a program is offered by that name, for the owner or for others."""
    here = offered(audience, every=True)
    if name not in here:
        raise _unknown(name, list(here))
    return here[name]


def _unknown(name: str, here: Sequence[str]) -> ToolError:
    from difflib import get_close_matches  # noqa: PLC0415 - 9 ms, and only after a mistake

    # search_memory is memory_search, whatever the order of its words.
    sorted_words = {_in_order(each): each for each in here}
    close = get_close_matches(_in_order(name[:80]), list(sorted_words), n=3, cutoff=0.5)
    near = [sorted_words[each] for each in close]
    names = dict.fromkeys([*near, *here])
    sentence = 'there is no tool "{name}"; there are {names}'
    return ToolError(sentence, name=name[:80], names=", ".join(names))


def _as_text(result: object) -> str:
    if isinstance(result, str):
        return result
    return json.dumps(result, ensure_ascii=False, default=str)


def _is_for(row: Row, mode: Mode, audience: Audience) -> bool:
    """Say whether a tool can be used: among others, only if it is made for working with them."""
    return mode in row.modes and (audience.is_private or AMONG_OTHERS in row.modes)


def _need(mode: str) -> None:
    if mode not in MODES:
        raise ConfigError('"{mode}" is not a mode; use {modes}', mode=mode, modes=", ".join(MODES))


def _in_order(name: str) -> str:
    return " ".join(sorted(name.lower().split("_")))


def _check(call: ToolCall, schema: Mapping[str, Any]) -> None:
    """Refuse arguments that do not fit the tool's schema."""
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
    return Done(call.name, call.arguments, _capped(f"Error: {why}"), is_error=True, origin=origin)


def _capped(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - len(_CUT)] + _CUT

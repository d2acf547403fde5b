"""Messages as providers accept them: tools' results beside their calls, nothing empty, roles in turn."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from almario.domain.plain_text import whole
from almario.domain.talk import Ask, Message, ToolCall

# What stands for a text that is empty: providers refuse one.
EMPTY = "…"
_NO_RESULT = "(no result: the tool was interrupted)"
_STRAY = "(the result of a tool that was used earlier)\n"
_SCHEMA = (
    "Answer with one JSON value that fits this JSON Schema, and nothing else (no prose, no code fence):\n"
)
# The names of Anthropic's counts of tokens: told anew, told and kept, kept before, said.
COUNTED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


def sound(messages: Iterable[Message]) -> list[Message]:
    """Return the same conversation so that every provider takes it.

    A call that has no result (the answer was interrupted) gets one that says
    so, a result that has no call is told as text, neighbours of one role are
    one message, and the first is the user's.
    """
    merged: list[Message] = []
    for message in _paired([each._replace(text=whole(each.text)) for each in messages]):
        before = merged[-1] if merged else None
        if before and message.role != "tool" and before.role == message.role and not before.calls:
            texts = [each.text for each in (before, message) if each.text.strip()]
            merged[-1] = message._replace(text="\n\n".join(texts))
        elif message.role == "user" or message.calls or message.text.strip():
            merged.append(message)
    if not merged or merged[0].role != "user":
        merged.insert(0, Message("user", EMPTY))
    return [each if each.text.strip() or each.calls else each._replace(text=EMPTY) for each in merged]


def _paired(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield each assistant's message with the results of its calls right after it."""
    place = 0
    while place < len(messages):
        message = messages[place]
        place += 1
        if message.role == "tool":
            yield Message("user", _STRAY + message.text)
            continue
        yield message
        calls = {call.id: _NO_RESULT for call in message.calls}
        strays = []
        while calls and place < len(messages) and messages[place].role == "tool":
            result = messages[place]
            place += 1
            if result.answers in calls:
                calls[result.answers] = result.text
            else:
                strays.append(Message("user", _STRAY + result.text))
        yield from (Message("tool", text or EMPTY, answers=call) for call, text in calls.items())
        yield from strays


def noted(ask: Ask) -> Ask:
    """Return the same question with what is changing at the head of the user's newest message.

    In one message, because not every model takes a system's message there. What came with it, such as a
    document, is told after that: nothing in it can pass for what stands before.
    """
    if not ask.changing:
        return ask
    messages = list(ask.messages)
    place = max((n for n, message in enumerate(messages) if message.role == "user"), default=0)
    while place and messages[place - 1].role == "user":
        place -= 1
    last = messages[place : place + 1]
    text = "\n\n".join([ask.changing, *(each.text for each in last)])
    messages[place : place + 1] = [Message("user", text)]
    return ask._replace(messages=tuple(messages), changing="")


def system_of(ask: Ask, *, with_schema: bool) -> str:
    """Return who the model is, with the schema of its answer if it is to be told in words."""
    parts = [ask.stable] if ask.stable else []
    if with_schema and ask.schema is not None:
        parts.append(_SCHEMA + json.dumps(ask.schema, ensure_ascii=False))
    return whole("\n\n".join(parts))


def call_from(id: str, name: str, arguments: str | Mapping[str, Any]) -> ToolCall:  # noqa: A002 - its name
    """Return a call as the model wrote it; arguments that are no JSON object are told as its problem."""
    id = id or f"call_{os.urandom(6).hex()}"  # noqa: A001 - the same
    if isinstance(arguments, Mapping):
        return ToolCall(id, name, dict(arguments))
    try:
        value = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError) as exc:
        return ToolCall(id, name, problem=f"the arguments are not valid JSON: {exc}")
    if not isinstance(value, dict):
        return ToolCall(id, name, problem="the arguments are not a JSON object")
    return ToolCall(id, name, value)


def safe_id(id: str) -> str:  # noqa: A002 - its name
    """Return a call's id with nothing in it that a provider other than its own would refuse."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", id) or "_"


def count(value: Any) -> int:
    """Return a number of tokens, 0 for what is none."""
    return value if isinstance(value, int) and value > 0 else 0

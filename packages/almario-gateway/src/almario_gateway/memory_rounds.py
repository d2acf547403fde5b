"""Anthropic's memory tool, answered here: the program gets the answer that comes after it."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio.to_thread
import httpx2

from almario.errors import AlmarioError, ToolError
from almario.named_tuples import NamedTuple
from almario_gateway.answers import AnswerReader
from almario_gateway.conversations import Conversations, Ready
from almario_gateway.faces import Fields
from almario_gateway.notes import MemoryNotes

# "on": the memory tool is answered here, whatever gateway.memory_tool says.
TOOL_HEADER = "x-almario-memory-tool"
_TOOL = "memory_20250818"


class Round(NamedTuple):
    """A provider's whole answer, and what it says."""

    response: httpx2.Response
    content: bytes
    reading: AnswerReader


Ask = Callable[[Fields], Awaitable[Round]]


def tool_name(body: Mapping[str, Any]) -> str:
    """Return the name by which a request declares the memory tool; nothing if it does not."""
    given = body.get("tools")
    tools = [tool for tool in given if isinstance(tool, dict)] if isinstance(given, list) else []
    return next((str(tool.get("name")) for tool in tools if tool.get("type") == _TOOL), "")


async def answered(ready: Ready, conversations: Conversations, ask: Ask, *, most: int) -> Round:
    """Ask until the model wants something else than the memory tool, *most* times at most."""
    name, body = tool_name(ready.body), dict(ready.body)
    # With another tool's call beside it, neither side could answer alone.
    choice = body.get("tool_choice") or {"type": "auto"}
    if isinstance(choice, dict) and choice.get("type") != "none":
        body["tool_choice"] = {**choice, "disable_parallel_tool_use": True}
    for _ in range(most):
        found = await ask(body)
        calls = [block for block in found.reading.blocks if block.get("type") == "tool_use"]
        if found.reading.stop != "tool_use" or any(call.get("name") != name for call in calls) or not calls:
            return found
        blocks = [_with_input(block) for block in found.reading.blocks]
        results = [
            await anyio.to_thread.run_sync(_result, ready, conversations, call)
            for call in blocks
            if call.get("type") == "tool_use"
        ]
        exchange = [{"role": "assistant", "content": blocks}, {"role": "user", "content": results}]
        body = {**body, "messages": [*body["messages"], *exchange]}
        if isinstance(body["tool_choice"], dict) and body["tool_choice"].get("type") in ("any", "tool"):
            body["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
    return await ask({**body, "tool_choice": {"type": "none"}})


def _result(ready: Ready, conversations: Conversations, call: Fields) -> Fields:
    """Do what the model wants, and return it as the next message tells it."""
    made: Fields = {"type": "tool_result", "tool_use_id": call.get("id")}
    try:
        if ready.soul is None or not ready.session:
            raise ToolError("nothing of this conversation is kept")
        text = MemoryNotes(ready.soul).call(call["input"], session=ready.session)
    except AlmarioError as exc:  # the model is told, and the conversation goes on
        text = str(exc)
        made["is_error"] = True
    conversations.keep_result(ready, text)
    return {**made, "content": text}


def _with_input(block: Fields) -> Fields:
    """Return a block whose input, if it came in pieces, is read."""
    if block.get("type") != "tool_use" or isinstance(block.get("input"), dict):
        return block
    try:
        given = json.loads(block.get("input") or "{}")
    except (ValueError, RecursionError):
        given = {}
    return {**block, "input": given if isinstance(given, dict) else {}}

"""Stand-ins for Anthropic's and OpenAI's endpoints: they keep what they get and answer from a script."""

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from tests.apps.gateway.providers import Asked, Fields, Provider, message_events, said

ANSWER = "Noted."
_numbers = count(1)


class ToolCall(NamedTuple):
    """A tool that the model calls, instead of saying something."""

    name: str
    arguments: Fields


class Request(NamedTuple):
    """What a model was asked."""

    body: Fields

    def told(self) -> str:
        """Return all that the model was shown, as one text."""
        return "\n".join(_texts(self.body))

    def tools(self) -> list[str]:
        """Return the names of the tools that the model has, those in a group by both names."""
        names = []
        for tool in self.body.get("tools", []):
            inner = [each.get("name", "") for each in tool.get("tools", [])]
            names += [f"{tool.get('name', '')}/{name}" for name in inner] or [tool.get("name", "")]
        return names

    def results(self) -> list[str]:
        """Return what tools answered, so far."""
        items = [*self.body.get("input", []), *self.body.get("messages", [])]
        parts = [part for item in items for part in (item, *_parts(item)) if isinstance(part, dict)]
        found = [part for part in parts if part.get("type") in ("tool_result", "function_call_output")]
        return ["\n".join(_texts(part)) for part in found]


class Endpoint(Provider):
    """A server on this machine that answers from *script*, then always the same, and keeps all requests."""

    def __init__(self) -> None:
        super().__init__()
        self.script: list[str | ToolCall] = []
        # What the model calls while the next tool of the script is not there yet.
        self.meanwhile: list[ToolCall] = []
        self._requests: list[Request] = []

    def next(self, asked: Asked) -> Fields | list[Fields] | bytes:
        speaks = {"messages": _anthropic, "responses": _openai}.get(asked.path.split("?")[0].split("/")[-1])
        return speaks(self.answer(asked.body)) if speaks else {"input_tokens": 1}

    def answer(self, body: Fields) -> str | ToolCall:
        """Keep a request, and return what is said to it.

        One without tools is not of the conversation; a tool that is not there yet is waited for.
        """
        request = Request(body)
        if not request.tools():
            return ANSWER
        self._requests.append(request)
        following = self.script[0] if self.script else ANSWER
        if isinstance(following, ToolCall) and following.name not in request.tools():
            return self.meanwhile.pop() if self.meanwhile else ANSWER
        return self.script.pop(0) if self.script else ANSWER

    def taken(self) -> list[Request]:
        """Return the requests since the last time."""
        requests, self._requests = self._requests, []
        return requests


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(each)


def _parts(item: Any) -> Sequence[Any]:
    content = item.get("content") if isinstance(item, dict) else None
    return content if isinstance(content, list) else []


def _anthropic(answer: str | ToolCall) -> list[Fields]:
    if isinstance(answer, ToolCall):
        call = {"id": f"toolu_{next(_numbers)}", "name": answer.name, "input": answer.arguments}
        told = message_events({"type": "tool_use", **call}, stop="tool_use")
    else:
        told = message_events(said(answer))
    told[0]["message"]["id"] = f"msg_{next(_numbers)}"
    return told


def _openai(answer: str | ToolCall) -> list[Fields]:
    if isinstance(answer, ToolCall):
        space, _, name = answer.name.rpartition("/")
        call = {
            "type": "function_call",
            "id": f"fc_{next(_numbers)}",
            "call_id": f"call_{next(_numbers)}",
            "arguments": json.dumps(answer.arguments),
        }
        item: Fields = {**call, "name": name, **({"namespace": space} if space else {})}
    else:
        text = {"type": "output_text", "text": answer, "annotations": []}
        item = {"type": "message", "id": f"msg_{next(_numbers)}", "role": "assistant", "content": [text]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response: Fields = {"id": f"resp_{next(_numbers)}", "object": "response", "status": "completed"}
    response |= {"output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]

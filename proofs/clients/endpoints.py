"""Stand-ins for Anthropic's and OpenAI's endpoints: they keep what they get and answer from a script."""

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, NamedTuple, Self

ANSWER = "Noted."
_numbers = count(1)


class ToolCall(NamedTuple):
    """A tool that the model calls, instead of saying something."""

    name: str
    arguments: dict[str, Any]


class Request(NamedTuple):
    """What a model was asked."""

    body: dict[str, Any]

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


class Endpoint:
    """A server on this machine that answers from *script*, then always the same, and keeps all requests."""

    def __init__(self) -> None:
        self.script: list[str | ToolCall] = []
        # What the model calls while the next tool of the script is not there yet.
        self.meanwhile: list[ToolCall] = []
        self._requests: list[Request] = []
        endpoint = self

        class Answering(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send("application/json", b'{"data": [], "models": []}')

            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                speaks = {"messages": _anthropic, "responses": _openai}.get(
                    self.path.split("?")[0].split("/")[-1]
                )
                if not speaks:
                    self._send("application/json", b'{"input_tokens": 1}')
                    return
                events = speaks(endpoint.answer(json.loads(content)))
                lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
                self._send("text/event-stream", "".join(lines).encode())

            def _send(self, kind: str, content: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: dict[str, Any]) -> str | ToolCall:
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


def _anthropic(said: str | ToolCall) -> list[dict[str, Any]]:
    message = {
        "id": f"msg_{next(_numbers)}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
    }
    if isinstance(said, ToolCall):
        block: dict[str, Any] = {
            "type": "tool_use",
            "id": f"toolu_{next(_numbers)}",
            "name": said.name,
            "input": {},
        }
        delta = {"type": "input_json_delta", "partial_json": json.dumps(said.arguments)}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": said}
    reason = "tool_use" if isinstance(said, ToolCall) else "end_turn"
    usage = {"input_tokens": 1, "output_tokens": 1}
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def _openai(said: str | ToolCall) -> list[dict[str, Any]]:
    if isinstance(said, ToolCall):
        space, _, name = said.name.rpartition("/")
        call = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "arguments": json.dumps(said.arguments),
        }
        item: dict[str, Any] = {**call, "name": name, **({"namespace": space} if space else {})}
    else:
        text = {"type": "output_text", "text": said, "annotations": []}
        item = {"type": "message", "id": "msg_1", "role": "assistant", "content": [text]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]

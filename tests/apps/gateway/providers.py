"""A provider of our own: it keeps what it is asked and answers what it is told to, over real HTTP."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, TypeVar

from tests.listening import listening

Fields = dict[str, Any]


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Fields


class Provider:
    """Answers each question with the next of *answers*: fields, events, or bytes; the last one for ever."""

    def __init__(self, *answers: "Fields | list[Fields] | bytes") -> None:
        self.answers = list(answers)
        self.asked: list[Asked] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.url = ""
        # Called before the second piece of a stream; OSError: the connection breaks there.
        self.pause: Callable[[], object] = lambda: None

    @property
    def bodies(self) -> list[Fields]:
        return [asked.body for asked in self.asked]

    def next(self, _: Asked) -> "Fields | list[Fields] | bytes":
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


AnyProvider = TypeVar("AnyProvider", bound=Provider)


@contextmanager
def running(provider: AnyProvider) -> Iterator[AnyProvider]:
    """Let a provider answer at an address of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # what is written in parts is sent at once

        def do_GET(self) -> None:
            self._whole({"data": [], "models": []})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.path, headers, body)
            provider.asked.append(asked)
            answer = provider.next(asked)
            if isinstance(answer, list):
                self._stream(events(answer))
            else:
                self._whole(answer)

        def _whole(self, answer: Fields | bytes) -> None:
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(provider.status)
            self.send_header("content-type", "application/json")
            self.send_header("x-request-id", "req_1")
            for name, value in provider.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def _stream(self, chunks: Sequence[bytes]) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for number, chunk in enumerate([*chunks, b""]):
                try:
                    provider.pause() if number == 1 else None
                except OSError:
                    self.close_connection = True
                    return
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                self.wfile.flush()

        def log_message(self, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with listening(server) as provider.url:
        yield provider


def events(of: Sequence[Fields]) -> list[bytes]:
    """Return events as a provider sends them: Anthropic's have names, OpenAI's chat ends with a word."""
    named = [
        (f"event: {each['type']}\n" if "type" in each else "") + f"data: {json.dumps(each)}\n\n"
        for each in of
    ]
    ends = [] if "type" in of[0] else ["data: [DONE]\n\n"]
    return [each.encode() for each in [*named, *ends]]


USAGE = {"prompt_tokens": 900, "completion_tokens": 4, "total_tokens": 904}


def chat(text: str | None, *calls: Fields) -> Fields:
    """An answer of OpenAI's chat completions."""
    message: Fields = {"role": "assistant", "content": text}
    message |= {"tool_calls": list(calls)} if calls else {}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    own = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-test"}
    return {**own, "choices": [choice], "usage": USAGE}


def chat_events(*pieces: str) -> list[Fields]:
    own = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-test"}
    deltas: list[Fields] = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]
    said = [{**own, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return [*said, {**own, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]


def message(*blocks: Fields, stop: str = "end_turn") -> Fields:
    """An answer of Anthropic's messages."""
    usage = {"input_tokens": 20, "cache_read_input_tokens": 800, "output_tokens": 4}
    own = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test"}
    return {**own, "content": list(blocks), "stop_reason": stop, "stop_sequence": None, "usage": usage}


def said(text: str) -> Fields:
    return {"type": "text", "text": text}


def message_events(*blocks: Fields, stop: str = "end_turn") -> list[Fields]:
    begun = {**message(stop=stop), "stop_reason": None}
    found: list[Fields] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(blocks):
        at = {"index": index}
        bare: Fields = {"text": ""} if block["type"] == "text" else {"input": {}}
        empty = {**block, **bare}
        found.append({"type": "content_block_start", **at, "content_block": empty})
        words = block["text"].split(" ") if block["type"] == "text" else [json.dumps(block["input"])]
        for n, word in enumerate(words):
            text = {"type": "text_delta", "text": word if n == 0 else f" {word}"}
            delta = text if block["type"] == "text" else {"type": "input_json_delta", "partial_json": word}
            found.append({"type": "content_block_delta", **at, "delta": delta})
        found.append({"type": "content_block_stop", **at})
    end = {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}}
    return [*found, {**end, "usage": {"output_tokens": 4}}, {"type": "message_stop"}]


def response(text: str, *calls: Fields) -> Fields:
    """An answer of OpenAI's responses."""
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    own = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-test", "status": "completed"}
    own |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**own, "output": [*([item] if text else []), *calls], "usage": None}

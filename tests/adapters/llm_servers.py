"""Servers on the loopback, and a program, that answer as language models do, or as they should not."""

import contextlib
import json
import socket
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from tests.listening import listening

# How long something may take on a busy machine that is not slow itself, in seconds.
LONG = 60.0


class Said(NamedTuple):
    """What a model says: pieces of text, calls (id, name, pieces of JSON), tokens, and why it stops."""

    pieces: Sequence[str] = ()
    calls: Sequence[tuple[str, str, Sequence[str]]] = ()
    told: int = 12
    said: int = 3
    cached: int = 0
    stop: str = "end"
    cost: float | None = None


class Sent(NamedTuple):
    """A request as it came."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]


class Answering(BaseHTTPRequestHandler):
    """One request to a ModelServer."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # what is written in parts is sent at once
    server: "_Server"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        owner = self.server.owner
        owner.asked.append(Sent(self.path, body, {k.lower(): v for k, v in self.headers.items()}))
        step = owner.steps.pop(0) if len(owner.steps) > 1 else owner.steps[0]
        with contextlib.suppress(ConnectionError):
            step(self)

    def do_GET(self) -> None:
        self.server.owner.asked.append(Sent(self.path, {}, dict(self.headers)))
        whole(200, self.server.owner.listed)(self)

    def begin(self, kind: str = "text/event-stream") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, raw: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))

    def close(self) -> None:
        """Cut the connection."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: Any) -> None:
        pass


Step = Callable[[Answering], None]


class ModelServer:
    """What a server was asked, and what it does with each request; the last step is for ever."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = list(steps)
        self.asked: list[Sent] = []
        self.listed: Any = {"object": "list", "data": []}
        self.url = ""
        self.released = Event()  # set when the test is over, so that nobody waits for longer
        self.left = Event()  # set when the client has closed its connection


class _Server(ThreadingHTTPServer):
    owner: ModelServer
    daemon_threads = True


@contextlib.contextmanager
def serving(*steps: Step) -> Iterator[ModelServer]:
    """Serve on the loopback until the block ends."""
    owner = ModelServer(steps)
    server = _Server(("127.0.0.1", 0), Answering)
    server.owner = owner
    with listening(server) as owner.url:
        try:
            yield owner
        finally:
            owner.released.set()


def streaming(events: Sequence[bytes]) -> Step:
    """Send all events and end well."""

    def step(call: Answering) -> None:
        call.begin()
        for event in events:
            call.chunk(event)
        call.wfile.write(b"0\r\n\r\n")

    return step


def cut_after(events: Sequence[bytes], count: int) -> Step:
    """Send some events, then close the connection in the middle of the stream."""

    def step(call: Answering) -> None:
        call.begin()
        for event in events[:count]:
            call.chunk(event)
        call.close()

    return step


def ended_after(events: Sequence[bytes], count: int) -> Step:
    """Send some events, then end the stream as if that were all."""
    return streaming(events[:count])


def dropped(call: Answering) -> None:
    """Close the connection without a word."""
    call.close()


def dripping(events: Sequence[bytes], seconds: float) -> Step:
    """Send all events, each after a while."""

    def step(call: Answering) -> None:
        call.begin()
        for event in events:
            call.server.owner.released.wait(seconds)
            call.chunk(event)
        call.wfile.write(b"0\r\n\r\n")

    return step


def stuck_after(events: Sequence[bytes], count: int, then: Callable[[], None] = lambda: None) -> Step:
    """Send some events, do something, and say no more; notice when the client goes."""

    def step(call: Answering) -> None:
        call.connection.settimeout(LONG)
        with contextlib.suppress(TimeoutError):
            try:
                if count:
                    call.begin()
                for event in events[:count]:
                    call.chunk(event)
                then()
                gone = call.connection.recv(1) == b""
            except ConnectionError:  # it may go while we still speak
                gone = True
            if gone:
                call.server.owner.left.set()
        call.close()

    return step


def whole(status: int, content: Any, **headers: str) -> Step:
    """Answer with a status and a body, not with a stream."""

    def step(call: Answering) -> None:
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        call.send_response(status)
        call.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            call.send_header(name.replace("_", "-"), value)
        call.end_headers()
        call.wfile.write(raw)

    return step


def failing(status: int, message: str = "", *, code: str = "", **headers: str) -> Step:
    """Answer with an error as both APIs write it."""
    error = {"type": code or "some_error", "code": code or None, "message": message}
    return whole(status, {"type": "error", "error": error}, **headers)


def _sse(value: Any, event: str = "") -> bytes:
    head = f"event: {event}\n" if event else ""
    data = value if isinstance(value, str) else json.dumps(value)
    return f"{head}data: {data}\n\n".encode()


def anthropic_events(said: Said) -> list[bytes]:
    """Return the events of a message as Anthropic streams it."""
    fresh = {"input_tokens": said.told - said.cached, "cache_read_input_tokens": said.cached}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m"}
    found: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "usage": {**fresh, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
    ]
    for piece in said.pieces:
        delta = {"type": "text_delta", "text": piece}
        found.append({"type": "content_block_delta", "index": 0, "delta": delta})
    found.append({"type": "content_block_stop", "index": 0})
    for index, (id_, name, parts) in enumerate(said.calls, 1):
        block = {"type": "tool_use", "id": id_, "name": name, "input": {}}
        found.append({"type": "content_block_start", "index": index, "content_block": block})
        for part in parts:
            delta = {"type": "input_json_delta", "partial_json": part}
            found.append({"type": "content_block_delta", "index": index, "delta": delta})
        found.append({"type": "content_block_stop", "index": index})
    stops = {"end": "end_turn", "tools": "tool_use", "length": "max_tokens", "refused": "refusal"}
    stop = stops["tools" if said.calls else said.stop]
    ending = {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": said.said}}
    return [_sse(each, each["type"]) for each in [*found, ending, {"type": "message_stop"}]]


def openai_events(said: Said) -> list[bytes]:
    """Return the chunks of a completion as OpenAI streams it."""

    def chunk(**fields: Any) -> dict[str, Any]:
        head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}
        return {**head, **fields}

    def choice(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return chunk(choices=[{"index": 0, "delta": delta, "finish_reason": finish}])

    found = [choice({"role": "assistant", "content": ""})]
    found += [choice({"content": piece}) for piece in said.pieces]
    for index, (id_, name, parts) in enumerate(said.calls):
        function = {"name": name, "arguments": ""}
        found.append(
            choice({"tool_calls": [{"index": index, "id": id_, "type": "function", "function": function}]})
        )
        found += [
            choice({"tool_calls": [{"index": index, "function": {"arguments": part}}]}) for part in parts
        ]
    stops = {"end": "stop", "tools": "tool_calls", "length": "length", "refused": "content_filter"}
    found.append(choice({}, stops["tools" if said.calls else said.stop]))
    usage = {
        "prompt_tokens": said.told,
        "completion_tokens": said.said,
        "total_tokens": said.told + said.said,
    }
    details = {"prompt_tokens_details": {"cached_tokens": said.cached}}
    cost = {} if said.cost is None else {"cost": said.cost}
    found.append(chunk(usage={**usage, **details, **cost}))
    return [*map(_sse, found), _sse("[DONE]")]


# The program says whether it is logged in; else it notes how it was called, and does what its plan says.
_CLAUDE = """#!{python} -IS
import json, os, signal, sys, time
here = os.path.dirname(os.path.abspath(__file__))
flags = sys.argv[1:]
if flags[0] == "auth":
    with open(os.path.join(here, "login.json")) as file:
        sys.exit(print(file.read()))
with open(flags[flags.index("--system-prompt-file") + 1]) as file:
    system = file.read()
called = dict(flags=flags, system=system, prompt=sys.stdin.read(), cwd=os.getcwd(), files=os.listdir("."),
              names=sorted(os.environ), pid=os.getpid())
with open(os.path.join(here, "called.jsonl"), "a") as file:
    print(json.dumps(called), file=file)
with open(os.path.join(here, "plan.json")) as file:
    plan = json.load(file)
for step, value in plan:
    if step == "line":
        print(value, flush=True)
    elif step == "stderr":
        print(value, file=sys.stderr, flush=True)
    elif step == "sleep":
        time.sleep(value)
    elif step == "child":
        child = os.fork()
        if not child:
            signal.pause()
        with open(os.path.join(here, "child"), "w") as file:
            file.write(str(child))
    elif step == "hang":
        signal.pause()
    elif step == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif step == "exit":
        sys.exit(value)
"""


class ClaudeProgram:
    """A `claude` that is none, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        program = folder / "claude"
        program.write_text(_CLAUDE.format(python=sys.executable))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.environment = {"PATH": str(folder), "HOME": str(folder)}
        self.log_in(is_in=True)

    def log_in(self, *, is_in: bool) -> None:
        """Set what it says of its login."""
        (self._folder / "login.json").write_text(json.dumps({"loggedIn": is_in, "authMethod": "none"}))

    def plan(self, *steps: tuple[str, Any]) -> "ClaudeProgram":
        """Set what it does when it is called."""
        (self._folder / "plan.json").write_text(json.dumps(steps))
        return self

    @property
    def child(self) -> int:
        """The process that it left running."""
        return int((self._folder / "child").read_text())

    @property
    def called(self) -> list[dict[str, Any]]:
        path = self._folder / "called.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def claude_steps(said: Said) -> list[tuple[str, Any]]:
    """Return what the program writes for an answer."""
    text = list(said.pieces)
    for _, name, parts in said.calls:
        text.append(f'\n```tool\n{{"name": "{name}", "arguments": {"".join(parts)}}}\n```\n')
    stops = {"end": "end_turn", "length": "max_tokens", "refused": "refusal", "tools": "end_turn"}
    lines: list[dict[str, Any]] = [{"type": "system", "subtype": "init", "tools": [], "model": "m"}]
    for piece in text:
        delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        lines.append({"type": "stream_event", "event": delta})
    ending = {"type": "message_delta", "delta": {"stop_reason": stops[said.stop]}}
    lines.append({"type": "stream_event", "event": ending})
    content = [{"type": "text", "text": "".join(text)}]
    lines.append({"type": "assistant", "message": {"role": "assistant", "content": content}})
    lines.append(claude_result("".join(text), said))
    return [("line", json.dumps(line)) for line in lines]


def claude_result(text: str, said: Said | None = None, **fields: Any) -> dict[str, Any]:
    """Return the program's last line."""
    said = said or Said()
    usage = {
        "input_tokens": said.told - said.cached,
        "cache_read_input_tokens": said.cached,
        "output_tokens": said.said,
    }
    head = {"type": "result", "subtype": "success", "is_error": False, "result": text}
    return {**head, "total_cost_usd": said.cost or 0.0, "usage": usage, **fields}

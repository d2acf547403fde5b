"""Takes the place of llama.cpp in the process that runs a model: it answers with who it is, at once."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

llama_load_mode = SimpleNamespace(LLAMA_LOAD_MODE_NONE=0)


class CommonParams:
    def __init__(self) -> None:
        self.model = SimpleNamespace(path="")
        self.api_keys: list[str] = []
        self.hostnames: list[str] = []
        self.port = 0


class Server:
    def __init__(self, params: CommonParams) -> None:
        if b"damaged" in Path(params.model.path).read_bytes():
            raise RuntimeError("Failed to init server, please check the input params.")
        if b"renamed" in Path(params.model.path).read_bytes():
            raise AttributeError("CommonParams has no attribute ui")
        http = _Http((params.hostnames[0], params.port), _Answering)
        http.token = params.api_keys[0]
        Thread(target=http.serve_forever, daemon=True).start()
        self.listening_address = f"http://{http.server_address[0]!s}:{http.server_port}"


class _Http(ThreadingHTTPServer):
    token = ""
    asked = 0


class _Answering(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True  # what is written in parts is sent at once
    server: _Http

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Authorization"] != f"Bearer {self.server.token}":
            self.send_error(401)
            return
        self.server.asked += 1
        said = f"process {os.getpid()}, question {self.server.asked}"
        choice = {"index": 0, "delta": {"content": said}, "finish_reason": "stop"}
        chunk = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [choice],
        }
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_: Any) -> None:
        pass

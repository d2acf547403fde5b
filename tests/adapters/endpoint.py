"""A little server that answers as an OpenAI-compatible endpoint does, or as it should not."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from almario.testing import WordEmbedder
from tests.listening import listening

# From the body of a request to the status and the body of the answer.
Answer = Callable[[dict[str, Any]], tuple[int, Any]]


def embeddings(body: dict[str, Any]) -> tuple[int, Any]:
    """Answer well, though in the wrong order and with vectors that are too long."""
    vectors = WordEmbedder().embed(body["input"])
    items = [
        {"index": place, "embedding": [3 * number for number in row]} for place, row in enumerate(vectors)
    ]
    return 200, {"object": "list", "data": items[::-1], "model": body["model"]}


class Endpoint:
    """What was asked of the server, and how it answers."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.url = ""
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []


@contextmanager
def serving(answer: Answer = embeddings) -> Iterator[Endpoint]:
    """Serve on the loopback until the block ends."""
    endpoint = Endpoint(answer)

    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True  # what is written in parts is sent at once

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.bodies.append(body)
            endpoint.headers.append(dict(self.headers))
            if self.path != "/v1/embeddings":
                status, content = 404, {"error": "page not found"}
            else:
                status, content = endpoint.answer(body)
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", content["to"])
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: Any) -> None:
            pass

    with listening(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as address:
        endpoint.url = f"{address}/v1"
        yield endpoint

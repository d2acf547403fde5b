"""Local servers that speak as SearXNG, Brave and Tavily do: what is asked wrongly is refused."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from almario_explorer.calling import HttpLine
from almario_explorer.searching import Brave, SearXNG, Tavily
from almario_explorer.web import WebSearch
from tests.listening import listening

KEY = "search-key"


class Found(NamedTuple):
    """A result as a server has it, whatever its parts are."""

    title: Any
    url: Any
    text: Any = ""


class Asked(NamedTuple):
    """A request as a server got it."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


class SearchServer:
    """What a server was asked and what it finds; *override* is a status and a body to answer instead."""

    def __init__(self, found: Sequence[Found] = ()) -> None:
        self.found = list(found)
        self.asked: list[Asked] = []
        self.override: tuple[int, bytes] | None = None
        self.pause = 0.0
        self.url = ""

    def answer(self, asked: Asked) -> tuple[int, Any]:
        raise NotImplementedError

    def search(self, line: HttpLine | None = None) -> WebSearch:
        raise NotImplementedError


class SearXNGServer(SearchServer):
    def answer(self, asked: Asked) -> tuple[int, Any]:
        if (asked.method, asked.path) != ("GET", "/search") or not asked.query.get("q"):
            return 400, "no query"
        if asked.query.get("format") != "json":
            return 403, "not this format"
        return 200, {"query": asked.query["q"], "results": _named(self.found, "content"), "answers": []}

    def search(self, line: HttpLine | None = None) -> WebSearch:
        return SearXNG(self.url, line)


class BraveServer(SearchServer):
    def answer(self, asked: Asked) -> tuple[int, Any]:
        if asked.headers.get("X-Subscription-Token") != KEY:
            return 401, {"error": {"detail": "no token"}}
        if (asked.method, asked.path) != ("GET", "/res/v1/web/search") or not asked.query.get("q"):
            return 422, {"error": {"detail": "no query"}}
        if not 1 <= int(asked.query["count"]) <= 20:
            return 422, {"error": {"detail": "count"}}
        web = {"type": "search", "results": _named(self.found, "description")[: int(asked.query["count"])]}
        return 200, {"type": "search", **({"web": web} if self.found else {})}

    def search(self, line: HttpLine | None = None) -> WebSearch:
        return Brave(KEY, self.url, line)


class TavilyServer(SearchServer):
    def answer(self, asked: Asked) -> tuple[int, Any]:
        if asked.headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {"detail": {"error": "Unauthorized"}}
        if (asked.method, asked.path) != ("POST", "/search") or not asked.body.get("query"):
            return 400, {"detail": {"error": "no query"}}
        if not 0 <= asked.body["max_results"] <= 20:
            return 422, {"detail": {"error": "max_results"}}
        return 200, {"results": _named(self.found, "content")[: asked.body["max_results"]]}

    def search(self, line: HttpLine | None = None) -> WebSearch:
        return Tavily(KEY, self.url, line)


SERVERS: dict[str, Callable[[], SearchServer]] = {
    "searxng": SearXNGServer,
    "brave": BraveServer,
    "tavily": TavilyServer,
}


def _named(found: Sequence[Found], snippet: str) -> list[Any]:
    return [{"title": each.title, "url": each.url, snippet: each.text, "score": 1} for each in found]


@contextmanager
def serving(server: SearchServer) -> Iterator[SearchServer]:
    """Serve on the loopback until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True  # what is written in parts is sent at once

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            asked = Asked(self.command, parts.path, query, dict(self.headers), body)
            server.asked.append(asked)
            sleep(server.pause)
            status, content = server.override or server.answer(asked)
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", raw.decode())
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            with suppress(OSError):  # whoever asked has heard enough
                self.wfile.write(raw)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    with listening(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server.url:
        yield server

"""A home that is served in this process, and clients that ask it with tokens."""

import contextlib
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from almario.apps.web.access import Tokens
from almario.apps.web.app import create_app
from almario.apps.web.gatekeeping import Entrance
from almario.apps.web.serving import ServerPlace, announced, bound, server, url_of
from almario.ports import LLM, Clock
from almario.testing import FixedClock
from almario.wiring import utc_now
from almario.wiring.souls import Souls
from tests.waiting import comes_true

HOST = "localhost:8420"
LOCAL = ServerPlace()


class Served:
    """The app on a home, and how it is asked: `served.get("/memories")` is as the owner, of `default`."""

    def __init__(self, home: Path, clock: FixedClock, *, llm: LLM | None = None, **entrance: Any) -> None:
        self.souls = Souls(home, clock=clock, llm=llm)
        self.tokens = Tokens(self.souls)
        self.owner = self.tokens.owner_token()
        self._client: TestClient | None = None
        self.app = create_app(self.souls, self.tokens, Entrance(frozenset({HOST}), **entrance))

    def __enter__(self) -> "Served":
        """Keep the app running from one request to the next, which is quicker."""
        self._client = self.client()
        self._client.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._client:
            self._client.__exit__(None, None, None)

    def client(self, token: str = "", **headers: str) -> TestClient:
        """Return a client that shows a token; without one, it shows none."""
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        return TestClient(self.app, f"http://{HOST}", headers={**shown, **headers}, follow_redirects=False)

    def ask(self, method: str, path: str, *, token: str = "", status: int = 0, **given: Any) -> Any:
        """Ask as the owner, or with a token, and return what the answer says."""
        whole = path if path.startswith("/api") else f"/api/v1/agents/default{path}"
        headers = {"Authorization": f"Bearer {token or self.owner}", **given.pop("headers", {})}
        answer = (self._client or self.client()).request(method, whole, headers=headers, **given)
        wanted = (status,) if status else (200, 201, 202)
        assert answer.status_code in wanted, f"{method} {whole}: {answer.status_code} {answer.text}"
        is_json = answer.headers.get("content-type", "").endswith("json")
        return answer.json() if is_json else answer.text

    def get(self, path: str, **given: Any) -> Any:
        return self.ask("GET", path, **given)

    def post(self, path: str, body: Any = None, **given: Any) -> Any:
        return self.ask("POST", path, json={} if body is None else body, **given)

    def finished(self, job: dict[str, Any], path: str = "/jobs") -> Any:
        """Wait until work in the background has ended, and return it."""
        found: list[Any] = []

        def has_ended() -> bool:
            found[:] = [self.get(f"{path}/{job['id']}")]
            return found[0]["state"] in ("done", "failed")

        assert comes_true(has_ended)
        return found[0]


@contextlib.contextmanager
def serving(home: Path, llm: LLM | None, clock: Clock = utc_now, place: ServerPlace = LOCAL) -> Iterator[str]:
    """Serve a home on a socket of this machine, as `almario serve` does; return its address."""
    souls = Souls(home, clock=clock, llm=llm)
    tokens = Tokens(souls)
    tokens.owner_token()
    with bound(place) as listening, announced(home, url := url_of(place, listening)):
        made = server(souls, tokens, place, listening)
        thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield url
        made.should_exit = True
        thread.join()


def events_in(text: str) -> list[tuple[str, Any]]:
    """Return the events of a stream: their names and values."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and line[0] != ":")
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def copied(home: Path, *names: str) -> None:
    """Give a home more agents, each a copy of the one it has."""
    for name in names:
        shutil.copytree(
            home / "agents" / "default", home / "agents" / name, ignore=shutil.ignore_patterns("*-shm")
        )

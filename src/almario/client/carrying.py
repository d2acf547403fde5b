"""The two faces of a client: one that waits for each answer, and one whose answers are awaited."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import httpx2

from almario.client.calls import HttpCall, named, understood
from almario.client.responses import Answering
from almario.errors import ServerUnavailable

T = TypeVar("T")
# A connection that was lost, and not one that is only slow.
_LOST = (httpx2.NetworkError, httpx2.RemoteProtocolError)


class Here:
    """Carries calls, and waits for what comes of them."""

    def __init__(self, client: httpx2.Client, agent: str) -> None:
        self.client = client
        self._place = f"/api/v1/agents/{named(agent)}"

    def run(self, call: HttpCall, read: Callable[[Any], T]) -> T:
        """Ask, and return what is read from the answer."""
        tries = 2 if call.can_be_repeated else 1
        while True:
            tries -= 1
            try:
                return understood(self._sent(call), read)
            except httpx2.HTTPError as exc:
                if not tries or not isinstance(exc, _LOST):
                    raise _unanswered(self.client, exc) from exc

    def _sent(self, call: HttpCall) -> Any:
        with self.client.stream(**_request(self._place, call)) as response:
            answering = Answering(call, response.status_code, response.headers.get("content-type", ""))
            for piece in response.iter_bytes():
                answering.feed(piece)
        return answering.end()


class There:
    """Carries calls; what comes of them is to be awaited."""

    def __init__(self, client: httpx2.AsyncClient, agent: str) -> None:
        self.client = client
        self._place = f"/api/v1/agents/{named(agent)}"

    async def run(self, call: HttpCall, read: Callable[[Any], T]) -> T:
        """Ask, and return what is read from the answer."""
        tries = 2 if call.can_be_repeated else 1
        while True:
            tries -= 1
            try:
                return understood(await self._sent(call), read)
            except httpx2.HTTPError as exc:
                if not tries or not isinstance(exc, _LOST):
                    raise _unanswered(self.client, exc) from exc

    async def _sent(self, call: HttpCall) -> Any:
        async with self.client.stream(**_request(self._place, call)) as response:
            answering = Answering(call, response.status_code, response.headers.get("content-type", ""))
            async for piece in response.aiter_bytes():
                answering.feed(piece)
        return answering.end()


def _request(place: str, call: HttpCall) -> dict[str, Any]:
    # A sentence is what a Soul gives here: in English.
    headers = {"Accept-Language": "en", "Content-Type": "application/json", **call.headers}
    if call.key:
        headers["Idempotency-Key"] = call.key
    content = json.dumps(call.body).encode()
    return {"method": "POST", "url": f"{place}{call.path}", "headers": headers, "content": content}


def _unanswered(client: httpx2.Client | httpx2.AsyncClient, problem: httpx2.HTTPError) -> ServerUnavailable:
    address = f"{client.base_url.scheme}://{client.base_url.netloc.decode()}"
    if isinstance(problem, httpx2.ConnectError | httpx2.ConnectTimeout):
        why = str(problem) or type(problem).__name__
        return ServerUnavailable("no server can be reached at {address}: {why}", address=address, why=why)
    if isinstance(problem, httpx2.TimeoutException):
        sentence = "the server at {address} did not answer in time; what you asked for may have been done"
    else:
        sentence = (
            "the connection to {address} was lost before the answer; what you asked for may have been done"
        )
    return ServerUnavailable(sentence, address=address)

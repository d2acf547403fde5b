"""The two faces of a client: one that waits for each answer, and one whose answers are awaited."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, NoReturn, TypeVar
from urllib.parse import quote

import httpx2

from almario.client.answers import Answering
from almario.client.calls import Call, Steps
from almario.errors import AlmarioError, ServerUnavailable

T = TypeVar("T")
# A connection that was lost, and not one that nobody ever took or that is only slow.
_LOST = (httpx2.NetworkError, httpx2.RemoteProtocolError)


class Here:
    """Carries calls, and waits for what comes of them."""

    def __init__(self, client: httpx2.Client, agent: str) -> None:
        self.client = client
        self._place = f"/api/v1/agents/{quote(agent, safe='')}"

    def run(self, steps: Steps[T]) -> T:
        """Take the steps of a verb one after another, and return what it does."""
        step, value = steps.send, None
        while True:
            try:
                call = step(value)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            try:
                step, value = steps.send, self._answer(call)
            except AlmarioError as exc:
                step, value = steps.throw, exc

    def _answer(self, call: Call) -> Any:
        try:
            return self._sent(call)
        except _LOST as exc:
            if not call.can_be_repeated:
                _fail(self.client, exc)
        except httpx2.HTTPError as exc:
            _fail(self.client, exc)
        try:
            return self._sent(call)
        except httpx2.HTTPError as exc:
            _fail(self.client, exc)

    def _sent(self, call: Call) -> Any:
        with self.client.stream(**_request(self._place, call)) as response:
            answering = Answering(call, response.status_code, response.headers.get("content-type", ""))
            for piece in response.iter_bytes():
                answering.feed(piece)
        return answering.end()


class There:
    """Carries calls; what comes of them is to be awaited."""

    def __init__(self, client: httpx2.AsyncClient, agent: str) -> None:
        self.client = client
        self._place = f"/api/v1/agents/{quote(agent, safe='')}"

    async def run(self, steps: Steps[T]) -> T:
        """Take the steps of a verb one after another, and return what it does."""
        step, value = steps.send, None
        while True:
            try:
                call = step(value)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            try:
                step, value = steps.send, await self._answer(call)
            except AlmarioError as exc:
                step, value = steps.throw, exc

    async def _answer(self, call: Call) -> Any:
        try:
            return await self._sent(call)
        except _LOST as exc:
            if not call.can_be_repeated:
                _fail(self.client, exc)
        except httpx2.HTTPError as exc:
            _fail(self.client, exc)
        try:
            return await self._sent(call)
        except httpx2.HTTPError as exc:
            _fail(self.client, exc)

    async def _sent(self, call: Call) -> Any:
        async with self.client.stream(**_request(self._place, call)) as response:
            answering = Answering(call, response.status_code, response.headers.get("content-type", ""))
            async for piece in response.aiter_bytes():
                answering.feed(piece)
        return answering.end()


def _request(place: str, call: Call) -> dict[str, Any]:
    """Return a call as httpx takes it."""
    headers = dict(call.headers)
    content: bytes | None = None
    if isinstance(call.body, str):
        content = call.body.encode()
    elif call.body is not None:
        headers["Content-Type"] = "application/json"
        content = json.dumps(call.body, default=_plain).encode()
    if call.key:
        headers["Idempotency-Key"] = call.key
    asked = {name: value for name, value in call.query.items() if value not in (None, "", ())}
    given = {"headers": headers, "params": asked, "content": content}
    return {"method": call.method, "url": f"{place}{call.path}", **given}


def _plain(value: Any) -> str:
    if isinstance(value, date):  # and instants
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be sent")


def _fail(client: httpx2.Client | httpx2.AsyncClient, problem: httpx2.HTTPError) -> NoReturn:
    """Say what came of a call that was not answered."""
    address = f"{client.base_url.scheme}://{client.base_url.netloc.decode()}"
    if isinstance(problem, httpx2.ConnectError | httpx2.ConnectTimeout):
        why = str(problem) or type(problem).__name__
        sentence = "no server can be reached at {address}: {why}"
        raise ServerUnavailable(sentence, address=address, why=why) from problem
    if isinstance(problem, httpx2.TimeoutException):
        sentence = "the server at {address} took too long to answer; it may be done all the same"
        raise ServerUnavailable(sentence, address=address) from problem
    sentence = "the connection to {address} was lost before the answer had come; it may be done all the same"
    raise ServerUnavailable(sentence, address=address) from problem

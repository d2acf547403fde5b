"""Passing requests on to a provider, and its answers back, as they are."""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import httpx2
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from almario.domain.logs import Log
from almario.domain.messages import sentence_of
from almario.errors import AlmarioError, LLMUnavailable, SoulError
from almario_gateway.answers import AnswerReader
from almario_gateway.faces import Fields
from almario_gateway.upstreams import Endpoint

log = Log(__name__)

# Between two machines only, or ours; and what would let a provider know who asks.
_NOT_PASSED = {
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"),
    *(
        "trailer",
        "transfer-encoding",
        "upgrade",
        "host",
        "content-length",
        "content-encoding",
        "content-type",
    ),
    *("accept-encoding", "authorization", "x-api-key", "cookie", "set-cookie", "origin", "referer", "via"),
    *("date", "server", "alt-svc", "strict-transport-security"),
    *("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "x-csrf-token"),
}
_OURS = ("x-almario-", "access-control-", "sec-")
_LOCAL = ("http://127.0.0.1", "http://localhost", "http://[::1]")
STREAM = "text/event-stream"


class Passing:
    """Asks providers; its connections are kept for the next question."""

    def __init__(self) -> None:
        self._clients: dict[bool, httpx2.AsyncClient] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep connections for as long as this is open."""
        try:
            yield
        finally:
            clients, self._clients = self._clients, {}
            for client in clients.values():
                await client.aclose()

    async def ask(
        self, to: Endpoint, path: str, body: Fields, headers: Mapping[str, str], *, seconds: float
    ) -> httpx2.Response:
        """Return a provider's answer, whose content is still to come; LLMUnavailable if there is none.

        *headers* are the program's, *seconds* how long the provider may be silent.
        """
        client = self._client(to.url)
        own = {**passed(headers.items()), **_key(to), "content-type": "application/json"}
        sent = {name.encode("latin-1"): value.encode("latin-1") for name, value in own.items()}
        patience = httpx2.Timeout(seconds, connect=min(seconds, 10.0))
        request = client.build_request(
            "POST", f"{to.url}{path}", content=encoded(body), headers=sent, timeout=patience
        )
        try:
            return await client.send(request, stream=True)
        except httpx2.HTTPError as exc:
            raise unanswered(to, exc) from exc

    def _client(self, url: str) -> httpx2.AsyncClient:
        """Return what asks there: this machine through no proxy, nobody who sends us on elsewhere."""
        is_local = url.startswith(_LOCAL)
        if is_local not in self._clients:
            self._clients[is_local] = httpx2.AsyncClient(trust_env=not is_local, follow_redirects=False)
        return self._clients[is_local]


class Streamed(StreamingResponse):
    """An answer passed on as it comes; it is kept before its end is told, or else as far as it came."""

    def __init__(
        self,
        response: httpx2.Response,
        keep: Callable[[AnswerReader], None],
        broken: Callable[[httpx2.HTTPError | AlmarioError], bytes],
        headers: dict[str, str],
    ) -> None:
        """*broken* gives what ends the answer if the provider does not, or it cannot be kept."""
        self._response = response
        self._keep = keep
        self._broken = broken
        self._reading = AnswerReader(is_stream=True)
        self._is_kept = False
        super().__init__(self._pieces(), 200, headers, STREAM)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):  # the program may have gone
                await self._response.aclose()
                try:
                    await self._kept()
                except AlmarioError as exc:
                    log.warning("what was heard of an answer could not be kept: %s", sentence_of(exc))

    async def _pieces(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_bytes():
                if self._reading.take(chunk):
                    await self._kept()
                yield chunk
        except (httpx2.HTTPError, AlmarioError) as exc:
            yield self._broken(exc)

    async def _kept(self) -> None:
        if not self._is_kept:
            self._is_kept = True
            await anyio.to_thread.run_sync(self._keep, self._reading)


def unanswered(to: Endpoint, problem: httpx2.HTTPError) -> LLMUnavailable:
    """Return the error for a provider that does not answer."""
    why = str(problem) or type(problem).__name__
    return LLMUnavailable("{url} does not answer: {why}", url=to.url, why=why)


def passed(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the headers that are passed on."""
    return {
        name: value
        for name, value in headers
        if name.lower() not in _NOT_PASSED and not name.lower().startswith(_OURS)
    }


def _key(to: Endpoint) -> dict[str, str]:
    sent = {"accept-encoding": "identity"}
    if to.provider == "anthropic":
        return sent | ({"x-api-key": to.key} if to.key else {})
    return sent | ({"authorization": f"Bearer {to.key}"} if to.key else {})


def encoded(body: Fields) -> bytes:
    """Return a request as bytes."""
    try:
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")
    except (ValueError, RecursionError) as exc:
        raise SoulError("the request is not valid JSON: {why}", why=str(exc)) from exc


def decoded(content: bytes) -> Fields:
    """Return a request's fields; SoulError if it is no JSON object."""
    try:
        found: Any = json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise SoulError("the request is not valid JSON: {why}", why=str(exc)) from exc
    if not isinstance(found, dict):
        raise SoulError("the request must be a JSON object")
    return found

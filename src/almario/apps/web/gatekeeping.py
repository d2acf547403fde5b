"""The gate that every request passes: the right host and origin, a token, not too often, not too much.

It stands before all routes, whoever brings them, and reads a request's body to its end: a client that
stops in the middle never gets as far as a route, nor does one for whom there is no room.
"""

import asyncio
import hmac
import threading
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie

import anyio.to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from almario import __version__
from almario.apps.web.access import Grant, Tokens, csrf_of
from almario.apps.web.problems import ProblemPage, problem_for
from almario.apps.web.readers import answering_in, language_for, tell, wants_html
from almario.apps.web.rooms import RequestPlace, Rooms
from almario.domain.messages import Sentence, sentence_of
from almario.errors import SoulError, StoreBusy, StoreError
from almario.named_tuples import NamedTuple
from almario.served import VERSION

COOKIE, CSRF = "almario", "x-csrf-token"
# What needs no token: where a browser trades a one-time link for a cookie, and what every page loads.
LOGIN, ASSETS = "/login", "/assets/"
_AGENTS = "/api/v1/agents/"
_SAFE = ("GET", "HEAD", "OPTIONS")
# So often a second may an address try that has no token.
_TRIES = 5.0
_MOST_BUCKETS = 10_000
_TOO_MANY = Sentence("too many requests; try again in a moment")


class Buckets:
    """Counts what each name does: so many a second, and twice as many at once."""

    def __init__(self, per_second: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        """0 *per_second* is any number."""
        self._rate = per_second
        self._monotonic = monotonic
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str) -> bool:
        """Return whether this one is still allowed, and count it."""
        if not self._rate:
            return True
        most, now = max(2 * self._rate, 1.0), self._monotonic()
        with self._lock:
            if len(self._left) > _MOST_BUCKETS:
                self._left.clear()
            left, at = self._left.get(name, (most, now))
            left = min(most, left + (now - at) * self._rate)
            self._left[name] = (left - 1 if left >= 1 else left, now)
        return left >= 1


class _Refused(Exception):
    """Why a request is not let in."""

    def __init__(self, status: int, why: Sentence) -> None:
        self.status = status
        self.why = why
        super().__init__(why)


class Entrance(NamedTuple):
    """By which names a server may be asked, in which way, and how much of it.

    *hosts* are the only values that Host may have; *is_secure* says that they are asked by https.
    """

    hosts: frozenset[str]
    is_secure: bool = False
    language: str = "en"
    max_body: int = 20_000_000
    per_second: float = 0
    body_seconds: float = 30.0
    monotonic: Callable[[], float] = time.monotonic


class Gate:
    """Lets in whoever shows a token; `request.state.grant` is what it allows."""

    def __init__(self, app: ASGIApp, tokens: Tokens, entrance: Entrance, page: ProblemPage) -> None:
        """*page* tells a person in a browser why they are not let in."""
        self._app = app
        self._rooms = Rooms()
        self._page = page
        self._tokens = tokens
        self._entrance = entrance
        scheme = "https" if entrance.is_secure else "http"
        self._origins = frozenset(f"{scheme}://{host}" for host in entrance.hosts)
        self._buckets = Buckets(entrance.per_second, entrance.monotonic)
        self._strangers = Buckets(_TRIES, entrance.monotonic)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks over a web socket
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope)
        language, is_page = language_for(request, self._entrance.language), COOKIE in request.cookies
        with answering_in(language, is_page=is_page):
            await self._let_in(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        whose = ""
        try:
            headers = Headers(scope=scope)
            self._check_place(headers)
            if scope["path"] == LOGIN:
                self._count_stranger(scope)
            elif not scope["path"].startswith(ASSETS):
                grant = await self._granted(scope, headers)
                scope.setdefault("state", {})["grant"] = grant
                whose = _agent_in(scope["path"]) or grant.name
                if not self._buckets.take(grant.name):
                    raise _Refused(429, _TOO_MANY)
            body = await self._body(headers, receive)
        except _Refused as refused:
            await self._refusal(Request(scope), refused)(scope, receive, _private(send))
            return
        if body is not None:
            place = scope.setdefault("state", {})["place"] = RequestPlace(self._rooms, whose)
            await self._pass_on(place, scope, _replayed(body, receive), _private(send))

    async def _pass_on(self, place: RequestPlace, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer; a client is told if there is no room, or the server must end before it has."""
        has_begun = False

        async def give(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            place.take("brief")
            await place.come_to_turn()
            await self._app(scope, receive, give)
        except StoreBusy as exc:
            await self._refusal(Request(scope), _Refused(503, sentence_of(exc)))(scope, receive, send)
        except asyncio.CancelledError:  # nobody else ends a request, and the server waits for us
            if not has_begun:
                why = tell(Sentence("the server is stopping; try again later"))
                await problem_for(scope, 503, why)(scope, receive, send)
        finally:
            place.leave()

    def _refusal(self, request: Request, refused: _Refused) -> Response:
        why = tell(refused.why)
        if refused.status == 401 and wants_html(request):
            return self._page(request, refused.status, why)
        return problem_for(request.scope, refused.status, why)

    def _check_place(self, headers: Headers) -> None:
        if (
            headers.getlist("host") != [host := headers.get("host", "")]
            or host.lower() not in self._entrance.hosts
        ):
            raise _Refused(421, Sentence("this server is not called that; see --name"))
        origins = headers.getlist("origin")
        if any(origin.lower() not in self._origins for origin in origins):
            raise _Refused(403, Sentence("other sites may not ask this server"))

    async def _granted(self, scope: Scope, headers: Headers) -> Grant:
        """Return what a request may do; nobody else waits where tokens have to be fetched."""
        if self._tokens.are_shared:
            return await anyio.to_thread.run_sync(self._grant, scope, headers)
        return self._grant(scope, headers)

    def _grant(self, scope: Scope, headers: Headers) -> Grant:
        # As most programs send it, or as Anthropic's do.
        kind, _, token = headers.get("authorization", "").partition(" ")
        shown = token.strip() if kind.lower() == "bearer" else headers.get("x-api-key", "").strip()
        cookie = "" if shown else _cookie_in(headers)
        try:
            grant = self._tokens.grant_of(shown) if shown else None
            grant = self._tokens.grant_of_cookie(cookie) if cookie else grant
        except SoulError:  # the file of tokens is damaged, and "almario tokens" says so
            grant = None
        except StoreError as exc:
            raise _Refused(503, Sentence("the tokens cannot be read right now; try again later")) from exc
        if grant is None:
            self._count_stranger(scope)
            raise _Refused(401, Sentence('this needs a valid token; "almario tokens create" makes one'))
        if cookie and scope["method"] not in _SAFE:
            given = headers.get(CSRF, "")
            if not hmac.compare_digest(given.encode(), csrf_of(cookie).encode()):
                raise _Refused(403, Sentence("this page did not prove that it is ours; load it again"))
        return grant

    def _count_stranger(self, scope: Scope) -> None:
        if not self._strangers.take((scope.get("client") or ("",))[0]):
            raise _Refused(429, _TOO_MANY)

    async def _body(self, headers: Headers, receive: Receive) -> bytes | None:
        """Return the whole body; None if the client has gone before it had come."""
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._entrance.max_body:
            raise self._too_long()
        found = bytearray()
        try:
            async with asyncio.timeout(self._entrance.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    found += message.get("body", b"")
                    if len(found) > self._entrance.max_body:
                        raise self._too_long()
                    if not message.get("more_body"):
                        return bytes(found)
        except TimeoutError:
            raise _Refused(408, Sentence("the request did not come to its end in time")) from None

    def _too_long(self) -> _Refused:
        most = f"{self._entrance.max_body:,}"
        return _Refused(
            413, Sentence("the request is longer than {most} bytes; see serve.max_body", most=most)
        )


def _agent_in(path: str) -> str:
    """Return the agent that a path names, if it does."""
    return path.removeprefix(_AGENTS).partition("/")[0].lower() if path.startswith(_AGENTS) else ""


def _cookie_in(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _private(send: Send) -> Send:
    """Return what sends an answer that is for whoever asked, and is what it says it is."""

    async def give(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Cache-Control", "no-store")
            headers["X-Content-Type-Options"] = "nosniff"
            headers[VERSION] = __version__
        await send(message)

    return give


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read, and then whatever comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return messages.pop() if messages else await receive()

    return give

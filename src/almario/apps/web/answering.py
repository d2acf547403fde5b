"""How routes answer: what OpenAPI is told of it, the same answer to the same request, and streams.

Everything below is synchronous and runs in threads; a stream hands over what a thread gives, piece by piece.
"""

import asyncio
import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextvars import copy_context
from typing import Annotated, Any

from fastapi import Header, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse

from almario.apps.web.access import Grant
from almario.apps.web.problems import MEDIA_TYPE, named, status_of, told
from almario.apps.web.shapes import shown
from almario.errors import AlmarioError, SoulError, StoreBusy

# So many answers are kept for whoever asks for the same again.
_MOST_KEPT = 1000
# Every so many seconds a stream that has nothing to tell says that it is still there.
ALIVE = 15.0

# So many streams may be open at once.
_MOST_STREAMS = 100
# Every so many seconds, edits by hand are looked for on behalf of whoever follows.
_EDITS = 1.0

_REFUSALS = {
    400: "It cannot be done; the detail says why.",
    401: "No token, or none that holds.",
    403: "The token does not allow it.",
    404: "There is no such thing.",
    409: "It has changed since, or there is one already.",
    413: "The request is too long.",
    422: "A field is missing or wrong.",
    429: "Too many requests.",
    502: "The model gave an unusable answer.",
    503: "Something that is needed cannot be reached now, such as a model.",
}


# What OpenAPI is told of a stream: its events, one after the other.
_EVENT = {"type": "object", "properties": {name: {"type": "string"} for name in ("id", "event", "data")}}
STREAM = {"text/event-stream": {"schema": _EVENT}}


def refusals(told: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """Say for OpenAPI by which statuses a route refuses, and why."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": said, "content": content} for status, said in told.items()}


PROBLEMS = refusals(_REFUSALS)
Limit = Annotated[int, Query(ge=1, le=1000, description="The most to return.")]
Offset = Annotated[int, Query(ge=0, le=10**9, description="How many to skip: `next` of the page before.")]
IfMatch = Annotated[
    str, Header(alias="If-Match", max_length=200, description="The ETag of what you read and now change.")
]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="A request sent again with the same key is carried out once.",
    ),
]


def gives(
    kind: Any, status: int = 200, *, example: Any = None, more: Mapping[int, str] = {}
) -> dict[str, Any]:
    """Say for OpenAPI what a route answers, and what other refusals there are."""
    content = {"application/json": {"example": example}} if example is not None else {}
    found: dict[int | str, dict[str, Any]] = {status: {"model": kind, "content": content}}
    return {"status_code": status, "responses": found | refusals(more)}


class _Replay:
    """One request, and the answer to it once there is one."""

    def __init__(self, request: str) -> None:
        self.request = request
        self.lock = threading.Lock()
        self.answer: tuple[int, Any] | None = None


class Replays:
    """Gives the same answer to the same request with the same key, while this process runs."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Hashable, ...], _Replay] = OrderedDict()
        self._lock = threading.Lock()

    def once(
        self, name: tuple[Hashable, ...], asked: Any, do: Callable[[], tuple[int, Any]]
    ) -> tuple[int, Any]:
        """Do something once for each *name*; whoever asks meanwhile waits, and gets the same answer."""
        request = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
        with self._lock:
            replay = self._kept.setdefault(name, _Replay(request))
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        if replay.request != request:
            raise SoulError("this Idempotency-Key was used for another request; take a new one")
        with replay.lock:
            if replay.answer is None:
                replay.answer = do()
            return replay.answer


def once(
    request: Request, grant: Grant, key: str, asked: Any, do: Callable[[], tuple[int, Any]]
) -> JSONResponse:
    """Answer what *do* gives; with a key, the same as before to whoever asks the same again."""
    if not key:
        status, value = do()
        return JSONResponse(shown(value), status)
    replays: Replays = request.app.state.replays
    status, value = replays.once((grant, request.url.path, key), asked, lambda: _shown(do()))
    return JSONResponse(value, status)


def _shown(found: tuple[int, Any]) -> tuple[int, Any]:
    return found[0], shown(found[1])


# Is told what a stream tells: the name of the event, and its value.
Tell = Callable[[str, Any], None]


class Streams:
    """The streams that are open, so that they are not too many, and end when the server does."""

    def __init__(self) -> None:
        self.is_over = False
        self._open = threading.BoundedSemaphore(_MOST_STREAMS)
        self._looking = threading.Lock()
        self._looked: dict[str, float] = {}

    def begin(self) -> None:
        """Count one more; StoreBusy if they are too many."""
        if not self._open.acquire(blocking=False):
            raise StoreBusy("too many streams are open; close one first")

    def end(self) -> None:
        self._open.release()

    def is_due(self, agent: str) -> bool:
        """Say whether to look for edits by hand: once a second, however many follow an agent."""
        now = time.monotonic()
        with self._looking:
            if now < self._looked.get(agent, now):
                return False
            self._looked[agent] = now + _EDITS
        return True


def event(name: str, value: Any, position: str = "") -> str:
    """Return a server-sent event; *position* is where to go on from after it."""
    place = f"id: {position}\n" if position else ""
    return f"{place}event: {name}\ndata: {json.dumps(shown(value), ensure_ascii=False)}\n\n"


def streamed(request: Request, work: Callable[[Tell], None]) -> StreamingResponse:
    """Answer with what *work* tells, as it does; when the client goes, its next word interrupts it."""
    streams: Streams = request.app.state.streams
    streams.begin()
    loop, pieces = asyncio.get_running_loop(), asyncio.Queue[str]()
    is_gone = threading.Event()

    def hand(piece: str) -> None:
        loop.call_soon_threadsafe(pieces.put_nowait, piece)

    def tell(name: str, value: Any) -> None:
        if is_gone.is_set():
            raise KeyboardInterrupt
        hand(event(name, value))

    def run() -> None:
        try:
            work(tell)
        except AlmarioError as exc:
            said = {"status": status_of(exc), "detail": told(exc)}
            hand(event("problem", said | named(exc)))
        except KeyboardInterrupt:  # nobody listens any more
            return
        finally:
            streams.end()
            if not loop.is_closed():
                hand("")

    async def pieces_told() -> AsyncIterator[str]:
        own = copy_context().run  # the thread tells it to the same reader
        threading.Thread(target=own, args=(run,), name="almario-stream", daemon=True).start()
        try:
            while piece := await _next(pieces):
                yield piece
        finally:
            is_gone.set()

    return StreamingResponse(pieces_told(), media_type="text/event-stream")


async def _next(pieces: "asyncio.Queue[str]") -> str:
    """Return the next piece, or a sign of life if there is none for long."""
    try:
        async with asyncio.timeout(ALIVE):
            return await pieces.get()
    except TimeoutError:
        return ": still here\n\n"

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

from almario.apps.web.asking import HttpRequest
from almario.apps.web.problems import MEDIA_TYPE, detail_of, named, status_of
from almario.apps.web.rooms import place_of
from almario.apps.web.shapes import shown
from almario.apps.web.until_erased import UntilErased
from almario.errors import AlmarioError, EditConflict, SoulError

# How many answers are kept for repeated requests.
_MOST_KEPT = 1000
# Seconds between keep-alives of an idle stream.
ALIVE = 15.0

# Seconds between checks for edits by hand, on behalf of the followers.
_EDITS = 1.0

_REFUSALS = {
    400: "The request cannot be carried out; `detail` says why.",
    401: "The token is missing or not valid.",
    403: "The token does not allow it.",
    404: "Not found.",
    409: "It was changed in the meantime, or it already exists.",
    413: "The request body is too large.",
    422: "A field is missing or invalid.",
    429: "Too many requests.",
    502: "The model's answer could not be used.",
    503: "Something this needs, such as a model, cannot be reached right now.",
}


# What OpenAPI is told of a stream: its events, one after the other.
_EVENT = {"type": "object", "properties": {name: {"type": "string"} for name in ("id", "event", "data")}}
STREAM = {"text/event-stream": {"schema": _EVENT}}


def refusals(sentences: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """Say for OpenAPI by which statuses a route refuses, and why."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": sentence, "content": content} for status, sentence in sentences.items()}


PROBLEMS = refusals(_REFUSALS)
Limit = Annotated[int, Query(ge=1, le=1000, description="The most to return.")]
IfMatch = Annotated[
    str, Header(alias="If-Match", max_length=200, description="The ETag of the version you read.")
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
        self.held: UntilErased[tuple[int, Any]] | None = None


class Replays:
    """Gives the same answer to the same request with the same key, while this process runs.

    If the answer is gone, what was done is not done again.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Hashable, ...], _Replay] = OrderedDict()
        self._lock = threading.Lock()

    def once(
        self,
        name: tuple[Hashable, ...],
        body: Any,
        do: Callable[[], tuple[int, Any]],
        erased: Callable[[], int] = lambda: 0,
    ) -> tuple[int, Any]:
        """Do something once for each *name*; whoever asks meanwhile waits, and gets the same answer."""
        request = hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()
        with self._lock:
            replay = self._kept.setdefault(name, _Replay(request))
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        if replay.request != request:
            raise SoulError("this Idempotency-Key was used for another request; take a new one")
        with replay.lock:
            if replay.held is None:
                held = UntilErased[tuple[int, Any]](erased)
                answer, replay.held = held.hold(do), held
                return answer
            if not (found := replay.held.value):
                raise EditConflict("this was done before, and its answer is gone: something was erased since")
            return found


def once(
    request: Request, caller: HttpRequest, key: str, body: Any, do: Callable[[], tuple[int, Any]]
) -> JSONResponse:
    """Answer what *do* gives; with a key, the same as before to whoever asks the same again."""
    if not key:
        status, value = do()
        return JSONResponse(shown(value), status)
    replays: Replays = request.app.state.replays
    name, erased = (caller.grant, request.url.path, key), caller.soul.memory.last_purge
    status, value = replays.once(name, body, lambda: _shown(do()), erased)
    return JSONResponse(value, status)


def _shown(found: tuple[int, Any]) -> tuple[int, Any]:
    return found[0], shown(found[1])


# Sends one event of a stream: its name and its value.
Tell = Callable[[str, Any], None]


class Streams:
    """The streams that are open: they end when the server does."""

    def __init__(self) -> None:
        self.is_over = False
        self._checking = threading.Lock()
        self._checked: dict[str, float] = {}

    def is_due(self, agent: str) -> bool:
        """Return whether to look for edits by hand: once a second, however many follow an agent."""
        now = time.monotonic()
        with self._checking:
            if now < self._checked.get(agent, now):
                return False
            self._checked[agent] = now + _EDITS
        return True


def event(name: str, value: Any, position: str = "") -> str:
    """Return a server-sent event; *position* is where to go on from after it."""
    place = f"id: {position}\n" if position else ""
    return f"{place}event: {name}\ndata: {json.dumps(shown(value), ensure_ascii=False)}\n\n"


def streamed(request: Request, work: Callable[[Tell], None]) -> StreamingResponse:
    """Answer with what *work* tells, as it does; when the client goes, its next word interrupts it."""
    place = place_of(request)
    place.last("talk")
    leave = place.handed_over()  # when the thread ends
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
            problem = {"status": status_of(exc), "detail": detail_of(exc)}
            hand(event("problem", problem | named(exc)))
        except KeyboardInterrupt:  # nobody listens any more
            return
        finally:
            leave()
            if not loop.is_closed():
                hand("")

    async def pieces_sent() -> AsyncIterator[str]:
        own = copy_context().run  # the thread tells it to the same reader
        threading.Thread(target=own, args=(run,), name="almario-stream", daemon=True).start()
        try:
            while piece := await _next(pieces):
                yield piece
        finally:
            is_gone.set()

    return StreamingResponse(pieces_sent(), media_type="text/event-stream")


async def _next(pieces: "asyncio.Queue[str]") -> str:
    """Return the next piece, or a sign of life if there is none for long."""
    try:
        async with asyncio.timeout(ALIVE):
            return await pieces.get()
    except TimeoutError:
        return ": still here\n\n"

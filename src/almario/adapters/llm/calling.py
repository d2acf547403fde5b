"""Asking through an official SDK: patience, retries, and every failure as one of our errors.

Both SDKs come from one generator, so their errors have the same names. Their
own retries are off: they know nothing of what has been heard.
"""

import itertools
import random
import re
import sys
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from socket import SHUT_RDWR
from threading import BoundedSemaphore, Lock, Thread
from typing import Any, ClassVar, Protocol

from almario.adapters.addresses import CallLimits, Endpoint, is_loopback
from almario.adapters.llm.failures import Refusal, check_key, cut, nonsense, refused, silent, unreachable
from almario.adapters.llm.patience import Patience
from almario.domain.installing import to_install
from almario.domain.messages import Sentence
from almario.domain.talk import Ask, Reply
from almario.errors import LLMUnavailable, MissingExtra
from almario.named_tuples import NamedTuple
from almario.ports import Hear

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
# A provider that wants us to wait longer is not waited for.
_LONGEST_WISH = 20.0
_MAX_TEXT = 16_000_000
# So many events may come before they are looked at.
_AHEAD = 1000


class StreamReader(Protocol):
    """Puts an answer together from a stream's events; *words* counts what is no blank, heard or not."""

    words: int

    def take(self, event: Any) -> str:
        """Take in an event; return the text to be heard."""

    def reply(self) -> Reply | None:
        """Return the answer, or None if its end never came."""


class Attempt(NamedTuple):
    """One way to ask: *begin* opens the stream, *gathering* makes what takes its events in."""

    ask: Ask
    begin: Callable[[], Any]
    gathering: Callable[[], StreamReader]


class _Failure(Exception):
    """An attempt failed with *error*; *again* says whether another may help, *after* how many seconds."""

    def __init__(self, error: LLMUnavailable, *, again: bool = False, after: float = 0.0) -> None:
        self.error = error
        self.again = again
        self.after = after
        super().__init__()


_END, _SILENCE = object(), object()
# What the SDKs raise where an answer is none.
_NONSENSE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)


class _Whole(list[Any]):
    """What came as a whole, as a stream of one event."""

    response = None

    def __init__(self, event: Any) -> None:
        super().__init__([event])

    def __enter__(self) -> "_Whole":
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _Reading:
    """Reads a stream in a thread of its own: whatever it waits for there, nobody has to wait for it."""

    def __init__(
        self, begin: Callable[[], Any], connections: "_Connections", errors: tuple[type[Exception], ...]
    ) -> None:
        """*errors* are raised where the next event is waited for."""
        self.kind = ""
        self._errors = errors
        self._connections = connections
        self._response: Any = None
        self._found: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._room = BoundedSemaphore(_AHEAD)
        self._is_over = False
        Thread(target=self._read, args=(begin,), daemon=True).start()

    def next(self, seconds: float) -> Any:
        """Return the next event, or raise what went wrong; the end, or silence, are events of their own."""
        try:
            event, problem = self._found.get(timeout=seconds) if seconds else (_SILENCE, None)
        except Empty:
            return _SILENCE
        if problem is not None:
            self._is_over = True
            raise problem
        if event is _END:
            self._is_over = True
        elif event is not _SILENCE:
            self._room.release()
        return event

    def close(self) -> None:
        """Let go of an answer that has not come to its end."""
        if self._is_over:
            return
        self._is_over = True
        with suppress(ValueError):
            self._room.release()
        self._connections.shut(self._response)

    def _read(self, begin: Callable[[], Any]) -> None:
        try:
            with self._connections.used(), begin() as stream:
                self._response = stream.response
                if self._response is not None:
                    self.kind = str(self._response.headers.get("content-type"))
                if self._is_over:
                    self._connections.shut(self._response)
                    return
                for event in stream:
                    self._room.acquire()
                    if self._is_over:
                        return
                    self._found.put((event, None))
        except (*self._errors, *itertools.chain(*_http_errors())) as exc:
            self._found.put((None, exc))
        finally:
            self._found.put((_END, None))


class _Connections:
    """The connections of a client, so that whoever reads from one can be woken."""

    def __init__(self) -> None:
        self._streams: list[Any] = []
        self._lock = Lock()
        self._users = 0

    def follow(self, request: Any) -> None:
        """Take note of the connections that are made for a request."""

        def note(what: str, known: dict[str, Any]) -> None:
            if what in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
                self._streams = [*filter(_socket_of, self._streams), known["return_value"]]

        request.extensions["trace"] = note

    @contextmanager
    def used(self) -> Iterator[None]:
        with self._lock:
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1

    def shut(self, response: Any) -> None:
        """Shut the connection of a response; where none has begun, of the only one who waits for one."""
        own = [response.extensions.get("network_stream")] if response is not None else []
        for stream in own or (self._streams if self._users == 1 else ()):
            if connection := _socket_of(stream):
                with suppress(OSError):
                    connection.shutdown(SHUT_RDWR)


def _socket_of(stream: Any) -> Any:
    """Return the socket of a connection, while it is open."""
    found = stream.get_extra_info("socket") if stream is not None else None
    return found if found is not None and found.fileno() >= 0 else None


class SdkCaller:
    """Asks an endpoint through an SDK, again if that may help."""

    def __init__(self, sdk: Any, endpoint: Endpoint, limits: CallLimits) -> None:
        self._sdk = sdk
        self._endpoint = endpoint
        self._limits = limits
        self._connections = _Connections()

    def client_options(self) -> dict[str, Any]:
        """Return what both SDKs' clients are made with.

        What is said is private: no redirect is followed, and what is on this
        machine is called through no proxy.
        """
        timeout = self._limits.timeout
        patience = self._sdk.Timeout(timeout, connect=min(timeout, 10.0))
        own: dict[str, Any] = {}
        if is_loopback(self._endpoint.url):
            # The SDK reads the proxies itself, so that one of the two would not do.
            own = {"trust_env": False, "mounts": {"all://": None, "http://": None, "https://": None}}
        if self._endpoint.url.startswith("http:"):
            import ssl  # noqa: PLC0415 - 12 ms, and the SDK has loaded it by now

            # Reading whom to trust takes 50 ms, and is of no use here; this context trusts nobody.
            own["verify"] = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        own["event_hooks"] = {"request": [self._connections.follow]}
        http = self._sdk.DefaultHttpxClient(follow_redirects=False, timeout=patience, **own)
        return {"base_url": self._endpoint.url, "timeout": patience, "max_retries": 0, "http_client": http}

    def at(self, endpoint: Endpoint) -> "SdkCaller":
        """Return one that asks the same way for another model."""
        other = SdkCaller(self._sdk, endpoint, self._limits)
        other._connections = self._connections
        return other

    def answer(self, attempt: Attempt, hear: Hear | None) -> Reply:
        """Return the answer; what *hear* raises goes through, and closes the connection."""
        heard: list[bool] = []
        patience = Patience(self._limits.timeout)
        for round_ in range(self._limits.retries + 1):
            try:
                return self._once(attempt, hear, heard, patience)
            except _Failure as failure:
                last = round_ == self._limits.retries
                if heard or last or not failure.again or failure.after > _LONGEST_WISH:
                    raise failure.error from None
                doubled = min(_FIRST_PAUSE * 2**round_, _LONGEST_PAUSE)
                wait = max(failure.after, doubled * random.uniform(0.5, 1.5))  # noqa: S311 - no secret
                if wait >= patience.left():
                    raise failure.error from None
            self._limits.pause(wait)
        raise AssertionError("unreachable")

    def guarded(self, ask: Ask, function: Callable[[], Any]) -> Any:
        """Return what one call of the SDK returns, or raise its failure as our own error."""
        patience = Patience(self._limits.timeout)
        try:
            with closing(self._reading(lambda: _Whole(function()))) as reading:
                return next(self._events(ask, reading, patience))
        except _Failure as failure:
            raise failure.error from None

    def _once(self, attempt: Attempt, hear: Hear | None, heard: list[bool], patience: Patience) -> Reply:
        gathering = attempt.gathering()
        size = 0
        with closing(self._reading(attempt.begin)) as reading:
            for event in self._events(attempt.ask, reading, patience):
                words = gathering.words
                text = self._tried(attempt.ask, partial(gathering.take, event))
                size += len(text)
                if gathering.words > words:
                    patience.word()
                if size > _MAX_TEXT:
                    raise _Failure(nonsense(self._endpoint))
                if text and hear:
                    heard.append(True)
                    with patience.paused():
                        hear(text)
        reply = gathering.reply()
        if reply is None:
            if "event-stream" not in reading.kind:
                raise _Failure(nonsense(self._endpoint))
            raise _Failure(cut(self._endpoint.name), again=True)
        return reply

    def _reading(self, begin: Callable[[], Any]) -> "_Reading":
        return _Reading(begin, self._connections, (self._sdk.APIError, OSError, RuntimeError, *_NONSENSE))

    def _events(self, ask: Ask, reading: "_Reading", patience: Patience) -> Iterator[Any]:
        while (event := self._tried(ask, lambda: reading.next(patience.left()))) is not _END:
            if event is _SILENCE:
                raise _Failure(patience.end(self._endpoint.name))
            yield event

    def _tried(self, ask: Ask, function: Callable[[], Any]) -> Any:
        """Return what *function* returns; a failure of the provider's is raised as one of ours.

        Only calls into the SDK run here, never *hear*, whose errors are not the provider's.
        """
        sdk, (silences, cuts) = self._sdk, _http_errors()
        try:
            return function()
        except sdk.APIStatusError as exc:
            raise self._refused(ask, exc, exc.status_code) from None
        except (sdk.APITimeoutError, *silences) as exc:
            raise self._silent(exc) from None
        except sdk.APIConnectionError as exc:
            raise self._unconnected(exc) from None
        except cuts:
            raise _Failure(cut(self._endpoint.name), again=True) from None
        except sdk.APIError as exc:
            raise self._refused(ask, exc, 0) from None
        except _NONSENSE:
            raise _Failure(nonsense(self._endpoint)) from None

    def _refused(self, ask: Ask, exc: Any, status: int) -> _Failure:
        if 300 <= status < 400:
            return _Failure(nonsense(self._endpoint))
        error = refused(self._endpoint, ask, status, exc.body)
        # For so many seconds the provider wants to be left alone.
        headers = getattr(getattr(exc, "response", None), "headers", None) or {}
        found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d+)?)\s*", headers.get("retry-after", ""))
        return _Failure(error, again=error.passes, after=float(found[1]) if found else 0.0)

    def _silent(self, exc: BaseException) -> _Failure:
        if "Connect" in type(exc.__cause__ or exc).__name__:
            return _Failure(unreachable(self._endpoint, Sentence("it does not answer")), again=True)
        # One that was silent for so long once is not waited for again.
        return _Failure(silent(self._endpoint.name, self._limits.timeout))

    def _unconnected(self, exc: BaseException) -> _Failure:
        causes: list[BaseException] = []
        cause: BaseException | None = exc
        while cause is not None and cause not in causes:
            causes.append(cause)
            cause = cause.__cause__ or cause.__context__
        if "ConnectError" not in (type(each).__name__ for each in causes):
            return _Failure(cut(self._endpoint.name), again=True)
        # What the system says of a connection tells nobody more; what is wrong with a certificate does.
        told = (
            each.strerror for each in causes if isinstance(each, OSError) and "SSL" in type(each).__name__
        )
        why = next((Sentence.own(each) for each in told if each), None)
        # A server that is not running on this machine will not be there half a second later.
        return _Failure(unreachable(self._endpoint, why), again=not is_loopback(self._endpoint.url))


class SdkModel(ABC):
    """Asks a model through an SDK, which is loaded with the first question. Safe in several threads.

    What an endpoint refuses (a schema, tools) is remembered, and done in words from then on.
    """

    # What the SDK's package is called, and the parts of a call that an endpoint may refuse.
    sdk: ClassVar[str]
    parts: ClassVar[tuple[str, ...]]

    def __init__(self, endpoint: Endpoint, limits: CallLimits) -> None:
        self._endpoint = endpoint
        self._limits = limits
        self._lock = Lock()
        self._client: Any = None
        self._caller: SdkCaller | None = None
        self._without = frozenset[str]()

    @property
    def model(self) -> str:
        return self._endpoint.name

    def is_available(self) -> bool:
        """Return whether the package is installed and there is a key, if one is needed; nothing is sent."""
        has_key = bool(self._endpoint.key) or not self._endpoint.needs_key
        return has_key and find_spec(self.sdk) is not None

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        """Return the answer; *hear* gets its text as it comes."""
        check_key(self._endpoint)
        caller = self._opened(ask)
        without = self._without
        while True:
            try:
                reply = self._sent(caller, ask, hear, without)
            except Refusal as exc:
                there = {"schema": ask.schema is not None, "tools": bool(ask.tools)}
                refused_ones = [part for part in self.parts if part in exc.about - without]
                more = [part for part in refused_ones if there.get(part, True)]
                if not more:
                    raise
                without |= {more[0]}
            else:
                self._without |= without  # remembered once the call goes well without it
                return reply

    def _opened(self, ask: Ask) -> SdkCaller:
        with self._lock:
            if self._caller is None:
                if find_spec(self.sdk) is None:
                    line = to_install(f"almario[{self.sdk}]")
                    raise MissingExtra("{package} is not installed; run: {line}", package=self.sdk, line=line)
                loaded = import_module(self.sdk)  # a second or two
                caller = SdkCaller(loaded, self._endpoint, self._limits)
                self._client = self._connected(loaded, caller.client_options())
                weakref.finalize(self, self._client.close)  # its connections are kept for the next question
                self._caller = caller
            return self._caller

    @abstractmethod
    def _connected(self, sdk: Any, options: dict[str, Any]) -> Any:
        """Return the SDK's client."""

    @abstractmethod
    def _sent(self, caller: SdkCaller, ask: Ask, hear: Hear | None, without: frozenset[str]) -> Reply:
        """Return the answer to a question that is asked *without* some of its parts."""


def _http_errors() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """Return the time-outs and all errors of the HTTP libraries; the SDKs let them through in a stream."""
    loaded = [sys.modules[name] for name in ("httpx2", "httpx") if name in sys.modules]
    return tuple(each.TimeoutException for each in loaded), tuple(each.HTTPError for each in loaded)

"""One request to one address that is already known: bounded in time and size, through no proxy.

Nothing is followed and nothing is sent along: no cookies, no referrer.
"""

import io
import socket
import ssl
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

from almario.domain.messages import Sentence
from almario_explorer.rules import STANDARD_PORTS, Target
from almario_explorer.web import WebError

# From a host and a port to its addresses, best first.
Resolve = Callable[[str, int], Sequence[str]]
# From an address, a port and seconds to a connection.
Connect = Callable[[str, int, float], socket.socket]

MEGABYTE = 1_000_000
# All headers of an answer, with those of the answers before it that say "continue".
_HEADERS = 64_000
_PIECE = 64_000
# What the framing of a body may add to it.
_FRAMING = MEGABYTE
# Of a host with many addresses, so many are tried.
_TRIED = 3
_INFLATES = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as the system knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def connect(address: str, port: int, timeout: float) -> socket.socket:
    """Return a connection to an address, which is not looked up again."""
    return socket.create_connection((address, port), timeout)


class HttpLine(NamedTuple):
    """How the web is reached, and how much of it is taken; tests put their own in."""

    resolve: Resolve = resolve
    connect: Connect = connect
    clock: Callable[[], float] = monotonic
    tls: Callable[[], ssl.SSLContext] = ssl.create_default_context
    seconds: float = 10.0
    most_bytes: int = 5 * MEGABYTE


class WebRequest(NamedTuple):
    """What is asked of a target."""

    target: Target
    headers: Mapping[str, str]
    method: str = "GET"
    body: bytes | None = None


class HttpAnswer(NamedTuple):
    """What came back; the *body* is unpacked, and empty unless the answer is a good one."""

    status: int
    headers: HTTPMessage
    body: bytes


class Deadline:
    """When all must be done."""

    def __init__(self, line: HttpLine) -> None:
        self._clock = line.clock
        self._end = line.clock() + line.seconds
        self.seconds = line.seconds

    def left(self) -> float:
        """Return how many seconds are left; TimeoutError if there are none."""
        left = self._end - self._clock()
        if left <= 0:
            raise TimeoutError
        return left


def addresses(target: Target, line: HttpLine, deadline: Deadline) -> Sequence[str]:
    """Return the addresses of a target's host, asked for once."""
    answers: SimpleQueue[Sequence[str]] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(line.resolve(target.host, target.port))
        except (OSError, UnicodeError):
            answers.put(())

    # The system's resolver has no timeout of its own; a daemon is left behind without harm.
    Thread(target=ask, daemon=True).start()
    with failures(target, deadline):
        try:
            found = answers.get(timeout=deadline.left())
        except Empty:
            raise TimeoutError from None
    if not found:
        raise WebError("there is no host {host}", host=target.host)
    return found


def call(request: WebRequest, known: Sequence[str], line: HttpLine, deadline: Deadline) -> HttpAnswer:
    """Return the answer of a target at one of its *known* addresses; WebError says why there is none."""
    target = request.target
    with (
        failures(target, deadline),
        closing(_connected(target, known, line, deadline)) as plain,
        closing(_secured(plain, target, line, deadline)) as connection,
    ):
        stream = _Stream(connection, deadline)
        http = HTTPConnection(target.host, target.port)
        http.sock = stream
        http.default_port = STANDARD_PORTS[target.scheme]
        headers = {"User-Agent": "Almario", "Accept-Encoding": "identity", "Connection": "close"}
        http.request(request.method, target.path, request.body, {**headers, **request.headers})
        with closing(http.getresponse()) as response:
            is_good = 200 <= response.status < 300
            stream.left = line.most_bytes + _FRAMING
            body = _body(response, target, line.most_bytes) if is_good else b""
            return HttpAnswer(response.status, response.headers, body)


@contextmanager
def failures(target: Target, deadline: Deadline) -> Iterator[None]:
    """Turn what can go wrong on a line into a WebError."""
    try:
        yield
    except TimeoutError as exc:
        sentence = "{url} did not answer within {seconds:g} seconds"
        raise WebError(sentence, url=target.shown, seconds=deadline.seconds) from exc
    except ssl.SSLCertVerificationError as exc:
        raise WebError(
            "{url} has no certificate that holds for {host}", url=target.shown, host=target.host
        ) from exc
    # http.client's ValueError: a chunk of less than no bytes.
    except (OSError, HTTPException, zlib.error, ValueError) as exc:
        why = Sentence(getattr(exc, "strerror", None) or "its answer cannot be read")
        raise WebError("{url} cannot be fetched: {why}", url=target.shown, why=why) from exc


def _connected(target: Target, known: Sequence[str], line: HttpLine, deadline: Deadline) -> socket.socket:
    """Return a connection to the first of the addresses that takes one, each with its share of the time."""
    *others, last = known[:_TRIED]
    for place, address in enumerate(others):
        with suppress(OSError):
            return line.connect(address, target.port, deadline.left() / (len(others) + 1 - place))
    return line.connect(last, target.port, deadline.left())


def _secured(connection: socket.socket, target: Target, line: HttpLine, deadline: Deadline) -> socket.socket:
    """Return the connection as it is for http; for https, with a certificate that holds for the host."""
    if target.scheme == "http":
        return connection
    connection.settimeout(deadline.left())
    return line.tls().wrap_socket(connection, server_hostname=target.host)


def _body(response: HTTPResponse, target: Target, most: int) -> bytes:
    """Return all of a body; one that is too large, or shorter than it says, is none."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", *_INFLATES):
        raise WebError(
            "{url} cannot be fetched: {why}", url=target.shown, why=Sentence("it is packed in an unknown way")
        )
    unpacking = zlib.decompressobj(_INFLATES[encoding]) if encoding in _INFLATES else None
    body = bytearray()
    while len(body) <= most and (piece := response.read(_PIECE)):
        body += unpacking.decompress(piece, most + 1 - len(body)) if unpacking else piece
    if len(body) > most or (response.length or 0) > most:
        sentence = "{url} is larger than {most:g} MB"
        raise WebError(sentence, url=target.shown, most=most / MEGABYTE)
    if response.length or (unpacking and body and not unpacking.eof):
        raise HTTPException
    return bytes(body)


class _Stream:
    """The little of a socket that http.client uses: every wait counts towards one deadline, every byte
    towards one limit (*left*)."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._connection = connection
        self._deadline = deadline
        self.left = _HEADERS

    def sendall(self, content: Any) -> None:
        self._connection.settimeout(self._deadline.left())
        self._connection.sendall(content)

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self))

    def receive(self, buffer: Any) -> int:
        if self.left <= 0:
            raise HTTPException
        self._connection.settimeout(self._deadline.left())
        count = self._connection.recv_into(memoryview(buffer)[: self.left])
        self.left -= count
        return count

    def close(self) -> None:
        """Do nothing: http.client is done with it before the body is read."""


class _Reader(io.RawIOBase):
    """A stream as a file."""

    def __init__(self, stream: _Stream) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._stream.receive(buffer)

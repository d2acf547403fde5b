"""The server's process: a socket, the app on it, and beside it the daemon's rounds."""

import asyncio
import contextlib
import ipaddress
import json
import os
import re
import signal
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from almario.apps.daemon.bounds import bounded
from almario.apps.daemon.process import Daemon, Signals
from almario.apps.web.access import Tokens
from almario.apps.web.app import create_app
from almario.apps.web.gatekeeping import Entrance
from almario.config import language
from almario.domain.messages import Sentence, sentence_of
from almario.errors import AgentNotFound, AlmarioError, SoulError
from almario.named_tuples import NamedTuple
from almario.served import SERVED_FILE, served_at
from almario.wiring.daemon_parts import Housekeeping
from almario.wiring.souls import Souls, overwrite

LOOPBACK = "127.0.0.1"
_EVERY = ("0.0.0.0", "::")  # noqa: S104 - as they are given
_NAMES = ("127.0.0.1", "localhost", "[::1]")
# A name or an address as it may stand in the Host header.
_NAMED = re.compile(r"([a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE)
# Seconds an answer under way may still take at shutdown.
_GRACE = 2


class ServerPlace(NamedTuple):
    """Where it is served: by TLS with these files, behind a proxy that has them, or to this machine alone.

    *names* are the hosts, with their ports if they are unusual, by which it is asked from elsewhere.
    """

    host: str = LOOPBACK
    port: int = 0
    certificate: str = ""
    key: str = ""
    is_behind_proxy: bool = False
    names: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def is_secure(self) -> bool:
        """Whether it is asked by https."""
        return bool(self.certificate) or self.is_behind_proxy

    def check(self, *, is_public: bool) -> None:
        """Refuse to be reached from elsewhere unless that is wanted, and nobody can listen in."""
        if not self.is_local and not is_public:
            sentence = "{host} can be reached from other machines; add --public if you want that"
            raise SoulError(sentence, host=self.host)
        if not self.is_local and not self.is_secure:
            raise SoulError("serving other machines needs --certificate and --key, or --behind-proxy")
        if bool(self.certificate) != bool(self.key):
            raise SoulError("--certificate and --key belong together")
        if self.is_behind_proxy and not self.names:
            raise SoulError("add --name with the host name that others use for the proxy")
        for name in self.names:
            if not _NAMED.fullmatch(name):
                raise SoulError('"{name}" is not a host name, with a port or without', name=name)

    def check_certificate(self) -> None:
        """Refuse a certificate or key that is missing, cannot be read or does not fit the other."""
        if not self.certificate:
            return
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key)
        except ssl.SSLError as exc:
            raise SoulError(
                "--certificate and --key are not a certificate and its private key (PEM)"
            ) from exc
        except OSError as exc:
            raise SoulError("--certificate or --key cannot be used: {why}", why=sentence_of(exc)) from exc

    def hosts(self, port: int) -> frozenset[str]:
        """Return the only values that the Host header may have."""
        names = {*_NAMES, f"[{self.host}]" if ":" in self.host else self.host}
        own = {f"{name}:{port}" for name in names}
        if port == (443 if self.certificate else 80):  # what everybody leaves out
            own |= names
        theirs = {name.lower() for name in self.names}
        return frozenset(own | theirs if self.is_local or self.certificate else theirs)


def bound(place: ServerPlace) -> socket.socket:
    """Return a socket that listens; SoulError if the place is taken."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    try:
        listening = socket.create_server((place.host, place.port), family=family)
    except (OSError, OverflowError) as exc:
        sentence = "{host}:{port} cannot be used: {why}; choose another address with --host or --port"
        reason, *_ = (getattr(exc, "strerror", "") or str(exc)).split(" (while")  # Python adds the address
        why = Sentence(reason)
        raise SoulError(sentence, host=place.host, port=place.port, why=why) from exc
    # Its connections inherit this; without it, the body of an answer waits 40 ms for word of its headers.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def serve(
    souls: Souls,
    tokens: Tokens,
    place: ServerPlace,
    listening: socket.socket,
    upkeep: Housekeeping | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve a home until a signal ends it, and keep it meanwhile; *ready* is called when it can be asked."""
    made = server(souls, tokens, place, listening)
    seen = announced(souls.root, url_of(place, listening))
    with bounded() as made.end, _signals_heard(made), tended(upkeep), warmed_up(souls, tokens), seen:
        ready()
        made.run(sockets=[listening])


def server(souls: Souls, tokens: Tokens, place: ServerPlace, listening: socket.socket) -> "HttpServer":
    """Return what serves a home on a socket."""
    config = souls.config()
    limits = config.settings.serve
    hosts = place.hosts(listening.getsockname()[1])
    entrance = Entrance(hosts, place.is_secure, language(config), limits.max_body, limits.per_second)
    chosen = uvicorn.Config(
        create_app(souls, tokens, entrance),
        log_level="warning",
        access_log=False,
        http=Punctual,
        server_header=False,
        proxy_headers=False,
        ssl_certfile=place.certificate or None,
        ssl_keyfile=place.key or None,
        timeout_graceful_shutdown=_GRACE,
    )
    return HttpServer(chosen)


class Punctual(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Closes a connection on which the headers of a request do not come in time, however they drip."""

    seconds = 15.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        if self._deadline is None and (before is None or before.response_complete):
            self._expect()  # the next request on a connection that was kept
        super().data_received(data)
        if self.cycle is not before:  # a request is whole but for its body
            self._expect_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_no_more()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._deadline = self.loop.call_later(self.seconds, self.transport.abort)

    def _expect_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class HttpServer(uvicorn.Server):
    """Ends the streams first: nobody would, as they last for ever; *end* is called when a signal has come."""

    end: Callable[[], None] = staticmethod(lambda: None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.end()
        self.config.app.state.streams.is_over = True  # type: ignore[union-attr]
        super().handle_exit(sig, frame)


@contextlib.contextmanager
def _signals_heard(made: HttpServer) -> Iterator[None]:
    """Let a signal end the server, be it up or not yet, and the process live on: it is raised once more."""
    stop = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, made.handle_exit) for number in stop}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def url_of(place: ServerPlace, listening: socket.socket) -> str:
    """Return where a program on this machine asks."""
    port = listening.getsockname()[1]
    host = dict(zip(_EVERY, (LOOPBACK, "::1"), strict=True)).get(place.host, place.host)
    host = f"[{host}]" if ":" in host else host
    return f"{'https' if place.certificate else 'http'}://{host}:{port}"


@contextlib.contextmanager
def announced(root: Path, url: str) -> Iterator[None]:
    """Let programs on this machine find the server while it runs: `serve.json` in the home."""
    path, content = root / SERVED_FILE, json.dumps({"url": url, "pid": os.getpid()}).encode()
    earlier = path.read_bytes() if served_at(root) else b""
    overwrite(path, content)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if path.read_bytes() == content:  # an earlier server that still runs is found again
                overwrite(path, earlier) if earlier else path.unlink()


@contextlib.contextmanager
def warmed_up(souls: Souls, tokens: Tokens) -> Iterator[None]:
    """Let the agents be ready that are likely to be asked; one that is opened too late is closed."""
    is_over = threading.Event()

    def run() -> None:
        with contextlib.suppress(AlmarioError):  # whoever asks is told
            likely = [agent for token in tokens.all() for agent in token.agents or ()]
            with contextlib.suppress(AgentNotFound):
                likely.insert(0, souls.chosen())
            souls.warm_up(list(dict.fromkeys(likely)), is_over.is_set)

    thread = threading.Thread(target=run, name="almario-warm-up", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(_GRACE)
        souls.close()


@contextlib.contextmanager
def tended(upkeep: Housekeeping | None) -> Iterator[None]:
    """Make the daemon's rounds in a thread for as long as this is open; another daemon has precedence."""
    if upkeep is None:
        yield
        return
    signals = Signals()
    thread = threading.Thread(target=Daemon(upkeep, signals).run, name="almario-daemon", daemon=True)
    thread.start()
    try:
        yield
    finally:
        signals.wake(signal.SIGTERM)
        thread.join(_GRACE)

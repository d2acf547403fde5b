"""A web on the loopback whose hosts do what they should not, and a record of who was called.

Names resolve as the test says. Whatever address is called, the call is
written down and ends at this server: no rule has to be loosened for a test.
"""

import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

from almario_explorer.calling import HttpLine

CERTIFICATE = Path(__file__).parent / "safe_example.pem"
# How long something may take on a busy machine that is not slow itself, in seconds.
LONG = 60.0
PUBLIC = "93.184.216.34"
# Answers on a connection, however it likes.
Doing = Callable[[socket.socket], None]


def answer(body: bytes | str, *, status: str = "200 OK", **headers: str) -> Doing:
    """Answer as a server should, unless the headers say otherwise."""
    content = body.encode() if isinstance(body, str) else body
    told = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(content))}
    told |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in told.items() if value)
    return lambda to: to.sendall(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + content)


def redirect(to: str, status: str = "302 Found") -> Doing:
    return answer("", status=status, Location=to)


def forever(start: bytes, piece: bytes, pause: float = 0.0) -> Doing:
    """Begin, and go on until nobody listens any more."""

    def send(to: socket.socket) -> None:
        to.sendall(start)
        while True:
            to.sendall(piece)
            time.sleep(pause)

    return send


class HostileWeb:
    """What the hosts do, by address; what each name resolves to, answer by answer; and what happened."""

    def __init__(self) -> None:
        self.sites: dict[str, Doing] = {}
        self.names: dict[str, list[Sequence[str]]] = {"localhost": [["127.0.0.1"]]}
        self.resolved: list[str] = []
        self.called: list[tuple[str, int]] = []
        self.requests: list[str] = []
        self.servers: list[str] = []
        self._ports: Mapping[str, int] = {}

    def line(self, **more: Any) -> HttpLine:
        """Return the line by which this web, and no other, is reached."""
        return HttpLine(
            resolve=self._resolve, connect=self._connect, tls=_trusting, **{"seconds": LONG, **more}
        )

    def asked_of(self, server: str) -> int:
        return sum(each.startswith(server) for each in self.requests)

    def _resolve(self, host: str, port: int) -> Sequence[str]:
        self.resolved.append(host)
        with suppress(ValueError):
            return [str(ip_address(host))]
        answers = self.names.get(host, [[PUBLIC]])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def _connect(self, address: str, port: int, timeout: float) -> socket.socket:
        self.called.append((address, port))
        scheme = "https" if port == 443 else "http"
        return socket.create_connection(("127.0.0.1", self._ports[scheme]), timeout)

    @contextmanager
    def serving(self) -> Iterator["HostileWeb"]:
        """Serve until the block ends."""
        web = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    web._answer(self.request, getattr(self.server, "scheme", ""))

        with _Server(Handler, "http") as plain, _Server(Handler, "https") as secure:
            self._ports = {server.scheme: server.server_address[1] for server in (plain, secure)}
            for server in (plain, secure):
                Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
            try:
                yield self
            finally:
                plain.shutdown()
                secure.shutdown()

    def _answer(self, connection: socket.socket, scheme: str) -> None:
        connection.settimeout(2 * LONG)
        if scheme == "https":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            context.sni_callback = lambda _, name, __: self.servers.append(name)
            with context.wrap_socket(connection, server_side=True) as secured:
                self._do(secured, scheme)
        else:
            self._do(connection, scheme)

    def _do(self, connection: socket.socket, scheme: str) -> None:
        head = b""
        while b"\r\n\r\n" not in head and (piece := connection.recv(65536)):
            head += piece
        lines = head.decode("latin-1").split("\r\n")
        host = next((line[6:] for line in lines if line.lower().startswith("host: ")), "")
        url = f"{scheme}://{host}{lines[0].split(' ')[1]}"
        self.requests.append(url)
        self.sites.get(url, answer("nothing here", status="404 Not Found"))(connection)


class _Server(ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 50

    def __init__(self, handler: type[BaseRequestHandler], scheme: str) -> None:
        self.scheme = scheme
        super().__init__(("127.0.0.1", 0), handler)

    def handle_error(self, *_: Any) -> None:
        pass


def _trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(CERTIFICATE))

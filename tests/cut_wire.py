"""A wire between a program and PostgreSQL that is cut, or falls silent, where a test wants it."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

# What becomes of the end of a change: the server has it and its answer is lost; the server never gets it;
# or it is on its way, and the server waits for it.
Cut = Literal["", "answer lost", "never sent", "on its way"]
_PORT = 5432
_END = b"COMMIT\0"
# What falls silent: from then on the program is not heard, or it gets no answer.
Silence = Literal["asked", "answered"]


class Wire:
    """Carries bytes both ways until it is told to cut."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        self.cut: Cut = ""
        self.is_down = False
        # How often the program has connected and spoken; and when and how the wire falls silent for good.
        self.dialled = self.spoken = 0
        self.silent_after: int | None = None
        self.silence: Silence = "asked"
        self._host, self._port = host, port
        self._kept: list[socket.socket] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / f".s.PGSQL.{_PORT}"))
        self._listening.listen(16)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Let go of everything, also of what was on its way."""
        self._listening.close()
        for each in self._kept:
            each.close()

    @property
    def is_silent(self) -> bool:
        """Whether whatever is said now stays without an answer."""
        return self.silent_after is not None and self.spoken > self.silent_after

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self.dialled += 1
                if self.is_down:
                    client.close()
                    continue
                server = self._dialled()
                self._kept += [client, server]
                threading.Thread(target=self._carry, args=(server, client), daemon=True).start()
                threading.Thread(target=self._send, args=(client, server), daemon=True).start()

    def _dialled(self) -> socket.socket:
        if not self._host.startswith("/"):
            return socket.create_connection((self._host, self._port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{self._host}/.s.PGSQL.{self._port}")
        return server

    def _send(self, client: socket.socket, server: socket.socket) -> None:
        """Carry what the program says."""
        with contextlib.suppress(OSError):
            while said := client.recv(1 << 16):
                self.spoken += 1
                if self.is_silent and self.silence == "asked":
                    continue
                if said.endswith(_END) and (cut := self.cut):
                    self.cut = ""
                    _cut(cut, said, client, server)
                    return
                server.sendall(said)
            server.shutdown(socket.SHUT_RDWR)

    def _carry(self, server: socket.socket, client: socket.socket) -> None:
        """Carry what the server says."""
        with contextlib.suppress(OSError):
            while said := server.recv(1 << 16):
                if not self.is_silent:
                    client.sendall(said)
            client.shutdown(socket.SHUT_RDWR)


def _cut(cut: Cut, said: bytes, client: socket.socket, server: socket.socket) -> None:
    client.shutdown(socket.SHUT_RDWR)  # whatever is answered does not arrive
    if cut == "answer lost":
        server.sendall(said)
    elif cut == "never sent":
        server.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def wire_to(url: str, folder: Path) -> Iterator[tuple[Wire, str]]:
    """Give a wire to a server, and the address of its other end."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    known = conninfo_to_dict(url)
    folder.mkdir(exist_ok=True)
    wire = Wire(folder, str(known["host"]), int(known.get("port") or _PORT))
    with contextlib.closing(wire):
        yield wire, make_conninfo(url, host=str(folder), port=_PORT)

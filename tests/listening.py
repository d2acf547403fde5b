"""Servers that tests talk to."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import TCPServer
from threading import Thread


@contextmanager
def listening(server: TCPServer) -> Iterator[str]:
    """Have a server on the loopback serve until the block ends; yield its address."""
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()

"""A connection to PostgreSQL that waits for no answer longer than it should.

A server that stands and says nothing is told from one that is at work by nothing but time: so each wait has
an end of ours, whatever is frozen: the server, its disk, or the wire. What a server says is known by its
code, in whatever language it says it.
"""

import contextlib
import ctypes
import re
import select
import socket
import sys
from collections.abc import Callable, Generator, Mapping
from time import monotonic
from typing import Any

import psycopg
from psycopg import errors, pq
from psycopg.conninfo import make_conninfo

from almario.served import within
from almario_postgres.address import DatabaseAddress

# libpq's PQERRORS_VERBOSE, which gives the code of an error, and PQERRORS_DEFAULT.
_WITH_CODE, _USUAL = 2, 1
_CODED = re.compile(r":  ([0-9A-Z]{5}): (.*)")
# Not to be let in so; no such database.
_REFUSED, _NO_ENTRY = ("28", "3D"), "28000"
# What libpq says, which speaks English; and what we say of it.
_NO_TLS = "does not support SSL"
_PLAIN = "it does not offer TLS; sslmode=disable in the address does without, where nobody can listen"
# Who waits looks so often whether the time is over.
_LOOK = 0.1


class Silent(psycopg.OperationalError):
    """A connection stands, and nothing comes."""

    def __init__(self) -> None:
        super().__init__("it does not answer")


class NotCodedError(psycopg.OperationalError):
    """There is no connection, and it was not the server that said why."""


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when *patience* seconds pass in which something is waited for in vain."""

    patience = 60.0
    # Whether a pooler lends the server's end of it to others after each transaction.
    is_pooled = False
    # Is told when the patience is at its end.
    when_silent: Callable[[], None] = staticmethod(lambda: None)

    def wait(self, gen: Any, interval: float = _LOOK, timeout: float | None = None) -> Any:
        return super().wait(self._in_time(gen), min(interval, self.patience), timeout)

    def _in_time(self, gen: Any) -> Generator[Any, Any, Any]:
        try:
            wanted, end = next(gen), monotonic() + self.patience
            while True:
                if ready := (yield wanted):
                    end = monotonic() + self.patience
                elif monotonic() > end:
                    self.close()
                    self.when_silent()
                    raise Silent
                wanted = gen.send(ready)
        except StopIteration as done:
            return done.value


def is_refused(exc: Exception) -> bool:
    """Return whether a server does not let us in, however often we ask."""
    return isinstance(exc, psycopg.Error) and (exc.sqlstate or "").startswith(_REFUSED)


def dial(address: DatabaseAddress, end: float) -> Connection:
    """Connect to the first of the hosts that lets us in, until *end*; each has its share of the time."""
    hosts = list(address.hosts())
    while True:
        own, left = hosts.pop(0), max(end - monotonic(), 0.0)
        try:
            connection = _with_tls_or_not(address, own, monotonic() + left / (len(hosts) + 1))
        except psycopg.OperationalError as exc:
            if not hosts or is_refused(exc):
                raise
        else:
            connection.autocommit = True
            return connection


def _with_tls_or_not(address: DatabaseAddress, own: dict[str, str], end: float) -> Connection:
    if not address.leaves_tls_open:
        return _to_host(own, end)
    if not address.is_here:
        try:
            return _to_host(own | {"sslmode": "require"}, end)
        except NotCodedError as exc:
            if _NO_TLS not in str(exc):
                raise
            raise psycopg.ProgrammingError(_PLAIN) from None
    # Nobody hears what is said on this machine. libpq would try a wrong password with TLS, and then without.
    try:
        return _to_host(own | {"sslmode": "disable"}, end)
    except psycopg.OperationalError as exc:
        if exc.sqlstate != _NO_ENTRY or own.get("host", "/")[0] in "/@":
            raise
    return _to_host(own | {"sslmode": "require"}, end)


def _to_host(own: dict[str, str], end: float) -> Connection:
    """Connect to the first address of a host that lets us in."""
    found = _resolved(own, end)
    while True:
        each = found.pop(0)
        share = max(end - monotonic(), 0.0) / (len(found) + 1)
        try:
            return Connection(_connected(each, monotonic() + share))
        except psycopg.OperationalError as exc:
            if not found or exc.sqlstate:
                raise


def _resolved(own: dict[str, str], end: float) -> list[dict[str, str]]:
    """Return what to connect with for each address of a host; looking up its name has an end, too."""
    host = own.get("host", "")
    if not host or host[0] in "/@" or "hostaddr" in own:
        return [own]

    def look_up() -> list[str]:
        return [str(each[4][0]) for each in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]

    try:
        found = within(max(end - monotonic(), 0.1), look_up)
    except (OSError, ValueError):  # UnicodeError
        raise NotCodedError("nobody knows a server of that name") from None
    return [own | {"hostaddr": each} for each in dict.fromkeys(found)]


def _connected(own: Mapping[str, str], end: float) -> pq.abc.PGconn:
    wire = pq.PGconn.connect_start(make_conninfo("", **own).encode())
    _set_verbosity(wire, _WITH_CODE)
    status: int = pq.PollingStatus.WRITING
    while wire.status != pq.ConnStatus.BAD and status != pq.PollingStatus.OK:
        if (status := wire.connect_poll()) in (pq.PollingStatus.READING, pq.PollingStatus.WRITING):
            waiting = select.poll()
            waiting.register(
                wire.socket, select.POLLIN if status == pq.PollingStatus.READING else select.POLLOUT
            )
            if not waiting.poll(max(0, 1000 * (end - monotonic()))):
                wire.finish()
                raise Silent
    if wire.status == pq.ConnStatus.BAD:
        raise _failed(wire, own)
    _set_verbosity(wire, _USUAL)
    wire.nonblocking = 1
    return wire


def _set_verbosity(wire: pq.abc.PGconn, how: int) -> None:
    """Let the errors of a connection have their codes, or not; psycopg has no word for that.

    Where it is not made of libpq itself, as in its wheel, what the server says of a login stays without one.
    """
    with contextlib.suppress(OSError):
        library = ctypes.CDLL(sys.modules[type(wire).__module__].__file__)
        pointer = wire.pgconn_ptr  # type: ignore[attr-defined]  # only its protocol lacks it
        library.PQsetErrorVerbosity(ctypes.c_void_p(pointer), how)


def _failed(wire: pq.abc.PGconn, own: Mapping[str, str]) -> psycopg.Error:
    """Return why there is no connection: by the server's code, or what the system says; nothing is quoted."""
    text, wants_password = wire.get_error_message("utf-8"), wire.needs_password
    was_tried = " failed: " in text
    wire.finish()
    if coded := _CODED.search(text):
        try:
            return errors.lookup(coded[1])(coded[2])
        except KeyError:
            return NotCodedError(coded[2])
    if wants_password:
        return errors.InvalidPassword("it wants a password")
    if not was_tried:
        return psycopg.ProgrammingError("libpq does not know what a part of the address wants")
    why = text.partition(" failed: ")[2].partition("\n")[0]
    is_quoting = any(len(value) > 2 and value in why for value in own.values())
    return NotCodedError("there is no connection to it" if is_quoting else why)

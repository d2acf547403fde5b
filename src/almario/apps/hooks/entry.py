"""`almario hook` as a program calls it: quick, and never to that program's harm.

A running server is asked, if there is one for this home, and everything is loaded only if there is none.
Whatever goes wrong, nothing is said, the exit code is 0, and a line in the log says why.
"""
# ruff: noqa: PLC0415 - see above

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from almario.apps.hooks import CLIENTS, EVENTS, Asked
from almario.errors import SoulError
from almario.served import home_of, served_at, token_of

if TYPE_CHECKING:
    import socket

# What of the environment tells about a call: who calls, and about which project.
ENVIRONMENT = ("CLAUDE_PROJECT_DIR", "CURSOR_VERSION")
# Where a server takes calls.
_PATH = "/api/v1/hooks"
# No client tells more; a server takes less.
_MOST_BYTES, _MOST_SERVED = 64 * 1024 * 1024, 4_000_000
_OFF = ("0", "false", "no", "off")
# So many seconds a server may take to let us in, and then to answer.
_CONNECT, _ANSWER = 0.25, 20.0


def main(arguments: Sequence[str]) -> bool:
    """Run a hook as its arguments say; False if they are those of somebody at a terminal."""
    if not {"-h", "--help"}.isdisjoint(arguments) or sys.stdin is None or sys.stdin.isatty():
        return False
    try:
        asked = asked_in(arguments)
    except SoulError as exc:  # any code but 0 may be taken for a refusal of what the user wants
        _note(Asked(""), exc)
    else:
        answer(asked)
    return True


def asked_in(arguments: Sequence[str]) -> Asked:
    """Read the arguments of the command; SoulError names one that is not known."""
    given = {"event": ""}
    left = list(arguments)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if name in ("--home", "--agent", "--client") and (equals or left):
            given[name[2:]] = value if equals else left.pop(0)
        elif word in EVENTS and not given["event"]:
            given["event"] = word
        else:
            raise SoulError('"almario hook" does not know "{word}"', word=word)
    if not given["event"]:
        raise SoulError("the name of the hook is missing: {events}", events=", ".join(EVENTS))
    if (client := given.get("client", "")) not in ("", *CLIENTS):
        sentence = 'there are hooks for {clients}, not for "{client}"'
        raise SoulError(sentence, clients=", ".join(CLIENTS), client=client)
    return Asked(**given)


def answer(asked: Asked) -> None:
    """Read what a client tells, and print what is said to it."""
    if os.environ.get("ALMARIO_HOOKS_ENABLED", "").lower() in _OFF:
        return
    try:
        content = sys.stdin.buffer.read(_MOST_BYTES)
        said = by_server(asked, content)
        if said is None:
            from almario.apps.hooks.hooking import run

            said = run(asked, content, os.environ)
        if said:
            sys.stdout.buffer.write(said.encode("utf-8", "replace") + b"\n")
            sys.stdout.flush()
    except Exception as exc:  # noqa: BLE001 - the client goes on
        _note(asked, exc)


def by_server(asked: Asked, content: bytes, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return what the server of a home says; None if there is none, and nobody has heard of the call.

    A server that was told and does not answer may have done all of it: that is an error.
    """
    home = home_of(asked.home, environment)
    scheme, _, place = served_at(home).partition("://")
    host, _, port = place.rpartition(":")
    if scheme != "http" or not port.isdigit() or int(port) > 65535 or len(content) > _MOST_SERVED:
        return None
    if not (token := token_of(home)):
        return None
    told = {name: environment[name] for name in ENVIRONMENT if name in environment}
    body = {"event": asked.event, "told": content.decode("utf-8", "replace"), "environment": told}
    body |= {"agent": asked.agent or "", "client": asked.client}
    head = f"POST {_PATH} HTTP/1.0\r\nHost: {place}\r\nAuthorization: Bearer {token}\r\n"
    return _posted((host.strip("[]"), int(port)), head, json.dumps(body).encode())


def _posted(place: tuple[str, int], head: str, body: bytes) -> str | None:
    """Send a request and return the answer; None if it was not let in."""
    import socket

    with socket.socket(socket.AF_INET6 if ":" in place[0] else socket.AF_INET) as connection:
        connection.settimeout(_CONNECT)
        try:
            connection.connect(place)
        except OSError:
            return None
        connection.settimeout(_ANSWER)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        try:
            connection.sendall((head + kind).encode() + body)
        except OSError:  # what has not come to its end changes nothing there
            return None
        whole = _read(connection)
    status, _, rest = whole.partition(b"\r\n")
    is_done = status.split(b" ")[1:2] == [b"200"]
    return rest.partition(b"\r\n\r\n")[2].decode("utf-8", "replace") if is_done else None


def _read(connection: "socket.socket") -> bytes:
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def _note(asked: Asked, error: Exception) -> None:
    """Enter in the log why a hook has done nothing."""
    from almario.wiring import note_failure

    note_failure(asked.home, f"hook {asked.event}".strip(), error)

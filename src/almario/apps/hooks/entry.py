"""`almario hook` as a program calls it: quick, and never to that program's harm.

A running server is asked, if there is one for this home, or the process that stays for hooks; everything is
loaded only if there is none, or if it does not answer: each call has a name of its own, by which what was
said is kept once. If whoever answers has no room for one more, what was said waits, and nothing is loaded.
Whatever goes wrong, nothing is said, the exit code is 0, and a line in the log says why.
"""
# ruff: noqa: PLC0415 - see above

import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from almario.apps.connecting.clients import HOOKED
from almario.apps.hooks import EVENTS, HookQuestion
from almario.errors import ConfigError, SoulError
from almario.served import (
    NOWHERE,
    RESIDENT_FILE,
    SERVED_FILE,
    home_of,
    login_in,
    resident_at,
    served_at,
    token_of,
)

if TYPE_CHECKING:
    from _socket import socket

# What of the environment tells about a call: who calls, and about which project.
ENVIRONMENT = tuple(name for hooks in HOOKED.values() for name in hooks.variables)
# What else of it may steer an answer; the home and the agent are named with each call.
_SETTINGS, _NAMED = "ALMARIO_", ("ALMARIO_HOME", "ALMARIO_AGENT")
# Where a server takes calls.
PATH = "/api/v1/hooks"
# Is as old as the last time when a server was silent, and holds something if that was the second time within
# a short while: one slow answer silences nobody.
_SILENT_FILE = "serve.silent"
# No client tells more; a server takes less.
_MOST_BYTES, MOST_SERVED = 64 * 1024 * 1024, 4_000_000
_OFF = ("0", "false", "no", "off")
# So many seconds a server may take to let us in, and then to answer, or to say what a session begins with.
# One that was silent is left alone for a while, by all hooks.
_CONNECT, _ANSWER, _START, _SILENT = 0.25, 0.9, 2.0, 60.0


class Crowded(Exception):
    """Who answers hooks has its hands full, and has done nothing of what it was told."""


def main(arguments: Sequence[str]) -> bool:
    """Run a hook as its arguments say; False if they are those of somebody at a terminal."""
    if not {"-h", "--help"}.isdisjoint(arguments) or sys.stdin is None or sys.stdin.isatty():
        return False
    try:
        question = question_in(arguments)
    except SoulError as exc:  # any code but 0 may be taken for a refusal of what the user wants
        _note(HookQuestion(""), exc)
    else:
        if question.event in EVENTS:  # of what a program may tell, that is all we ask for
            answer(question)
    return True


def question_in(arguments: Sequence[str]) -> HookQuestion:
    """Read the arguments of the command; SoulError names one that is not known."""
    given: dict[str, Any] = {"event": ""}
    left = list(arguments)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if name in ("--home", "--agent", "--client") and (equals or left):
            given[name[2:]] = value if equals else left.pop(0)
        elif not word.startswith("-") and not given["event"]:
            given["event"] = word
        else:
            raise SoulError('"almario hook" does not know "{word}"', word=word)
    if not given["event"]:
        raise SoulError("the name of the hook is missing: {events}", events=", ".join(EVENTS))
    if (client := given.get("client", "")) not in ("", *HOOKED):
        sentence = 'there are hooks for {clients}, not for "{client}"'
        raise SoulError(sentence, clients=", ".join(HOOKED), client=client)
    return HookQuestion(**given)


def answer(question: HookQuestion) -> None:
    """Read what a client tells, and print what is said to it."""
    if os.environ.get("ALMARIO_HOOKS_ENABLED", "").lower() in _OFF:
        return
    try:
        content = sys.stdin.buffer.read(_MOST_BYTES)
        question = question._replace(ref=os.urandom(8).hex())
        problem = None
        try:
            login = login_in(question.home)
        except SoulError as exc:
            login, problem = NOWHERE, exc
        if login:
            from almario.apps.hooks.away import run as run_away

            _print(run_away(question, content, login, os.environ))
            if problem:  # what was said is kept
                raise problem
            return
        if question.event == "session-end":
            from almario.apps.hooks.away import end_here

            end_here(question, content, os.environ)
        try:
            reply = by_server(question, content)
        except Crowded:
            from almario.apps.hooks.hooking import put_by

            reply = put_by(question, content, os.environ)
        except OSError as exc:
            reply, question = None, question._replace(again=True)
            if isinstance(exc, TimeoutError):
                _note_silence(home_of(question.home))
        if reply is None:
            from almario.apps.hooks.hooking import run

            reply = run(question, content, os.environ)
        _print(reply)
        if question.again:
            raise SoulError("the server did not answer, so the hook did it without it")
    except Exception as exc:  # noqa: BLE001 - the client goes on
        _note(question, exc)


def _print(reply: str) -> None:
    if reply:
        sys.stdout.buffer.write(reply.encode("utf-8", "replace") + b"\n")
        sys.stdout.flush()


def by_server(
    question: HookQuestion, content: bytes, environment: Mapping[str, str] = os.environ
) -> str | None:
    """Return what the server of a home says; None if there is none, or it did not want the call.

    A server that was told and does not answer may have done all of it: that is an OSError. One that has no
    room for it has done nothing, or will have done it once: that is `Crowded`.
    """
    home = home_of(question.home, environment)
    own = {name: environment[name] for name in ENVIRONMENT if name in environment}
    agent = question.agent or environment.get("ALMARIO_AGENT", "")
    body = {"event": question.event, "told": content.decode("utf-8", "replace"), "environment": own}
    body |= {"agent": agent, "client": question.client, "ref": question.ref}
    scheme, _, place = served_at(home).partition("://")
    host, _, port = place.rpartition(":")
    token = token_of(home) if scheme == "http" and port.isdigit() and int(port) <= 65535 else ""
    at = (host.strip("[]"), int(port)) if token else resident_at(home)[0]
    if not at or len(content) > MOST_SERVED or _is_silent(home, SERVED_FILE if token else RESIDENT_FILE):
        return None
    head = f"POST {PATH} HTTP/1.0\r\nHost: {place}\r\nAuthorization: Bearer {token}\r\n"
    if not token:
        head = f"POST {PATH} HTTP/1.0\r\n"
        body |= {"home": os.path.abspath(home), "settings": settings_in(environment)}
    seconds = _START if question.event == "session-start" else _ANSWER
    return _posted(at, head, json.dumps(body).encode(), seconds)


def settings_in(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that an environment names, but for what is named with each call."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(_SETTINGS) and name not in _NAMED
    }


def _is_silent(home: str, name: str) -> bool:
    """Return whether the server that runs twice did not answer a moment ago."""
    try:
        silent = os.stat(os.path.join(home, _SILENT_FILE))
        since = os.stat(os.path.join(home, name)).st_mtime
    except OSError:
        return False
    return silent.st_size > 0 and since < silent.st_mtime and _is_recent(silent.st_mtime)


def _note_silence(home: str) -> None:
    path, is_second = os.path.join(home, _SILENT_FILE), False
    with contextlib.suppress(OSError):
        is_second = _is_recent(os.stat(path).st_mtime)
    with contextlib.suppress(OSError), open(path, "wb") as file:
        file.write(b"2" * is_second)


def _is_recent(instant: float) -> bool:
    return 0 <= time() - instant < _SILENT


def _posted(place: str | tuple[str, int], head: str, body: bytes, seconds: float) -> str | None:
    """Send a request and return the answer; None if it was not let in."""
    from _socket import AF_INET, AF_INET6, AF_UNIX, socket  # `socket` itself takes a tenth of all the time

    family = AF_INET6 if ":" in place[0] else AF_INET
    with contextlib.closing(socket(AF_UNIX if isinstance(place, str) else family)) as connection:
        connection.settimeout(_CONNECT)
        try:
            connection.connect(place)
        except BlockingIOError as exc:  # as many wait there as may
            raise Crowded from exc
        except OSError:
            return None
        until = monotonic() + seconds
        connection.settimeout(seconds)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        try:
            connection.sendall((head + kind).encode() + body)
        except OSError:  # what has not come to its end changes nothing there
            return None
        return _text_of(_read(connection, lambda: until - monotonic()))


def _text_of(answer: bytes) -> str | None:
    """Return what an answer says; None if it is a refusal, an OSError if it is none, or not whole."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *fields = head.lower().split(b"\r\n")
    code = b"".join(status.split(b" ")[1:2])
    lengths = [
        value for name, _, value in (each.partition(b":") for each in fields) if name == b"content-length"
    ]
    if code == b"503":
        raise Crowded
    if code[:1] in (b"", b"5") or any(length.strip() != b"%d" % len(body) for length in lengths):
        raise ConnectionError
    return body.decode("utf-8", "replace") if code == b"200" else None


def _read(connection: "socket", left: Callable[[], float]) -> bytes:
    whole = b""
    while (seconds := left()) > 0:
        connection.settimeout(seconds)
        piece = connection.recv(1 << 16)
        if not piece:
            return whole
        whole += piece
    raise TimeoutError


def _note(question: HookQuestion, error: Exception) -> None:
    from almario.wiring import note_failure

    with contextlib.suppress(ConfigError):  # a folder that cannot be has no log
        note_failure(question.home, f"hook {question.event}".strip(), error)

"""A soul that another machine keeps, as the commands of this one use it: see `almario.served`.

What a command asks of a `Soul` beyond its verbs is answered here where there is nothing to do, and refused in
a sentence where only the machine can do it that keeps the home.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cached_property
from inspect import signature
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from almario import verb_table as verbs
from almario.client import RemoteSoul
from almario.client.verbs import ClientPart
from almario.domain.messages import Sentence
from almario.errors import AccessDenied, MissingExtra, ServerUnavailable, SoulError
from almario.served import Login, trusting

try:
    import httpx2

    from almario.client.calls import HttpCall
    from almario.client.carrying import Here
    from almario.client.responses import Answering
except ImportError as exc:
    raise MissingExtra("httpx2 is not installed; run: pip install 'almario[client]'") from exc

if TYPE_CHECKING:
    from datetime import tzinfo

T = TypeVar("T")
# So many seconds a server may take to let us in, and to answer.
_CONNECT, _ANSWER = 0.9, 300.0
_PROXIES = frozenset({"https_proxy", "http_proxy", "all_proxy"})
# What stays here: nobody is told how far it is, and the server knows by which door we come.
_STAYS = frozenset({"progress", "hear", "door"})
# What a server does by itself.
_DONE: Mapping[str, Callable[..., Any]] = {
    "memory.looking": nullcontext,
    "memory.prepare": lambda: False,
    "learning.news": list,
}


class AwayFace(Here):
    """Carries calls to the server of a login; what goes wrong on the way is told with what to do about it."""

    def __init__(self, client: httpx2.Client, login: Login, agent: str, language: str = "en") -> None:
        super().__init__(client, agent)
        self.login = login
        self.language = language

    def run(self, call: HttpCall, read: Callable[[Any], T]) -> T:
        told = call._replace(headers={**call.headers, "Accept-Language": self.language})
        with self._explained():
            return super().run(told, read)

    def who(self) -> dict[str, Any]:
        """Return what the server says of itself, and of the token."""
        with self._explained():
            try:
                response = self.client.get("/api/v1/me")
            except httpx2.HTTPError as exc:
                raise ServerUnavailable(Sentence.own(str(exc))) from exc
            answering = Answering(
                HttpCall("", {}), response.status_code, response.headers.get("content-type", "")
            )
            answering.feed(response.content)
            told = answering.end()
        if not isinstance(told, dict) or "is_owner" not in told:
            raise SoulError("{address} is a server, but not one of Almario's", address=self.login.url)
        return told

    @contextmanager
    def _explained(self) -> Iterator[None]:
        address = self.login.url
        try:
            yield
        except AccessDenied as exc:
            if vars(exc).get("status") != 401:
                raise
            sentence = '{address} does not accept this token; "almario login {address}" takes another'
            raise AccessDenied(sentence, address=address) from exc
        except ServerUnavailable as exc:
            if not isinstance(exc.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout):
                raise
            if "CERTIFICATE_VERIFY_FAILED" in str(exc.__cause__):
                raise _changed(address) from exc
            raise unreachable(address) from exc


def unreachable(address: str) -> ServerUnavailable:
    """Return what is said where a server does not answer."""
    sentence = (
        '{address} cannot be reached; try again when it is back, or "almario logout" to use the home on this '
        "machine"
    )
    return ServerUnavailable(sentence, address=address)


def _changed(address: str) -> SoulError:
    sentence = (
        "{address} shows another certificate than the one you trusted, so nothing was sent to it; if you "
        'changed it, run "almario login {address}" again'
    )
    return SoulError(sentence, address=address)


def _find(host: str) -> None:
    """Look a host up, in the time that it may take: the system's own patience is far longer."""
    if any(name.lower() in _PROXIES for name in os.environ):  # it looks for it
        return

    def look() -> None:
        try:
            found.append(socket.getaddrinfo(host, None))
        except OSError:  # so it is when it is asked
            found.append([])

    found: list[Any] = []
    looking = Thread(target=look, daemon=True)
    looking.start()
    looking.join(_CONNECT)
    if not found:
        raise unreachable(host)


class AwayPart(ClientPart):
    """A part of a soul that is away; what is no verb of it is done there, or not at all."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            path = f"{self._path}{name}"
            if name.startswith("_"):
                raise AttributeError(name)
            if path in verbs.parts() or any(each.startswith(f"{path}.") for each in _DONE):
                return AwayPart(self._face, f"{path}.")
            if path in _DONE:
                return _DONE[path]
            if path not in verbs.scopes():
                raise only_there(self._face.login.url)
            if verbs.verb(path).is_fact:
                return super().__getattr__(name)
            return lambda *args, **named: self._asked(verbs.verb(path), args, named)

    def _asked(self, verb: verbs.Verb, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """Ask for a verb; SoulError if it is given what a server cannot be told."""
        takes = signature(verb.method)
        bound = takes.bind(self, *args, **named).arguments
        given = {name: value for name, value in bound.items() if name in verb.parameters}
        for name, value in bound.items():
            stays = name in given or name in _STAYS or value is self
            if value and not stays and value != takes.parameters[name].default:
                raise only_there(self._face.login.url)
        return self._ask(verb, given, bound.get("hear") if verb.name == "talk" else None)


class AwaySoul(AwayPart, RemoteSoul):
    """The soul that a login means, for as long as a command runs."""

    told: tuple[Sentence, ...] = ()
    folder = None

    def finish(self) -> tuple[Sentence, ...]:
        """Nothing is left undone here."""
        return ()

    @cached_property
    def zone(self) -> "tzinfo":  # asked for with every line
        found: tzinfo = self._ask(verbs.verb("zone"), {})
        return found


def only_there(address: str) -> SoulError:
    """Return what is said of what a server does not do for others."""
    sentence = "this works only on the machine that keeps the home; here you are logged in to {address}"
    return SoulError(sentence, address=address)


def away(login: Login, agent: str = "", language: str = "en") -> AwaySoul:
    """Return the agent that is meant on the server of a login; the first verb asks whether it is there."""
    _find(login.address[0])
    is_secure = login.is_secure
    client = httpx2.Client(
        base_url=login.url,
        headers={"Authorization": f"Bearer {login.token}", "Accept-Language": language},
        timeout=httpx2.Timeout(_ANSWER, connect=_CONNECT),
        trust_env=is_secure,
        verify=trusting(login.certificate) if is_secure else False,  # nothing to load
    )
    wanted = agent or login.agent
    return AwaySoul(AwayFace(client, login, wanted, language), wanted)

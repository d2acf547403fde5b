"""A soul that another machine keeps, as the commands of this one use it: see `almario.served`.

What a command asks of a `Soul` beyond its verbs is answered here where there is nothing to do, and refused in
a sentence where only the machine can do it that keeps the home.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cached_property, partial
from inspect import signature
from socket import getaddrinfo
from typing import TYPE_CHECKING, Any, TypeVar

from almario import __version__
from almario import verb_table as verbs
from almario.client import RemoteSoul
from almario.client.verbs import ClientPart
from almario.domain.installing import to_install
from almario.domain.messages import Sentence
from almario.errors import AccessDenied, MissingExtra, ServerUnavailable, SoulError
from almario.served import VERSION, Login, trusting, within

try:
    import httpx2

    from almario.client.calls import HttpCall
    from almario.client.carrying import Here
except ImportError as exc:
    sentence = "httpx2 is not installed; run: {line}"
    raise MissingExtra(sentence, line=to_install("almario[client]")) from exc

if TYPE_CHECKING:
    from datetime import tzinfo

T = TypeVar("T")
# So many seconds a server may take to let us in, and to answer.
_CONNECT, _ANSWER = 0.9, 300.0
# What stays here: nobody is told how far it is, and the server knows by which door we come.
_STAYS = frozenset({"progress", "hear", "door"})
# What a server does by itself.
_DONE: Mapping[str, Callable[..., Any]] = {
    "memory.snapshot": lambda **_: nullcontext(),
    "memory.prepare": lambda: False,
    "learning.news": list,
}


class AwayFace(Here):
    """Carries calls to the server of a login; what goes wrong on the way is told with what to do about it."""

    def __init__(self, client: httpx2.Client, login: Login, agent: str, language: str = "en") -> None:
        super().__init__(client, agent)
        self.login = login
        self._language = language

    def run(self, call: HttpCall, read: Callable[[Any], T]) -> T:
        address = self.login.url
        try:
            return super().run(
                call._replace(headers={**call.headers, "Accept-Language": self._language}), read
            )
        except AccessDenied as exc:
            if vars(exc).get("status") != 401:
                raise
            sentence = '{address} does not accept this token; "almario login {address}" takes another'
            raise AccessDenied(sentence, address=address) from exc
        except ServerUnavailable as exc:
            if not isinstance(exc.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout):
                raise
            if "CERTIFICATE_VERIFY_FAILED" not in str(exc.__cause__):
                raise unreachable(self.login) from exc
            sentence = (
                "{address} shows another certificate than the one you trusted, so nothing was sent to it; if "
                'you changed it, run "almario login {address}" again'
            )
            raise SoulError(sentence, address=address) from exc


def unreachable(login: Login) -> ServerUnavailable:
    """Return what is said where a server does not answer: a logout helps only who is logged in."""
    if not login.since:
        return ServerUnavailable(
            '{address} cannot be reached; is "almario serve" running there?', address=login.url
        )
    sentence = (
        '{address} cannot be reached; try again when it is back, or "almario logout" to use the home on this '
        "machine"
    )
    return ServerUnavailable(sentence, address=login.url)


def _check_version(address: str, answer: httpx2.Response) -> None:
    """Refuse an answer of another program, or of a version that programs may not understand."""
    theirs = answer.headers.get(VERSION, "")
    if not theirs:
        raise SoulError("{address} is a server, but not one of Almario's", address=address)
    if theirs.split(".")[:2] != __version__.split(".")[:2]:
        sentence = (
            "{address} runs Almario {theirs}, and this machine {ours}; install the same version on both"
        )
        raise SoulError(sentence, address=address, theirs=theirs, ours=__version__)


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
            return lambda *args, **named: self._call(verbs.verb(path), args, named)

    def _call(self, verb: verbs.Verb, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
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

    notices: tuple[Sentence, ...] = ()
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
    sentence = (
        "this works only on the machine that keeps the home; here you are logged in to {address}: run it "
        'there, or "almario logout" to use the home on this machine'
    )
    return SoulError(sentence, address=address)


def away(login: Login, agent: str = "", language: str = "en") -> AwaySoul:
    """Return the agent that is meant on the server of a login; the first verb asks whether it is there."""
    try:
        within(_CONNECT, partial(getaddrinfo, *login.address))  # the system's own patience is far longer
    except OSError as exc:
        raise unreachable(login) from exc
    client = httpx2.Client(
        base_url=login.url,
        headers=[(b"Authorization", f"Bearer {login.token}".encode())],
        timeout=httpx2.Timeout(_ANSWER, connect=_CONNECT),
        trust_env=login.is_secure,
        verify=trusting(login.certificate) if login.is_secure else False,  # nothing to load
        event_hooks={"response": [partial(_check_version, login.url)]},
    )
    wanted = agent or login.agent
    return AwaySoul(AwayFace(client, login, wanted, language), wanted)

"""Programs on this machine: where they find the server of a home, and when they last had an answer.

A home may be logged in to a server elsewhere: then that one is asked, and the home here is left alone.
"""

import contextlib
import json
import os
import stat
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from almario.errors import AlmarioError, SoulError
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from ssl import SSLContext

# The address of the server that runs, and the owner's token, which only the owner can read.
SERVED_FILE, OWNER_FILE = "serve.json", ".token"
# Where the process is asked that stays for hooks.
RESIDENT_FILE = os.path.join("run", "resident.json")
# By which names hooks know repositories.
PROJECTS_FILE = "projects.json"
# Says which server a home is logged in to; so does this variable of the environment.
LOGIN_FILE, SERVER, TOKEN = "login.json", "ALMARIO_SERVER", "ALMARIO_TOKEN"
_WAITING = "away"
# The header in which a server tells its version.
VERSION = "Almario-Version"
T = TypeVar("T")
_POLL = 0.25
# How the files begin that say when a program was heard, and how long the name of one may be.
_CONTACT, _LONGEST_NAME, _PLAIN = "program.", 40, frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def home_of(given: str | os.PathLike[str] | None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the home's folder: the one given, ALMARIO_HOME's, or ~/.almario."""
    return os.path.expanduser(given or environment.get("ALMARIO_HOME") or "~/.almario")


class Login(NamedTuple):
    """A server elsewhere, and the *agent* that is meant there where none is named.

    A *certificate* (PEM) is the only one that is accepted; without one, those are that the system trusts. A
    *token* that is empty is in the system's keyring.
    """

    url: str
    token: str
    agent: str = "default"
    certificate: str = ""
    since: str = ""

    @property
    def address(self) -> tuple[str, int]:
        """The host and the port."""
        from urllib.parse import urlsplit  # noqa: PLC0415 - not for each hook

        at = urlsplit(self.url)
        return at.hostname or "", at.port or (443 if at.scheme == "https" else 80)

    @property
    def is_secure(self) -> bool:
        return self.url.startswith("https:")

    def waiting(self, home: str | os.PathLike[str]) -> str:
        """Return the folder in which that waits which this server could not be told, and no other is."""
        host, port = self.address
        return os.path.join(home, _WAITING, f"{host.replace(':', '-')}-{port}" if host else "unknown")


# The server of a login that cannot be read: what is said waits for the next login.
NOWHERE = Login("", "", "")


def login_in(given: str | None, environment: Mapping[str, str] = os.environ) -> Login | None:
    """Return the server that is asked in the place of a home, if there is one: of one that is *given*, as it
    says itself, and else as the environment does."""
    if not given and (url := environment.get(SERVER)):
        agent = environment.get("ALMARIO_AGENT") or "default"
        return Login(checked_address(url), environment.get(TOKEN, ""), agent)
    path = os.path.join(home_of(given, environment), LOGIN_FILE)
    try:
        with open(path, "rb") as file:
            found = Login(**json.load(file))
        if not all(isinstance(each, str) for each in found):
            raise TypeError(found)
        return found._replace(url=checked_address(found.url))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as exc:
        sentence = '{path} cannot be read; "almario login" writes it anew, "almario logout" removes it'
        raise SoulError(sentence, path=path) from exc


def checked_address(url: str) -> str:
    """Return the address of a server without a path; SoulError if a token must not be sent there."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - not for each hook

    try:
        at = urlsplit(url.strip())
        is_address = at.scheme in ("http", "https") and bool(at.hostname) and at.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        sentence = '"{address}" is not the address of a server; it must begin with http:// or https://'
        raise SoulError(sentence, address=url)
    host = at.hostname or ""
    is_here = host in ("localhost", "::1") or (host.startswith("127.") and host.replace(".", "").isdigit())
    if at.scheme == "http" and not is_here:
        sentence = (
            "over http, anybody on the way could read your token; use https://, or a tunnel: "
            '"ssh -L 8420:localhost:8420 {host}", then "almario login http://localhost:8420"'
        )
        raise SoulError(sentence, host=host)
    return f"{at.scheme}://{at.netloc.rpartition('@')[2]}"


def trusting(certificate: str) -> "SSLContext":
    """Return which servers are trusted: those that the system trusts, or the one with this certificate."""
    import ssl  # noqa: PLC0415 - not for http

    if not certificate:
        return ssl.create_default_context()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # it is this certificate, whatever name it bears
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.load_verify_locations(cadata=certificate)
    return context


def within(seconds: float, work: Callable[[], T]) -> T:
    """Return what work comes to, or raise what it does; TimeoutError if it takes longer, and nobody waits."""
    from threading import Thread  # noqa: PLC0415 - not for each hook

    done: list[T] = []
    failed: list[Exception] = [TimeoutError()]

    def do() -> None:
        try:
            done.append(work())
        except (OSError, ValueError, AlmarioError) as exc:
            failed[:] = [exc]

    thread = Thread(target=do, daemon=True)
    thread.start()
    thread.join(seconds)
    if done:
        return done[0]
    raise failed[0]


def served_at(home: str | os.PathLike[str]) -> str:
    """Return the address of the server that runs for a home, or nothing."""
    return str(_running(home, SERVED_FILE).get("url", ""))


def resident_at(home: str | os.PathLike[str]) -> tuple[str, int]:
    """Return the socket at which hooks of a home are answered, and by which process; nothing if by none.

    What others can open, or have made, is none.
    """
    found = _running(home, RESIDENT_FILE)
    try:
        place = os.stat(found["socket"])
        is_ours = place.st_uid == os.getuid() and not place.st_mode & 0o077
        return (found["socket"], int(found["pid"])) if stat.S_ISSOCK(place.st_mode) and is_ours else ("", 0)
    except (OSError, ValueError, KeyError, TypeError):
        return "", 0


def resident_in(home: str | os.PathLike[str]) -> int:
    """Return the process that stays for the hooks of a home, if it lets us in; 0 if there is none."""
    address, pid = resident_at(home)
    if not pid:
        return 0
    from socket import AF_UNIX, socket  # noqa: PLC0415 - not for each hook

    with socket(AF_UNIX) as asking:
        asking.settimeout(_POLL)
        try:
            asking.connect(address)
        except OSError:  # of one that was killed, and its number may be another's by now
            return 0
    return pid


def _running(home: str | os.PathLike[str], name: str) -> dict[str, Any]:
    """Return what a process has left about itself, if it runs."""
    try:
        with open(os.path.join(home, name), "rb") as file:
            found = json.load(file)
        os.kill(int(found["pid"]), 0)
        return dict(found)
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return {}


def token_of(home: str | os.PathLike[str]) -> str:
    """Return the owner's token of a home, or nothing if there is none that we can read."""
    try:
        with open(os.path.join(home, OWNER_FILE), encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""


class Contact(NamedTuple):
    """The last time when a *program* asked for something (*what*), or, if *is_told*, was told memories."""

    program: str
    what: str
    at: str
    milliseconds: int
    memories: int = 0
    is_told: bool = False


def note_contact(home: str | os.PathLike[str], contact: Contact) -> None:
    """Keep when a program was last heard, and last told something; never what."""
    plain = (letter if letter in _PLAIN else "-" for letter in contact.program.lower()[:_LONGEST_NAME])
    name = "".join(plain)
    folder = os.path.join(home, os.path.dirname(RESIDENT_FILE))
    for is_told in (False, True) if contact.memories else (False,):
        noted = contact._replace(program=name, is_told=is_told)
        path = os.path.join(folder, f"{_CONTACT}{name}.{'told' if is_told else 'heard'}.json")
        with contextlib.suppress(OSError):  # nobody misses it
            if not os.path.isdir(folder):
                os.mkdir(folder, 0o700)
            with open(f"{path}.{os.getpid()}", "w", encoding="ascii") as file:
                json.dump(noted._asdict(), file)
            os.replace(f"{path}.{os.getpid()}", path)


def contacts(home: str | os.PathLike[str]) -> dict[str, list[Contact]]:
    """Return the last contacts by program: when it was heard, and told something."""
    folder = os.path.join(home, os.path.dirname(RESIDENT_FILE))
    found: dict[str, list[Contact]] = {}
    with contextlib.suppress(OSError):
        for name in sorted(os.listdir(folder)):
            if name.startswith(_CONTACT) and name.endswith(".json"):
                with contextlib.suppress(OSError, ValueError, TypeError):
                    with open(os.path.join(folder, name), encoding="ascii") as file:
                        contact = Contact(**json.load(file))
                    found.setdefault(contact.program, []).append(contact)
    return found

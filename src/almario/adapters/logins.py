"""The server that a home is logged in to: its address, what opens it, and the certificate it had then.

While there is one, this machine asks that server, and the home here is left alone. `login.json` in the home
says so, which only the owner can read; the token is in the system's keyring, if there is one.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from almario.adapters.keyring import asked_of_keyring
from almario.domain.model import DEFAULT_AGENT
from almario.errors import SoulError
from almario.named_tuples import NamedTuple
from almario.served import LOGIN_FILE, SERVER
from almario.store.files import make_folder, overwrite

if TYPE_CHECKING:
    from ssl import SSLContext

# What names the token in the environment, and in the keyring.
_TOKEN = "ALMARIO_TOKEN"  # noqa: S105 - a name
_WAITING = "away"


class Login(NamedTuple):
    """A server, and the *agent* that is meant there where none is named.

    A *certificate* (PEM) is the only one that is accepted; without one, those are that the system trusts.
    """

    url: str
    token: str
    agent: str = DEFAULT_AGENT
    certificate: str = ""
    since: str = ""

    @property
    def address(self) -> tuple[str, int]:
        """The host and the port."""
        at = urlsplit(self.url)
        return at.hostname or "", at.port or (443 if at.scheme == "https" else 80)

    def waiting(self, root: Path) -> Path:
        """Return the folder in which that waits which this server could not be told, and no other is."""
        return root / _WAITING / quote(urlsplit(self.url).netloc, safe="")


def login_of(
    root: Path, *, is_named: bool = False, environment: Mapping[str, str] = os.environ
) -> Login | None:
    """Return the server that a home is logged in to, or the environment names; a home that *is_named* goes
    before that."""
    if not is_named and (url := environment.get(SERVER)):
        agent = environment.get("ALMARIO_AGENT") or DEFAULT_AGENT
        return Login(checked_address(url), environment.get(_TOKEN, ""), agent)
    path = root / LOGIN_FILE
    try:
        found = Login(**json.loads(path.read_bytes()))
        token = found.token or asked_of_keyring("get_password", root, _TOKEN) or ""
        return found._replace(token=token, url=checked_address(found.url))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, AttributeError) as exc:
        sentence = '{path} cannot be read; "almario login" writes it anew, "almario logout" removes it'
        raise SoulError(sentence, path=str(path)) from exc


def keep_login(root: Path, login: Login) -> None:
    """Let a home be logged in from now on."""
    make_folder(root)
    if asked_of_keyring("set_password", root, _TOKEN, login.token) is not None:
        login = login._replace(token="")
    overwrite(root / LOGIN_FILE, json.dumps(login._asdict(), indent=1).encode())


def end_login(root: Path) -> None:
    """Let a home be its own again; its token is forgotten."""
    asked_of_keyring("delete_password", root, _TOKEN)
    (root / LOGIN_FILE).unlink(missing_ok=True)


def checked_address(url: str) -> str:
    """Return the address of a server without a path; SoulError if a token must not be sent there."""
    try:
        at = urlsplit(url.strip())
        is_address = at.scheme in ("http", "https") and bool(at.hostname) and at.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        sentence = '"{address}" is not the address of a server; it must begin with http:// or https://'
        raise SoulError(sentence, address=url)
    host = at.hostname or ""
    if at.scheme == "http" and not (host in ("localhost", "::1") or host.startswith("127.")):
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

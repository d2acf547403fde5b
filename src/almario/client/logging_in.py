"""Logging in: the server must be one of Almario's, of the same version, and the token the owner's."""

import hashlib
import ssl
from collections.abc import Callable
from datetime import datetime

from almario import __version__
from almario.client.stand_in import away, unreachable
from almario.errors import AgentNotFound, SoulError
from almario.served import Login, checked_address, trusting

_SECONDS = 0.9
# Is shown the fingerprint of a certificate that the system does not trust, and says whether the owner does.
Trust = Callable[[str], bool]


def log_in(login: Login, *, now: datetime, language: str) -> Login:
    """Return a login that works; SoulError, or another error of ours, says why there is none."""
    wanted = login._replace(url=checked_address(login.url))
    with away(wanted, language=language) as nobody:
        told = nobody._face.who()
    theirs = str(told.get("version", ""))
    if _release(theirs) != _release(__version__):
        sentence = (
            "{address} runs Almario {theirs}, and this machine {ours}; install the same version on both"
        )
        raise SoulError(sentence, address=wanted.url, theirs=theirs or "0.?", ours=__version__)
    if not told["is_owner"]:
        raise SoulError('this token is not the owner\'s; "almario tokens create" there makes one')
    agent = login.agent or str(told.get("agent") or "")
    if not agent:
        raise AgentNotFound("there are several agents there; name one with --agent")
    with away(wanted, agent, language) as soul:
        soul.identity("name")  # it is there, or the server says that it is not
    return wanted._replace(agent=agent, since=now.isoformat(timespec="seconds"))


def certificate_of(url: str, trust: Trust) -> str:
    """Return the certificate (PEM) of a server that the system does not vouch for, if the owner does.

    Empty: the system does, or it needs none.
    """
    login = Login(checked_address(url), "")
    if not login.is_secure:
        return ""
    import socket  # noqa: PLC0415 - not for http

    host, port = login.address
    try:
        with socket.create_connection((host, port), _SECONDS) as plain:
            trusting("").wrap_socket(plain, server_hostname=host).close()
        return ""
    except ssl.SSLCertVerificationError:
        found = ssl.get_server_certificate((host, port), timeout=_SECONDS)
    except ssl.SSLError as exc:
        raise SoulError("{address} does not speak https; is it http://?", address=login.url) from exc
    except OSError as exc:
        raise unreachable(login.url) from exc
    if not trust(fingerprint(found)):
        raise SoulError("nothing was sent to {address}: its certificate is not trusted", address=login.url)
    return found


def fingerprint(certificate: str) -> str:
    """Return the SHA-256 of a certificate, as openssl writes it."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).digest().hex(":").upper()


def _release(version: str) -> list[str]:
    """Return the part of a version that changes when programs may have to."""
    return version.split(".")[:2]

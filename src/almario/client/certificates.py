"""The certificate of a server: trusted because the system does, or because its owner says so."""

import hashlib
import socket
import ssl
from collections.abc import Callable

from almario.client.stand_in import unreachable
from almario.errors import SoulError
from almario.served import Login, checked_address, trusting

_SECONDS = 0.9


def certificate_of(url: str, trust: Callable[[str], bool]) -> str:
    """Return the certificate (PEM) of a server that the system does not know; empty, if it does.

    *trust* is told its fingerprint, and says whether the owner trusts it; SoulError if not.
    """
    login = Login(checked_address(url), "")
    if not login.is_secure:
        return ""
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

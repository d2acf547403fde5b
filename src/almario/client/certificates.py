"""The certificate of a server: trusted because the system does, or because its owner says so."""

import hashlib
import socket
import ssl

from almario.client.stand_in import unreachable
from almario.errors import SoulError
from almario.served import Login, trusting

_SECONDS = 0.9


def certificate_of(login: Login, trusted: str) -> str:
    """Return the certificate (PEM) of a server that the system does not know; empty, if it does.

    Its fingerprint must be the one that is *trusted*; SoulError says which it is.
    """
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
        raise unreachable(login) from exc
    shown = hashlib.sha256(ssl.PEM_cert_to_DER_cert(found)).digest().hex(":").upper()
    if trusted.replace(":", "").lower() != shown.replace(":", "").lower():
        sentence = (
            "this system does not know the certificate of {address}; if its SHA-256 fingerprint is {shown}, "
            "log in with --trust and that"
        )
        raise SoulError(sentence, address=login.url, shown=shown)
    return found

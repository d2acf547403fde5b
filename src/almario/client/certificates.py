"""The certificate of a server: trusted because the system does, or because its owner says so."""

import hashlib
import socket
import ssl

from almario.client.stand_in import unreachable
from almario.errors import SoulError
from almario.served import Login, trusting

_SECONDS = 0.9


def certificate_of(login: Login, trusted: str) -> str:
    """Return the certificate (PEM) that alone is accepted of a server; empty: any that the system trusts.

    That is the one with the fingerprint that is *trusted*, which the system may know or not; SoulError if the
    server has another, and where none is trusted and the system does not know it.
    """
    try:
        if not trusted and _is_known(login):
            return ""
        found = ssl.get_server_certificate(login.address, timeout=_SECONDS)
    except ssl.SSLError as exc:
        raise SoulError("{address} does not speak https; is it http://?", address=login.url) from exc
    except OSError as exc:
        raise unreachable(login) from exc
    shown = hashlib.sha256(ssl.PEM_cert_to_DER_cert(found)).digest().hex(":").upper()
    if trusted.replace(":", "").lower() == shown.replace(":", "").lower():
        return found
    sentence = (
        "this system does not know the certificate of {address}; if its SHA-256 fingerprint is {shown}, "
        "log in with --trust and that"
    )
    if trusted:
        sentence = (
            "{address} has another certificate than the one to trust: its SHA-256 fingerprint is {shown}"
        )
    raise SoulError(sentence, address=login.url, shown=shown)


def _is_known(login: Login) -> bool:
    host, port = login.address
    try:
        with socket.create_connection((host, port), _SECONDS) as plain:
            trusting("").wrap_socket(plain, server_hostname=host).close()
    except ssl.SSLCertVerificationError:
        return False
    return True

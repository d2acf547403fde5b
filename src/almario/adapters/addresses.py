"""Which web addresses are called, and which of them are this machine."""

from urllib.parse import urlsplit

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def host_of(url: str) -> str:
    """Return the host of a web address, or nothing if it is not one we would call."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.username is None and parts.port != 0
    except ValueError:
        return ""
    printable = url.isascii() and url.isprintable() and " " not in url
    return parts.hostname or "" if known and printable else ""


def is_loopback(url: str) -> bool:
    """Say whether an address is on this machine."""
    return host_of(url) in _LOOPBACK

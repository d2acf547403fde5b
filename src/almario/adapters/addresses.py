"""Which web addresses are called, and which of them are this machine."""

import time
from collections.abc import Callable
from urllib.parse import urlsplit

from almario.named_tuples import NamedTuple

# The key of an endpoint of one's own, in llm.url; a provider's own key goes to that provider alone.
OWN_KEY = "ALMARIO_LLM_API_KEY"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PORTS = {"http": 80, "https": 443}


def host_of(url: str) -> str:
    """Return the host of a web address, or nothing if it is not one we would call."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.username is None and parts.port != 0
    except ValueError:
        return ""
    printable = url.isascii() and url.isprintable() and " " not in url
    return parts.hostname or "" if known and printable else ""


def origin_of(url: str) -> str:
    """Return the scheme, host and port of a web address, to which a key belongs; nothing if it is none."""
    if not (host := host_of(url)):
        return ""
    parts = urlsplit(url)
    name = f"[{host}]" if ":" in host else host
    is_usual = parts.port in (None, _PORTS[parts.scheme])
    return f"{parts.scheme}://{name}" + ("" if is_usual else f":{parts.port}")


def is_loopback(url: str) -> bool:
    """Return whether an address is on this machine."""
    return host_of(url) in _LOOPBACK


class Endpoint(NamedTuple):
    """A provider's address and the model to ask for there; *variable* is where its key comes from.

    Without a model, the first one that the endpoint lists is asked.
    """

    provider: str
    url: str
    model: str = ""
    key: str = ""
    variable: str = ""
    needs_key: bool = True

    @property
    def name(self) -> str:
        """The provider and the model, as the settings have it."""
        return f"{self.provider}/{self.model}" if self.model else self.provider

    @property
    def host(self) -> str:
        """The scheme, host and port, to which the key belongs."""
        return origin_of(self.url)


class CallLimits(NamedTuple):
    """How many seconds a model may be silent, how often it is asked again, how many tokens it may say."""

    timeout: float = 120.0
    retries: int = 2
    most: int = 4096
    pause: Callable[[float], None] = time.sleep

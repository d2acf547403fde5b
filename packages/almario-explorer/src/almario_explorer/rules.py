"""Which pages may be fetched: of anybody's web, never of this machine or the network it stands in."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from almario_explorer.web import LONGEST_URL, WebError

STANDARD_PORTS = {"http": 80, "https": 443}
# Below, other ports belong to mail, files and the like, which a request can be made to confuse.
_FIRST_FREE = 1024
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# A last label like these makes a resolver read the whole as one number: 2130706433, 0x7f.1, 0177.0.0.1.
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
# Signs that stay as they are in a path or query; whatever else is there is written with percents.
_PLAIN = "%/:?#[]@!$&'()*+,;=~"

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL_6 = ipaddress.ip_network("2000::/3")
# What the standard library does not count, or not in every version: tunnels to other addresses, what was
# given back, protocol assignments, and the one public address at which a cloud answers its own machines.
_SPECIAL = [
    ipaddress.ip_network(each)
    for each in ("2001::/23", "2002::/16", "3fff::/20", "192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")
]


class Target(NamedTuple):
    """Where a request goes; *path* includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        standard = STANDARD_PORTS[self.scheme]
        return f"{self.scheme}://{host}{'' if self.port == standard else f':{self.port}'}{self.path}"

    @property
    def shown(self) -> str:
        """The address as errors tell it: what is asked there is nobody's business."""
        return self.url.partition("?")[0][:200]


def target_of(url: str, *, is_own: bool = False) -> Target:
    """Return where an address leads; WebError if nobody should go there, whatever stands behind it.

    One of the owner's *own* choice may be longer, and at any port.
    """
    if (len(url) > LONGEST_URL and not is_own) or not url.isprintable() or re.search(r"[\s\\]", url):
        raise WebError("not a web address: {url}", url=url[:80])
    try:
        parts = urlsplit(url)
        port = parts.port
        host = _host(parts.hostname or "")
    except ValueError as exc:
        raise WebError("not a web address: {url}", url=url[:80]) from exc
    if parts.scheme not in STANDARD_PORTS:
        raise WebError("{url} is not fetched: only http and https are", url=url[:200])
    if parts.username is not None or parts.password is not None:
        raise WebError("{url} is not fetched: it has a name or a password in it", url=url[:200])
    port = STANDARD_PORTS[parts.scheme] if port is None else port
    if not port or not (is_own or port in STANDARD_PORTS.values() or port >= _FIRST_FREE):
        raise WebError("{url} is not fetched: no page is at port {port}", url=url[:200], port=port)
    path = quote(parts.path or "/", safe=_PLAIN)
    return Target(
        parts.scheme, host, port, path + (f"?{quote(parts.query, safe=_PLAIN)}" if parts.query else "")
    )


def is_public(address: str) -> bool:
    """Return whether an IP address is one that anybody in the world may call.

    One that only wraps another is as public as that.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or (ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None)
        if inner:
            return is_public(str(inner))
        if ip.scope_id or ip not in _GLOBAL_6:
            return False
    special = ip.is_multicast or ip.is_reserved or any(ip in network for network in _SPECIAL)
    return ip.is_global and not special


def _host(name: str) -> str:
    """Return a host as it is resolved; ValueError if it is none, or is a number in disguise."""
    if ":" in name:
        return str(ipaddress.IPv6Address(name))
    # Letters of other widths become plain ones here, so that all below sees what a resolver would.
    plain = name if name.isascii() else name.encode("idna").decode("ascii")
    plain = plain.lower().removesuffix(".")
    if not _NAME.fullmatch(plain) or len(plain) > 253:
        raise ValueError(name)
    if _NUMBER.fullmatch(plain.rpartition(".")[2]):
        return str(ipaddress.IPv4Address(plain))
    return plain

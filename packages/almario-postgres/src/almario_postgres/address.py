"""The address of a database, read once and by libpq's own reader; what is shown of it has no password.

An address can be mistyped so that a part of its password is read as a host or as a name. So one is refused
that can be read in more ways than one, and no error quotes it, nor what the driver says about it.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import quote, urlencode

from almario.errors import ConfigError
from almario.named_tuples import NamedTuple

_SECRETS = ("password", "sslpassword")
_PORT = "5432"
_HERE = ("localhost", "127.0.0.1", "::1")


class DatabaseAddress(NamedTuple):
    """Where a database is and who logs in there; *place* is that as a person may see it."""

    place: str
    parameters: Mapping[str, str]

    @property
    def has_password(self) -> bool:
        """Whether a secret is written in it."""
        return any(name in self.parameters for name in _SECRETS)

    @property
    def without_secrets(self) -> str:
        """What leads there for who has the password elsewhere."""
        shown = ("user", "host", "port", "dbname", "service", *_SECRETS)
        others = urlencode({name: value for name, value in self.parameters.items() if name not in shown})
        return f"{self.place}{'&' if '?' in self.place else '?'}{others}" if others else self.place

    @property
    def is_here(self) -> bool:
        """Whether the server is on this machine."""
        named = (self.parameters.get(each, "") for each in ("hostaddr", "host"))
        hosts = next(filter(None, named), os.environ.get("PGHOST", ""))
        return all(not host or host[0] in "/@" or host in _HERE for host in hosts.split(","))

    @property
    def leaves_tls_open(self) -> bool:
        """Whether nobody said if the connection must be encrypted."""
        said = ("sslmode", "sslrootcert", "service", "requiressl")
        in_force = ("PGSSLMODE", "PGSSLROOTCERT", "PGSERVICE")
        return not any(name in self.parameters for name in said) and not any(map(os.environ.get, in_force))

    def hosts(self) -> Iterator[dict[str, str]]:
        """Return what to connect with, for one host after another."""
        parts = {name: self.parameters.get(name, "").split(",") for name in ("host", "hostaddr", "port")}
        count = max(len(parts["host"]), len(parts["hostaddr"]))
        others = {name: value for name, value in self.parameters.items() if name not in parts}
        for place in range(count):
            own = {name: given[min(place, len(given) - 1)] for name, given in parts.items()}
            yield others | {name: value for name, value in own.items() if value}


@cache
def read_address(url: str) -> DatabaseAddress:
    """Read an address; ConfigError, which quotes nothing of it, if it cannot be read for certain."""
    import psycopg  # noqa: PLC0415 - 60 ms, and only who connects needs it
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - as above

    if _is_ambiguous(url):
        raise _unreadable()
    try:
        found = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except (psycopg.Error, ValueError):
        raise _unreadable() from None
    if not all(port.isdigit() for port in found.get("port", _PORT).split(",") if port):
        raise _unreadable()
    return DatabaseAddress(_shown(found), found)


def _is_ambiguous(url: str) -> bool:
    """Return whether a sign stands there that libpq may take for another than who wrote it."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("postgres", "postgresql"):
        return False
    who, _, after = rest.partition("@") if "@" in rest else ("", "", rest)
    return "@" in after or any(sign in who for sign in "/?#") or any(sign.isspace() for sign in url)


def _unreadable() -> ConfigError:
    return ConfigError(
        "the address of the store cannot be read; it is postgres://USER@HOST/DATABASE, and in a password"
        ' "%", "@", "/", "?" and blanks must be written as %25, %40, %2F, %3F and %20'
        " (or set PGPASSWORD instead)"
    )


def _shown(found: Mapping[str, str]) -> str:
    user = f"{_plain(found['user'])}@" if "user" in found else ""
    hosts = found.get("host") or found.get("hostaddr", "")
    ports = found.get("port", "")
    name = _plain(found.get("dbname", ""))
    if "service" in found:
        return f"postgres:///{name}?service={_plain(found['service'])}"
    if hosts.startswith(("/", "@")):
        port = f"&port={ports}" if ports not in ("", _PORT) else ""
        return f"postgres://{user}/{name}?host={quote(hosts, safe='/,@')}{port}"
    each = ports.split(",")
    named = [
        _plain(host) + (f":{port}" if (port := each[min(n, len(each) - 1)]) not in ("", _PORT) else "")
        for n, host in enumerate(hosts.split(","))
    ]
    return f"postgres://{user}{','.join(named)}/{name}"


def _plain(text: str) -> str:
    return f"[{quote(text, safe=':')}]" if ":" in text else quote(text)

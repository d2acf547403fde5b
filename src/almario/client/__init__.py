"""A client of `almario serve`: an agent of another process or machine, with the verbs of `Soul`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from almario.client.typed_faces import Awaited, Waiting
from almario.domain.installing import to_install
from almario.errors import MissingExtra, ServerUnavailable, SoulError
from almario.served import home_of, served_at, token_of

# What carries the requests takes a tenth of a second to load, and is an extra.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from pathlib import Path
    from ssl import SSLContext

    from almario.client.carrying import Here, There

__all__ = ["AsyncRemoteSoul", "RemoteSoul", "connect", "connect_async"]

# Connections that a server lets go after 5 seconds are not taken up again shortly before.
_KEPT, _CONNECT = 4.0, 10.0


class RemoteSoul(Waiting):
    """An agent that a server keeps, with the verbs of `Soul`; `connect` makes it."""

    def __init__(self, face: Here, agent: str) -> None:
        super().__init__(face)
        self.id = agent

    def __enter__(self) -> RemoteSoul:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections; the agent stays open where it is."""
        self._face.client.close()

    def __repr__(self) -> str:
        return f"RemoteSoul({self.id!r}, {str(self._face.client.base_url)!r})"


class AsyncRemoteSoul(Awaited):
    """The same for asyncio: every verb, and every property but `id`, is to be awaited."""

    def __init__(self, face: There, agent: str) -> None:
        super().__init__(face)
        self.id = agent

    async def __aenter__(self) -> AsyncRemoteSoul:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections; the agent stays open where it is."""
        await self._face.client.aclose()

    def __repr__(self) -> str:
        return f"AsyncRemoteSoul({self.id!r}, {str(self._face.client.base_url)!r})"


def connect(
    address: str = "",
    token: str = "",
    agent: str = "default",
    *,
    home: str | Path | None = None,
    timeout: float = 300,
    certificate: str = "",
) -> RemoteSoul:
    """Return an agent that a server keeps; without an address, by the server that runs for the home here.

    An answer may take *timeout* seconds. *certificate* is a file with the certificate to trust, if the
    server made its own. Nothing is sent yet: the first verb finds out whether the server is there.
    """
    made = _client("Client", address, token, home, timeout, certificate)
    from almario.client.carrying import Here

    return RemoteSoul(Here(made, agent), agent)


def connect_async(
    address: str = "",
    token: str = "",
    agent: str = "default",
    *,
    home: str | Path | None = None,
    timeout: float = 300,
    certificate: str = "",
) -> AsyncRemoteSoul:
    """Return the same for asyncio."""
    made = _client("AsyncClient", address, token, home, timeout, certificate)
    from almario.client.carrying import There

    return AsyncRemoteSoul(There(made, agent), agent)


def _client(
    kind: str, address: str, token: str, home: str | Path | None, timeout: float, certificate: str
) -> Any:
    """Return what carries the requests to a server, with the token that it wants to see."""
    try:
        import httpx2
    except ImportError as exc:
        sentence = "httpx2 is not installed; run: {line}"
        raise MissingExtra(sentence, line=to_install("almario[client]")) from exc
    address, token = _found(address, token, home_of(home))
    try:
        host = httpx2.URL(address).host
    except httpx2.InvalidURL as exc:
        raise _no_address(address) from exc
    is_local = host in ("localhost", "::1") or host.startswith("127.")
    return getattr(httpx2, kind)(
        base_url=address,
        headers={"Authorization": f"Bearer {token}".encode()},
        timeout=httpx2.Timeout(timeout, connect=_CONNECT),
        limits=httpx2.Limits(keepalive_expiry=_KEPT),
        trust_env=not is_local,
        verify=_trusting(certificate) if address.startswith("https:") else False,  # nothing to load
    )


def _trusting(certificate: str) -> SSLContext | bool:
    """Return which certificates of servers are trusted: those that the system does, or one in a file."""
    if not certificate:
        return True
    import ssl

    try:
        return ssl.create_default_context(cafile=certificate)
    except OSError as exc:
        raise SoulError(
            "{path} is not a certificate that can be read: {why}", path=certificate, why=str(exc)
        ) from exc


def _found(address: str, token: str, home: str) -> tuple[str, str]:
    """Return where the server is and what opens it; a home's own token is shown to its own server alone."""
    running = served_at(home)
    where = address or running
    if not where:
        raise ServerUnavailable('no server is running for {home}; "almario serve" starts one', home=home)
    if not where.startswith(("http://", "https://")):
        raise _no_address(where)
    if not token and where.rstrip("/") == running.rstrip("/"):
        token = token_of(home)
    if not token:
        raise SoulError('{address} needs a token; "almario tokens create" makes one', address=where)
    return where, token.strip()


def _no_address(given: str) -> SoulError:
    sentence = '"{address}" is not the address of a server; it must begin with http:// or https://'
    return SoulError(sentence, address=given)

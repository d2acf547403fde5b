"""From the settings to a server, which all homes of a process share."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.config import Settings
from almario.errors import ConfigError
from almario_postgres.database import PoolLimits, Server
from almario_postgres.settings import PostgresSettings

# What proves that this process may use any agent, where it does not log in as the owner of the tables.
KEY = "ALMARIO_STORE_KEY"
_BRISK = 0.5


def server_of(home: str | Path | None, settings: Mapping[str, Any] | None = None) -> Server:
    """Return the database that keeps the agents of a home; ConfigError if they are kept in folders."""
    root = configuration.home_path(home)
    if address := configuration.store_address(root, arguments=settings):
        return server_at(address, configuration.load(root, arguments=settings).settings)
    raise ConfigError(
        "the agents are kept in folders; to keep them in a database, set its address:"
        ' store = "postgres://…" in almario.toml, or ALMARIO_STORE'
    )


def server_at(address: str, settings: Settings) -> Server:
    """Return the database at an address, with the connections that all homes of this process share."""
    chosen = settings.of_plugin("postgres", PostgresSettings)
    # Who waits for a lock less than a second, such as a hook, waits for a server no longer.
    patience = min(chosen.connect_seconds, _BRISK) if settings.locks.seconds < 1 else chosen.connect_seconds
    limits = PoolLimits(
        chosen.connections, patience, settings.locks.seconds, chosen.statement_seconds, chosen.durable
    )
    return _server(address, limits, os.environ.get(KEY, ""))


@cache
def _server(address: str, limits: PoolLimits, key: str) -> Server:
    try:
        return Server(address, limits, key=bytes.fromhex(key) if key else None)
    except ValueError:
        sentence = '{variable} is not a key; "almario store --key" shows it'
        raise ConfigError(sentence, variable=KEY) from None

"""The database that keeps a home's agents: its tables, what is in them, and its key."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.errors import ConfigError
from almario_postgres import migrating
from almario_postgres.database import Server
from almario_postgres.migrating import MigrationStep
from almario_postgres.servers import server_at
from almario_postgres.survey import Survey, key_of, survey

__all__ = ["MigrationStep", "StoreTables", "Survey"]


class StoreTables:
    """Makes the tables of a home's database, and tells of them."""

    def __init__(self, home: str | Path | None = None, *, settings: Mapping[str, Any] | None = None) -> None:
        """ConfigError if the agents are kept in folders."""
        root = configuration.home_path(home)
        address = configuration.store_address(root, arguments=settings)
        if not address:
            sentence = (
                "the agents are kept in folders; to keep them in a database, set its address:"
                ' store = "postgres://…" in almario.toml, or ALMARIO_STORE'
            )
            raise ConfigError(sentence)
        self._server: Server = server_at(address, configuration.load(root, arguments=settings).settings)
        self.place = self._server.place

    def migrate(self) -> list[MigrationStep]:
        """Do the steps that are missing, all or none, and return them; others who do so at once wait."""
        with self._server.as_owner() as connection:
            return migrating.migrate(connection)

    def survey(self) -> Survey:
        """Tell what the database is like."""
        return survey(self._server)

    def key(self) -> str:
        """Return what other logins need in ALMARIO_STORE_KEY; only the owner of the tables may see it."""
        return key_of(self._server)

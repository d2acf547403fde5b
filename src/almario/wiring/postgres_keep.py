"""Agents in PostgreSQL: from the settings to a home, and to each agent's store in it."""

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from almario import config as configuration
from almario.adapters.postgres.agent_store import PostgresStore
from almario.adapters.postgres.database import Limits, Server
from almario.adapters.postgres.directory import PostgresHome
from almario.config import Config, Settings
from almario.errors import ConfigError
from almario.ports import Agent, Clock, Store
from almario.store import toml
from almario.store.home import FolderHome

if TYPE_CHECKING:
    from almario.memory.keeping import Derived

# What proves that this process may use any agent, where it does not log in as the owner of the tables.
KEY = "ALMARIO_STORE_KEY"


class PostgresKeep:
    """Keeps agents in a database; the settings of the home are in a folder, each machine's own."""

    def __init__(
        self, address: str, root: Path, clock: Clock, arguments: Mapping[str, Any] | None = None
    ) -> None:
        self._root = root
        self._clock = clock
        settings = configuration.load(root, arguments=arguments).settings
        self.home = PostgresHome(server_at(address, settings), clock, self._renamed)

    def store(self, agent: Agent, config: Config) -> PostgresStore:
        bound, versions = self.home.server.bound(agent.number), config.settings.versions
        zone = configuration.zone(config)
        return PostgresStore(bound, self._clock, zone, place=agent.place, versions=versions)

    def derived(self, store: Store) -> "Derived":
        from almario.wiring.remembering import derived_on  # noqa: PLC0415 - only who uses the memory needs it

        return derived_on(cast("PostgresStore", store).bound)

    def edit_settings(self, edit: Callable[[str], str], agent: Agent | None = None) -> None:
        if agent is None:
            FolderHome(self._root, self._clock).edit_settings(edit)
            return
        store = self.store(agent, configuration.load(self._root))
        before = store.read(configuration.AGENT_FILE)
        after = edit(before.text)
        if after != before.text:
            with store.writing() as write:
                write.replace(before, after)

    def _renamed(self, old: str, new: str | None) -> None:
        """Let the agent that this machine means when none is named be meant by its new id."""
        found = configuration.load(self._root)
        if found.settings.agent.lower() != old.lower() or found.origins["agent"] != configuration.HOME_FILE:
            return

        def edit(text: str) -> str:
            return toml.with_setting(text, "agent", new) if new else toml.without_setting(text, "agent")

        self.edit_settings(edit)


def server_at(address: str, settings: Settings) -> Server:
    """Return the database at an address, with the connections that all homes of this process share."""
    chosen = settings.postgres
    limits = Limits(
        chosen.connections,
        chosen.connect_seconds,
        settings.locks.seconds,
        chosen.statement_seconds,
        chosen.durable,
    )
    return _server(address, limits, os.environ.get(KEY, ""))


@cache
def _server(address: str, limits: Limits, key: str) -> Server:
    try:
        return Server(address, limits, key=bytes.fromhex(key) if key else None)
    except ValueError:
        sentence = '{variable} is not a key; "almario store --key" shows it'
        raise ConfigError(sentence, variable=KEY) from None

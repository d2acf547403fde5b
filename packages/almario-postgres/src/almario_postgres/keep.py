"""Agents in PostgreSQL: from the settings to a home, and to each agent's store in it."""

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from almario import config as configuration
from almario.config import Config, Settings
from almario.errors import ConfigError
from almario.ports import Agent, Clock, Store
from almario.store import toml
from almario.store.home import FolderHome
from almario_postgres.agent_store import PostgresStore
from almario_postgres.database import Limits, Server
from almario_postgres.directory import PostgresHome
from almario_postgres.settings import PostgresSettings

if TYPE_CHECKING:
    from almario.memory.keeping import Derived
    from almario.upkeep.agent_jobs import Kept
    from almario.upkeep.doctor import Finding
    from almario.upkeep.logbook import Logbook
    from almario_postgres.queue_rounds import QueueRounds

# What proves that this process may use any agent, where it does not log in as the owner of the tables.
KEY = "ALMARIO_STORE_KEY"
_BRISK = 0.5


class PostgresKeep:
    """Keeps agents in a database; the settings of the home are in a folder, each machine's own."""

    def __init__(
        self, address: str, root: Path, clock: Clock, arguments: Mapping[str, Any] | None = None
    ) -> None:
        self._root = root
        self._clock = clock
        self._arguments = arguments
        settings = configuration.load(root, arguments=arguments).settings
        self.home = PostgresHome(server_at(address, settings), clock, self._renamed)

    def store(self, agent: Agent, config: Config) -> PostgresStore:
        bound, versions = self.home.server.bound(agent.number), config.settings.versions
        zone = configuration.zone(config)
        return PostgresStore(bound, self._clock, zone, place=agent.place, versions=versions)

    def derived(self, store: Store) -> "Derived":
        from almario_postgres.derived import derived_on  # noqa: PLC0415 - only who uses the memory needs it

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

    def examine(self, agent: str | None) -> Iterator["Finding"]:
        from almario_postgres.health import examine_database  # noqa: PLC0415 - only for the doctor

        yield from examine_database(self._root, self, agent, self._arguments)

    def rounds(self, opener: "Callable[[Agent], Kept]", logbook: "Logbook", *, workers: int) -> "QueueRounds":
        from almario_postgres.queue_rounds import QueueRounds  # noqa: PLC0415 - only for the daemon

        return QueueRounds(self.home.queue, opener, logbook, self._clock, workers=workers)

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
    chosen = settings.of_plugin("postgres", PostgresSettings)
    # Who waits for a lock less than a second, such as a hook, waits for a server no longer.
    patience = min(chosen.connect_seconds, _BRISK) if settings.locks.seconds < 1 else chosen.connect_seconds
    limits = Limits(
        chosen.connections,
        patience,
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

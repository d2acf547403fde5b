"""Agents in PostgreSQL: from the settings to a home, and to each agent's store in it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from almario import config as configuration
from almario.config import Config
from almario.ports import Clock, ListedAgent, Store
from almario.store import toml
from almario.store.home import FolderHome
from almario_postgres.agent_store import PostgresStore
from almario_postgres.directory import PostgresHome
from almario_postgres.servers import server_at

if TYPE_CHECKING:
    from almario.memory.writer import Derived
    from almario.upkeep.agent_jobs import TendedAgent
    from almario.upkeep.doctor import Complaint
    from almario.upkeep.logbook import Logbook
    from almario_postgres.queue_rounds import QueueRounds


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

    def store(self, agent: ListedAgent, config: Config) -> PostgresStore:
        bound, keeps = self.home.server.bound(agent.number), config.settings.versions.enabled
        zone = configuration.zone(config)
        return PostgresStore(bound, self._clock, zone, place=agent.place, keeps_versions=keeps)

    def derived(self, store: Store) -> "Derived":
        from almario_postgres.derived import derived_on  # noqa: PLC0415 - only who uses the memory needs it

        return derived_on(cast("PostgresStore", store).bound)

    def edit_settings(self, edit: Callable[[str], str], agent: ListedAgent | None = None) -> None:
        if agent is None:
            FolderHome(self._root, self._clock).edit_settings(edit)
            return
        store = self.store(agent, configuration.load(self._root))
        before = store.read(configuration.AGENT_FILE)
        after = edit(before.text)
        if after != before.text:
            with store.writing() as write:
                write.replace(before, after)

    def examine(self, agent: str | None) -> Iterator["Complaint"]:
        from almario_postgres.health import examine_database  # noqa: PLC0415 - only for the doctor

        yield from examine_database(self._root, self, agent, self._arguments)

    def rounds(
        self, opener: "Callable[[ListedAgent], TendedAgent]", logbook: "Logbook", *, workers: int
    ) -> "QueueRounds":
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

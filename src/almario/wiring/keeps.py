"""Where agents are kept, as the settings say: the home, and each agent's store in it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from almario import config as configuration
from almario.config import Config
from almario.config.toml_files import agent_paths
from almario.domain.installing import to_install
from almario.entry_points import OF_PACKAGES, installed
from almario.errors import ConfigError
from almario.ports import Clock, Home, Key, ListedAgent, Store
from almario.store.folder import FolderStore
from almario.store.home import FolderHome
from almario.store.papers import HomeKey

if TYPE_CHECKING:
    from almario.memory.writer import Derived
    from almario.upkeep.agent_jobs import TendedAgent
    from almario.upkeep.doctor import Complaint
    from almario.upkeep.logbook import Logbook
    from almario.upkeep.scheduler import RoundsOf


class Keep(Protocol):
    """A home, and how what it keeps is opened."""

    @property
    def home(self) -> Home: ...

    def store(self, agent: ListedAgent, config: Config) -> Store:
        """Return what keeps an agent, as its settings want it used."""

    def derived(self, store: Store) -> "Derived":
        """Return what is derived of what a store of this home keeps."""

    def edit_settings(self, edit: Callable[[str], str], agent: ListedAgent | None = None) -> None:
        """Edit almario.toml, or an agent's own settings."""


class FolderKeep:
    """Keeps agents in folders."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self.home = FolderHome(root, clock, paths=lambda: agent_paths(root))
        self._clock = clock

    def store(self, agent: ListedAgent, config: Config) -> FolderStore:
        chosen = config.settings
        return FolderStore(
            agent.path,
            self._clock,
            configuration.zone(config),
            keeps_versions=chosen.versions.enabled,
            locks=chosen.locks,
            watch=chosen.watch,
        )

    def derived(self, store: Store) -> "Derived":
        from almario.wiring.remembering import derived, derived_in  # noqa: PLC0415 - few commands need it

        if isinstance(store, FolderStore):
            return derived_in(store.root, seconds=store.locks.seconds)
        return derived(None)

    def edit_settings(self, edit: Callable[[str], str], agent: ListedAgent | None = None) -> None:
        self.home.edit_settings(edit, agent)


class DatabaseKeep(Keep, Protocol):
    """What a package brings that keeps agents elsewhere, by the scheme of an address (`almario.stores`)."""

    def examine(self, agent: str | None) -> Iterator["Complaint"]:
        """Look over the database, the settings that lead to it, and one or some of its agents."""

    def rounds(
        self, opener: "Callable[[ListedAgent], TendedAgent]", logbook: "Logbook", *, workers: int
    ) -> "RoundsOf":
        """Return what looks after agents that are too many for one process."""


def keep_at(
    root: Path, clock: Clock, arguments: Mapping[str, Any] | None = None
) -> FolderKeep | DatabaseKeep:
    """Return where the agents are kept whose settings are in a folder; *arguments* beat them."""
    address = configuration.store_address(root, arguments=arguments)
    if not address:
        return FolderKeep(root, clock)
    scheme = address.partition("://")[0]
    plugin = installed("stores").get(scheme)
    if plugin is None:
        sentence = "a store at {scheme}:// needs the package {package}: {line}"
        package = OF_PACKAGES[scheme]
        raise ConfigError(sentence, scheme=scheme, package=package, line=to_install(package))
    make = plugin.load()
    with plugin.blamed(OSError):
        found: DatabaseKeep = make(address, root, clock, arguments)
        return found


def key_of(home: Home) -> Key:
    """Return the key by which a home knows its own exports."""
    return HomeKey(home.papers)

"""The agents of a home, for whoever serves several at once: each opened when it is first asked for.

One Soul of an agent is shared by all threads. It is opened anew when another agent has taken its place or its
settings have changed.
"""

import contextlib
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from almario import config as configuration
from almario.config import Config, Settings
from almario.domain.messages import sentence_of
from almario.errors import AgentMoved, AgentNotFound, AlmarioError, SoulError, StoreUnavailable
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Clock, Embedder, Home, ListedAgent, Papers
from almario.soul import Soul
from almario.store.files import identity, locked_if_free, make_folder, overwrite, status
from almario.upkeep.logbook import Logbook
from almario.wiring import Opened, backups, check_named, choose_agent, soul_in, utc_now
from almario.wiring.keeps import DatabaseKeep, FolderKeep, keep_at
from almario.wiring.model_keys import FILE as KEYS_FILE

if TYPE_CHECKING:
    from almario.upkeep.backup import Backups

__all__ = ["ListedAgent", "Papers", "Souls", "identity", "make_folder", "overwrite", "staying"]


# Where many ask and write, what others do to the files is seen within so many seconds, and MEMORY.md shows
# what is new after so many.
_HOLD, _RENDER = 0.1, 2.0
# Beyond this many open agents, those unused for this many seconds are closed.
_MOST_OPEN, _IDLE = 200, 600.0
# Its lock says who stays for the hooks of a home.
_STAYING = ".resident.lock"
# The embedder that is a model in this process, and how it is called in the log that it is loaded.
_LOADED, WARM_UP = "local", "warm-up"


def staying(home: Path) -> AbstractContextManager[bool]:
    """Be the one process that stays for the hooks of a home, and say whether one is."""
    return locked_if_free(home / _STAYING)


class _Open(NamedTuple):
    soul: Soul
    agent: ListedAgent
    mark: object


class Souls:
    """The opened agents of a home by their ids; all are closed together."""

    def __init__(
        self,
        home: str | Path | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        clock: Clock = utc_now,
        llm: LLM | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        """*settings*, *clock*, *llm* and *embedder* are as in `almario.open`."""
        self.root = configuration.home_path(home)
        self.settings = settings
        self.clock = clock
        self.llm = llm
        self._embedder = embedder
        self._open: dict[str, _Open] = {}
        self._last_used: dict[str, float] = {}
        self._opening: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    @cached_property
    def _keep(self) -> FolderKeep | DatabaseKeep:
        return keep_at(self.root, self.clock, self.settings)

    @property
    def home(self) -> Home:
        """Where agents come and go."""
        return self._keep.home

    def config(self) -> Config:
        """Return the settings of the home as they are now."""
        return configuration.load(self.root, arguments=self.settings)

    def settings_of(self, agent: str) -> Settings:
        """Return the settings in force for an agent."""
        opened = self.opened()
        return opened.configured(opened.home.agent(agent)).settings

    def name_of(self, agent: ListedAgent) -> str:
        """Return an agent's name, or its id, without opening the agent."""
        return self.opened().name_of(agent)

    def named(self, known: Collection[str] | None = None) -> list[tuple[str, str]]:
        """Return the ids and names of the agents that there are, or of those that are *known*."""
        found = self.agents(known)
        return [(agent.id, name) for agent, name in zip(found, self.opened().names_of(found), strict=True)]

    def language(self) -> str:
        """Return the language of the home."""
        return configuration.language(self.config())

    def backups(self) -> "Backups":
        """Return what makes and restores the backups of the home."""
        return backups(self.root, settings=self.settings, clock=self.clock)

    def agents(self, known: Collection[str] | None = None, *, most: int | None = None) -> list[ListedAgent]:
        """Return the agents that there are, opened or not; of those whose ids are *known*, or of all."""
        if known is None:
            return self.home.agents(most=most)
        if self.home.queue is None:
            return [agent for agent in self.home.agents() if agent.id.lower() in known][:most]
        found = [self.home.agent(name) for name in sorted(known) if self.has(name)]
        return found[:most]

    def has(self, agent: str) -> bool:
        """Return whether there is an agent with that id, in any case."""
        try:
            return bool(self.home.agent(agent))
        except (SoulError, AgentMoved):
            return False

    def chosen(self, agent: str = "") -> str:
        """Return the id of the agent that is meant; empty is the one the settings name, or the only one."""
        return choose_agent(self.opened(), agent or None).id

    def is_open(self, agent: str) -> bool:
        """Say whether an agent is at hand as it is now, and that this is known without asking a database."""
        found = self._open.get(agent.lower())
        is_near = found is not None and not self.home.papers.is_shared
        return found is not None and is_near and found.mark == self._mark(found.agent)

    def soul(self, agent: str) -> Soul:
        """Return the agent with that id, in any case; AgentNotFound if there is none."""
        check_named(agent)
        name = agent.lower()
        found = self._open.get(name)
        if found and found.mark == self._mark(found.agent):
            self._last_used[name] = monotonic()
            return found.soul
        with self._lock:
            opening = self._opening.setdefault(name, threading.Lock())
        with opening:
            return self._opened(name)

    def _opened(self, name: str) -> Soul:
        """Open an agent, unless another thread just did; its lock is held."""
        found = self._open.get(name)
        if found and found.mark == self._mark(found.agent):
            return found.soul
        if found:
            self.let_go(name)
        agent = self.home.agent(name)
        mark = self._mark(agent)
        soul = soul_in(self.opened(), agent)
        soul.memory.sync.throttle.hold, soul.memory.sync.throttle.render = _HOLD, _RENDER
        self._open[name], self._last_used[name] = _Open(soul, agent, mark), monotonic()
        self._rest(but=name)
        return soul

    def _rest(self, *, but: str) -> None:
        """Close those that nobody has asked for lately, if many are open."""
        if len(self._open) <= _MOST_OPEN:
            return
        lately = monotonic() - _IDLE
        for name in [name for name in list(self._open) if self._last_used.get(name, 0.0) < lately]:
            if name != but:
                self.let_go(name)

    def warm_up(self, agents: Iterable[str], is_over: Callable[[], bool]) -> None:
        """Ask these agents once, so that nobody waits until the model of meaning is loaded; the log tells it.

        What is asked elsewhere is left alone: it is ready, and may cost something.
        """
        logbook = Logbook(self.root / "logs", self.clock)
        for agent in agents:
            if is_over():
                return
            begun = monotonic()
            try:
                if self._embedder is None and self.settings_of(agent).embedder.name != _LOADED:
                    continue
                self.soul(agent).recall(agent)
                logbook.add("done", agent=agent, job=WARM_UP, seconds=monotonic() - begun)
            except AlmarioError as exc:
                logbook.add("failed", agent=agent, job=WARM_UP, why=sentence_of(exc))

    def let_go(self, agent: str) -> None:
        """Close an agent; it is opened anew when it is asked for again."""
        self._last_used.pop(agent.lower(), None)
        if found := self._open.pop(agent.lower(), None):
            # One that is gone has nothing to close; what cannot be done now, the next opening does.
            with contextlib.suppress(AgentNotFound, StoreUnavailable):
                found.soul.close()

    def close(self) -> None:
        """Close every agent that was opened."""
        for name in list(self._open):
            self.let_go(name)

    def opened(self) -> Opened:
        """Return the home with its settings as they are now."""
        given = (self.settings, self.clock, self.llm, self._embedder)
        return Opened(self.root, self._keep, self.config(), *given)

    def _mark(self, agent: ListedAgent) -> object:
        """Return what changes when an agent is another one, or its settings or the home's are."""
        files = (configuration.HOME_FILE, KEYS_FILE)
        return self.home.mark(agent), *(status(self.root / name) for name in files)

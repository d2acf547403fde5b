"""The agents of a home, for whoever serves several at once: each opened when it is first asked for.

One Soul of an agent is shared by all threads. It is opened anew when its folder was replaced or its
settings have changed.
"""

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from almario import config as configuration
from almario.config import Config
from almario.domain.messages import sentence_of
from almario.errors import AgentNotFound, AlmarioError
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Clock, Embedder
from almario.soul import Soul
from almario.store.files import overwrite
from almario.store.home import Agent, Home
from almario.upkeep.logbook import Logbook
from almario.wiring import Opened, check_named, choose_agent, home_at, name_of, open_soul, utc_now

__all__ = ["Agent", "Souls", "name_of", "overwrite"]


# Where many ask and write, what others do to the files is seen within so many seconds, and MEMORY.md shows
# what is new after so many.
_LOOK, _RENDER = 0.1, 2.0
# The embedders that are models in this process, and how it is called in the log that one is loaded.
_LOADED, WARM_UP = ("local", "fastembed"), "warm-up"


class _Open(NamedTuple):
    soul: Soul
    path: Path
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
        self._opening: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def home(self) -> Home:
        """The home's folder, in which agents come and go."""
        return home_at(self.root, self.clock)

    def config(self) -> Config:
        """Return the settings of the home as they are now."""
        return configuration.load(self.root, arguments=self.settings)

    def language(self) -> str:
        """Return the language of the home."""
        return configuration.language(self.config())

    def agents(self) -> list[Agent]:
        """Return the agents that there are, opened or not."""
        return self.home.agents()

    def chosen(self, agent: str = "") -> str:
        """Return the id of the agent that is meant; empty is the one the settings name, or the only one."""
        return choose_agent(Opened(self.home, self.config(), self.settings, self.clock), agent or None).id

    def is_open(self, agent: str) -> bool:
        """Say whether an agent is at hand as it is now."""
        found = self._open.get(agent.lower())
        return found is not None and found.mark == self._mark(found.path)

    def soul(self, agent: str) -> Soul:
        """Return the agent with that id, in any case; AgentNotFound if there is none."""
        check_named(agent)
        name = agent.lower()
        found = self._open.get(name)
        if found and found.mark == self._mark(found.path):
            return found.soul
        with self._lock:
            opening = self._opening.setdefault(name, threading.Lock())
        with opening:
            return self._opened(name)

    def _opened(self, name: str) -> Soul:
        """Open an agent, unless another thread just did; its lock is held."""
        found = self._open.get(name)
        if found and found.mark == self._mark(found.path):
            return found.soul
        if found:
            self.let_go(name)
        agent = self.home.agent(name)
        mark = self._mark(agent.path)
        given = {"settings": self.settings, "clock": self.clock, "llm": self.llm, "embedder": self._embedder}
        soul = open_soul(self.root, agent.id, **given)  # type: ignore[arg-type]
        soul.memory.sync.pace.look, soul.memory.sync.pace.render = _LOOK, _RENDER
        self._open[name] = _Open(soul, agent.path, mark)
        return soul

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
                folder = self.home.agent(agent).path
                chosen = configuration.load(self.root, folder, arguments=self.settings).settings.embedder
                if self._embedder is None and chosen.name not in _LOADED:
                    continue
                self.soul(agent).recall(agent)
                logbook.add("done", agent=agent, job=WARM_UP, seconds=monotonic() - begun)
            except AlmarioError as exc:
                logbook.add("failed", agent=agent, job=WARM_UP, why=sentence_of(exc))

    def let_go(self, agent: str) -> None:
        """Close an agent; it is opened anew when it is asked for again."""
        if found := self._open.pop(agent.lower(), None):
            try:
                found.soul.close()
            except AgentNotFound:  # its folder is gone, and with it what there was to close
                return

    def close(self) -> None:
        """Close every agent that was opened."""
        for name in list(self._open):
            self.let_go(name)

    def _mark(self, folder: Path) -> object:
        """Return what changes when an agent's folder is another one, or its settings are."""
        files = (folder / configuration.AGENT_FILE, self.root / configuration.HOME_FILE)
        return _status(folder, of_content=False), *(_status(path) for path in files)


def _status(path: Path, *, of_content: bool = True) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    own = (found.st_dev, found.st_ino)
    return (*own, found.st_mtime_ns, found.st_size) if of_content else own

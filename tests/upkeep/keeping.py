"""What tests of the rounds work with: jobs that do as they are told, and a daemon to start anew."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, tzinfo
from pathlib import Path
from typing import Any

from almario.errors import ConfigError
from almario.testing import FixedClock
from almario.upkeep.agent_jobs import DONE, Ended, Job, TendedAgent
from almario.upkeep.daemon_state import DaemonState, read
from almario.upkeep.logbook import Logbook, LogbookEntry
from almario.upkeep.scheduler import Rounds

Doing = Callable[[date], Ended]


class Chore:
    """A job that notes the days it was done for, and ends as it is told to, one end after the other."""

    def __init__(self, *ends: Ended | Exception) -> None:
        self.days: list[date] = []
        self.ends = list(ends) or [DONE]

    def __call__(self, day: date) -> Ended:
        self.days.append(day)
        end = self.ends.pop(0) if len(self.ends) > 1 else self.ends[0]
        if isinstance(end, Exception):
            raise end
        return end


class House:
    """A home whose agents are what a test says they are."""

    def __init__(self, folder: Path, clock: FixedClock) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.clock = clock
        self.agents: dict[str, Callable[[], TendedAgent]] = {}
        self.told: list[LogbookEntry] = []
        self.is_unreadable = False
        self.rounds = self._new()

    def _new(self) -> Rounds:
        self.standing = DaemonState(self.folder, self.clock)
        self.standing.begin(1)
        logbook = Logbook(self.folder / "logs", self.clock, show=self.told.append)
        seconds = lambda: self.clock().timestamp()  # noqa: E731 - what a clock is
        return Rounds(self._listed, self.standing, logbook, self.clock, monotonic=seconds)

    def _listed(self) -> Mapping[str, Callable[[], TendedAgent]]:
        if self.is_unreadable:
            raise ConfigError("almario.toml is not valid TOML")
        return self.agents

    def restart(self) -> None:
        """Go on as another process would."""
        self.rounds = self._new()

    def tick(self, **after: float) -> None:
        """Let some time pass, and make a round."""
        self.clock.advance(**after)
        self.rounds.make()

    def job(self, agent: str, name: str) -> dict[str, Any]:
        """Return what daemon.json says of a job."""
        found: dict[str, Any] = self.status()["agents"][agent]["jobs"].get(name, {})
        return found

    def status(self) -> dict[str, Any]:
        return read(self.folder)


def kept(*jobs: Job, zone: tzinfo = UTC, **others: Any) -> TendedAgent:
    """Return an agent with these jobs, whose nights begin at half past three."""
    return TendedAgent(jobs, "30 3 * * *", zone, **others)

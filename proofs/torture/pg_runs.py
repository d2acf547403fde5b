"""Agents in PostgreSQL under several writers: clients killed, servers stopped, a standby promoted."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path

from almario_postgres import migrating
from proofs.torture.clusters import Cluster
from proofs.torture.forked import Forked, heard_of
from proofs.torture.pg_writing import AGENTS, plant, problems_after, server_at, write_forever
from tests.postgres import new_agent

WRITERS = 4


class Writers:
    """Processes that write to the agents of a database, and what they told of each write."""

    def __init__(self, url: str, agents: list[int], fault: str) -> None:
        self.became: dict[str, str] = {}
        self._work = partial(write_forever, url, agents, fault)
        self._running = [Forked(self._work) for _ in range(WRITERS)]

    def kill_one(self, dice: random.Random) -> None:
        """Kill one, and start another in its place."""
        victim = dice.randrange(WRITERS)
        self._note(self._running[victim].kill())
        self._running[victim] = Forked(self._work)

    def kill_all(self) -> None:
        for each in self._running:
            self._note(each.kill())
        self._running = []

    def wait_for(self, kept: int, *, seconds: float = 60) -> None:
        """Return when so many more writes have been acknowledged."""
        self._note(heard_of(self._running, lambda heard: _kept(heard) >= kept, seconds))

    def wait_for_refusals(self, count: int, *, seconds: float) -> None:
        """Return when so many writes have been refused, or nobody knows of them."""
        self._note(heard_of(self._running, lambda heard: len(heard) - _kept(heard) >= count, seconds))

    def heard(self) -> Mapping[str, str]:
        """Return what became of each write so far."""
        self._note([line for each in self._running for line in each.heard()])
        return self.became

    def _note(self, lines: Sequence[str]) -> None:
        for line in lines:
            state, _, token = line.partition(" ")
            self.became[token] = state


def _kept(lines: Sequence[str]) -> int:
    return sum(line.startswith("kept ") for line in lines)


@contextmanager
def house(
    *others: Cluster, on: Callable[[Path], AbstractContextManager[object]] | None = None
) -> Iterator[tuple[Cluster, list[int]]]:
    """Give a server with some agents in it, *on* a disk of its own; the *others* end with it."""
    with ExitStack() as undo:
        cluster = Cluster()
        for each in (cluster, *others):
            undo.callback(each.remove)
        if on:
            undo.enter_context(on(cluster.data.parent))
            undo.callback(cluster.stop)
        cluster.make()
        cluster.start()
        server = server_at(cluster.url)
        with server.as_owner() as connection:
            migrating.migrate(connection)
        agents = [new_agent(server) for _ in range(AGENTS)]
        server.close()
        yield cluster, agents


def tortured(
    url: str, agents: list[int], rounds: int, fault: str, strike: Callable[[Writers, random.Random], object]
) -> list[str]:
    """Write, strike so many times at a random moment, and return what was promised and is not so."""
    plant(fault)
    dice = random.Random()
    writers = Writers(url, agents, fault)
    try:
        for _ in range(rounds):
            writers.wait_for(dice.randint(1, 12))
            time.sleep(dice.random() * 0.02)
            strike(writers, dice)
        writers.wait_for(10)
    finally:
        writers.kill_all()
    states = [*writers.became.values()]
    told = ", ".join(f"{states.count(state)} {state}" for state in ("kept", "refused", "open"))
    print(f"{rounds} rounds: {told}", flush=True)
    return problems_after(url, agents, writers.became)


def kills(rounds: int, fault: str) -> list[str]:
    """Kill clients at any moment."""
    with house() as (cluster, agents):
        return tortured(cluster.url, agents, rounds, fault, Writers.kill_one)


def stops(rounds: int, fault: str) -> list[str]:
    """Stop the server at any moment as a power cut would, and start it again."""
    with house() as (cluster, agents):

        def strike(writers: Writers, dice: random.Random) -> None:
            cluster.stop()
            cluster.start()

        return tortured(cluster.url, agents, rounds, fault, strike)


def standby(rounds: int, fault: str) -> list[str]:
    """Lose the server at any moment and promote its standby, which gets a standby of its own."""
    other = Cluster()
    with house(other) as (first, agents):
        both = [first, other]
        first.say("ALTER SYSTEM SET synchronous_standby_names = '*'" if fault == "none" else "SELECT 1")
        other.copy(first)
        first.say("SELECT pg_reload_conf()")
        hosts = ",".join(str(each.folder) for each in both)
        url = f"host={hosts} user=postgres dbname=postgres target_session_attrs=read-write"

        def strike(writers: Writers, dice: random.Random) -> None:
            lost, heir = both
            lost.stop()
            heir.promote()
            lost.erase()
            lost.copy(heir)
            both.reverse()

        return tortured(url, agents, rounds, fault, strike)

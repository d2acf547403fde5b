"""Agents in PostgreSQL while their server is in straits, under several writers.

Its disk is full, all its connections are taken, it is backed up and restored, or its tables are being brought
up to date. What was acknowledged stays, what is refused says why in one sentence, and everybody goes on.
"""

import contextlib
import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from almario_postgres import migrating
from almario_postgres.database import Server
from proofs.torture.pg_runs import Writers, house, tortured
from proofs.torture.pg_writing import problems_after
from tests import pg_servers

# So large is the disk that fills up, and so long each of these takes at most.
_DISK, _PATIENCE = "192m", 60


def crowds(rounds: int, fault: str) -> list[str]:
    """Take all connections of the server, for a while, from those who have some."""
    import psycopg

    with house() as (cluster, agents):

        def strike(writers: Writers, dice: random.Random) -> None:
            with contextlib.ExitStack() as taken:
                first = taken.enter_context(psycopg.connect(cluster.url, autocommit=True))
                others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'"
                first.execute(f"{others} AND pid <> pg_backend_pid()".encode())
                with contextlib.suppress(psycopg.OperationalError):
                    while True:
                        taken.enter_context(psycopg.connect(cluster.url, autocommit=True))
                time.sleep(dice.random())

        return tortured(cluster.url, agents, rounds, fault, strike)


def full(rounds: int, fault: str) -> list[str]:
    """Fill the disk of the server for a while."""
    with contextlib.ExitStack() as undo:
        cluster, agents = undo.enter_context(house(on=_small_disk))
        ballast = cluster.data.parent / "ballast"

        def strike(writers: Writers, dice: random.Random) -> None:
            with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
                while file.write(b"x" * (1 << 20)):
                    pass
            with contextlib.suppress(TimeoutError):
                writers.wait_for_refusals(3, seconds=_PATIENCE)
            ballast.unlink()
            cluster.come_back()

        return tortured(cluster.url, agents, rounds, fault, strike)


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", str(folder)], check=True)
    if user := pg_servers.other_user():
        shutil.chown(folder, user)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def why_not_full() -> str:
    """Say why no disk can be filled here, or nothing."""
    return "" if os.geteuid() == 0 else "a small disk is mounted by root alone"


def restored(rounds: int, fault: str) -> list[str]:
    """Back the database up and restore it beside itself, while all write."""
    problems: list[str] = []
    with house() as (cluster, agents):

        def strike(writers: Writers, dice: random.Random) -> None:
            before = dict(writers.heard())
            cluster.say("DROP DATABASE IF EXISTS restored")
            cluster.say("CREATE DATABASE restored")
            cluster.dump_into("restored")
            other = cluster.url.replace("dbname=postgres", "dbname=restored")
            kept = {token: state for token, state in before.items() if state == "kept"}
            problems.extend(f"restored: {each}" for each in problems_after(other, agents, kept))

        return tortured(cluster.url, agents, rounds, fault, strike) + problems


def upgraded(rounds: int, fault: str) -> list[str]:
    """Bring the tables up to date under writers of the version before, and go on with the next one."""
    with house() as (cluster, agents):
        known = migrating.steps()

        def strike(writers: Writers, dice: random.Random) -> None:
            number = known[-1].number + 1
            sql = f"ALTER TABLE memories ADD COLUMN torture_{number} text NOT NULL DEFAULT '';"
            sql += f"CREATE INDEX torture_{number} ON turns(agent, n) WHERE n < 0;"
            known.append(migrating.MigrationStep(number, "torture", sql))
            with Server(cluster.url).as_owner() as connection:
                migrating.migrate(connection)
            # Those who run go on until they connect anew; whoever starts now knows the step.
            writers.wait_for(5)
            writers.kill_one(dice)

        before = migrating.steps
        migrating.steps = lambda: list(known)
        try:
            return tortured(cluster.url, agents, rounds, fault, strike)
        finally:
            migrating.steps = before

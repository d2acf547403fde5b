"""Behind a pooler that lends connections by transaction, all is as without one."""

import threading
from collections.abc import Iterator
from datetime import UTC

import pytest

from almario.domain.turns import Utterance
from almario.testing import FixedClock
from almario_postgres.agent_store import PostgresStore
from almario_postgres.database import Server
from tests import pg_pooler, postgres

pytestmark = pytest.mark.skipif(not pg_pooler.program(), reason="there is no pgbouncer on this machine")


@pytest.fixture
def far() -> Iterator[Server]:
    """A database behind a pooler with one connection, which all share."""
    with pg_pooler.pooled(postgres.migrated().url) as url:
        server = Server(url)
        yield server
        server.close()


def store(server: Server, number: int) -> PostgresStore:
    return PostgresStore(server.bound(number), FixedClock(), UTC)


def test_two_agents_on_one_connection_of_the_server_see_nothing_of_each_other(far: Server) -> None:
    numbers = [postgres.new_agent(postgres.migrated()) for _ in range(2)]
    seen: dict[int, set[str]] = {number: set() for number in numbers}
    pids: set[int] = set()

    def live(number: int) -> None:
        own = store(far, number)
        for n in range(15):
            own.append_turns("cli:main", [Utterance("user", f"{number} said {n}", "owner")])
            seen[number] |= {turn.text for turn in own.transcripts.read("cli:main")}
            with far.bound(number).reading() as connection:
                pids.update(pid for (pid,) in connection.execute("SELECT pg_backend_pid()"))
                assert connection.execute("SELECT DISTINCT agent FROM turns").fetchall() == [(number,)]

    threads = [threading.Thread(target=live, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == {number: {f"{number} said {n}" for n in range(15)} for number in numbers}
    assert len(pids) == 1


def test_nothing_of_an_agent_stays_on_the_connection_that_the_next_is_lent(far: Server) -> None:
    with far.bound(postgres.new_agent(postgres.migrated())).writing() as connection:
        connection.execute("SELECT 1")
    with far.as_owner() as connection:
        left = "SELECT current_setting('almario.proof', true), current_user = session_user"
        assert connection.execute(left).fetchall() == [("", True)]

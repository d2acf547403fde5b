"""What is told when PostgreSQL fails, and that a change is never said to be kept, or lost, when it is not."""

import contextlib
import threading
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from almario.domain.events import JobTried
from almario.domain.messages import Sentence
from almario.errors import AgentNotFound, StoreBusy, StoreError, StoreUnavailable
from almario.testing import FixedClock
from almario_postgres.agent_store import PostgresStore
from almario_postgres.database import PoolLimits, Server
from tests import postgres
from tests.cut_wire import Cut, Wire, wire_to
from tests.tables import each_row

HASTE = PoolLimits(connections=2, connect_seconds=0.3, lock_seconds=0.05, statement_seconds=0.2)


@pytest.fixture
def server() -> Server:
    return postgres.migrated()


@pytest.fixture
def hasty(server: Server) -> Iterator[Server]:
    found = Server(server.url, HASTE)
    yield found
    found.close()


@pytest.fixture
def number(server: Server) -> int:
    return postgres.new_agent(server)


def store_at(server: Server, number: int) -> PostgresStore:
    return PostgresStore(server.bound(number), FixedClock(), UTC)


def tried(why: str = "x") -> JobTried:
    return JobTried("flush", Sentence.own(why))


def whys(store: PostgresStore) -> list[str]:
    return [str(event.body.why) for event in store.journal.read() if isinstance(event.body, JobTried)]


def end_others(server: Server, *, state: str) -> None:
    """End the connections of others to this database, as an administrator would."""
    query = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = %s"
    )
    with server.as_owner() as connection:
        connection.execute(query, (state,))


# What cannot be had.


def test_a_server_that_is_not_there_is_said_to_be_away_without_its_password() -> None:
    nowhere = Server("postgresql://ana:hush@localhost:1/x", HASTE, key=b"key")

    with pytest.raises(StoreUnavailable, match=r"ana@localhost:1/x cannot be reached") as error:
        store_at(nowhere, 1).read("SOUL.md")
    assert "hush" not in str(error.value)


def test_no_more_connections_are_made_than_may_be(hasty: Server, number: int) -> None:
    with (
        hasty.bound(number).reading(),
        hasty.bound(number).reading(),
        pytest.raises(StoreBusy, match="all 2"),
    ):
        store_at(hasty, number).read("SOUL.md")


def test_who_waits_too_long_for_a_write_is_told(server: Server, hasty: Server, number: int) -> None:
    with server.bound(number).writing(), pytest.raises(StoreBusy, match=r"another process for 0\.05"):
        store_at(hasty, number).record(tried(), actor="agent")


def test_what_takes_too_long_is_ended(hasty: Server, number: int) -> None:
    took_long = pytest.raises(StoreBusy, match=r"took longer than 0\.2")
    with took_long, hasty.bound(number).reading() as connection:
        connection.execute("SELECT pg_sleep(10)")


def test_a_number_that_is_no_agents_is_refused(server: Server) -> None:
    with pytest.raises(AgentNotFound, match="no agent 999999 any more"):
        store_at(server, 999_999).record(tried(), actor="agent")


# What is lost on the way.


def test_connections_that_were_lost_while_nobody_used_them_are_not_noticed(
    server: Server, number: int
) -> None:
    store = store_at(server, number)
    store.record(tried("one"), actor="agent")

    end_others(server, state="idle")
    store.record(tried("two"), actor="agent")
    end_others(server, state="idle")

    assert whys(store) == ["one", "two"]


def test_a_write_whose_connection_is_ended_in_the_middle_leaves_nothing(server: Server, number: int) -> None:
    store = store_at(server, number)

    def interrupted() -> None:
        with store.writing() as write:
            write.append(tried("lost"), actor="agent")
            end_others(server, state="idle in transaction")
            write.append(tried("lost, too"), actor="agent")

    with pytest.raises(StoreUnavailable):
        interrupted()
    store.record(tried("next"), actor="agent")
    assert whys(store) == ["next"]
    assert store.journal.check() == []


def test_a_statement_that_failed_fails_the_write_also_if_nobody_minds(server: Server, number: int) -> None:
    import psycopg

    store, bound = store_at(server, number), server.bound(number)
    store.record(tried("one"), actor="agent")

    def careless() -> None:
        with bound.writing() as connection:
            connection.execute("DELETE FROM journal WHERE agent = %s", (number,))
            with contextlib.suppress(psycopg.Error):
                connection.execute("SELECT 1 / 0")

    with pytest.raises(StoreError, match="had failed"):
        careless()
    assert whys(store) == ["one"]


def test_what_fails_inside_a_write_is_taken_back_alone(server: Server, number: int) -> None:
    store = store_at(server, number)

    def half_done() -> None:
        with store.writing() as inner:
            inner.append(tried("taken back"), actor="agent")
            inner.replace(store.read("MEMORY.md"), "taken back")
            raise KeyError

    with store.writing() as write:
        write.append(tried("kept"), actor="agent")
        with pytest.raises(KeyError):
            half_done()
        assert whys(store) == ["kept"]
        assert store.read("MEMORY.md").content is None
        write.append(tried("kept, too"), actor="agent")

    assert whys(store) == ["kept", "kept, too"]


# The end of a change, when nobody hears whether it was kept.


@pytest.fixture
def wired(server: Server) -> Iterator[tuple[Wire, Server]]:
    # A socket's name may not be long.
    with TemporaryDirectory() as folder, wire_to(server.url, Path(folder)) as (wire, url):
        far = Server(url, HASTE._replace(connect_seconds=60))
        yield wire, far
        far.close()


def end_of_a_change(wired: tuple[Wire, Server], number: int, cut: Cut, *, others: int = 0) -> PostgresStore:
    """Make a change whose end is cut, with others after it before anybody can look; return the store."""
    wire, far = wired
    store = store_at(far, number)
    with store.writing() as write:
        write.append(tried("mine"), actor="agent")
        wire.cut = cut
        if others:
            threading.Thread(target=write_others, args=(number, others, wire)).start()
            wire.is_down = True
    return store


def write_others(number: int, count: int, wire: Wire) -> None:
    """Write as others would, once the lock is free; then let everybody come back."""
    other = postgres.migrated().bound(number)
    for _ in range(count):
        with other.writing():
            pass
    wire.is_down = False


@each_row("others", [0, 31])
def test_a_change_is_kept_though_its_answer_was_lost(
    wired: tuple[Wire, Server], server: Server, others: int
) -> None:
    store = end_of_a_change(wired, postgres.new_agent(server), "answer lost", others=others)

    assert whys(store) == ["mine"]


@each_row("others", [0, 3])
def test_a_change_that_never_came_to_its_end_is_lost_and_said_to_be(
    wired: tuple[Wire, Server], server: Server, others: int
) -> None:
    number = postgres.new_agent(server)
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        end_of_a_change(wired, number, "never sent", others=others)

    assert whys(store_at(server, number)) == []


def test_who_cannot_know_any_more_says_so(wired: tuple[Wire, Server], number: int) -> None:
    with pytest.raises(StoreUnavailable, match="not known whether that was kept: too many others"):
        end_of_a_change(wired, number, "answer lost", others=32)


def test_nothing_is_said_to_be_lost_while_its_end_may_still_arrive(
    wired: tuple[Wire, Server], number: int
) -> None:
    with pytest.raises(StoreUnavailable, match=r"not known .* held by another process"):
        end_of_a_change(wired, number, "on its way")


def test_nothing_is_said_of_it_while_the_server_is_away(wired: tuple[Wire, Server], number: int) -> None:
    wire, far = wired
    far.limits = HASTE
    store = store_at(far, number)

    def cut_off() -> None:
        with store.writing() as write:
            write.append(tried("mine"), actor="agent")
            wire.cut, wire.is_down = "answer lost", True

    with pytest.raises(StoreUnavailable, match="not known whether that was kept"):
        cut_off()

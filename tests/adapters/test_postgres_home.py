"""Agents in a database come, go to the trash and come back; the home's papers are every machine's."""

import threading
from collections.abc import Iterator

import pytest

from almario.adapters.postgres import migrating
from almario.adapters.postgres.database import Server
from almario.adapters.postgres.directory import PostgresHome
from almario.errors import AgentNotFound, SoulError
from almario.ports import Agent
from almario.store.papers import HomeKey
from almario.testing import FixedClock
from tests.postgres import database_url


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A database of its own: here it matters which agents there are."""
    found = Server(database_url())
    with found.as_owner() as connection:
        migrating.migrate(connection)
    yield found
    found.close()


@pytest.fixture
def home(server: Server) -> PostgresHome:
    found = PostgresHome(server, FixedClock())
    for agent in found.agents():
        found.remove(agent.id)
    with server.as_owner() as connection:
        for table in ("agents", "nights", "standings WHERE agent <> 0"):
            connection.execute(f"DELETE FROM almario.{table}".encode())
    return found


def furnish(agent: Agent) -> None:
    assert agent.number


def write(server: Server, agent: Agent, name: str, text: str) -> None:
    insert = "INSERT INTO documents(agent, name, folder, content, changed) VALUES (%s, %s, '', %s, 7)"
    with server.bound(agent.number).writing() as connection:
        connection.execute(insert, (agent.number, name, text.encode()))


def ids(home: PostgresHome) -> list[str]:
    return [agent.id for agent in home.agents()]


def test_agents_come_and_go_and_come_back(home: PostgresHome) -> None:
    work = home.create("Work", furnish)
    home.create("ana", furnish)
    assert (ids(home), home.agent("WORK")) == (["ana", "Work"], work)
    with pytest.raises(SoulError, match='there is already an agent "Work"'):
        home.create("wORK", furnish)

    assert home.rename("work", "office").number == work.number
    assert ids(home) == ["ana", "office"]
    with pytest.raises(SoulError, match="already an agent"):
        home.rename("ana", "Office")

    home.remove("office")
    assert (ids(home), [item.id for item in home.trash()]) == (["ana"], ["office"])
    other = home.create("office", furnish)
    home.remove("office")  # in the same second
    assert [item.at for item in home.trash()] == ["20261114T133000Z-2", "20261114T133000Z"]
    assert home.bring_back("office").number == other.number
    with pytest.raises(SoulError, match="already an agent"):
        home.bring_back("office")
    assert home.bring_back("office.20261114T133000Z", new="old").number == work.number
    assert (ids(home), home.trash()) == (["ana", "office", "old"], [])


def test_who_asks_for_an_agent_that_is_not_there_is_told_who_is(home: PostgresHome) -> None:
    with pytest.raises(AgentNotFound, match='"almario init" creates one'):
        home.agent("x")
    home.create("ana", furnish)
    with pytest.raises(AgentNotFound, match='did you mean "ana"'):
        home.agent("anna")
    with pytest.raises(AgentNotFound, match="there are ana"):
        home.agent("zzz")
    with pytest.raises(AgentNotFound, match="the trash has no"):
        home.bring_back("ana")
    for bad in ("", "a/b", "x" * 65):
        with pytest.raises(SoulError, match="cannot be an agent's id"):
            home.create(bad, furnish)
    with pytest.raises(SoulError, match="for agents in folders"):
        home.create("b", furnish, path="~/b")


def test_an_agent_that_could_not_be_furnished_leaves_nothing(home: PostgresHome, server: Server) -> None:
    def die(agent: Agent) -> None:
        write(server, agent, "SOUL.md", "a soul")
        assert (ids(home), home.trash()) == ([], [])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        home.create("work", die)

    with server.as_owner() as connection:
        for table in ("agents", "documents", "standings", "nights"):
            where = "WHERE agent <> 0" if table == "standings" else ""
            assert connection.execute(f"SELECT 1 FROM almario.{table} {where}".encode()).fetchall() == []
    home.create("work", furnish)


def test_of_two_who_make_the_same_agent_one_does(home: PostgresHome) -> None:
    both, refused = threading.Barrier(2), []

    def together(agent: Agent) -> None:
        both.wait(30)

    def make() -> None:
        try:
            PostgresHome(home.server, FixedClock()).create("ana", together)
        except SoulError as exc:
            refused.append(str(exc))

    threads = [threading.Thread(target=make) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert (ids(home), len(refused)) == (["ana"], 1)


def test_the_mark_of_an_agent_changes_with_its_id_and_its_own_settings(
    home: PostgresHome, server: Server
) -> None:
    agent = home.create("ana", furnish)
    before = home.mark(agent)
    assert home.own_settings(agent) == ("ana/agent.toml", None)
    write(server, agent, "agent.toml", "x = 1")

    assert (home.mark(agent).who, home.mark(agent).settings) == (before.who, 7)
    assert home.own_settings(agent).content == b"x = 1"
    home.rename("ana", "eva")
    assert home.mark(agent).who != before.who
    home.remove("eva")
    assert home.mark(agent).who is None


def test_papers_are_the_same_for_all_and_change_one_at_a_time(home: PostgresHome) -> None:
    papers, others = home.papers, PostgresHome(home.server, FixedClock()).papers
    assert (papers.read("x"), papers.mark("x")) == (None, None)

    def count() -> None:
        with others.changing():
            others.write("x", str(int(others.read("x") or b"0") + 1).encode())

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert papers.read("x") == b"4"
    marks = []
    with papers.changing():
        for _ in range(2):
            papers.write("x", b"again")
            marks.append(papers.mark("x"))
    assert len({*marks}) == 2
    assert HomeKey(papers).made() == HomeKey(others).made() != b""

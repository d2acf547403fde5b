"""What holds of a home in a database besides what holds of every home."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import almario
from almario.errors import SoulError
from almario.ports import ListedAgent
from almario.testing import FixedClock
from almario_postgres.database import Bound, Server
from almario_postgres.directory import PostgresHome
from tests.postgres import home_url


@pytest.fixture(scope="module")
def home() -> Iterator[PostgresHome]:
    found = PostgresHome(Server(home_url()), FixedClock())
    yield found
    found.server.close()


def test_of_two_who_make_the_same_agent_one_does(home: PostgresHome) -> None:
    both, refused = threading.Barrier(2), []

    def together(agent: ListedAgent) -> None:
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

    made = [agent for agent in home.agents() if agent.id == "ana"]
    assert (len(made), len(refused)) == (1, 1)


def test_of_an_agent_that_could_not_be_furnished_no_row_is_left(home: PostgresHome) -> None:
    made = []

    def die(agent: ListedAgent) -> None:
        made.append(agent.number)
        insert = "INSERT INTO documents(agent, name, folder, content, changed) VALUES (%s, 'a', '', '', 1)"
        with home.server.bound(agent.number).writing() as connection:
            connection.execute(insert, (agent.number,))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        home.create("work", die)

    with home.server.as_owner() as connection:
        for table, column in (("agents", "number"), ("documents", "agent"), ("standings", "agent")):
            query = f"SELECT 1 FROM almario.{table} WHERE {column} = %s".encode()
            assert connection.execute(query, made).fetchall() == []


def test_an_agents_number_outlives_its_ids_and_the_trash(home: PostgresHome) -> None:
    number = home.create("first", lambda _: None).number

    assert home.rename("first", "second").number == number
    home.remove("second")
    assert home.create("second", lambda _: None).number != number
    assert home.bring_back("second.20261114T133000Z", new="third").number == number
    with pytest.raises(SoulError, match="for agents in folders"):
        home.create("far", lambda _: None, path="~/far")


def test_a_prompt_is_read_in_a_few_moments_and_by_one_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"store": home_url(), "embedder.name": "none", "postgres.connections": 1}
    with almario.create(tmp_path / "home", "pru", settings=settings) as soul:
        soul.remember("pet: a cat called Misu")
        soul.prompt("what is the cat called?", session="s:1")
        begun: list[Bound] = []
        real = Bound._reading

        def reading(bound: Bound) -> contextlib.AbstractContextManager[Any]:
            begun.append(bound)
            return real(bound)

        monkeypatch.setattr(Bound, "_reading", reading)

        prompt = soul.prompt("and what does the cat eat?", session="s:1")

        assert "Misu" in prompt.text
        assert len(begun) <= 8


def test_many_notes_come_in_by_as_few_statements_as_a_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"store": home_url(), "embedder.name": "none"}
    said: list[object] = []
    execute = psycopg.Cursor.execute

    def counted(cursor: Any, query: Any, *given: Any, **how: Any) -> Any:
        said.append(query)
        return execute(cursor, query, *given, **how)

    monkeypatch.setattr(psycopg.Cursor, "execute", counted)
    with almario.create(tmp_path / "home", "pia", settings=settings) as soul:

        def taken(count: int) -> int:
            (folder := tmp_path / str(count)).mkdir()
            for number in range(count):
                (folder / f"{number}.md").write_text(f"Note {number} of {count} is about the boat.\n")
            said.clear()
            assert soul.importer.take_in(folder).memories == count
            return len(said)

        taken(2)
        assert taken(40) <= taken(10) + 3

"""`almario store`, as it is typed."""

import json

import pytest
from psycopg.conninfo import make_conninfo

import almario
from almario.domain.places import HOME
from almario_postgres import migrating
from almario_postgres.database import Server
from tests import postgres
from tests.apps.conftest import Run
from tests.tables import each_row


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Server:
    """A new database that the settings name; it has no tables yet."""
    server = Server(postgres.database_url())
    monkeypatch.setenv("ALMARIO_STORE", postgres.as_in_settings(server.url))
    return server


@pytest.fixture
def migrated(monkeypatch: pytest.MonkeyPatch) -> Server:
    """One that has them."""
    server = Server(postgres.migrated_url())
    monkeypatch.setenv("ALMARIO_STORE", postgres.as_in_settings(server.url))
    return server


def refused(run: Run, *arguments: str) -> str:
    result = run(*arguments)
    assert result.code == 2, result
    return result.err


def test_the_tables_are_made_once_and_told_of(run: Run, database: Server) -> None:
    steps = migrating.steps()
    assert f'step 0 of {steps[-1].number}; "almario store migrate" does the rest' in run("store").out
    assert 'run "almario store migrate"' in refused(run, "agents")
    assert 'run "almario store migrate"' in refused(run, "store", "--key")

    made = run("store", "migrate")
    assert made.out.splitlines() == [f"done: step {step.number}, {step.name}" for step in steps]
    assert run("store", "migrate").out == "The tables are up to date.\n"
    run("init", "--agent", "ana")

    result = run("store").out
    assert "agents: 1\n" in result
    assert "each connection sees one agent's rows, in every table" in result
    assert "the owner of the tables" in result


def test_tables_from_before_places_get_them_and_what_was_told_in_a_project_is_of_it(
    run: Run, migrated: Server
) -> None:
    with almario.create(agent="ana") as soul:
        soul.remember("The mast is nine metres.", place="boat-1")
        soul.remember("I earn 61,400 gross a year.")
    with migrated.as_owner() as connection:
        connection.execute("ALTER TABLE almario.memories DROP COLUMN place")
        connection.execute("DELETE FROM almario.steps WHERE name = 'places'")
        connection.execute("UPDATE almario.notes SET value = 'of before' WHERE name = 'form'")

    assert run("store", "migrate").out == "done: step 5, places\n"
    with almario.open(agent="ana") as soul:
        assert [memory.place for memory in soul.memory.list()] == ["boat-1", HOME]
        assert soul.memory.verify() == []


def test_a_table_that_shows_every_agent_is_told_of(run: Run, migrated: Server) -> None:
    with migrated.as_owner() as connection:
        connection.execute("ALTER TABLE almario.turns DISABLE ROW LEVEL SECURITY")
        connection.execute("GRANT SELECT ON almario.journal_3 TO almario_app")

    found = json.loads(run("store", "--json").out)

    assert found["unguarded"] == ["journal_3", "turns"]
    assert found["step"] == found["steps"] == migrating.steps()[-1].number
    assert {"journal", "documents", "turns"} <= {table["name"] for table in found["tables"]}
    assert "NOT kept apart by agent: journal_3, turns" in run("store").out


def test_another_login_needs_the_key_which_only_the_owner_sees(
    run: Run, migrated: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = run("store", "--key").out.strip()
    monkeypatch.setenv("ALMARIO_STORE", postgres.as_in_settings(postgres.login_url(migrated)))

    assert "ALMARIO_STORE_KEY" in refused(run, "agents")
    assert "only the owner of the tables may see the key" in refused(run, "store", "--key")
    assert "logs in as almario_test_login\n" in run("store").out
    assert run("store", "migrate").out == "The tables are up to date.\n"
    monkeypatch.setenv("ALMARIO_STORE_KEY", key)
    run("init", "--agent", "ana")
    assert "agents: 1\n" in run("store").out


def test_the_plain_owner_of_a_database_makes_the_tables_once_an_administrator_has_run_two_statements(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.untouched_server() as address, Server(address).as_owner() as administrator:
        administrator.execute('CREATE ROLE "Plain-owner" LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB')
        administrator.execute('CREATE DATABASE managed OWNER "Plain-owner"')
        owner = make_conninfo(address, dbname="managed", user="Plain-owner")
        monkeypatch.setenv("ALMARIO_STORE", postgres.as_in_settings(owner))

        result = refused(run, "store", "migrate")
        assert result.count("\n") == 1
        assert "in the database managed: " in result
        first, second = result.partition("managed: ")[2].split("; ")[:2]
        assert first == "CREATE EXTENSION vector SCHEMA public"
        assert second == 'CREATE ROLE almario_app NOLOGIN ROLE "Plain-owner"'
        with Server(make_conninfo(address, dbname="managed")).as_owner() as connection:
            connection.execute(first.encode())
            connection.execute(second.encode())

        assert run("store", "migrate").out.count("done: step") == len(migrating.steps())
        assert run("init", "--agent", "ana").code == 0
        assert run("--agent", "ana", "remember", "I like tea").code == 0
        assert "I like tea" in run("--agent", "ana", "recall", "tea").out
        assert "each connection sees one agent's rows, in every table" in run("store").out

        # Of a second database, only what is still missing is asked for.
        administrator.execute("CREATE ROLE another LOGIN")
        administrator.execute("CREATE DATABASE second OWNER another")
        with Server(make_conninfo(address, dbname="second")).as_owner() as connection:
            connection.execute("CREATE SCHEMA extensions")
            connection.execute("CREATE EXTENSION vector SCHEMA extensions")
        owner = make_conninfo(address, dbname="second", user="another")
        monkeypatch.setenv("ALMARIO_STORE", postgres.as_in_settings(owner))
        result = refused(run, "store", "migrate")
        assert "ALTER EXTENSION vector SET SCHEMA public; GRANT almario_app TO another; and then" in result


def test_who_may_not_make_the_tables_is_refused(
    run: Run, database: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_STORE", postgres.as_in_settings(postgres.login_url(database)))

    assert "let an administrator run" in (result := refused(run, "store", "migrate"))
    assert "GRANT CREATE ON DATABASE almario_" in result


@each_row("options", ["", "migrate", "--key"])
def test_agents_in_folders_have_no_database(run: Run, options: str) -> None:
    result = refused(run, "store", *options.split())

    assert "the agents are kept in folders" in result
    assert "ALMARIO_STORE" in result

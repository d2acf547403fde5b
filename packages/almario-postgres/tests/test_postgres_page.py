"""What docs/postgres.md tells an operator to type works on a server that nobody has used."""

import re

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests import postgres
from tests.apps.conftest import Run
from tests.plugged import PROJECT

_PAGE = (PROJECT / "docs" / "postgres.md").read_text()


def blocks(heading: str) -> list[str]:
    """Return the blocks of SQL under a heading of the page, in order."""
    part = _PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"```sql\n(.*?)```", part, re.DOTALL)


def test_the_path_from_a_bare_server_to_an_agent_and_back_has_no_wall(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    [roles, extension], [watching] = blocks("From a bare server"), blocks("Looking after it")
    with postgres.untouched_server() as url:
        place = conninfo_to_dict(url)
        inside = make_conninfo(url, dbname="almario")
        for address, script in ((url, roles), (inside, extension)):
            with psycopg.connect(address, autocommit=True) as administrator:
                for statement in re.sub(r"--.*", "", script).split(";"):
                    if statement.strip():
                        administrator.execute(statement.encode())
        address = f"postgres://almario@/almario?host={place['host']}"
        address += f"&port={place['port']}" if "port" in place else ""

        assert run("init").code == 0
        assert run("remember", "I design bridges").code == 0
        with monkeypatch.context() as there:
            there.setenv("ALMARIO_STORE", address)
            assert run("store", "migrate").code == 0
            assert run("init").code == 0
        moved = run("move", "default", "--to", address, "--yes")
        assert moved.code == 0, moved
        assert "postgres://almario@" in moved.out
        assert "I design bridges" in run("recall", "bridges").out
        assert "✗" not in run("doctor").out
        with psycopg.connect(inside, autocommit=True) as administrator:
            for statement in re.sub(r"--.*", "", watching).split(";")[:-1]:
                administrator.execute(statement.encode())
        assert run("move", "default", "--to", "folder", "--yes").code == 0
        assert "I design bridges" in run("recall", "bridges").out
        from almario_postgres.servers import _server

        _server.cache_clear()

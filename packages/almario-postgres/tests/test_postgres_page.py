"""What docs/postgres.md tells an operator to type works on a server that nobody has used."""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

import almario
from almario_postgres.servers import _server
from tests import postgres
from tests.apps.conftest import Run
from tests.plugged import PROJECT

_PAGE = (PROJECT / "docs" / "postgres.md").read_text()


def blocks(language: str, heading: str) -> list[str]:
    """Return the blocks of SQL or of a shell's lines under a heading of the page, in order."""
    part = _PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", part, re.DOTALL)


def told(start: str) -> str:
    """Return the one line in the text of the page that starts so."""
    [line] = set(re.findall(rf"`({re.escape(start)}[^`]*)`", _PAGE))
    return str(line)


class Operator:
    """Types what the page says, with a server of its own in place of that of the example."""

    def __init__(self, url: str, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        self._url, self._folder, self._run, self._monkeypatch = url, folder, run, monkeypatch
        self._place = {name: str(value) for name, value in conninfo_to_dict(url).items()}
        self.programs = Path(postgres.choice().programs)

    def asks(self, script: str, database: str = "") -> None:
        """Do the statements of a block."""
        address = make_conninfo(self._url, dbname=database) if database else self._url
        with psycopg.connect(address, autocommit=True) as administrator:
            for statement in re.sub(r"--.*", "", script).split(";"):
                if statement.strip():
                    administrator.execute(statement.encode())

    def types(self, script: str, home: str = "home") -> str:
        """Type lines of a shell, and return what the last of them said."""
        environment, said = {"ALMARIO_HOME": str(self._folder / home)}, ""
        for line in self._here(script).splitlines():
            filled = re.sub(r"\$\((.*?)\)", lambda found: self.types(found[1], home).strip(), line)
            words = shlex.split(filled, comments=True)
            is_kept = words[0] == "export"
            given = [*takewhile(re.compile(r"\w+=").match, words[is_kept:])]
            both = environment | dict(each.split("=", 1) for each in given)
            if is_kept:
                environment = both
            else:
                said = self._done(words[len(given) :], both)
        return said

    def backs_up(self, line: str) -> None:
        """Type a line of PostgreSQL's own programs."""
        where = {
            f"PG{name.upper()}": self._place[name] for name in ("host", "user", "port") if name in self._place
        }
        environment = {**os.environ, **where, "PATH": f"{self.programs}:{os.environ['PATH']}"}
        subprocess.run(["sh", "-ec", line], cwd=self._folder, env=environment, check=True)

    def _here(self, text: str) -> str:
        port = f":{self._place['port']}" if "port" in self._place else ""
        here = text.replace("db.example.org", quote(self._place["host"], safe="") + port)
        return here.replace("//owner@", "//almario@")

    def _done(self, words: list[str], environment: Mapping[str, str]) -> str:
        if words[0] == "pip" or words[1:] == ["serve"]:  # there is no network, and nothing ends it
            return ""
        assert words[0] == "almario"
        with self._monkeypatch.context() as shell:
            for name, value in environment.items():
                shell.setenv(name, value)
            said = self._run(*words[1:])
        _server.cache_clear()
        assert said.code == 0, (words, said)
        return said.out


def test_the_path_from_a_bare_server_to_an_agent_and_back_has_no_wall(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [roles, extension], [installing, fresh] = (blocks(each, "From a bare server") for each in ("sql", "sh"))
    [stricter], [key] = (blocks(each, "Who may see what") for each in ("sql", "sh"))
    [watching], [moving] = blocks("sql", "Looking after it"), blocks("sh", "Moving an agent")
    with postgres.untouched_server() as url:
        operator = Operator(url, tmp_path, run, monkeypatch)
        operator.asks(roles)
        operator.asks(extension, "almario")
        operator.types(installing)
        operator.types(fresh, "fresh")
        assert "✗" not in operator.types("almario doctor", "fresh")

        operator.types("almario init\nalmario remember 'I design bridges'")
        assert "postgres://almario@" in operator.types(told("almario move default --to"))
        assert "I design bridges" in operator.types("almario recall bridges")
        almario.create(tmp_path / "several", "ana").close()
        operator.types(moving, "several")
        operator.asks(watching, "almario")

        operator.asks(stricter)
        stranger = f"{key}almario recall bridges"
        assert "I design bridges" in operator.types(stranger)
        if not all((operator.programs / each).exists() for each in ("pg_dump", "pg_restore")):
            pytest.skip("this server has no pg_dump and pg_restore: backing up is not tried")
        owners_key = operator.types("almario store --key")
        operator.backs_up(told("pg_dump -Fc"))
        operator.asks("DROP DATABASE almario WITH (FORCE)")
        operator.asks(roles[roles.index("CREATE DATABASE") :])
        operator.backs_up(told("pg_restore"))
        assert operator.types("almario store --key") == owners_key
        assert "I design bridges" in operator.types(stranger)
        operator.types(told("almario move ID").replace("ID", "default") + " --yes")
        assert "I design bridges" in operator.types("almario recall bridges")

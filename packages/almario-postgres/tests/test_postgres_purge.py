"""What is erased for good leaves the files of the database, and what is left is named."""

import re
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

import almario
from almario_postgres.database import Server
from tests.postgres import as_in_settings, migrated_url

WORD = "quicksilverish"
_FILES = """SELECT relname, pg_relation_filepath(oid) FROM pg_class WHERE relkind IN ('r', 'i', 't')
    AND relfilenode <> 0"""


def holding(server: Server) -> set[str]:
    """Return the tables and indexes of a database that have the word in a file, without their numbers."""
    folder = Path(str(conninfo_to_dict(server.url)["host"])) / "data"
    if not folder.exists():
        pytest.skip("the files of the server are not on this machine")
    with server.as_owner() as connection:
        connection.execute("CHECKPOINT")
        every = connection.execute(_FILES).fetchall()
    files = ((name, path) for name, start in every for path in folder.glob(f"{start}*"))
    return {re.sub(r"_\d+", "", name) for name, path in files if WORD.encode() in path.read_bytes()}


def test_erased_words_leave_the_files_by_what_is_told(tmp_path: Path) -> None:
    server = Server(migrated_url())
    settings = {"store": as_in_settings(server.url), "embedder.name": "none"}
    with almario.create(tmp_path, settings=settings) as soul:
        for number in range(20):
            soul.remember(f"note {number}: about the boat")
        kept = soul.remember(f"plan: the {WORD} one").memory
        assert kept
        assert soul.recall(WORD)  # it stands in MEMORY.md now
        assert {"memories", "terms", "journal", "passages", "documents"} <= holding(server)

        soul.memory.purge(soul.memory.plan_purge(kept.id))
        [told] = [each for each in soul.memory.settle() if "VACUUM" in str(each)]
        with server.as_owner() as connection:
            for statement in str(told).split('"')[1].split("; "):
                connection.execute(statement.encode())

        soul.memory.reindex()

        assert holding(server) == set()
    server.close()

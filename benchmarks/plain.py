"""The plainest search there is: the texts in an FTS5 table, any of the question's words."""

import re
from collections.abc import Sequence
from pathlib import Path

import apsw


class PlainFts:
    """An ordinary FTS5 table of texts in a file of its own."""

    def __init__(self, path: Path, stop: frozenset[str] = frozenset()) -> None:
        self._db = apsw.Connection(str(path))
        self._stop = stop
        self._db.execute("PRAGMA journal_mode = WAL").fetchall()
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS plain USING fts5(text)")

    def add(self, texts: Sequence[str]) -> None:
        with self._db:
            self._db.executemany("INSERT INTO plain (text) VALUES (?)", ((text,) for text in texts))

    def search(self, question: str, limit: int = 10) -> list[tuple[int, float]]:
        """Return the rowids with any of the question's words, best first, and their bm25."""
        words = dict.fromkeys(word for word in re.findall(r"\w+", question.lower()) if word not in self._stop)
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid, rank FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?"
        return [(int(str(row)), float(str(rank))) for row, rank in self._db.execute(sql, (match, limit))]

    def close(self) -> None:
        self._db.close()

"""A CSV file with a column `text`, and if you like `key` and `since`: `almario memory import FILE --from csv`."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime

from almario.plugins import Note

from almario.errors import SoulError


def read(content: bytes) -> Iterator[Note]:
    """Yield each row as something to remember."""
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    if "text" not in (rows.fieldnames or ()):
        raise SoulError('the file has no column "text"; name its columns in the first line')
    for row in rows:
        since = datetime.fromisoformat(row["since"]).replace(tzinfo=UTC) if row.get("since") else None
        yield Note(row["text"], key=row.get("key") or "", since=since)

"""`almario import FILE --from csv`: a CSV file with a column `text`; `key` and `since` if you like."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime

from almario.errors import SoulError
from almario.plugins import Note


def read(content: bytes) -> Iterator[Note]:
    """Yield each row as something to remember."""
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    if "text" not in (rows.fieldnames or ()):
        raise SoulError('the file has no column "text"; name its columns in the first line')
    for row in rows:
        since = datetime.fromisoformat(row["since"]).replace(tzinfo=UTC) if row.get("since") else None
        yield Note(row["text"], key=row.get("key") or "", since=since)

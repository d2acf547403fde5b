"""How many of the times that people tell are read as they mean them."""

from datetime import date

from almario.text.timewords import spans
from tests.language.time_expressions import NAMES, OTHERS, SPANISH_ENGLISH, Row
from tests.tables import each_row


def _is_read(row: Row) -> bool:
    text, today, meant = row
    found = {(span.first, span.last) for span in spans(text, date.fromisoformat(today))}
    ends = (days.split("..") for days in meant)
    return found == {(date.fromisoformat(days[0]), date.fromisoformat(days[-1])) for days in ends}


@each_row(
    ("rows", "rate"),
    [(SPANISH_ENGLISH, 0.97), (OTHERS, 0.9), (NAMES, 0.97)],
)
def test_times_are_read_as_they_are_meant(rows: list[Row], rate: float) -> None:
    wrong = [row[0] for row in rows if not _is_read(row)]

    assert len(wrong) <= len(rows) * (1 - rate), wrong

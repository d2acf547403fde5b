"""The sure orders of every language: each row is heard as it stands, and never where it is no order."""

import pytest

from almario.language import ROWS, Language, languages, rows_in
from almario.text.quoting import folded
from almario.text.wishes import FORGET, REMEMBER, orders_in

# What is meant, in whatever language.
THING = "Zoe Quill 77"
SORTS = ("remember", "forget", "off", "previous")


@pytest.fixture(params=languages(), ids=lambda each: each.code)
def spoken(request: pytest.FixtureRequest) -> Language:
    found: Language = request.param
    return found


def rows(spoken: Language, sort: str) -> list[str]:
    return sorted(rows_in(spoken.orders.get(sort, "")))


def heard(text: str) -> list[tuple[str, bool]]:
    return [(each.sort, THING in each.text) for each in orders_in(text)]


def test_it_has_rows_of_every_sort(spoken: Language) -> None:
    assert set(spoken.orders) <= set(ROWS)
    assert all(rows(spoken, sort) for sort in ("remember", "forget", "off", "previous"))


def test_its_rows_are_written_as_they_are_heard(spoken: Language) -> None:
    plain = [row.replace("、", ",").replace("：", ":") for sort in SORTS for row in rows(spoken, sort)]

    assert [row for row in plain if folded(row) != row] == []


def test_each_row_is_heard(spoken: Language) -> None:
    wrong = []
    for sort in SORTS:
        for row in rows(spoken, sort):
            before = row.partition("…")[0]
            text = row.replace("…", f" {THING}" if before[-1:].isalnum() and before.isascii() else THING)
            wanted = [(sort, "…" in row)]
            wrong += [row] if heard(text) != wanted and heard(f"{text}.") != wanted else []

    assert wrong == []


def test_none_is_heard_in_a_question(spoken: Language) -> None:
    said = [row.replace("…", THING) for sort in SORTS for row in rows(spoken, sort)]

    assert [
        text for text in said if any(sort in (REMEMBER, FORGET, "off") for sort, _ in heard(f"{text}?"))
    ] == []


def test_none_is_heard_in_quotation_marks(spoken: Language) -> None:
    said = [row.replace("…", THING) for sort in SORTS for row in rows(spoken, sort)]

    assert [text for text in said if heard(f'"{text}"')] == []

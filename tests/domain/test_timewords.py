"""Times named in questions."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.timewords import Span, day_terms, nearness, spans

TODAY = date(2026, 11, 15)  # a Sunday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("¿Qué hice ayer?", "2026-11-14", "2026-11-14"),
        ("what did I say yesterday", "2026-11-14", "2026-11-14"),
        ("anteayer", "2026-11-13", "2026-11-13"),
        ("la semana pasada", "2026-11-02", "2026-11-08"),
        ("last week", "2026-11-02", "2026-11-08"),
        ("el mes pasado", "2026-10-01", "2026-10-31"),
        ("el año pasado", "2025-01-01", "2025-12-31"),
        ("this month", "2026-11-01", "2026-11-15"),
        ("in March 2023", "2023-03-01", "2023-03-31"),
        ("en marzo de 2023", "2023-03-01", "2023-03-31"),
        ("el 3 de mayo", "2026-05-03", "2026-05-03"),
        ("on May 3rd, 2021", "2021-05-03", "2021-05-03"),
        ("the 3rd of May 2021", "2021-05-03", "2021-05-03"),
        ("on 2021-05-03", "2021-05-03", "2021-05-03"),
        ("in 2021", "2021-01-01", "2021-12-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("hace dos meses", "2026-09-01", "2026-10-01"),
        ("two weeks ago", "2026-10-29", "2026-11-04"),
        ("hace un par de días", "2026-11-12", "2026-11-14"),
        ("over the past three months", "2026-08-17", "2026-11-15"),
        ("en los últimos 3 días", "2026-11-12", "2026-11-15"),
        ("last Tuesday", "2026-11-10", "2026-11-10"),
        ("el martes pasado", "2026-11-10", "2026-11-10"),
        ("last Sunday", "2026-11-08", "2026-11-08"),
    ],
)
def test_a_time_is_understood(question: str, first: str, last: str) -> None:
    found = spans(question, TODAY)[0]

    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "question", ["May I march?", "what do I do on Saturdays", "31 de febrero", "99 años", "a weak link", ""]
)
def test_what_names_no_time_is_left_alone(question: str) -> None:
    assert spans(question, TODAY) == []


def test_a_date_without_a_year_may_be_of_any_past_year_and_the_latest_is_likeliest() -> None:
    found = spans("el 20 de diciembre", TODAY)

    assert [span.first.year for span in found[:2]] == [2025, 2024]
    assert found[0].weight > found[1].weight


def test_a_day_fits_inside_a_time_and_less_around_it() -> None:
    week = [Span(date(2023, 5, 1), date(2023, 5, 7))]
    fits = [nearness(date(2023, 5, day), week) for day in (7, 10, 14)]

    assert fits[0] == 1
    assert fits == sorted(fits, reverse=True)
    assert nearness(date(2023, 7, 1), week) == 0
    assert nearness(None, week) == 0


def test_things_are_told_after_they_happen() -> None:
    day = [Span(date(2023, 5, 5), date(2023, 5, 5))]

    assert nearness(date(2023, 5, 8), day) > nearness(date(2023, 5, 2), day)


def test_the_days_of_a_time_are_few_terms() -> None:
    assert list(day_terms(Span(date(2022, 12, 30), date(2024, 2, 1)))) == [
        "#2022-12-30", "#2022-12-31", "#2023*", "#2024-01*", "#2024-02-01",
    ]  # fmt: skip


@given(st.text(alphabet="0123456789/- adehilmnosuyzáñ"), st.dates(min_value=date(1970, 1, 1)))
def test_any_question_on_any_day_can_be_read(question: str, today: date) -> None:
    for text in (
        question,
        f"hace {question} días",
        f"{question} de mayo de 9999",
        "last month",
        "last year",
        "ayer",
    ):
        assert all(span.first <= span.last for span in spans(text, today))

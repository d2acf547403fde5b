"""When things happened, and since and until when they hold."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.messages import say
from almario.domain.validity import (
    Validity,
    between,
    bounds,
    briefly,
    is_written,
    next_time,
    read,
    time_phrase,
    without,
)
from tests.tables import each_row

LIMA = ZoneInfo("America/Lima")
TODAY = date(2026, 11, 15)

years = st.integers(2, 8999)
days = st.dates(date(2, 1, 1), date(8999, 12, 31))
parts = st.tuples(days, st.sampled_from([4, 7, 10])).map(lambda each: each[0].isoformat()[: each[1]])


@st.composite
def validities(draw: st.DrawFn) -> Validity:
    first, last = sorted((draw(parts), draw(parts)))
    shape = draw(st.sampled_from(["one", "since", "until", "between"]))
    ends = {"one": (first, first), "since": (first, ""), "until": ("", last), "between": (first, last)}
    return Validity(*ends[shape], draw(st.booleans()))


@given(validities())
def test_what_is_written_is_read_back(validity: Validity) -> None:
    if validity.first_day <= validity.last_day:
        assert read(str(validity)) == validity


@given(st.text(alphabet="0123456789-/.~ x", max_size=24))
def test_whatever_is_given_is_a_time_or_none(text: str) -> None:
    found = read(text)

    if found:
        assert read(str(found)) == found
        assert found.first_day <= found.last_day


@each_row(
    ("text", "first", "last"),
    [
        ("2026-12-03", "2026-12-03", "2026-12-03"),
        ("2026-03", "2026-03", "2026-03"),
        ("2025", "2025", "2025"),
        ("2026-08-20/2026-08-27", "2026-08-20", "2026-08-27"),
        ("2025/..", "2025", ""),
        ("2025/", "2025", ""),
        ("../2026-11-27", "", "2026-11-27"),
        (" 2020 ~ ", "2020", "2020"),
        ("2024-02-29", "2024-02-29", "2024-02-29"),
    ],
)
def test_a_time_stays_as_partial_as_it_was_said(text: str, first: str, last: str) -> None:
    found = read(text)

    assert found
    assert (found.first, found.last) == (first, last)


@each_row(
    "text",
    ["", "soon", "..", "../..", "/", "2026-13", "2026-00", "2026-02-30", "2025-02-29", "2027/2026", "0001",
     "9999", "20261203", "2026-3", "2026-12-03T10:00"],
)  # fmt: skip
def test_what_is_no_time_is_none(text: str) -> None:
    assert read(text) is None


def test_a_time_ends_when_the_next_day_month_or_year_begins() -> None:
    ends = [read(text) for text in ("2026-12-03", "2026-02", "2026-12", "2025")]

    assert [str(each.end(LIMA))[:10] for each in ends if each] == [
        "2026-12-04",
        "2026-03-01",
        "2027-01-01",
        "2026-01-01",
    ]
    assert Validity("2026").start(LIMA) == datetime(2026, 1, 1, tzinfo=LIMA)
    assert (Validity("2026").end(LIMA), Validity(last="2026").start(LIMA)) == (None, None)


def test_what_is_ahead_is_not_over_and_what_holds_is_neither() -> None:
    def seen(text: str) -> tuple[bool, bool]:
        found = read(text)
        assert found
        return found.is_ahead(TODAY), found.is_over(TODAY)

    assert seen("2026-11-16") == seen("2026-12/..") == seen("2027") == (True, False)
    assert seen("2026-11-15") == seen("2026-11") == seen("../2026-11-15") == seen("2025/..") == (False, False)
    assert seen("2026-11-14") == seen("../2026-10") == (False, True)


@each_row(
    ("text", "since", "until"),
    [
        ("2026-12-01/..", "2026-12-01", ""),
        ("2025/..", "2025-01-01", ""),
        ("../2026-11-27", "", "2026-11-28"),
        # A plan is true from when it was told.
        ("2026-12-03", "", "2026-12-04"),
        ("2026-12-03/2026-12-05", "", "2026-12-06"),
        ("2026-11-15", "", "2026-11-16"),
        # What is going on has begun.
        ("2026-11-10/2026-11-20", "2026-11-10", "2026-11-21"),
        # What is over is told as having been.
        ("2019/2023", "2019-01-01", ""),
        ("../2023", "", ""),
        ("2026-03", "2026-03-01", ""),
    ],
)
def test_what_is_told_is_true_in_its_time(text: str, since: str, until: str) -> None:
    validity = read(text)
    assert validity

    found = bounds(validity, TODAY, LIMA)

    assert [str(each)[:10] if each else "" for each in found] == [since, until]


@each_row(
    ("text", "english", "spanish"),
    [
        ("2026-12-03", "on 3 December 2026", "el 3 de diciembre de 2026"),
        ("2026-03", "in March 2026", "en marzo de 2026"),
        ("2025", "in 2025", "en 2025"),
        ("2026-03/..", "since March 2026", "desde marzo de 2026"),
        ("2026-03-04/..", "since 4 March 2026", "desde el 4 de marzo de 2026"),
        ("2026-12-01/..", "from 1 December 2026", "desde el 1 de diciembre de 2026"),
        ("../2026-11-27", "until 27 November 2026", "hasta el 27 de noviembre de 2026"),
        ("2020~", "about 2020", "alrededor de 2020"),
        ("2024/..~", "since about 2024", "desde alrededor de 2024"),
        ("2026-08-20/2026-08-27", "20–27 August 2026", "20–27 de agosto de 2026"),
        ("2026-08/2026-09", "August 2026 – September 2026", "agosto de 2026 – septiembre de 2026"),
    ],
)  # fmt: skip
def test_people_are_told_in_their_language(text: str, english: str, spanish: str) -> None:
    validity = read(text)
    assert validity

    sentence = time_phrase(validity, TODAY)

    assert (str(sentence), say("es", sentence)) == (english, spanish)


def test_a_model_is_told_in_few_words() -> None:
    texts = ("2026-12-01/..", "2025/..", "../2026-11-27", "2026-12-03", "2026-03", "2026-08-20/2026-08-27")

    assert [briefly(found, TODAY) for text in texts if (found := read(text))] == [
        "from 2026-12-01",
        "since 2025",
        "until 2026-11-27",
        "on 2026-12-03",
        "in 2026-03",
        "2026-08-20 to 2026-08-27",
    ]


def test_whole_months_and_years_are_told_as_such() -> None:
    assert str(between(date(2026, 3, 1), date(2026, 3, 31))) == "2026-03"
    assert str(between(date(2019, 1, 1), date(2023, 12, 31))) == "2019/2023"
    assert str(between(date(2026, 3, 1), date(2026, 5, 31))) == "2026-03/2026-05"
    assert str(between(date(2026, 3, 2), date(2026, 3, 8))) == "2026-03-02/2026-03-08"


@each_row(
    ("dated", "coming"),
    [
        ("XXXX-WXX-2", "2026-11-17"),
        ("XXXX-WXX-2 in 2027-01/..", "2027-01-05"),
        ("XXXX-WXX-2 in ../2026-11-16", ""),
        ("XXXX-WXX-2 not 2026-11-17,2026-11-24", "2026-12-01"),
        ("XXXX-XX-05 in 2026-09/2027-06 not 2026-12-05", "2027-01-05"),
        ("XXXX-XX-XX not 2026-11-15", "2026-11-16"),
        ("XXXX-12-03 not 2026-12-03", "2027-12-03"),
        ("XXXX-XX-3#1", "2026-12-02"),
        ("XXXX-XX-1#3,5#L", "2026-11-16"),
        ("XXXX-XX-1#3,5#L not 2026-11-16", "2026-11-27"),
        ("XXXX-XX-1#5 in 2026-12/..", "2027-03-29"),
        ("XXXX-11-4#4 in 2027/..", "2027-11-25"),
        ("R/2026-11-10/P2W", "2026-11-24"),
        ("R/2026-12-01/P2W", "2026-12-01"),
        ("R/2026-11-09,2026-11-12/P2W in ../2026-12-20 not 2026-11-23", "2026-11-26"),
        ("R/2026-11-14/P10D", "2026-11-24"),
        ("R/2026-08-31/P3M", "2027-05-31"),
        ("R/2024-02-29/P2Y", "2028-02-29"),
        ("R/2026-02-30/P2W", ""),
        ("R/2026-11-10/P0W", ""),
        ("XXXX-WXX-2 in 2026-13", ""),
        ("XXXX-WXX-2 not Tuesday", ""),
    ],
)
def test_what_comes_again_may_do_so_within_a_time_and_not_on_some_days(dated: str, coming: str) -> None:
    assert str(next_time(dated, TODAY) or "") == coming
    assert is_written(dated) or not coming


@each_row(
    ("dated", "time", "left"),
    [
        ("XXXX-WXX-2", "2026-11-24", "XXXX-WXX-2 not 2026-11-24"),
        ("XXXX-WXX-2 not 2026-12-01", "2026-11-24", "XXXX-WXX-2 not 2026-11-24,2026-12-01"),
        ("XXXX-XX-05 in 2026/..", "2026-11/2026-12", "XXXX-XX-05 in 2026/.. not 2026-11-05,2026-12-05"),
        ("XXXX-WXX-2", "2027/..", "XXXX-WXX-2 in ../2026-12-31"),
        ("XXXX-WXX-2", "2026-11-25", "XXXX-WXX-2"),
        ("2026-11-24", "2026-11-24", "2026-11-24"),
    ],
)  # fmt: skip
def test_days_are_left_out_of_what_comes_again(dated: str, time: str, left: str) -> None:
    named = read(time)

    assert named
    assert without(dated, named) == left

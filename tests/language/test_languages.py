"""The languages: what each has, and that it is written as it is read."""

import re
import subprocess
import sys

import pytest
from benchmarks.languages import GLANCE, glance

from almario.domain.words import fold
from almario.language import COUNTED, NAMED, PLAIN, Language, either, languages

FIELDS = (str, bool, dict, frozenset)
KINDS = {*COUNTED, *NAMED, *PLAIN}
# Without these the common times cannot be told.
NEEDED = {"weekdays", "units", "relative", "numbers", "future", "past", "of"}
ROWS = {
    "months": 12, "short_months": 12, "weekdays": 7, "short_weekdays": 7, "plural_weekdays": 7, "seasons": 4,
    "ordinals": 5, "hours": 12,
}  # fmt: skip


@pytest.fixture(params=languages(), ids=lambda each: each.code)
def each(request: pytest.FixtureRequest) -> Language:
    found: Language = request.param
    return found


def test_english_and_spanish_come_first() -> None:
    codes = [each.code for each in languages()]

    assert codes[:2] == ["en", "es"]
    assert {"pt", "fr", "de", "it", "ja"} < set(codes)


def test_a_language_has_words_for_all_that_is_asked_of_it(each: Language) -> None:
    assert each.asking
    assert each.happening
    assert each.opening
    assert each.former
    assert each.amounts
    assert set(each.times) >= NEEDED
    assert "months" in each.times or "month_sign" in each.times
    assert (each.small and each.sorts and each.irregular) or each.code not in ("en", "es")
    assert each.figures or each.code == "ja"


def test_a_languages_file_has_no_fields_but_those_of_every_language(each: Language) -> None:
    assert [name for name, value in each._asdict().items() if type(value) not in FIELDS] == []


def test_a_language_that_parts_its_words_says_how_it_denies(each: Language) -> None:
    assert (each.negations and each.turning and each.i_am) or each.code == "ja"


def test_every_pattern_of_a_language_can_be_read(each: Language) -> None:
    for field in ("turning", "clauses", "limits"):
        assert re.compile(either([each], field))


def test_what_words_say_about_a_time_is_known(each: Language) -> None:
    assert set(each.times) <= KINDS


def test_every_month_and_weekday_has_its_row(each: Language) -> None:
    counted = {kind: each.times[kind].count(";") + 1 for kind in COUNTED if kind in each.times}

    assert counted == {kind: ROWS[kind] for kind in counted}


def test_words_that_carry_meaning_are_folded(each: Language) -> None:
    for words in (
        each.negations,
        each.measures,
        each.courtesy,
        each.recalling,
        each.noting,
        each.small,
        each.sorts,
        each.asking,
        each.happening,
        each.former,
        each.amounts,
        each.irregular,
    ):
        assert [word for word in words if word != fold(word)] == []


def test_words_of_times_are_in_lower_case(each: Language) -> None:
    assert [text for text in each.times.values() if text != text.lower()] == []


def test_what_is_seen_at_a_glance_is_what_the_languages_have() -> None:
    assert GLANCE.read_text("utf-8") == glance(), "run `python -m benchmarks.languages glance`"


def test_looking_at_languages_reads_none_of_them() -> None:
    told = "import sys, almario.language; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)

    assert [name for name in run.stdout.split() if name.startswith("almario.language.")] == []

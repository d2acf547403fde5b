"""Text is measured, cut and compared."""

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.plain_text import (
    cut_to_tokens,
    difference,
    estimate_tokens,
    is_safe_id,
    nearest,
    shortened,
)
from tests.tables import each_row
from tests.texts import any_text, often

budgets = st.integers(0, 60)


def test_no_text_is_no_tokens() -> None:
    assert estimate_tokens("") == 0


@often
@given(any_text, any_text)
def test_more_text_is_never_fewer_tokens(text: str, more: str) -> None:
    assert estimate_tokens(text) <= estimate_tokens(text + more)
    assert estimate_tokens(text) > 0 or not text


@each_row("wide", ["日本語", "кот", "🤖🗝👩", "ñáü"])
def test_other_scripts_cost_more_than_english(wide: str) -> None:
    assert estimate_tokens(wide * 100) > estimate_tokens("a" * len(wide) * 100)


@often
@given(st.text(st.characters(), max_size=20))
def test_half_a_character_is_measured_too(text: str) -> None:
    assert estimate_tokens(text + "\ud83e") >= estimate_tokens(text)


@often
@given(any_text, budgets, st.booleans())
def test_a_cut_text_fits_its_budget(text: str, budget: int, keep_end: bool) -> None:
    cut = cut_to_tokens(text, budget, keep_end=keep_end)

    assert estimate_tokens(cut) <= budget
    assert cut in text


@often
@given(any_text, budgets)
def test_a_cut_takes_from_one_end_only(text: str, budget: int) -> None:
    first, last = cut_to_tokens(text, budget), cut_to_tokens(text, budget, keep_end=True)

    assert text.strip("\n").startswith(first.strip("\n"))
    assert text.strip("\n").endswith(last.strip("\n"))


@often
@given(any_text, budgets)
def test_what_fits_is_not_cut(text: str, budget: int) -> None:
    enough = estimate_tokens(text) + budget

    assert cut_to_tokens(text, enough) == text
    assert cut_to_tokens(text, enough, keep_end=True) == text


def test_a_cut_keeps_whole_lines() -> None:
    text = "\n".join(f"this is line {n}" for n in range(100))
    budget = estimate_tokens(text) // 2

    first, last = cut_to_tokens(text, budget), cut_to_tokens(text, budget, keep_end=True)

    assert text.startswith(first + "\n")
    assert text.endswith("\n" + last)
    assert len(first.split("\n")) > 30
    assert len(last.split("\n")) > 30


def test_a_line_that_alone_is_too_long_is_cut_within() -> None:
    first = cut_to_tokens("ab " * 1000, 50)
    last = cut_to_tokens("ab " * 1000 + "end", 50, keep_end=True)

    assert first.startswith("ab ab")
    assert last.endswith("ab end")
    assert 40 < estimate_tokens(first) <= 50
    assert 40 < estimate_tokens(last) <= 50


def test_a_mistyped_word_finds_the_one_that_was_meant() -> None:
    assert nearest("langage", ["timezone", "language"]) == "language"
    assert nearest("xyz", ["timezone", "language"]) is None
    assert nearest("a", []) is None


@each_row("name", ["ana", "Ana-2", "0", "a_b", "a" * 64])
def test_a_plain_name_is_a_safe_id(name: str) -> None:
    assert is_safe_id(name)


@each_row(
    "name", ["", "-a", "_a", ".a", "a.b", "a b", "a/b", "..", "niño", "日本", "a\n", "con", "LPT1", "a" * 65]
)
def test_a_name_that_some_file_system_refuses_is_not(name: str) -> None:
    assert not is_safe_id(name)


@often
@given(st.text())
def test_a_safe_id_has_no_character_with_a_meaning(name: str) -> None:
    if is_safe_id(name):
        assert name.isascii()
        assert not set(name) & set('/\\.:*?"<>| \0\n')


@each_row("keep_end", [True, False])
def test_blank_lines_at_the_edge_do_not_use_up_the_budget(keep_end: bool) -> None:
    assert cut_to_tokens("\n\n" + "words " * 500 + "\n\n", 10, keep_end=keep_end).strip()


def test_nothing_has_no_lines_in_a_difference() -> None:
    assert difference("", "new\n", "a", "b") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+new\n"
    assert difference("old\n", "", "a", "b") == "--- a\n+++ b\n@@ -1 +0,0 @@\n-old\n"


@each_row("most", [10, 11, 16, 20, 27])
def test_what_stands_for_a_secret_is_never_cut_in_the_middle(most: int) -> None:
    text = "the code [withheld:password]"

    assert shortened(text, most) == "the code…"
    assert shortened(text, len(text)) == text

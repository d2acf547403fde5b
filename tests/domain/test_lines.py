"""Lines join back to their text, and what is hidden in fences and comments is known."""

from collections.abc import Callable

from hypothesis import given

from almario.domain.documents.daily import parse_log
from almario.domain.documents.goal_list import parse_goals
from almario.domain.documents.headings import parse_sections
from almario.domain.documents.identity import parse_identity
from almario.domain.documents.lines import (
    folded,
    hidden_spans,
    is_blank,
    newline_of,
    plain_lines,
    split_lines,
    with_newlines_of,
    without_comments,
)
from almario.domain.plain_text import cut_to_tokens
from tests.tables import each_row
from tests.texts import any_text, is_within, often, reads_long_lines
from tests.timing import is_done_within


def plain(text: str) -> list[str]:
    return [line.rstrip("\r\n") for _, line in plain_lines(split_lines(text))]


@often
@given(any_text)
def test_lines_join_back_to_the_same_text(text: str) -> None:
    assert "".join(split_lines(text)) == text


@often
@given(any_text)
def test_only_a_newline_ends_a_line(text: str) -> None:
    lines = split_lines(text)

    assert all("\n" not in line[:-1] for line in lines)
    assert all(line.endswith("\n") for line in lines[:-1])
    assert "" not in lines


@often
@given(any_text)
def test_a_line_is_plain_or_in_one_fence_or_comment(text: str) -> None:
    lines = split_lines(text)
    hidden = [index for start, end in hidden_spans(lines).items() for index in range(start, end)]

    assert sorted(hidden + [index for index, _ in plain_lines(lines)]) == list(range(len(lines)))


def test_fences_and_comments_are_not_plain() -> None:
    assert plain("a\n```\nb\n```\nc\n<!-- d\ne -->\nf\n<!-- g -->\nh\n") == ["a", "c", "f", "h"]


def test_a_shorter_or_other_fence_does_not_close_a_fence() -> None:
    assert plain("````\n```\na\n~~~\n```\n````\nb") == ["b"]


def test_a_fence_with_words_opens_and_does_not_close() -> None:
    assert plain("```python\na\n```python\nb\n```\nc") == ["c"]


def test_code_within_a_sentence_opens_no_fence() -> None:
    assert plain("```a``` is code\nb\n```\nc\n```") == ["```a``` is code", "b"]


@each_row("opener", ["```", "~~~~", "<!--", "   <!-- a", "\ufeff```python"])
def test_what_is_never_closed_hides_nothing(opener: str) -> None:
    assert plain(f"{opener}\na\nb") == [opener, "a", "b"]


def test_a_comment_that_never_closes_behind_a_text_hides_no_fence_below_it() -> None:
    assert plain("a <!-- never\n```\nb\n```\nc") == ["a <!-- never", "c"]


def test_a_comment_in_a_fence_and_a_fence_in_a_comment_are_only_text() -> None:
    assert plain("```\n<!--\n```\na\n<!--\n```\n-->\nb") == ["a", "b"]


@each_row(("text", "end"), [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a", "\n"), ("", "\n"), ("\n", "\n")])
def test_the_first_line_decides_the_line_ending(text: str, end: str) -> None:
    assert newline_of(text) == end


def test_new_text_takes_the_line_endings_of_the_old() -> None:
    assert with_newlines_of("a\nb\r\nc", "x\r\n") == "a\r\nb\r\nc"
    assert with_newlines_of("a\nb\r\nc", "x\n") == "a\nb\nc"


@each_row("word", ["Corazón", "CORAZO\u0301N", " **corazón:** ", "\ufeff_Corazón_\r\n"])
def test_names_are_compared_without_case_composition_and_marks(word: str) -> None:
    assert folded(word) == "corazón"


@each_row(("line", "blank"), [("", True), (" \t\r\n", True), ("\ufeff\n", True), (".", False)])
def test_a_line_of_spaces_is_blank(line: str, blank: bool) -> None:
    assert is_blank(line) is blank


@each_row(
    ("text", "left"),
    [
        ("a\n<!-- b -->\nc\n", "a\nc\n"),
        ("a\r\n<!-- b\r\n-->\r\nc", "a\r\nc"),
        ("a <!-- b --> c\n", "a  c\n"),
        ("a <!-- b --><!-- c -->\nd", "a \nd"),
        ("<!-- a --><!-- b -->\nc", "c"),
        ("a <!-- never closed\nb", "a <!-- never closed\nb"),
        ("<!-->a", "a"),
        ("a", "a"),
        ("", ""),
    ],
)
def test_comments_leave_with_the_lines_that_held_nothing_else(text: str, left: str) -> None:
    assert without_comments(text) == left


@often
@given(any_text)
def test_leaving_comments_out_takes_nothing_else(text: str) -> None:
    left = without_comments(text)

    assert is_within(left, text)
    if "<!--" not in text:
        assert left == text


@each_row(
    "reader",
    [
        lambda text: list(plain_lines(split_lines(text))),
        lambda text: cut_to_tokens(text, 100),
        without_comments,
        parse_goals,
        parse_identity,
        parse_log,
        parse_sections,
    ],
)
def test_a_long_line_is_read_at_once(reader: Callable[[str], object]) -> None:
    assert reads_long_lines(reader)


def test_many_fences_that_never_close_are_read_at_once() -> None:
    lines = split_lines("```a\n<!--\n~~~~ b\n" * 2_000)

    assert len(list(plain_lines(lines))) == len(lines)
    assert is_done_within(1, lambda: list(plain_lines(lines)))


def test_fences_that_nothing_closes_are_told_in_linear_time() -> None:
    falling = "".join("`" * length + "a\n" for length in range(900, 2, -1))
    lines = split_lines(falling + "```a\n" * 8_000 + "\n" * 20_000)

    assert hidden_spans(lines) == {}
    assert is_done_within(1, lambda: hidden_spans(lines))

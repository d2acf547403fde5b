"""MEMORY.md is told as it lies."""

from hypothesis import given

from almario.domain.documents.headings import parse_sections
from almario.memory.rules.mirror import core_lines
from tests.texts import any_text, often, reads_long_lines

MARKER = "<!-- almario 42 2026-11-14T10:00:00Z v2 -->"


def test_a_fact_is_told_with_the_heading_that_is_its_key() -> None:
    text = "# Memory\n\n- loose\n\n## work\n\n- builds boats\n* in Cádiz  \nprose: mine\n  - deeper\n"

    assert core_lines(text) == [
        "- loose",
        "- work: builds boats",
        "- work: in Cádiz",
        "prose: mine",
        "  - deeper",
    ]


def test_a_byte_order_mark_is_not_told() -> None:
    assert core_lines("\ufeff- a\r\n") == ["- a"]


def test_comments_are_the_owners_words_and_the_marker_is_not() -> None:
    assert core_lines(f"- a\n<!-- mine -->\n{MARKER}\n\n") == ["- a", "<!-- mine -->"]
    assert core_lines(f"{MARKER}\n- a\n") == [MARKER, "- a"]
    assert core_lines("") == []


def test_a_heading_keeps_its_own_signs_as_a_key() -> None:
    assert core_lines("## C#\n- since 2010\n") == ["- C#: since 2010"]


@often
@given(any_text)
def test_nothing_is_told_that_the_file_does_not_say(text: str) -> None:
    keys = {section.title for section in parse_sections(text)}
    for line in core_lines(text):
        assert line in text or any(line.removeprefix(f"- {key}: ") in text for key in keys)


def test_a_long_line_is_told_in_no_time() -> None:
    assert reads_long_lines(core_lines)

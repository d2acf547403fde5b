"""MEMORY.md is told as it lies, and takes in older forms without losing a line."""

from hypothesis import given

from almario.domain.documents.headings import parse_sections
from almario.domain.documents.lines import split_lines
from almario.memory.rules.older_memory import core_lines, with_lines_of
from tests.texts import any_text, ended, is_within, often, slowest_long_line

MARKER = "<!-- almario 42 2026-11-14T10:00:00Z -->"


def filled(text: str) -> list[str]:
    """Return the lines that say something, whatever spaces and byte order marks stand around them."""
    said = [line.replace("\ufeff", "").strip() for line in split_lines(text)]
    return [line for line in said if line]


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


def test_what_is_only_in_the_older_file_follows_under_its_title() -> None:
    text = f"# Memory\n\n## work\n- builds boats\n\n{MARKER}\n"
    older = "\ufeff# Old\n\n- loose\n\n## work\n- builds boats\n- in Cádiz\n\n## pets\n- a cat\n"

    assert with_lines_of(text, older, title="From legacy.md") == (
        "# Memory\n\n## work\n- builds boats\n\n"
        "\n# From legacy.md\n\n# Old\n- loose\n\n## work\n- in Cádiz\n\n## pets\n- a cat\n"
        f"\n{MARKER}\n"
    )


def test_the_same_words_under_another_heading_are_another_fact() -> None:
    after = with_lines_of("## mother\n- Ana\n", "## sister\n- Ana\n", title="Older")

    assert core_lines(after) == ["- mother: Ana", "- sister: Ana"]


def test_a_line_without_a_heading_is_known_wherever_it_stands() -> None:
    text = "## pets\n- a cat\n"

    assert with_lines_of(text, "- a cat\n", title="Older") == text


def test_an_empty_memory_takes_the_older_one_as_it_is() -> None:
    assert with_lines_of("\n", "\ufeff- a\r\n", title="Older") == "\ufeff- a\r\n"


def test_a_crlf_file_stays_crlf() -> None:
    after = with_lines_of(f"- a  \r\n\r\n{MARKER}\r\n", "## b\n- c\n", title="Older")

    assert after.startswith("- a  \r\n\r\n")
    assert all(line.endswith("\r\n") for line in split_lines(after))


def test_a_fence_is_taken_in_whole() -> None:
    after = with_lines_of("```\na\n```\n", "```\nb\n```\n", title="Older")

    assert after.endswith("# Older\n\n```\nb\n```\n")


@often
@given(any_text, any_text)
def test_every_line_of_both_files_is_in_the_folded_one(text: str, older: str) -> None:
    after = with_lines_of(text, older, title="Older")

    assert set(filled(text)) | {
        line for s in parse_sections(older.lstrip("\ufeff")) for line in filled(s.body)
    } <= set(filled(after))


@often
@given(any_text, any_text)
def test_folding_leaves_every_line_of_the_file_in_its_place(text: str, older: str) -> None:
    after = with_lines_of(text + "\n- a\n", older, title="Older")

    assert after.startswith(text + "\n- a\n")


@often
@given(any_text, any_text)
def test_a_marker_stays_the_last_line(text: str, older: str) -> None:
    body = text + "\n- a\n"

    after = with_lines_of(f"{body}{MARKER}\n", older, title="Older")

    assert after.startswith(body)
    assert after.rstrip().endswith(MARKER)
    assert is_within(ended(body), ended(after))


@often
@given(any_text)
def test_a_file_has_nothing_new_for_itself(text: str) -> None:
    assert with_lines_of(text + "a", text + "a", title="Older") == text + "a"


def test_folding_twice_adds_nothing() -> None:
    older = "- loose\n\n# Old\n- b\n\n## pets\n- a cat\n```\ncode\n```\n"
    once = with_lines_of(f"## pets\n- a dog\n\n{MARKER}\n", older, title="Older")

    assert with_lines_of(once, older, title="Older") == once


def test_a_line_of_10_mb_is_read_at_once() -> None:
    assert slowest_long_line(core_lines) < 2
    assert slowest_long_line(lambda text: with_lines_of(text, "b", title="Older")) < 2

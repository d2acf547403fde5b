"""MOTIVATIONS.md keeps what the owner wrote while its last reflection changes."""

from hypothesis import given

from almario.becoming.rules.motivations import LAST_REFLECTION, TITLES, with_last_reflection
from almario.conversation.prompt_sections import nested
from almario.domain.documents.headings import join_sections, parse_sections
from almario.domain.documents.lines import folded, without_comments
from tests.texts import any_text, often, reads_long_lines

LAST = {"day": "2026-11-14", "trigger": "nightly", "changes": "asked fewer questions"}


def test_a_reflection_replaces_only_the_last_one() -> None:
    text = "# M\n\n## Core Drives\n\n- a\n\n## Last Reflection\n\nDate: 2026-01-01\n\n## Mine\n\nb\n"

    assert with_last_reflection(text, **LAST) == text.replace(
        "Date: 2026-01-01", "Date: 2026-11-14\nTrigger: nightly\nChanges: asked fewer questions"
    )


def test_changes_of_many_lines_stay_within_their_line() -> None:
    after = with_last_reflection(
        "", day="2026-11-14", trigger="a\nb", changes="c\n\n## Current Focus\n```\nd"
    )

    assert after.endswith("Date: 2026-11-14\nTrigger: a b\nChanges: c ## Current Focus ``` d\n")
    assert [section.title for section in parse_sections(after)] == [LAST_REFLECTION]


@often
@given(any_text)
def test_other_sections_survive_a_reflection(text: str) -> None:
    def others(text: str) -> str:
        wanted = folded(LAST_REFLECTION)
        return join_sections([s for s in parse_sections(text) if folded(s.title) != wanted])

    text += "\n"

    assert others(with_last_reflection(text, **LAST)).rstrip("\r\n") == others(text).rstrip("\r\n")


def test_for_the_prompt_headings_go_one_level_deeper_and_empty_sections_go() -> None:
    text = "# Motivations\n\n## Core Drives\n\n- a\n\n## Current Focus\n\n<!-- none yet -->\n\n## Mine\nb\n"

    assert nested(text) == "### Core Drives\n- a\n\n### Mine\nb"


def test_what_stands_before_the_sections_is_told_without_the_title() -> None:
    assert nested("# Motivations\n\nI care.\n\n## Mine\nb\n") == "I care.\n\n### Mine\nb"


def test_a_file_of_empty_sections_says_nothing() -> None:
    assert nested("# Motivations\n\n" + "\n\n".join(f"## {title}" for title in TITLES)) == ""


@often
@given(any_text)
def test_the_prompt_says_nothing_that_the_file_does_not(text: str) -> None:
    said = [line.removeprefix("### ").strip() for line in nested(text).split("\n")]

    assert all(line in without_comments(text) for line in said)


def test_a_long_line_is_read_at_once() -> None:
    assert reads_long_lines(nested)

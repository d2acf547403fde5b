"""Which part of an answer that is still coming can be printed for good."""

from hypothesis import given
from hypothesis import strategies as st

from almario.apps.repl.markdown_blocks import finished
from tests.tables import each_row


@each_row(
    ("text", "whole"),
    [
        ("one", ""),
        ("one\n", ""),
        ("one\n\n", ""),
        ("one\n\ntwo", "one\n\n"),
        ("# Title\n\ntext\n\nmore", "# Title\n\ntext\n\n"),
        ("- a\n\n- b\n\n", ""),
        ("- a\n\n- b\n\nafter", "- a\n\n- b\n\n"),
        ("1. a\n\n2", ""),
        ("1. a\n\n2024 was", "1. a\n\n"),
        ("- a\n\n  still a\n\nb", "- a\n\n  still a\n\n"),
        ("```\na\n\nb", ""),
        ("```\na\n\nb\n```\n\nc", "```\na\n\nb\n```\n\n"),
        ("~~~~\n~~~\n\n````\n\nx", ""),
        ("text\n\n    code\n\nx", "text\n\n    code\n\n"),
    ],
)
def test_a_block_is_whole_when_the_next_one_has_begun(text: str, whole: str) -> None:
    assert text[: finished(text)] == whole


@given(st.text("a-1. \n`#", max_size=60), st.text("a-1. \n`#", max_size=60))
def test_what_was_whole_stays_whole_whatever_comes(text: str, more: str) -> None:
    assert finished(text + more) >= finished(text)

"""Markdown is cut where it hurts least, and no line of it is lost."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from almario.domain.documents.lines import hidden_spans, split_lines
from almario.domain.plain_text import estimate_tokens
from almario.memory.rules.chunking import WHOLE, Chunk, cut, cut_if_long
from tests.effort import every
from tests.tables import each_row
from tests.texts import any_text, often
from tests.timing import is_done_within

LENGTH = 200_000
SENTENCE = "Ana went to the market and bought bread, oranges and a small green notebook.\n"


def filled(text: str) -> list[str]:
    return [line.strip() for line in text.removeprefix("\ufeff").split("\n") if line.strip()]


def texts(text: str, target: int = 60, overlap: int = 0) -> list[str]:
    return [chunk.text for chunk in cut(text, target=target, overlap=overlap)]


@often
@given(any_text, st.integers(5, 60), st.integers(0, 40))
def test_every_line_is_in_a_chunk_at_the_place_it_says(text: str, target: int, overlap: int) -> None:
    lines = text.removeprefix("\ufeff").split("\n")
    short = {number for number, line in enumerate(lines, 1) if estimate_tokens(line + "\n") <= target}
    found: set[int] = set()
    for chunk in cut(text, target=target, overlap=overlap):
        for number, line in enumerate(chunk.text.split("\n"), chunk.line):
            assert number not in short or line.strip() == lines[number - 1].strip()
            found.add(number)

    assert found >= {number for number in short if lines[number - 1].strip()}


@often
@given(any_text, st.integers(20, 60), st.integers(0, 15))
def test_no_chunk_is_blank_and_none_is_larger_than_it_may_be(text: str, target: int, overlap: int) -> None:
    for chunk in cut(text, target=target, overlap=overlap):
        assert chunk.text.strip()
        assert estimate_tokens(chunk.text) <= target * (WHOLE + 1)


@often
@given(st.text("ab .!?。日🤖\t", min_size=1, max_size=900), st.integers(5, 80))
@example(" 。a。。🤖", 5)
def test_a_line_that_is_too_long_is_cut_and_joins_back(line: str, target: int) -> None:
    pieces = cut(line, target=target, overlap=0)

    assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(line.split())
    assert {piece.line for piece in pieces} <= {1}
    assert all(estimate_tokens(piece.text) <= target for piece in pieces)


@often
@given(any_text)
@example("<!-- almario 7 2026-11-14T10:00:00Z -->\r<!-- almario 7 2026-11-14T10:00:00Z -->\r\ufeff\n")
def test_a_fence_or_comment_is_never_cut(text: str) -> None:
    lines = split_lines(text.removeprefix("\ufeff"))
    hidden = ["".join(lines[start:end]).strip() for start, end in hidden_spans(lines).items()]
    chunks = cut(text, target=40, overlap=10)

    for whole in (block for block in hidden if estimate_tokens(block) <= WHOLE * 40):
        assert any(whole in chunk.text for chunk in chunks)


def test_sections_are_chunks_with_their_headings() -> None:
    assert cut("intro\n# Trip\nto Rome\n\n## Day 2 ##\n\nrain\n# Work\nbridges\n") == [
        Chunk("intro", 1, ""),
        Chunk("# Trip\nto Rome", 2, "Trip"),
        Chunk("## Day 2 ##\n\nrain", 5, "Trip › Day 2"),
        Chunk("# Work\nbridges", 8, "Work"),
    ]


def test_headings_with_nothing_under_them_join_the_next_section() -> None:
    assert cut("# Trip\n\n## Day 1\n\nsun\n\n# Empty\n") == [
        Chunk("# Trip\n\n## Day 1\n\nsun", 1, "Trip › Day 1"),
        Chunk("# Empty", 7, "Empty"),
    ]


def test_a_heading_stays_with_a_fence_that_fills_its_chunk() -> None:
    fence = "```\n" + "x = 1\n" * 30 + "```"

    assert texts(f"# Code\n\n{fence}\n\nafter\n")[0] == f"# Code\n\n{fence}"


def test_signs_in_fences_and_tags_are_no_headings() -> None:
    assert len(cut("a\n```\n# no\n```\n#tag\n    # indented\n<!--\n# no\n-->\nb\n")) == 1


def test_a_long_section_is_cut_between_paragraphs_rather_than_lines() -> None:
    first, second = SENTENCE * 2 + "Then home.", (SENTENCE * 2).strip()

    assert texts(f"{first}\n\n{second}\n", target=60) == [first, second]


def test_a_long_list_is_cut_between_items_rather_than_lines() -> None:
    item = "- Ana went to the market\n  and bought bread\n  and oranges\n"

    for target in range(40, 80, 3):
        assert all(text.startswith("- Ana") for text in texts(item * 9, target=target))


@given(st.lists(st.integers(1, 180), max_size=40), st.integers(0, 60))
def test_what_neighbours_share_makes_no_chunk_too_large(lengths: list[int], overlap: int) -> None:
    text = "\n".join("a" * length for length in lengths)

    assert all(estimate_tokens(chunk.text) <= 50 for chunk in cut(text, target=50, overlap=overlap))


def test_neighbours_share_whole_lines() -> None:
    text = "".join(f"Line {number} says {SENTENCE}" for number in range(30))
    chunks = cut(text, target=200, overlap=50)

    for one, other in pairwise(chunks):
        shared = [line for line in other.text.split("\n") if line in one.text.split("\n")]
        assert shared
        assert estimate_tokens("\n".join(shared)) <= 50


def test_a_fence_past_the_limit_is_cut_at_lines() -> None:
    code = [f"value_{number} = {number}" for number in range(200)]
    chunks = cut("```\n" + "\n".join(code) + "\n```\n", target=50, overlap=0)

    assert len(chunks) > 3
    assert [line for chunk in chunks for line in filled(chunk.text)] == ["```", *code, "```"]


def test_the_owners_comments_are_in_the_text() -> None:
    assert texts("a\n<!-- remember the milk -->\n") == ["a\n<!-- remember the milk -->"]


def test_skipped_lines_and_the_headings_they_leave_bare_are_left_out() -> None:
    text = "# Memory\n\n## job\n\n- bridges\n\n## home\n\n- Quito\nmy own note\n"

    assert cut(text, skip={5, 9}) == [Chunk("my own note", 10, "Memory › home")]
    assert cut("## job\n\n- bridges\n", skip={3}) == []


def test_a_title_as_long_as_a_book_does_not_go_with_every_chunk() -> None:
    chunks = cut("# " + "a" * 10_000 + "\n" + "text\n" * 1000)

    assert max(len(chunk.heading) for chunk in chunks) <= 80


def test_what_belongs_together_stays_whole_until_it_is_very_long() -> None:
    assert cut_if_long(SENTENCE * 8, target=50, overlap=0) == [SENTENCE * 8]
    assert len(cut_if_long(SENTENCE * 80, target=50, overlap=0)) > 10


@each_row(
    "text",
    every(
        2,
        [
            "a" * LENGTH,
            "One. " * (LENGTH // 5),
            "# a\n" * 40_000,
            "```a\n" * 40_000,
            "".join("`" * length + "a\n" for length in range(600, 2, -1)) + "```a\n" * 15_000,
            "".join(" " * depth + "- a\n" for depth in range(900)),
            "# " + "a" * (LENGTH // 2) + "\n" + "b\n" * (LENGTH // 8),
            "```\n" + "x = 1\n" * (LENGTH // 6) + "```\n",
            "<!--\n" * 40_000,
            "\n" * LENGTH,
        ],
    ),
    ids=lambda text: repr(text[:8]),
)
def test_hostile_files_are_cut_in_linear_time(text: str) -> None:
    assert is_done_within(2, lambda: cut(text))

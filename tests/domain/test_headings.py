"""A Markdown file as sections that join back to it."""

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.documents.headings import join_sections, parse_sections, section_body, with_section
from almario.domain.documents.lines import folded
from tests.tables import each_row
from tests.texts import any_text, ended, often, words

titles = st.sampled_from(["Active Goals", "Completed", "Elsewhere", "Title", "New"])


def shape(text: str) -> list[tuple[int, str, str]]:
    return [(section.level, section.title, section.body) for section in parse_sections(text)]


@often
@given(any_text)
def test_sections_join_back_to_the_same_text(text: str) -> None:
    assert join_sections(parse_sections(text)) == text


@often
@given(any_text, titles, words)
def test_setting_a_section_leaves_all_other_lines_alone(text: str, title: str, body: str) -> None:
    sections = parse_sections(text)
    found = [n for n, s in enumerate(sections) if s.level and folded(s.title) == folded(title)]

    after = with_section(text, title, body)

    if found:
        place = found[0]
        assert after.startswith(join_sections(sections[:place]) + sections[place].heading)
        assert after.endswith(join_sections(sections[place + 1 :]))
        assert parse_sections(after)[:place] == sections[:place]
        assert parse_sections(after)[place + 1 :] == sections[place + 1 :]
    else:
        assert after.startswith(text)
        assert len(parse_sections(after)) == len(parse_sections(text.removeprefix("\ufeff"))) + 1


@often
@given(any_text, titles, words)
def test_what_a_section_was_set_to_can_be_read_from_it(text: str, title: str, body: str) -> None:
    after = with_section(text + "\n", title, body)

    assert section_body(after, title).lstrip().startswith(body)
    assert with_section(after, title, body) == after


def test_a_section_has_a_level_a_title_and_a_body() -> None:
    text = "before\n# One\na\n## Two ##\nb\n### Three\nc\n"

    assert shape(text) == [(0, "", "before\n"), (1, "One", "a\n"), (2, "Two", "b\n### Three\nc\n")]


@each_row(
    ("heading", "title"),
    [
        ("\ufeff## Focus", "Focus"),
        ("##\tFocus  ", "Focus"),
        ("## Focus ###", "Focus"),
        ("## C#", "C#"),
        ("## Issue #1", "Issue #1"),
        ("## 日本語 🤖", "日本語 🤖"),
    ],
)
def test_headings_are_read_in_their_common_shapes(heading: str, title: str) -> None:
    assert shape(f"{heading}\r\na") == [(2, title, "a")]


@each_row("line", ["#tag", "##", "    # code", "### Deeper", "\\# a", "```\n# a\n```", "<!--\n# a\n-->"])
def test_other_lines_are_no_headings(line: str) -> None:
    assert [level for level, _, _ in shape(line)] == [0]


@each_row("title", ["current focus", "**Current Focus**", "Current Focus:"])
def test_a_section_is_found_whatever_its_case_and_marks(title: str) -> None:
    assert section_body(f"# A\n\n## {title}\nb\n", "Current Focus") == "b\n"


def test_a_missing_section_is_added_at_the_end() -> None:
    assert with_section("# A\n", "Focus", "b") == "# A\n\n## Focus\n\nb\n"
    assert with_section("# A", "Focus", "b") == "# A\n\n## Focus\n\nb\n"
    assert with_section("", "Focus", "b") == "## Focus\n\nb\n"


def test_a_crlf_file_stays_crlf() -> None:
    after = with_section("# A\r\n\r\n## B\r\nold\r\n", "B", "new\nlines")

    assert after == "# A\r\n\r\n## B\r\n\r\nnew\r\nlines\r\n"
    assert all(line.endswith("\r\n") for line in ended(with_section(after, "C", "d")))


def test_a_section_is_found_by_its_english_and_its_spanish_name() -> None:
    text = "# Motivaciones\n\n## Lo que me mueve\n\n- Entender.\n\n## En qué estoy\n\n- Nada.\n"

    assert section_body(text, "Core Drives").strip() == "- Entender."
    assert with_section(text, "Current Focus", "- Todo.") == text.replace("Nada", "Todo")


def test_a_new_section_of_a_spanish_file_has_a_spanish_name() -> None:
    text = "## Lo que me mueve\n\n- Entender.\n"

    assert with_section(text, "Open Questions", "- ¿Qué?") == f"{text}\n## Preguntas abiertas\n\n- ¿Qué?\n"
    assert with_section("## Core Drives\n", "Open Questions", "- ¿Qué?").count("## Open Questions") == 1

"""A list under a heading changes, and nothing else of the file does."""

from hypothesis import given
from hypothesis import strategies as st

from almario.becoming.rules.items import items_of, with_items
from almario.domain.documents.headings import parse_sections
from almario.domain.documents.lines import split_lines
from tests.tables import each_row

TEXT = """\
# Motivations

## Core Drives

- To listen.

## Current Focus

My own words about it.

<!-- Keep this short. -->
- The garden
  with its wall
* The book

### Later

1. The boat

## Open Questions

- Why?
"""


def test_the_list_is_read_item_by_item() -> None:
    assert items_of(TEXT, "current focus") == ["The garden with its wall", "The book", "The boat"]
    assert items_of(TEXT, "Nowhere") == []


def test_new_items_take_the_place_of_the_old_and_the_owners_words_stay() -> None:
    changed = with_items(TEXT, "Current Focus", ["The sea", "The boat"])

    assert changed == TEXT.replace("- The garden\n  with its wall\n* The book\n", "- The sea\n")


@each_row("heading", ["### Mine", "Mine\n----", " ## Mine", "<h3>Mine</h3>"])
def test_what_stands_below_a_smaller_heading_stays_however_it_is_written(heading: str) -> None:
    below = f"{heading}\n\n- Never lie.\n"

    assert with_items(f"## Focus\n\n- a\n\n{below}", "Focus", ["b"]) == f"## Focus\n\n- b\n\n{below}"
    assert with_items(f"## Focus\n\n{below}", "Focus", ["b"]) == f"## Focus\n\n- b\n\n{below}"


def test_a_rule_below_a_list_makes_no_heading_of_its_last_item() -> None:
    assert with_items("## Focus\n\n- a\n- b\n---\n", "Focus", ["c"]) == "## Focus\n\n- c\n---\n"


def test_added_items_stand_below_the_list_once_each() -> None:
    changed = with_items(TEXT, "Open Questions", ["Why?", "When?"], keep=True)

    assert changed == TEXT + "- When?\n"


def test_what_is_locked_stays_and_is_not_said_twice() -> None:
    locked = TEXT.replace("- The garden\n", "<!-- locked -->\n- The sea\n<!-- /locked -->\n- The garden\n")

    changed = with_items(locked, "Current Focus", ["The sea", "The sky"])

    assert "<!-- locked -->\n- The sea\n<!-- /locked -->\n- The sky\n" in changed
    assert items_of(changed, "Current Focus") == ["The sea", "The sky", "The boat"]


@each_row(
    ("text", "expected"),
    [
        ("", "## Focus\n\n- a\n"),
        ("## Focus", "## Focus\n\n- a\n"),
        ("## Focus\n## Next\n", "## Focus\n\n- a\n\n## Next\n"),
        ("## Focus\n\n<!-- Here. -->\n\n## Next\n", "## Focus\n\n<!-- Here. -->\n\n- a\n\n## Next\n"),
        ("## Focus\r\n\r\n- b\r\n", "## Focus\r\n\r\n- a\r\n"),
        ("## Focus\n\n```\n- b\n```\n", "## Focus\n\n```\n- b\n```\n\n- a\n"),
    ],
)
def test_a_list_is_begun_where_there_is_none(text: str, expected: str) -> None:
    assert with_items(text, "Focus", ["a"]) == expected


_KINDS = (
    "- one|  more|prose||<!-- c -->|### small|```|* two|<!-- locked -->|<!-- /locked -->|## Other|## Focus"
)
_LINES = st.sampled_from(_KINDS.split("|"))


@given(st.lists(_LINES, max_size=14), st.booleans())
def test_every_line_that_is_no_item_of_the_list_stays_in_its_order(lines: list[str], keep: bool) -> None:
    text = "# Title\n\n" + "".join(f"{line}\n" for line in lines)

    changed = with_items(text, "Focus", ["new", "one"], keep=keep)

    items = ("- ", "* ", "more")
    owners = [line for line in split_lines(text) if line.strip() and not line.lstrip().startswith(items)]
    there = iter(split_lines(changed))
    assert all(line in there for line in owners)
    assert with_items(changed, "Focus", ["new", "one"], keep=keep) == changed
    if any(section.title == "Focus" for section in parse_sections(text)):
        outside = [s.heading + s.body for s in parse_sections(text) if s.title != "Focus"]
        assert [s.heading + s.body for s in parse_sections(changed) if s.title != "Focus"] == outside

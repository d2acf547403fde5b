"""What a merge left undecided in a file is told to no model; the file stays as it is."""

from pathlib import Path

import almario
from almario.domain.documents.conflicts import conflict_line, without_conflicts
from almario.soul import Soul
from almario.testing import FixedClock
from tests.tables import each_row

MERGED = """\
# Ana

<<<<<<< HEAD
Lives in Vigo.
=======
Lives in Lugo.
>>>>>>> laptop
Likes tea.
"""
MARKS = ("<<<<<<<", "=======", ">>>>>>>")


def test_a_soul_file_with_merge_markers_is_told_as_it_was_before_them(soul: Soul) -> None:
    for name in ("USER.md", "SOUL.md"):
        (soul.path / name).write_text("# Ana\n\nLives in Vigo, by the sea.\n")
        soul.settle()
        (soul.path / name).write_text(MERGED)
        soul.settle()

    prompt = soul.prompt().text

    assert prompt.count("Lives in Vigo, by the sea.") == 2
    assert not [mark for mark in (*MARKS, "Lugo") if mark in prompt]
    assert (soul.path / "USER.md").read_text() == MERGED


def test_without_an_earlier_content_nothing_of_it_is_told(soul: Soul) -> None:
    (soul.path / "GOALS.md").write_text(
        "# Goals\n\n## Active Goals\n\n<<<<<<< a\n- [ ] Row\n=======\n- [ ] Swim\n>>>>>>> b\n"
    )
    for each in (soul.path / ".versions" / "GOALS.md").glob("*"):
        each.unlink()

    prompt = soul.prompt().text

    assert not [mark for mark in (*MARKS, "Row", "Swim") if mark in prompt]


def test_sides_of_a_merge_in_memory_md_are_not_told_with_their_markers(soul: Soul) -> None:
    (soul.path / "MEMORY.md").write_text(MERGED)
    (soul.path / "USER.md").write_text(MERGED)

    prompt = soul.prompt(message="Who lives in Lugo?").text

    assert not [mark for mark in (*MARKS, "Lives in Lugo") if mark in prompt]


def test_merge_markers_are_named_with_their_line_and_told_once(
    soul: Soul, home: Path, clock: FixedClock
) -> None:
    (soul.path / "USER.md").write_text(MERGED)

    first, second = (
        [str(each) for each in almario.open(home, clock=clock).notices if "merge" in str(each)]
        for _ in range(2)
    )

    sentence = "USER.md has merge markers from line 3 on; until you choose a side, what it said before"
    assert [each.startswith(sentence) for each in first] == [True]
    assert second == []
    assert [(each.file, each.line) for each in soul.memory.verify()] == [("USER.md", 3)]


@each_row(
    ("text", "line"),
    [
        (MERGED, 3),
        (MERGED.replace("\n", "\r\n"), 3),
        (MERGED.replace("=======\n", "||||||| base\nLives.\n=======\n"), 3),
        ("Title\n=======\n\ntext\n", 0),
        ("a <<<<<<< b\n=======\n>>>>>>> c\n", 0),
        (MERGED.replace(">>>>>>> laptop\n", ""), 0),
    ],
)
def test_a_conflict_has_all_its_markers_in_order(text: str, line: int) -> None:
    assert conflict_line(text) == line
    assert ("<<<<<<<" in without_conflicts(text)) == ("<<<<<<<" in text and not line)

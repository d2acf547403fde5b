"""The daily log is read in both its shapes, and each entry stands on its own."""

from datetime import date, time

from hypothesis import given

from almario.domain.documents.daily import LogEntry, log_filing, log_lines, log_title, parse_log
from almario.domain.documents.lines import split_lines
from tests.tables import each_row
from tests.texts import any_text, often

DAY = date(2026, 11, 14)


def test_bullets_are_entries_with_the_indented_lines_below_them() -> None:
    text = "# Log\n\n- [14:30] tea\n  with milk\n\tand sugar\n\n  not its own\n* [9:05] walk\nprose\n"

    assert parse_log(text) == [
        LogEntry(time(14, 30), "tea\nwith milk\nand sugar", "", 3, 5),
        LogEntry(time(9, 5), "walk", "", 8, 8),
    ]


def test_headings_with_a_time_are_entries_with_the_paragraphs_below_them() -> None:
    text = "\ufeff## [14:30:15] dream\n\nA sea.\n#blue\n### Then\nA boat.\n\n## [23:59] \nlate\n# End\nx"

    assert parse_log(text) == [
        LogEntry(time(14, 30, 15), "A sea.\n#blue\n### Then\nA boat.", "dream", 1, 7),
        LogEntry(time(23, 59), "late", "", 8, 9),
    ]


@each_row("clock", ["25:00", "12:60", "12:30:61", "99:99", "1230", "12", "12:3", "", "x", "١٢:٣٠"])
def test_an_impossible_time_is_no_entry(clock: str) -> None:
    assert parse_log(f"- [{clock}] a\n## [{clock}] b\nc\n- [10:00] d\n") == [
        LogEntry(time(10), "d", "", 4, 4)
    ]


@each_row("hidden", ["```\n- [10:00] a\n```\n", "<!--\n- [10:00] a\n-->\n", "    - [10:00] a\n"])
def test_an_example_is_no_entry(hidden: str) -> None:
    assert parse_log(hidden) == []


@often
@given(any_text)
def test_the_line_number_of_an_entry_is_where_it_stands(text: str) -> None:
    lines = split_lines(text)
    for entry in parse_log(text):
        line = lines[entry.line - 1]
        assert f"{entry.at.hour}:{entry.at:%M}" in line or f"{entry.at:%H:%M}" in line
        assert entry.category in line
        assert all(part.strip() in text for part in entry.text.split("\n"))


def test_a_comment_that_one_entry_opens_and_another_closes_hides_neither() -> None:
    assert [entry.text for entry in parse_log("- [10:00] <!--\n- [11:00] a -->\n")] == ["<!--", "a -->"]


def test_an_entry_of_many_lines_is_one_bullet() -> None:
    filing = log_filing(DAY, time(14, 30, 59), "\n tea\r\n\n  - with milk\u2028late \n")

    assert filing.path == "memory/2026-11-14.md"
    assert filing.title == log_title(DAY)
    assert filing.text == "- [14:30] tea\n  - with milk\n  late\n"


def test_the_title_is_left_out_and_nothing_else() -> None:
    assert log_lines("\ufeff# Memory Log: 2026-11-14\r\n\r\n- [14:30] a\r\n") == [(3, "- [14:30] a")]
    assert log_lines("- [14:30] a\n  b\n# c\n") == [(1, "- [14:30] a\n  b"), (3, "# c")]
    assert log_lines("a\n- [14:30] [untrusted] b\n  c\nd\n") == [(1, "a"), (4, "d")]
    assert log_lines("") == []

"""Each sort of file gives the passages that one looks for in it."""

from datetime import date, time

from hypothesis import given

from almario.domain.documents.daily import log_filing, log_title
from almario.domain.documents.lines import without_comments
from almario.domain.passages import Passage
from almario.memory.rules.sources import passages_of
from tests.texts import any_text, often

DAY = date(2026, 11, 14)
LOG = "memory/2026-11-14.md"


def passages(path: str, text: str, skip: set[int] | None = None) -> list[Passage]:
    return passages_of(path, text, chunk_tokens=400, overlap=80, skip_lines=skip or ())


def said(path: str, text: str) -> list[tuple[int, str]]:
    return [(passage.line, passage.text) for passage in passages(path, text)]


def test_an_entry_of_a_daily_log_is_a_passage_of_its_own() -> None:
    text = "# Memory Log: 2026-11-14\n\n- [14:30] tea with Ana\n  and bread\n- [15:00] rain\n"

    assert passages(LOG, text) == [
        Passage("tea with Ana\nand bread", LOG, 3, "log", day=DAY),
        Passage("rain", LOG, 5, "log", day=DAY),
    ]


def test_an_entry_is_found_by_the_exact_text_that_was_logged() -> None:
    text = "# a\n- b\n  c ```"
    filing = log_filing(DAY, time(9, 5), text)

    assert said(LOG, log_title(DAY) + filing.text) == [(3, "# a\n- b\nc ```")]


def test_an_entry_under_a_heading_has_its_category_as_key() -> None:
    [passage] = passages(LOG, "## [9:05:01] dream\n\n\nof the sea\nand ships\n\n")

    assert (passage.text, passage.line, passage.key) == ("of the sea\nand ships", 1, "dream")


def test_what_the_owner_writes_between_entries_is_found_too() -> None:
    assert said(LOG, "- [14:30] tea\n\nA note of mine.\n\n- [15:00] rain\n") == [
        (1, "tea"),
        (3, "A note of mine."),
        (5, "rain"),
    ]


def test_an_entry_without_words_is_no_passage() -> None:
    assert said(LOG, "# Memory Log: 2026-11-14\n\n- [14:30]\n## [15:00]\n") == []


def test_dated_lines_of_the_history_are_summaries_of_their_day() -> None:
    path = "memory/HISTORY.md"
    text = "# History\n\n- [2026-11-13 10:00] spoke of Rome\n  and of trains\n- 2026-11-12: bread\n- plain\n"

    assert passages(path, text) == [
        Passage("spoke of Rome\nand of trains", path, 3, "summary", day=date(2026, 11, 13)),
        Passage("bread", path, 5, "summary", day=date(2026, 11, 12)),
        Passage("- plain", path, 6, "summary", key="History"),
    ]


def test_sections_of_the_history_take_the_day_of_their_heading() -> None:
    [passage] = passages("memory/HISTORY.md", "## 2026-11-13 Rome\n\nSpoke of Rome.\n")

    assert (passage.kind, passage.day, passage.key) == ("summary", date(2026, 11, 13), "2026-11-13 Rome")


def test_other_files_are_notes_with_the_day_in_their_name() -> None:
    [note] = passages("memory/reflections/2026-11-14-calm.md", "- [14:30] not a log\n")
    [soul] = passages("SOUL.md", "Be kind.\n")

    assert (note.kind, note.day, note.text) == ("note", DAY, "- [14:30] not a log")
    assert (soul.kind, soul.day) == ("note", None)


def test_an_archived_log_is_still_a_log() -> None:
    assert [p.kind for p in passages("memory/archive/2026-11-14-2.md", "- [14:30] tea\n")] == ["log"]


def test_a_day_that_no_calendar_has_is_no_day() -> None:
    assert [(p.kind, p.day) for p in passages("memory/2026-13-45.md", "tea\n")] == [("note", None)]


def test_lines_of_the_ledger_are_left_out() -> None:
    text = "# Memory\n\n## job\n\n- builds bridges\n\nProse of mine.\n"

    assert [(p.line, p.text) for p in passages("MEMORY.md", text, {5})] == [(7, "Prose of mine.")]


@often
@given(any_text)
def test_no_word_of_a_log_is_lost(text: str) -> None:
    found = " ".join(f"{p.text} {p.key}" for p in passages(LOG, text))

    for word in ("words", "日本語の行", "likes", "tea", "dream", "closed", "warm"):
        assert (word in _shown(text)) <= (word in found)


@often
@given(any_text)
def test_no_word_of_a_history_is_lost(text: str) -> None:
    text = text.replace("- likes", "- [2026-01-02] likes")
    found = " ".join(p.text for p in passages("memory/HISTORY.md", text))

    for word in ("words", "日本語の行", "likes", "tea", "closed", "warm"):
        assert (word in _shown(text)) <= (word in found)


def _shown(text: str) -> str:
    """Return what of a text may be found: no comment, and no heading over nothing."""
    return "\n".join(line for line in without_comments(text).split("\n") if not line.strip().startswith("#"))


def test_comments_and_bare_headings_are_no_passages() -> None:
    text = "# Notes\n\n<!-- write here -->\n\n## Empty\n\n## Tea\n\nGreen. <!-- why? -->\n"

    assert [p.text for p in passages("notes.md", text)] == ["## Empty\n\n## Tea\n\nGreen."]

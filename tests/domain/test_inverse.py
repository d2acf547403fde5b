"""What is written into a file is read back as it was, whatever it says and whatever stands around it.

MEMORY.md is held to the same in `test_mirror`, transcripts and the journal in `tests/store/`.
"""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from almario.becoming.rules.goal_changes import add_goal, add_note, complete_goal, reopen_goal, set_status
from almario.becoming.rules.items import items_in, items_of, with_items
from almario.becoming.rules.places import harm_in
from almario.becoming.rules.reflections import (
    ReflectionOutcome,
    explored_filing,
    has_entry,
    reflection_filing,
)
from almario.domain.documents.daily import entry_text
from almario.domain.documents.goal_list import Goal, parse_goals
from almario.domain.documents.headings import parse_sections, section_body, with_section
from almario.domain.documents.identity import Field, is_field, parse_identity, with_fields
from almario.domain.documents.lines import folded
from almario.domain.plain_text import in_one_line
from almario.domain.soul_events import Design, Finding, ReflectionBegun
from almario.memory.rules.erasure import without_turns
from almario.memory.rules.sources import entries_of, filing_of
from tests.texts import any_text, anything, often

AT = datetime(2026, 11, 14, 9, 5, tzinfo=UTC)
LOG, HISTORY = "memory/2026-11-14.md", "memory/HISTORY.md"
FILED = pytest.mark.parametrize(("kind", "path"), [("episode", LOG), ("summary", HISTORY)])


def whole_lines(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def told(path: str, text: str) -> list[tuple[str, bool]]:
    return [(entry.text, entry.is_trusted) for entry in entries_of(path, text)]


@FILED
@often
@given(any_text, st.lists(st.tuples(anything, st.booleans()), max_size=3))
@example("<!--\n", [("tea", True), ("a --> b", True)])
@example("", [("- a dash first", True), ("-5 degrees", True), ("[untrusted]\u2028[untrusted] late", False)])
@example("", [("--\\> kept", True)])
def test_an_episode_and_a_summary_are_read_as_they_were_filed(
    kind: str, path: str, before: str, said: list[tuple[str, bool]]
) -> None:
    before = whole_lines(before)
    fit = [(entry_text(text), is_trusted) for text, is_trusted in said if entry_text(text)]

    after = before + "".join(filing_of(kind, text, AT, is_trusted=trusted).text for text, trusted in fit)

    assert told(path, after) == told(path, before) + fit


@often
@given(anything)
def test_a_text_is_made_fit_once(text: str) -> None:
    fit = entry_text(text)

    assert entry_text(fit) == fit


@often
@given(st.lists(st.tuples(anything, anything), max_size=3), any_text)
@example([("[untrusted] a --> b", "https://example.org")], "<!--\n")
def test_what_the_web_said_is_read_as_it_was_found(found: list[tuple[str, str]], before: str) -> None:
    findings = [Finding("people", text, (), url) for text, url in found]
    path, before = "memory/explored/2026-11-14.md", whole_lines(before)
    lines = [entry_text(f"{in_one_line(text)} ({in_one_line(url)})") for text, url in found]

    text = before + explored_filing(date(2026, 11, 14), findings).text

    there = [entry.text for entry in entries_of(path, text)]
    assert there == [entry.text for entry in entries_of(path, before)] + lines


# Goals.


def plain(text: str) -> Counter[Goal]:
    """Return the goals of a file without their numbers, which are places in a list."""
    return Counter(goal._replace(number=0) for goal in parse_goals(text))


def words(text: str) -> str:
    return " ".join(text.split())


@often
@given(any_text, anything, anything)
@example("<!--\n- [ ] seen\n", "a --> b", "--\\> c")
def test_a_goal_and_its_details_are_read_as_they_were_said(before: str, said: str, detail: str) -> None:
    goal = Goal(0, words("learn " + said), done=False)
    assume(words(detail))
    text = add_goal(before, goal.text)
    assert plain(text) - plain(before) == Counter([goal])
    assert not plain(before) - plain(text)
    wanted = str(next(each.number for each in parse_goals(text) if each._replace(number=0) == goal))
    changes: list[tuple[Callable[[str], str], Goal]] = [
        (lambda text: add_note(text, wanted, detail), goal._replace(notes=(words(detail),))),
        (lambda text: set_status(text, wanted, detail), goal._replace(status=words(detail))),
        (
            lambda text: complete_goal(text, wanted, day=AT.date(), outcome=detail),
            goal._replace(done=True, completed=AT.date(), outcome=words(detail)),
        ),
    ]
    for change, changed in changes:
        after = change(text)
        assert plain(after) == plain(text) - Counter([goal]) + Counter([changed])


@often
@given(any_text, anything)
def test_a_goal_completed_and_reopened_says_the_same(before: str, said: str) -> None:
    goal = words("learn " + said)
    text = add_goal(before, goal)
    number = max(each.number for each in parse_goals(text) if each.text == goal and not each.done)

    done = complete_goal(text, str(number), day=AT.date())
    wanted = next(each.number for each in parse_goals(done) if each.text == goal and each.done)

    assert Counter(g.text for g in parse_goals(reopen_goal(done, str(wanted)))) == Counter(
        g.text for g in parse_goals(text)
    )


# Soul files.


@often
@given(any_text, anything, anything)
@example("", "- -", "a")
@example("", "# a", "b")
@example("<!--\nname: Finny\n", "vibe", "a --> b")
def test_a_field_of_the_identity_is_read_as_it_was_set(before: str, name: str, value: str) -> None:
    field = Field(in_one_line(name), in_one_line(value))
    assume(is_field(*field))

    fields = parse_identity(with_fields(before, {field.key: field.value}))

    assert [each.value for each in fields if each.name == field.name][:1] == [field.value]
    others = [each for each in parse_identity(before) if each.name != field.name]
    assert [each for each in fields if each.name != field.name] == others


@often
@given(any_text, anything)
def test_a_section_that_does_no_harm_is_read_as_it_was_written(before: str, said: str) -> None:
    body = "\n".join(items_in(said))
    assume(not harm_in(body))
    before = whole_lines(before)
    other = [section for section in parse_sections(before) if folded(section.title) != "zeta"]

    after = with_section(before, "Zeta", body)

    assert "\n".join(section_body(after, "Zeta").split("\r\n")).strip() == body.strip()
    kept = [section for section in parse_sections(after) if folded(section.title) != "zeta"]
    assert [(s.level, s.title, s.body.strip()) for s in kept if s.heading or s.body.strip("\ufeff\r\n")] == [
        (s.level, s.title, s.body.strip()) for s in other if s.heading or s.body.strip("\ufeff\r\n")
    ]


@often
@given(any_text, st.lists(anything, max_size=4))
def test_items_that_do_no_harm_are_read_as_they_were_written(before: str, said: list[str]) -> None:
    items = list(dict.fromkeys(item for text in said for item in items_in(text) if not harm_in(item)))
    assume(len({folded(item) for item in items}) == len(items))

    assert items_of(with_items(before, "Zeta", items), "Zeta") == items


# What is quoted, and what the agent writes of itself.


@often
@given(anything, st.lists(st.tuples(anything, anything), min_size=1, max_size=4), st.data())
@example("- ", [("", "-")], None)
def test_one_message_can_be_taken_out_of_a_snapshot(
    session: str, said: list[tuple[str, str]], data: st.DataObject | None
) -> None:
    assume(in_one_line(session))
    gone = data.draw(st.integers(1, len(said))) if data else 1

    def snapshot(*, without: int) -> str:
        parts = ["# Snapshot\n\n", f"<!-- session: {in_one_line(session)} -->\n"]
        for n, (who, text) in enumerate(said, 1):
            quoted = "".join(f"> {line}".rstrip() + "\n" for line in text.strip().splitlines())
            erased = "> [erased]\n" if quoted else ""
            parts += [f"\n**{in_one_line(f'user ({who})')}** #{n}, 2026-11-14 09:05:\n\n"]
            parts += [erased if n == without else quoted]
        return "".join(parts)

    assert without_turns(snapshot(without=0), [f"{session}#{gone}"]) == snapshot(without=gone)


@often
@given(anything, anything)
def test_a_reflection_is_no_other_whatever_it_says(words: str, found: str) -> None:
    begun = ReflectionBegun("2026-11-14-1", "2026-11-14", "UTC", "night", "", "2026-11-14T03:30:00.000Z")
    outcome = ReflectionOutcome([Finding("people", found, ("aa11",))], design=Design(entry=words))

    content = reflection_filing(begun, outcome, zone=UTC, language="en").text.encode()

    assert has_entry(content, "2026-11-14-1")
    assert not has_entry(content, "2026-11-14-2")
    assert [s.level for s in parse_sections(content.decode())] == [0, 2]

"""GOALS.md changes one goal at a time, and everything else in it stays."""

import string
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.becoming.rules.goal_changes import (
    add_goal,
    add_note,
    complete_goal,
    drop_goal,
    reopen_goal,
    set_priority,
    set_status,
    without_old_goals,
)
from almario.domain.documents.goal_list import PRIORITIES, Goal, find_goal, parse_goals
from almario.domain.documents.lines import is_blank, split_lines
from almario.errors import SoulError
from tests.tables import each_row
from tests.texts import any_text, ended, is_within, often

DAY = date(2026, 11, 14)
FENCE = "~" * 9
FILE = """\
# Goals

Mine to keep: - [ ] not a goal

## Active Goals

- [ ] 🔴 Learn to cook rice
  Status: in progress
  Notes: two parts water
  - Notes: rinse it first
    - [ ] buy a pot
* [ ] 🟢 Walk more
- [ ] Write home

## Shopping

- [ ] 🔴 milk

## Completed

- [x] ~~Say hello~~ ✅ 2026-01-15
  Outcome: they said hello back
"""


def plain(goals: list[Goal]) -> list[Goal]:
    """Return *goals* without their numbers, which are places in a list."""
    return [goal._replace(number=0) for goal in goals]


def others(text: str, goal: str, like: str) -> list[str]:
    """Return the lines that are not the goal's: in the documents below, its own name it or are a fence."""
    return [line for line in ended(text, like) if goal not in line and FENCE not in line]


def filled(lines: list[str]) -> list[str]:
    return [line for line in lines if not is_blank(line)]


def _block(name: str, done: bool, sign: str, day: date, details: list[str]) -> str:
    item = f"- [x] ~~{name}~~ ✅ {day}\n" if done else f"- [ ] {sign} {name}\n".replace("  ", " ")
    return item + "".join(detail.replace("NAME", name) for detail in details)


_DETAILS = [
    "  Notes: NAME often\n",
    "\tStatus: NAME slow\n",
    "  - Estado: NAME\n",
    "  Outcome: NAME well\n",
    "    - [ ] part of NAME\n",
    "  <!-- NAME\nStatus: NAME -->\n",
    f"  {FENCE}\n# NAME\n  Notes: NAME\n  {FENCE}\n",
]
_OTHERS = [
    "\n",
    "\n\n",
    "words of the owner\n",
    "## Shopping\n",
    "# Also\n",
    "### Someday\n",
    "<!-- - [ ] later -->\n",
    "<!--\n- [ ] hidden\n-->\n",
    "```\n## Active Goals\n- [ ] shown\n```\n",
    "~~~~\n~~~\n- [x] shown\n~~~~\n",
    "## Active Goals\n",
    "##  completed:\n",
    "- bullet\n",
    "日本語 cafe\u0301 \u2028 \x0b\n",
]


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a GOALS.md with goals that are named by letters, among much else."""
    parts = [draw(st.sampled_from(["", "\ufeff"])), draw(st.sampled_from(["", "# Goals\n", "prose\n"]))]
    for letter in draw(st.lists(st.sampled_from(string.ascii_uppercase), max_size=6, unique=True)):
        parts += draw(st.lists(st.sampled_from(_OTHERS), max_size=3))
        sign = draw(st.sampled_from(["", *PRIORITIES.values()]))
        day = DAY - timedelta(days=draw(st.integers(0, 9)))
        details = draw(st.lists(st.sampled_from(_DETAILS), max_size=3))
        parts.append(_block(f"goal-{letter}", draw(st.booleans()), sign, day, details))
    parts += draw(st.lists(st.sampled_from(_OTHERS), max_size=3))
    text = "".join(parts).replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return text.rstrip() if draw(st.booleans()) else text


def test_a_goal_has_its_priority_status_notes_and_outcome() -> None:
    assert parse_goals(FILE) == [
        Goal(1, "Learn to cook rice", False, "high", "in progress", ("two parts water", "rinse it first")),
        Goal(2, "Walk more", False, "low"),
        Goal(3, "Write home", False, "medium"),
        Goal(4, "Say hello", True, outcome="they said hello back", completed=date(2026, 1, 15)),
    ]


@each_row(
    ("line", "text", "priority"),
    [
        ("- [ ] 🔴 a", "a", "high"),
        ("- [ ] 🟡 a", "a", "medium"),
        ("- [ ] 🟢 a", "a", "low"),
        ("- [ ] 🟢\ufe0fa", "a", "low"),
        ("- [ ] a 🔴", "a 🔴", "medium"),
        ("- [ ] 🔴 🟢 a", "a", "high"),
        ("+ [ ]  \ta  ", "a", "medium"),
        ("\ufeff- [ ] a", "a", "medium"),
        ("- [ ] a\rb", "a\rb", "medium"),
        ("- [ ] cafe\u0301 日本 ✅ 👩\u200d👧", "cafe\u0301 日本 ✅ 👩\u200d👧", "medium"),
    ],
)
def test_an_active_goal_is_read_with_its_sign(line: str, text: str, priority: str) -> None:
    assert parse_goals(f"{line}\n") == [Goal(1, text, False, priority)]


@each_row(
    ("line", "text", "completed"),
    [
        ("- [x] ~~a~~ ✅ 2026-01-15", "a", date(2026, 1, 15)),
        ("- [X] a ✅ 2026-01-15 ", "a", date(2026, 1, 15)),
        ("- [x] ~~a~~ ✅", "a", None),
        ("- [x] a", "a", None),
        ("- [x] ~~a~~ ✅ someday", "~~a~~ ✅ someday", None),
        ("- [x] send the ✅ sign", "send the ✅ sign", None),
    ],
)
def test_a_completed_goal_is_read_with_its_day(line: str, text: str, completed: date | None) -> None:
    assert parse_goals(f"{line}\n") == [Goal(1, text, True, completed=completed)]


def test_details_in_spanish_are_read_too() -> None:
    text = "- [ ] a\n  Estado: en curso\n  Notas: b\n  Nota: c\n- [x] d\n  resultado: e\n"

    assert parse_goals(text) == [
        Goal(1, "a", False, "medium", "en curso", ("b", "c")),
        Goal(2, "d", True, outcome="e"),
    ]


@each_row("title", ["## active goals", "## **Completed**", "# Active Goals", "## Completed ##"])
def test_a_checkbox_under_a_known_heading_is_a_goal(title: str) -> None:
    assert [goal.text for goal in parse_goals(f"# Mine\n\n## Other\n\n{title}\n\n- [ ] a\n")] == ["a"]


@each_row(
    "text",
    [
        "## Shopping\n- [ ] milk\n",
        "## Active Goals\n## Shopping\n- [ ] milk\n",
        "## Active Goals\n# Shopping\n- [ ] milk\n",
        "```\n- [ ] milk\n```\n",
        "<!--\n- [ ] milk\n-->\n",
        "  - [ ] milk\n",
        "- [] milk\n- [-] milk\n-[ ] milk\n",
    ],
)
def test_other_checkboxes_are_no_goals(text: str) -> None:
    assert parse_goals(text) == []
    assert [goal.text for goal in parse_goals(add_goal(text, "rice"))] == ["rice"]


def test_a_new_goal_stands_below_the_last_active_one() -> None:
    after = add_goal(FILE, " Sleep\n more ", priority="high")

    assert after == FILE.replace("- [ ] Write home\n", "- [ ] Write home\n- [ ] 🔴 Sleep more\n")


def test_a_new_file_gets_its_heading() -> None:
    assert add_goal("", "a", priority="low") == "## Active Goals\n\n- [ ] 🟢 a\n"
    assert add_goal("# Goals\n\n## Active Goals\n\n## Completed\n", "a") == (
        "# Goals\n\n## Active Goals\n\n- [ ] 🟡 a\n\n## Completed\n"
    )


def test_a_completed_goal_goes_to_the_top_of_its_section_with_all_its_lines() -> None:
    after = complete_goal(FILE, "rice", day=DAY, outcome="it was\ngood")

    assert after.partition("## Completed\n\n")[2] == (
        "- [x] ~~Learn to cook rice~~ ✅ 2026-11-14\n"
        "  Notes: two parts water\n"
        "  - Notes: rinse it first\n"
        "    - [ ] buy a pot\n"
        "  Outcome: it was good\n"
        "- [x] ~~Say hello~~ ✅ 2026-01-15\n"
        "  Outcome: they said hello back\n"
    )
    assert "rice" not in after.partition("## Completed")[0]


def test_a_reopened_goal_is_the_last_of_the_active_ones() -> None:
    after = reopen_goal(FILE, "hello", priority="high")

    assert after.endswith("## Completed\n\n")
    assert "- [ ] Write home\n- [ ] 🔴 Say hello\n  Outcome: they said hello back\n\n## Shopping" in after


def test_lines_in_a_comment_or_fence_of_a_goal_are_no_details_and_stay() -> None:
    text = "- [ ] a\n  <!--\nStatus: b\n  -->\n  ```\n  Status: c\n  ```\n- [ ] d\n"

    assert [goal.status for goal in parse_goals(text)] == ["", ""]
    assert set_status(text, "a", "e") == text.replace("a\n", "a\n  Status: e\n", 1)
    assert drop_goal(text, "a") == "- [ ] d\n"


def test_an_indented_heading_is_a_line_of_the_goal_above_it() -> None:
    text = "## Active Goals\n- [ ] a\n  ## A note on it\n  more\n- [ ] b\n"

    assert drop_goal(text, "a") == "## Active Goals\n- [ ] b\n"


def test_a_checkbox_indented_by_one_space_is_a_goal_of_its_own() -> None:
    text = "- [ ] a\n - [ ] b\n - [ ] c\n"

    assert [goal.text for goal in parse_goals(text)] == ["a", "b", "c"]
    assert drop_goal(text, "a") == " - [ ] b\n - [ ] c\n"


def test_a_status_below_a_nested_item_is_not_the_goals() -> None:
    nested = "  - [ ] Ask Bob\n    Status: waiting\n  - [ ] Pay\n    - Estado: Texas\n"
    text = f"- [ ] Ship\n{nested}"

    assert parse_goals(text)[0].status == ""
    assert set_status(text, "Ship", "begun") == f"- [ ] Ship\n  Status: begun\n{nested}"


def test_a_goal_is_found_by_its_number_or_some_of_its_words() -> None:
    assert find_goal(FILE, "2").text == "Walk more"
    assert find_goal(FILE, " WALK ").text == "Walk more"
    assert find_goal("- [ ] cafe\u0301\n- [ ] café solo\n", "CAFÉ").number == 1
    assert find_goal("- [ ] tea\n- [ ] tea pot\n", "tea").number == 1


@each_row("wanted", ["0", "5", "99", "milk", "", " ", "**"])
def test_a_goal_that_is_not_there_is_a_clear_error(wanted: str) -> None:
    with pytest.raises(SoulError, match="no goal is"):
        find_goal(FILE, wanted)


def test_words_that_fit_several_goals_are_refused_with_their_numbers() -> None:
    with pytest.raises(SoulError, match=r"matches several goals \(2 Walk more; 3 Write home\)"):
        find_goal(FILE, "w")
    with pytest.raises(SoulError, match="use a number"):
        drop_goal("- [ ] tea\n- [x] tea\n", "tea")


def test_an_active_and_a_completed_goal_of_one_name_are_told_apart_by_what_is_done() -> None:
    text = "- [ ] tea\n- [x] ~~tea~~ ✅ 2026-01-15\n"

    assert [goal.done for goal in parse_goals(complete_goal(text, "tea", day=DAY))] == [True, True]
    assert [goal.done for goal in parse_goals(reopen_goal(text, "tea"))] == [False, False]


def test_a_goal_in_the_wrong_state_is_refused() -> None:
    for name in ("complete", "status", "priority"):
        with pytest.raises(SoulError, match='"Say hello" is completed'):
            CHANGES[name](FILE, "hello")
    with pytest.raises(SoulError, match='"Walk more" is not completed'):
        reopen_goal(FILE, "walk")


def test_a_goal_a_note_and_a_status_need_words() -> None:
    with pytest.raises(SoulError, match="empty"):
        add_goal(FILE, " \n ")
    with pytest.raises(SoulError, match="empty"):
        add_note(FILE, "1", "")
    with pytest.raises(SoulError, match="empty"):
        set_status(FILE, "1", "\t")


CHANGES: dict[str, Callable[[str, str], str]] = {
    "status": lambda text, wanted: set_status(text, wanted, "begun"),
    "note": lambda text, wanted: add_note(text, wanted, "noted"),
    "priority": lambda text, wanted: set_priority(text, wanted, "high"),
    "complete": lambda text, wanted: complete_goal(text, wanted, day=DAY, outcome="done"),
    "drop": drop_goal,
}
ADDED = ("Status: begun", "Notes: noted", "Outcome: done")
IN_PLACE = ("status", "note", "priority", "drop")


def changed(text: str, goal: Goal) -> dict[str, str]:
    """Return the text after each change that the goal allows."""
    if goal.done:
        return {
            "note": add_note(text, str(goal.number), "noted"),
            "reopen": reopen_goal(text, str(goal.number), priority="high"),
            "drop": drop_goal(text, str(goal.number)),
        }
    return {name: change(text, str(goal.number)) for name, change in CHANGES.items()}


@often
@given(documents())
def test_no_change_of_a_goal_touches_another_line(text: str) -> None:
    for goal in parse_goals(text):
        before = others(text, goal.text, text)
        for name, after in changed(text, goal).items():
            left = [line for line in others(after, goal.text, text) if line.strip() not in ADDED]
            if name in IN_PLACE:
                assert left == before
            else:
                new = filled(left)[len(filled(before)) :]
                assert filled(left)[: len(filled(before))] == filled(before)
                assert "".join(new).strip() in ("", "## Completed", "## Active Goals")
                assert is_within(before, left)


@often
@given(documents())
def test_no_change_of_a_goal_changes_another_goal(text: str) -> None:
    goals = parse_goals(text)
    for goal in goals:
        before = plain([other for other in goals if other != goal])
        for after in changed(text, goal).values():
            assert plain([other for other in parse_goals(after) if other.text != goal.text]) == before


@often
@given(documents())
def test_each_change_does_what_it_says(text: str) -> None:
    for goal in (goal for goal in parse_goals(text) if not goal.done):
        after = changed(text, goal)

        def told(name: str, goal: Goal = goal, after: dict[str, str] = after) -> Goal:
            return find_goal(after[name], goal.text)._replace(number=goal.number)

        assert told("status") == goal._replace(status="begun")
        assert told("note") == goal._replace(notes=(*goal.notes, "noted"))
        assert told("priority") == goal._replace(priority="high")
        done = goal._replace(done=True, priority="medium", status="", outcome="done", completed=DAY)
        assert told("complete") == done
        with pytest.raises(SoulError):
            told("drop")


@often
@given(any_text)
def test_in_any_text_a_change_keeps_every_line_that_is_not_the_goals(text: str) -> None:
    text += "\n"
    lines = split_lines(text)
    for goal in parse_goals(text):
        rest = split_lines(drop_goal(text, str(goal.number)))
        gone = len(lines) - len(rest)
        assert any(lines[:n] + lines[n + gone :] == rest for n in range(len(rest) + 1))
        for after in changed(text, goal).values():
            assert is_within(rest, split_lines(after))


@often
@given(any_text)
def test_in_any_text_a_new_goal_is_seen_and_nothing_else_changes(text: str) -> None:
    text += "\n"

    after = add_goal(text, "the new one")

    assert is_within(split_lines(text), split_lines(after))
    assert [g for g in plain(parse_goals(after)) if g.text != "the new one"] == plain(parse_goals(text))
    assert find_goal(after, "the new one").done is False


@often
@given(documents())
def test_a_crlf_file_stays_crlf(text: str) -> None:
    crlf = "# Goals\r\n" + text.replace("\r\n", "\n").replace("\n", "\r\n")
    for goal in parse_goals(crlf):
        for after in [*changed(crlf, goal).values(), add_goal(crlf, "more")]:
            assert all(line.endswith("\r\n") for line in split_lines(after)[:-1])


@often
@given(st.lists(st.integers(0, 8), max_size=16), st.integers(0, 12), st.booleans())
def test_the_newest_completed_goals_stay_and_nothing_is_lost(days: list[int], keep: int, crlf: bool) -> None:
    parts = ["## Active Goals\n- [ ] a\n## Completed\nprose\n"]
    for place, days_ago in enumerate(days):
        day = DAY - timedelta(days=days_ago)
        parts.append(f"- [x] ~~done {place}~~ ✅ {day}\n  Outcome: {place}\n<!-- {place} -->\n")
    text = "".join(parts).replace("\n", "\r\n" if crlf else "\n")

    stays, goes = without_old_goals(text, keep)

    newest = sorted(range(len(days)), key=lambda place: (days[place], place))[:keep]
    assert [goal.text for goal in parse_goals(stays)] == ["a", *(f"done {place}" for place in sorted(newest))]
    assert [goal.text for goal in parse_goals(goes)] == [
        f"done {place}" for place in range(len(days)) if place not in newest
    ]
    assert Counter(split_lines(stays) + split_lines(goes)) == Counter(split_lines(text))
    assert is_within(split_lines(stays), split_lines(text))


def test_a_goal_without_a_day_is_as_old_as_the_one_above_it() -> None:
    text = "- [x] ~~a~~ ✅ 2020-01-01\n- [x] by hand\n- [x] ~~b~~ ✅ 2020-05-05\n"

    assert [goal.text for goal in parse_goals(without_old_goals(text, 1)[1])] == ["a", "by hand"]
    assert [goal.text for goal in parse_goals(without_old_goals(text, 2)[1])] == ["by hand"]


@each_row("goal", ["🔴", " 🔴 🟡\ufe0f ", "🟢🟢"])
def test_a_goal_of_nothing_but_signs_has_no_words(goal: str) -> None:
    with pytest.raises(SoulError, match="needs words"):
        add_goal("", goal)


def test_a_new_goal_has_the_priority_that_is_said_whatever_sign_it_begins_with() -> None:
    [goal] = parse_goals(add_goal("", " 🔴 Learn to swim 🟢", priority="low"))

    assert (goal.text, goal.priority) == ("Learn to swim 🟢", "low")
    assert "🔴" not in add_goal("", "🔴 Learn to swim")

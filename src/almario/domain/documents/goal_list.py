"""GOALS.md: a list that a person ticks off.

A goal is its `- [ ]` line and the indented lines below it, which move with
it whatever they say. It stands under `Active Goals` or `Completed`, or before
them under nothing but the file's title; checkboxes under other headings are
the owner's own and are left alone.
"""

import re
from datetime import date
from typing import Literal

from almario.domain.documents.bullets import unguard_arrows
from almario.domain.documents.headings import Section, compared, parse_sections
from almario.domain.documents.lines import folded, hidden_spans, is_blank, plain_lines, split_lines
from almario.domain.messages import CommandLine
from almario.domain.plain_text import regex
from almario.domain.records import Ref, Text
from almario.errors import NotFound, SoulError
from almario.named_tuples import NamedTuple

ACTIVE = "Active Goals"
COMPLETED = "Completed"
PRIORITIES = {"high": "🔴", "medium": "🟡", "low": "🟢"}

ITEM = regex(r" ?[-*+][ \t]+\[(?P<box>[ xX])\][ \t]+(?P<rest>[^\n]*)")
_DETAIL = regex(
    r"[ \t]+(?:[-*+][ \t]+)?(?P<label>notes?|status|outcome|notas?|estado|resultado)"
    r"[ \t]*:[ \t]*(?P<value>[^\n]*)",
    re.IGNORECASE,
)
_BULLET = regex(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
SIGNS = regex(rf"(?:[{''.join(PRIORITIES.values())}]\ufe0f?\s*)+")
_LABELS = {"n": "notes", "s": "status", "e": "status", "o": "outcome", "r": "outcome"}
# What can be done with one.
GoalAction = Literal["add", "start", "note", "complete", "reopen", "reprioritise", "drop"]
GoalState = Literal["", "started", "done", "open", "dropped"]


class GoalUpdate(NamedTuple):
    """A change of a goal; *text* is the note, or what came of it."""

    action: GoalAction
    goal: Text
    text: Text = ""
    priority: Ref = "medium"
    evidence: tuple[Ref, ...] = ()


class Goal(NamedTuple):
    """One goal; *number* is its place in the list, the active ones first."""

    number: int
    text: str
    done: bool
    priority: str = "medium"
    status: str = ""
    notes: tuple[str, ...] = ()
    outcome: str = ""
    completed: date | None = None


class GoalBlock(NamedTuple):
    """A goal and the lines it stands on."""

    goal: Goal
    start: int
    end: int


def parse_goals(text: str) -> list[Goal]:
    """Return the goals, the active ones first."""
    return [block.goal for block in goal_blocks(split_lines(text))]


def find_goal(text: str, wanted: str) -> Goal:
    """Return the goal with that number, or the only one whose text has those words."""
    return find_block(split_lines(text), wanted).goal


def active_goals(text: str) -> dict[str, Goal]:
    """Return the active goals by all that stands of each, its line and its details."""
    lines = split_lines(text)
    return {
        "\n".join(line.rstrip() for line in lines[block.start : block.end]): block.goal
        for block in goal_blocks(lines)
        if not block.goal.done
    }


def goal_blocks(lines: list[str]) -> list[GoalBlock]:
    """Find the goals among a file's lines, the active ones first."""
    homes = _homes(lines)
    spans = hidden_spans(lines)
    found = []
    for index, line in plain_lines(lines):
        if homes[index] and (item := ITEM.match(line.removeprefix("\ufeff"))):
            found.append((index, _end(lines, index, homes[index], spans), item))
    found.sort(key=lambda place: (place[2]["box"] != " ", place[0]))
    return [_block(lines, start, end, item, number) for number, (start, end, item) in enumerate(found, 1)]


def _homes(lines: list[str]) -> list[int]:
    """Say for each line where its section ends, or 0 if a checkbox there is no goal."""
    sections = parse_sections("".join(lines))
    title = next((section for section in sections if section.level), None)
    homes: list[int] = []
    for section in sections:
        is_title = section is title and section.level == 1
        is_home = not section.level or is_title or is_under(section, ACTIVE) or is_under(section, COMPLETED)
        count = len(split_lines(section.heading + section.body))
        homes += [len(homes) + count if is_home else 0] * count
    return homes


def is_under(section: Section, title: str) -> bool:
    """Return whether a section is the one with that title."""
    return section.level > 0 and compared(section.title) == compared(title)


def _end(lines: list[str], start: int, limit: int, spans: dict[int, int]) -> int:
    """Return the line after a goal; a fence or comment that opens below it is the goal's to its end."""
    end = index = start + 1
    while index < limit and (is_blank(lines[index]) or lines[index][0] in " \t"):
        if ITEM.match(lines[index]):  # indented by one space, so a goal of its own
            break
        blank = is_blank(lines[index])
        index = spans.get(index, index + 1)
        end = end if blank else index
    return end


def _block(lines: list[str], start: int, end: int, item: re.Match[str], number: int) -> GoalBlock:
    details: dict[str, list[str]] = {"notes": [], "status": [], "outcome": []}
    for _, label, value in goal_details(lines[start + 1 : end]):
        details[label].append(value)
    done = item["box"] != " "
    rest = unguard_arrows(item["rest"]).strip()
    text, completed = _done_text(rest) if done else (rest, None)
    priority = "medium"
    if signs := SIGNS.match(text):  # of several, the first counts
        priority = next(name for name, sign in PRIORITIES.items() if text.startswith(sign))
        text = text[signs.end() :]
    status, outcome = (" ".join(details[label][-1:]) for label in ("status", "outcome"))
    goal = Goal(number, text, done, priority, status, tuple(details["notes"]), outcome, completed)
    return GoalBlock(goal, start, end)


def _done_text(rest: str) -> tuple[str, date | None]:
    text, tick, day = rest.rpartition("✅")
    try:
        completed = date.fromisoformat(day.strip()) if tick else None
    except ValueError:
        completed = None
    if not completed and day.strip():  # not a date, so the sign is one of the goal's own words
        text = rest
    text = text.strip()
    if text.startswith("~~") and text.endswith("~~") and len(text) >= 4:
        text = text[2:-2].strip()
    return text, completed


def find_block(lines: list[str], wanted: str, *, done: bool | None = None) -> GoalBlock:
    """Find one goal by number or words; SoulError says why there is none, or more than one."""
    blocks = goal_blocks(lines)
    if wanted.strip().isdecimal() and len(wanted) < 10:
        found = [block for block in blocks if block.goal.number == int(wanted)]
    else:
        words = folded(wanted)
        found = [block for block in blocks if words and words in folded(block.goal.text)]
        found = [block for block in found if folded(block.goal.text) == words] or found
    fitting = [block for block in found if done is None or block.goal.done == done]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = "; ".join(f"{block.goal.number} {block.goal.text}" for block in fitting)
        raise SoulError(
            '"{wanted}" matches several goals ({names}); use a number', wanted=wanted, names=names
        )
    if found and found[0].goal.done:
        raise SoulError('the goal "{text}" is completed; reopen it first', text=found[0].goal.text)
    if found:
        raise SoulError('the goal "{text}" is not completed', text=found[0].goal.text)
    sentence = 'no goal is "{wanted}"; "{goals}" lists them with their numbers'
    raise NotFound(sentence, wanted=wanted, goals=CommandLine("almario goals"))


def goal_details(body: list[str]) -> list[tuple[int, str, str]]:
    """Return (index, label, value) of a goal's own details; those below a nested bullet are the bullet's."""
    found = []
    nested: int | None = None
    for index, line in plain_lines(body):
        spaces = line[: len(line) - len(line.lstrip(" \t"))]
        indent = len(spaces.expandtabs(4))
        if is_blank(line) or (nested is not None and indent > nested):
            continue
        nested = None
        if detail := _DETAIL.match(line):
            found.append(
                (index, _LABELS[detail["label"][0].lower()], unguard_arrows(detail["value"]).strip())
            )
        elif _BULLET.match(line):
            nested = indent
    return found

"""GOALS.md: a list that a person ticks off, changed one goal at a time.

A goal is its `- [ ]` line and the indented lines below it, which move with
it whatever they say. It stands under `Active Goals` or `Completed`, or before
them under nothing but the file's title; checkboxes under other headings are
the owner's own and are left alone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from almario.domain.documents.lines import (
    folded,
    hidden_spans,
    is_blank,
    newline_of,
    plain_lines,
    split_lines,
)
from almario.domain.documents.sections import Section, parse_sections
from almario.errors import SoulError

ACTIVE = "Active Goals"
COMPLETED = "Completed"
PRIORITIES = {"high": "🔴", "medium": "🟡", "low": "🟢"}

_ITEM = re.compile(r" ?[-*+][ \t]+\[(?P<box>[ xX])\][ \t]+(?P<rest>[^\n]*)")
_DETAIL = re.compile(
    r"[ \t]+(?:[-*+][ \t]+)?(?P<label>notes?|status|outcome|notas?|estado|resultado)"
    r"[ \t]*:[ \t]*(?P<value>[^\n]*)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SIGNS = re.compile(rf"(?:[{''.join(PRIORITIES.values())}]\ufe0f?\s*)+")
_LABELS = {"n": "notes", "s": "status", "e": "status", "o": "outcome", "r": "outcome"}


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal; *number* is its place in the list, the active ones first."""

    number: int
    text: str
    done: bool
    priority: str = "medium"
    status: str = ""
    notes: tuple[str, ...] = ()
    outcome: str = ""
    completed: date | None = None


@dataclass(frozen=True, slots=True)
class _Block:
    """A goal and the lines it stands on."""

    goal: Goal
    start: int
    end: int


def parse_goals(text: str) -> list[Goal]:
    """Return the goals, the active ones first."""
    return [block.goal for block in _blocks(split_lines(text))]


def find_goal(text: str, wanted: str) -> Goal:
    """Return the goal with that number, or the only one whose text has those words."""
    return _find(split_lines(text), wanted).goal


def add_goal(text: str, goal: str, *, priority: str = "medium") -> str:
    lines = split_lines(text)
    item = f"- [ ] {PRIORITIES[priority]} {_one_line(goal)}{newline_of(text)}"
    return _inserted(lines, [item], ACTIVE, newline_of(text))


def set_status(text: str, wanted: str, status: str) -> str:
    """Set a goal's `Status:`, replacing the one it has."""
    lines = split_lines(text)
    block = _find(lines, wanted, done=False)
    kept = _details_without(lines, block, "status")
    line = f"  Status: {_one_line(status)}{newline_of(text)}"
    return _replaced(lines, block, [_ended(lines[block.start], text), line, *kept])


def add_note(text: str, wanted: str, note: str) -> str:
    """Add a `Notes:` line below what the goal already has."""
    lines = split_lines(text)
    block = _find(lines, wanted)
    body = lines[block.start : block.end]
    body[-1] = _ended(body[-1], text)
    return _replaced(lines, block, [*body, f"  Notes: {_one_line(note)}{newline_of(text)}"])


def set_priority(text: str, wanted: str, priority: str) -> str:
    lines = split_lines(text)
    block = _find(lines, wanted, done=False)
    bullet = lines[block.start].partition("]")[0]
    line = f"{bullet}] {PRIORITIES[priority]} {block.goal.text}{_line_end(lines[block.start])}"
    return _replaced(lines, block, [line, *lines[block.start + 1 : block.end]])


def complete_goal(text: str, wanted: str, *, day: date, outcome: str = "") -> str:
    """Tick a goal off and move it to the top of `## Completed`."""
    lines = split_lines(text)
    block = _find(lines, wanted, done=False)
    end = newline_of(text)
    moved = [f"- [x] ~~{block.goal.text}~~ ✅ {day.isoformat()}{end}"]
    moved += [_ended(line, text) for line in _details_without(lines, block, "status")]
    if outcome:
        moved.append(f"  Outcome: {_one_line(outcome)}{end}")
    return _inserted(lines[: block.start] + lines[block.end :], moved, COMPLETED, end, first=True)


def reopen_goal(text: str, wanted: str, *, priority: str = "medium") -> str:
    """Move a completed goal back to the active ones."""
    lines = split_lines(text)
    block = _find(lines, wanted, done=True)
    moved = [f"- [ ] {PRIORITIES[priority]} {block.goal.text}{newline_of(text)}"]
    moved += [_ended(line, text) for line in lines[block.start + 1 : block.end]]
    return _inserted(lines[: block.start] + lines[block.end :], moved, ACTIVE, newline_of(text))


def drop_goal(text: str, wanted: str) -> str:
    lines = split_lines(text)
    return _replaced(lines, _find(lines, wanted), [])


def without_old_goals(text: str, keep: int) -> tuple[str, str]:
    """Part the goals completed before the last *keep* from the rest: (what stays, what goes)."""
    lines = split_lines(text)
    done = [block for block in _blocks(lines) if block.goal.done]
    # Newest first; of one day, the upper one is the newer.
    done.sort(key=_dated(done), reverse=True)
    old = sorted(done[keep:], key=lambda block: block.start)
    gone = "".join(_ended(line, text) for block in old for line in lines[block.start : block.end])
    for block in reversed(old):
        del lines[block.start : block.end]
    return "".join(lines), gone


def _dated(done: list[_Block]) -> Callable[[_Block], date]:
    """Return when each was done; one without a date was done with the one above it, or just now."""
    days: dict[int, date] = {}
    day = date.max
    for block in done:
        day = days[block.start] = block.goal.completed or day
    return lambda block: days[block.start]


def _blocks(lines: list[str]) -> list[_Block]:
    homes = _homes(lines)
    spans = hidden_spans(lines)
    found = []
    for index, line in plain_lines(lines):
        if homes[index] and (item := _ITEM.match(line.removeprefix("\ufeff"))):
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
        is_home = not section.level or is_title or _is(section, ACTIVE) or _is(section, COMPLETED)
        count = len(split_lines(section.heading + section.body))
        homes += [len(homes) + count if is_home else 0] * count
    return homes


def _is(section: Section, title: str) -> bool:
    return section.level > 0 and folded(section.title) == folded(title)


def _end(lines: list[str], start: int, limit: int, spans: dict[int, int]) -> int:
    """Return the line after a goal; a fence or comment that opens below it is the goal's to its end."""
    end = index = start + 1
    while index < limit and (is_blank(lines[index]) or lines[index][0] in " \t"):
        if _ITEM.match(lines[index]):  # indented by one space, so a goal of its own
            break
        blank = is_blank(lines[index])
        index = spans.get(index, index + 1)
        end = end if blank else index
    return end


def _block(lines: list[str], start: int, end: int, item: re.Match[str], number: int) -> _Block:
    details: dict[str, list[str]] = {"notes": [], "status": [], "outcome": []}
    for _, label, value in _details(lines[start + 1 : end]):
        details[label].append(value)
    done = item["box"] != " "
    text, completed = _done_text(item["rest"]) if done else (item["rest"].strip(), None)
    priority = "medium"
    if signs := _SIGNS.match(text):  # of several, the first counts
        priority = next(name for name, sign in PRIORITIES.items() if text.startswith(sign))
        text = text[signs.end() :]
    status, outcome = (" ".join(details[label][-1:]) for label in ("status", "outcome"))
    goal = Goal(number, text, done, priority, status, tuple(details["notes"]), outcome, completed)
    return _Block(goal, start, end)


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


def _find(lines: list[str], wanted: str, *, done: bool | None = None) -> _Block:
    blocks = _blocks(lines)
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
        raise SoulError('"{wanted}" fits several goals ({names}); use a number', wanted=wanted, names=names)
    if found and found[0].goal.done:
        raise SoulError('the goal "{text}" is completed; reopen it first', text=found[0].goal.text)
    if found:
        raise SoulError('the goal "{text}" is not completed', text=found[0].goal.text)
    raise SoulError('no goal is "{wanted}"; "almario goals" lists them with their numbers', wanted=wanted)


def _details_without(lines: list[str], block: _Block, label: str) -> list[str]:
    body = lines[block.start + 1 : block.end]
    gone = {index for index, found, _ in _details(body) if found == label}
    return [line for index, line in enumerate(body) if index not in gone]


def _details(body: list[str]) -> list[tuple[int, str, str]]:
    """Return (index, label, value) of a goal's own details; those below a nested bullet are the bullet's."""
    found = []
    nested: int | None = None
    for index, line in plain_lines(body):
        indent = _indent(line)
        if is_blank(line) or (nested is not None and indent > nested):
            continue
        nested = None
        if detail := _DETAIL.match(line):
            found.append((index, _LABELS[detail["label"][0].lower()], detail["value"].strip()))
        elif _BULLET.match(line):
            nested = indent
    return found


def _indent(line: str) -> int:
    spaces = line[: len(line) - len(line.lstrip(" \t"))]
    return len(spaces.expandtabs(4))


def _replaced(lines: list[str], block: _Block, new: list[str]) -> str:
    return "".join(lines[: block.start] + new + lines[block.end :])


def _inserted(lines: list[str], new: list[str], title: str, end: str, *, first: bool = False) -> str:
    """Put *new* under the heading *title*: before its first goal, or after its last line."""
    before: list[str] = []
    sections = parse_sections("".join(lines))
    for place, section in enumerate(sections):
        here = split_lines(section.heading + section.body)
        if _is(section, title):
            after = [
                line for later in sections[place + 1 :] for line in split_lines(later.heading + later.body)
            ]
            return "".join(before + _with_items(here, new, end, first=first) + after)
        before += here
    gap = [] if not before else [end] if before[-1].endswith("\n") else [end, end]
    return "".join([*before, *gap, f"## {title}{end}", end, *new])


def _with_items(section: list[str], new: list[str], end: str, *, first: bool) -> list[str]:
    if not section[-1].endswith("\n"):
        section = [*section[:-1], section[-1] + end]
    items = [index for index, line in plain_lines(section) if _ITEM.match(line)]
    if first and items:
        return section[: items[0]] + new + section[items[0] :]
    filled = [index for index, line in enumerate(section) if not is_blank(line)]
    place = filled[-1] + 1
    if place == 1:  # the heading stands alone
        new = [end, *new]
    rest = section[place:]
    return section[:place] + new + rest


def _ended(line: str, text: str) -> str:
    return line if line.endswith("\n") else line + newline_of(text)


def _line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _one_line(words: str) -> str:
    line = " ".join(words.split())
    if not line:
        raise SoulError("a goal needs words; the text is empty")
    return line

"""Changing GOALS.md one goal at a time, with every other line left as it is."""

from collections.abc import Callable
from datetime import date

from almario.domain.documents.bullets import guard_arrows
from almario.domain.documents.goal_list import (
    ACTIVE,
    COMPLETED,
    ITEM,
    PRIORITIES,
    SIGNS,
    GoalBlock,
    find_block,
    goal_blocks,
    goal_details,
    is_under,
)
from almario.domain.documents.headings import parse_sections, title_in
from almario.domain.documents.lines import ending_of, is_blank, newline_of, plain_lines, split_lines
from almario.errors import SoulError


def add_goal(text: str, goal: str, *, priority: str = "medium", status: str = "") -> str:
    """Add a goal at the end of the active ones."""
    end = newline_of(text)
    own = SIGNS.match(goal.lstrip())
    words = goal.lstrip()[own.end() :] if own else goal
    new = [f"- [ ] {PRIORITIES[priority]} {_one_line(words)}{end}"]
    new += [_status_line(status, end)] if status else []
    return _inserted(split_lines(text), new, ACTIVE, end)


def set_status(text: str, wanted: str, status: str) -> str:
    """Set a goal's `Status:`, replacing the one it has."""
    lines = split_lines(text)
    block = find_block(lines, wanted, done=False)
    kept = _details_left(lines, block)
    line = _status_line(status, newline_of(text))
    return _replaced(lines, block, [_ended(lines[block.start], text), line, *kept])


def add_note(text: str, wanted: str, note: str) -> str:
    """Add a `Notes:` line below what the goal already has."""
    lines = split_lines(text)
    block = find_block(lines, wanted)
    body = lines[block.start : block.end]
    body[-1] = _ended(body[-1], text)
    return _replaced(lines, block, [*body, f"  Notes: {_one_line(note)}{newline_of(text)}"])


def set_priority(text: str, wanted: str, priority: str) -> str:
    """Change a goal's sign and nothing else of it."""
    lines = split_lines(text)
    block = find_block(lines, wanted, done=False)
    bullet = lines[block.start].partition("]")[0]
    line = f"{bullet}] {PRIORITIES[priority]} {guard_arrows(block.goal.text)}{ending_of(lines[block.start])}"
    return _replaced(lines, block, [line, *lines[block.start + 1 : block.end]])


def complete_goal(text: str, wanted: str, *, day: date, outcome: str = "") -> str:
    """Tick a goal off and move it to the top of `## Completed`."""
    lines = split_lines(text)
    block = find_block(lines, wanted, done=False)
    end = newline_of(text)
    moved = [f"- [x] ~~{guard_arrows(block.goal.text)}~~ ✅ {day.isoformat()}{end}"]
    moved += [_ended(line, text) for line in _details_left(lines, block)]
    if outcome:
        moved.append(f"  Outcome: {_one_line(outcome)}{end}")
    return _inserted(lines[: block.start] + lines[block.end :], moved, COMPLETED, end, first=True)


def reopen_goal(text: str, wanted: str, *, priority: str = "medium") -> str:
    """Move a completed goal back to the active ones."""
    lines = split_lines(text)
    block = find_block(lines, wanted, done=True)
    moved = [f"- [ ] {PRIORITIES[priority]} {guard_arrows(block.goal.text)}{newline_of(text)}"]
    moved += [_ended(line, text) for line in lines[block.start + 1 : block.end]]
    return _inserted(lines[: block.start] + lines[block.end :], moved, ACTIVE, newline_of(text))


def drop_goal(text: str, wanted: str) -> str:
    """Take a goal out, with the lines that are its own."""
    lines = split_lines(text)
    return _replaced(lines, find_block(lines, wanted), [])


def without_old_goals(text: str, keep: int) -> tuple[str, str]:
    """Part the goals completed before the last *keep* from the rest: (what stays, what goes)."""
    lines = split_lines(text)
    done = [block for block in goal_blocks(lines) if block.goal.done]
    # Newest first; of one day, the upper one is the newer.
    done.sort(key=_dated(done), reverse=True)
    old = sorted(done[keep:], key=lambda block: block.start)
    gone = "".join(_ended(line, text) for block in old for line in lines[block.start : block.end])
    for block in reversed(old):
        del lines[block.start : block.end]
    return "".join(lines), gone


def _dated(done: list[GoalBlock]) -> Callable[[GoalBlock], date]:
    """Return when each was done; one without a date was done with the one above it, or just now."""
    days: dict[int, date] = {}
    day = date.max
    for block in done:
        day = days[block.start] = block.goal.completed or day
    return lambda block: days[block.start]


def _status_line(status: str, end: str) -> str:
    return f"  Status: {_one_line(status)}{end}"


def _details_left(lines: list[str], block: GoalBlock) -> list[str]:
    """Return what a goal has below its line, but for its status."""
    body = lines[block.start + 1 : block.end]
    gone = {index for index, found, _ in goal_details(body) if found == "status"}
    return [line for index, line in enumerate(body) if index not in gone]


def _replaced(lines: list[str], block: GoalBlock, new: list[str]) -> str:
    return "".join(lines[: block.start] + new + lines[block.end :])


def _inserted(lines: list[str], new: list[str], title: str, end: str, *, first: bool = False) -> str:
    before: list[str] = []
    sections = parse_sections("".join(lines))
    for place, section in enumerate(sections):
        here = split_lines(section.heading + section.body)
        if is_under(section, title):
            after = [
                line for later in sections[place + 1 :] for line in split_lines(later.heading + later.body)
            ]
            return "".join(before + _with_items(here, new, end, first=first) + after)
        before += here
    gap = [] if not before else [end] if before[-1].endswith("\n") else [end, end]
    return "".join([*before, *gap, f"## {title_in(sections, title)}{end}", end, *new])


def _with_items(section: list[str], new: list[str], end: str, *, first: bool) -> list[str]:
    if not section[-1].endswith("\n"):
        section = [*section[:-1], section[-1] + end]
    items = [index for index, line in plain_lines(section) if ITEM.match(line)]
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


def _one_line(words: str) -> str:
    line = " ".join(words.split())
    if not line:
        raise SoulError("a goal or a note needs words; the text is empty")
    return guard_arrows(line)

"""The lines of a snapshot of a session, and how to take turns out of it."""

import re
from collections.abc import Collection
from datetime import datetime

from almario.domain.documents.lines import split_lines
from almario.domain.memories import ERASED
from almario.domain.plain_text import in_one_line, regex

_SESSION = regex(r"^<!-- session: (.+) -->$", re.MULTILINE)
_HEAD = regex(r"\*\*.+\*\* #(\d+), ")
_QUOTE = ">"


def session_line(session: str) -> str:
    """Return the line by which a snapshot names its session."""
    return f"<!-- session: {in_one_line(session)} -->\n"


def head_line(who: str, n: int, at: datetime) -> str:
    """Return the line above a message."""
    return f"\n**{in_one_line(who)}** #{n}, {at:%Y-%m-%d %H:%M}:\n\n"


def quoted(text: str) -> str:
    """Return a text in quotes, so that no heading, fence or comment of it is one of the file."""
    return "".join(f"{_QUOTE} {line}".rstrip() + "\n" for line in text.strip().splitlines())


def without_turns(text: str, turns: Collection[str]) -> str:
    """Return a snapshot without what was said in these turns, named by their ids."""
    found = _SESSION.search(text)
    to_erase = {(in_one_line(session), n) for session, _, n in (turn.rpartition("#") for turn in turns)}
    kept: list[str] = []
    is_gone = is_marked = False
    for line in split_lines(text):
        if head := _HEAD.match(line):
            is_gone, is_marked = found is not None and (found[1], head[1]) in to_erase, False
        if not is_gone or not line.startswith(_QUOTE):
            kept.append(line)
        elif not is_marked:
            kept.append(f"{_QUOTE} [{ERASED}]\n")
            is_marked = True
    return "".join(kept)

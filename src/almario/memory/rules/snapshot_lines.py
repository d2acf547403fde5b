"""Snapshots, which earlier versions wrote of cleared sessions: how to take turns out of one."""

import re
from collections.abc import Collection

from almario.domain.documents.lines import split_lines
from almario.domain.memories import ERASED
from almario.domain.plain_text import in_one_line, regex

_SESSION = regex(r"^<!-- session: (.+) -->$", re.MULTILINE)
_HEAD = regex(r"\*\*.+\*\* #(\d+), ")
_QUOTE = ">"


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

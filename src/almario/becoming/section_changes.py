"""What a model may want changed in the soul files: one shape, for the owner's words and for a reflection.

A change is a file, the title of a section (or the name of a field of IDENTITY.md)
and the whole body that is to stand there. What breaks a rule is asked for once more.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from almario import structured_reply
from almario.becoming.rules.consent import IDENTITY
from almario.becoming.rules.items import items_in
from almario.domain.documents.headings import compared, heading_of
from almario.domain.plain_text import in_one_line
from almario.domain.soul_events import FILES, SectionEdit
from almario.domain.talk import Ask
from almario.errors import LLMError
from almario.structured_reply.schema import Shape, listed, one_of, record, text

# An answer has at most so many of them: a soul is not written anew at once.
MOST_CHANGES, TITLE_LENGTH, REASON_LENGTH = 10, 80, 500
_BODY = 20_000
# How much of its first answer a model is shown when it is asked again.
_SHOWN_AGAIN = 8000
_AGAIN = "This cannot be proposed:\n{problems}\n\nAnswer again, whole, without it or so that it can be."


def changes_shape(**more: Shape) -> Shape:
    """Return the shape of a list of changes, each of which may have *more* fields before its own.

    Whatever has to do with a rule is read, to be refused with a reason.
    """
    fields = {
        "file": one_of(FILES),
        "title": text(TITLE_LENGTH),
        "body": text(_BODY),
        "reason": text(REASON_LENGTH),
    }
    return listed(record(optional=(*more, "reason"), **more, **fields), MOST_CHANGES)


def edit_in(change: Mapping[str, Any], evidence: tuple[str, ...] = ()) -> SectionEdit:
    """Read a change; its heading may have been written with its #, and once more above the body."""
    title, body = in_one_line(change["title"]).lstrip("# "), str(change["body"])
    first, _, rest = body.strip().partition("\n")
    heading = heading_of(first)
    if heading and compared(heading[1]) == compared(title):
        body = rest
    return SectionEdit(change["file"], title, body, change.get("reason", ""), evidence)


def new_lines(answer: Mapping[str, Any], files: Mapping[str, str]) -> list[str]:
    """Return what an answer adds to files; a field of IDENTITY.md may be in any language."""
    there = {line for text in files.values() for line in items_in(text)}
    bodies = [items_in(each["body"]) for each in answer["changes"] if each["file"] != IDENTITY]
    return ["\n".join(line for line in body if line not in there) for body in bodies]


def put_right(
    answered: Callable[[Ask], Mapping[str, Any]],
    ask: Ask,
    problems: Callable[[Mapping[str, Any]], Sequence[str]],
) -> Mapping[str, Any]:
    """Return what is answered; if rules have *problems* with it, what is answered to those."""
    answer = answered(ask)
    if wrong := problems(answer):
        said = json.dumps(answer, ensure_ascii=False)[:_SHOWN_AGAIN]
        with suppress(LLMError):  # then what it wanted first is refused, and can be seen
            answer = answered(structured_reply.asked_again(ask, said, _AGAIN, wrong))
    return answer

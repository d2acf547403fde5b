"""What a model wants changed in the soul files: one shape, for the owner's words and for a reflection.

A change is a file, the title of a section (or the name of a field of IDENTITY.md)
and the whole body that is to stand there. What breaks a rule is asked for once more.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from almario.becoming.rules.consent import IDENTITY, MOTIVATIONS
from almario.becoming.rules.items import items_in, items_of, with_items
from almario.domain.documents.headings import compared, heading_of, section_body, with_section
from almario.domain.documents.identity import is_field, with_fields
from almario.domain.documents.lines import folded
from almario.domain.messages import Sentence, Words
from almario.domain.plain_text import in_one_line
from almario.domain.soul_events import FILES, SectionEdit
from almario.domain.talk import Ask
from almario.errors import LLMError
from almario.ports import LLM
from almario.structured_reply import ask_again, ask_in
from almario.structured_reply.schema import Shape, listed, one_of, record, text
from almario.text.redaction import text_with_secrets_of, with_secrets_of

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


def ask_for_changes(
    llm: LLM,
    ask: Ask,
    language: str,
    files: Mapping[str, str],
    *,
    problems: Callable[[Mapping[str, Any]], Sequence[str]] = lambda answer: (),
    beside: Callable[[Mapping[str, Any]], Iterable[str]] = lambda answer: (),
    slack: int = 1,
) -> dict[str, Any]:
    """Return what is answered; if rules have *problems* with it, what is answered to those.

    What it adds to the *files*, and what it says *beside*, is to be in the language.
    """

    def answered(ask: Ask) -> dict[str, Any]:
        answer: dict[str, Any] = ask_in(
            language, llm, ask, lambda reply: [*beside(reply), _new_in(reply, files)], slack=slack
        )
        return answer

    answer = answered(ask)
    if wrong := problems(answer):
        reply = json.dumps(answer, ensure_ascii=False)[:_SHOWN_AGAIN]
        with suppress(LLMError):  # then what it wanted first is refused, and can be seen
            answer = answered(ask_again(ask, reply, _AGAIN, wrong))
    return answer


def edit_in(change: Mapping[str, Any], evidence: tuple[str, ...] = ()) -> SectionEdit:
    """Read a change; its heading may have been written with its #, and once more above the body."""
    title, body = change["title"].strip().lstrip("# "), change["body"]
    first, _, rest = body.strip().partition("\n")
    heading = heading_of(first)
    if heading and compared(heading[1]) == compared(title):
        body = rest
    return SectionEdit(change["file"], title, body, change.get("reason", ""), evidence)


def edited(text: str, edits: Iterable[SectionEdit], *, lists: bool = False, keep: bool = False) -> str:
    """Return a soul file's text with edits made.

    With *lists*, an edit of MOTIVATIONS.md puts its lines in the place of the list that is there, or with
    *keep* below it, and leaves all else in the section alone.
    """
    for edit in edits:
        # A model is shown no secrets: a line that it repeats without them is what the owner wrote.
        title, value = in_one_line(edit.title), " ".join(edit.body.split())
        if edit.file == IDENTITY and is_field(title, value):
            text = with_fields(text, {title: value})
        elif lists and edit.file == MOTIVATIONS:
            items = with_secrets_of(items_in(edit.body), items_of(text, title))
            text = with_items(text, title, items, keep=keep)
        else:
            text = with_section(text, title, text_with_secrets_of(edit.body, section_body(text, title)))
    return text


def misfit(edit: SectionEdit) -> Sentence | None:
    """Return why an edit can be none, whatever its file says: its title or its body is missing."""
    if edit.file == IDENTITY:
        is_one = is_field(edit.title, " ".join(edit.body.split()))
        return None if is_one else Sentence('"{name}" is not a field with a value', name=edit.title[:40])
    if not folded(in_one_line(edit.title)) or "\n" in edit.title or len(edit.title) > TITLE_LENGTH:
        return Sentence("its title is not one short line")
    if not edit.body.strip():
        return Sentence('nothing would be left in "{title}"', title=Words(edit.title))
    return None


def _new_in(answer: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return what an answer adds to files; a field of IDENTITY.md may be in any language."""
    there = {line for text in files.values() for line in items_in(text)}
    bodies = [each["body"] for each in answer["changes"] if each["file"] != IDENTITY]
    return " ".join(line for body in bodies for line in items_in(body) if line not in there)

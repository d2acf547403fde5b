"""Every field of the journal that can hold words is one that a purge cleans."""

import json
from datetime import UTC, datetime
from typing import Any, get_args, get_origin, get_type_hints

from almario.becoming.rules.goal_changes import GoalUpdate
from almario.becoming.rules.reflection import (
    Design,
    Finding,
    Refused,
    SectionEdit,
    said_design,
    said_findings,
)
from almario.domain.events import KNOWN, Event, Filing, Flush
from almario.domain.journal_lines import encode
from almario.domain.memories import Change, Memory, fields_of
from almario.memory.retellings import TEXTS
from almario.memory.rules.erasure import erased_fields
from tests.tables import each_row

WORDS = "whatever somebody has said"
# What no owner's, stranger's or model's words can stand in: our own names, ids, hashes, days and counts.
OURS = {
    *(
        "action",
        "after",
        "answer",
        "by",
        "day",
        "dimension",
        "done",
        "drift",
        "evidence",
        "file",
        "files",
        "hears",
    ),
    *(
        "from",
        "hashes",
        "id",
        "ids",
        "job",
        "judged",
        "language",
        "lost",
        "model",
        "name",
        "nth",
        "of",
        "out",
    ),
    *("origin", "outcome", "path", "phase", "priority", "salt", "session", "since", "speaker", "title", "to"),
    *("trigger", "turns", "until", "upto", "url", "verb", "zone"),
}
# A change to a memory: `key` and `value` of what is erased go by its id.
OF_A_MEMORY = {"key", "kind", "source", "state", "at", "renewed", "valid_from", "valid_to"}


def filled(kind: Any) -> Any:
    """Return a value of a type with words wherever it takes them."""
    inner = get_args(kind)
    if hasattr(kind, "_fields"):
        return kind(**{name: filled(hint) for name, hint in get_type_hints(kind).items()})
    found: Any = WORDS if kind is str or str in inner else 1
    if get_origin(kind) is tuple:
        found = [filled(inner[0])]
    elif get_origin(kind) is dict:
        found = {"text": WORDS}
    elif kind is Change:
        found = {"id": "id", "set": {"value": WORDS}, "said": WORDS}
    elif Flush in inner:
        found = dict.fromkeys(Flush.__annotations__, WORDS)
    return found


def left_in(said: Any, name: str = "") -> set[str]:
    """Return the names of the fields that hold the words."""
    if isinstance(said, dict):
        return {each for inner_name, inner in said.items() for each in left_in(inner, inner_name)}
    if isinstance(said, list | tuple):
        return {each for inner in said for each in left_in(inner, name)}
    return {name} if said == WORDS else set()


@each_row("kind", KNOWN)
def test_a_field_of_a_line_is_cleaned_or_known_to_hold_no_words(kind: str) -> None:
    body = filled(KNOWN[kind])
    event = Event(1, "id", datetime(2026, 11, 14, tzinfo=UTC), "host", "owner", body, 0, (filled(Filing),))

    line = erased_fields(json.loads(encode(event)), [WORDS], TEXTS.__contains__)

    assert left_in(line) <= OURS


def test_a_field_of_a_memory_is_cleaned_or_known_to_hold_no_words() -> None:
    change = {"set": dict.fromkeys(fields_of(filled_memory()), WORDS), "said": WORDS}

    assert left_in(erased_fields(change, [WORDS], TEXTS.__contains__)) <= OURS | OF_A_MEMORY


def filled_memory() -> Memory:
    now = datetime(2026, 11, 14, tzinfo=UTC)
    return Memory("id", "key", "value", "fact", "auto", "owner", now, now, now)


def test_a_field_of_what_a_reflection_found_or_wants_is_cleaned() -> None:
    edit, goal = filled(SectionEdit), filled(GoalUpdate)
    design = Design((edit,), (goal,), WORDS, (Refused(edit, WORDS),), (edit,), WORDS)
    said = [said_design(design), said_findings([filled(Finding)])]

    assert left_in(erased_fields(said, [WORDS], TEXTS.__contains__)) <= OURS

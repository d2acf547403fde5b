"""The tools as a model is told of them: names, descriptions, arguments, and the modes they are for.

Names and schemas are stable: other programs call these tools, too.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from almario.becoming.goals import ACTIONS
from almario.domain.documents.goals import PRIORITIES
from almario.domain.model import MODES
from almario.domain.talk import ToolSpec

GOAL_ACTIONS = ("list", *ACTIONS)
SAVED_KINDS = ("fact", "profile", "episode", "correction")
# Working with others, the agent keeps its human's affairs to itself.
AMONG_OTHERS = "collaboration"
_FOR_OTHERS = ("memory_search", "save_memory", "memory_write")
_READING = ("memory_search", "memory_get", "recall_as_of", "off_record")
_KEY = 80
_FACT = 2000
_QUERY = 2000
_TEXT = 100_000


class Row(NamedTuple):
    """A tool of the table; one that is not *offered* is another name, known to those who use it."""

    spec: ToolSpec
    modes: tuple[str, ...]
    offered: bool = True
    # Whether it only looks: then it can be used off the record, too.
    reads: bool = True


def _text(description: str, most: int, *, enum: Sequence[str] = ()) -> dict[str, Any]:
    if enum:
        return {"type": "string", "description": description, "enum": list(enum)}
    return {"type": "string", "description": description, "minLength": 1, "maxLength": most}


def _number(description: str, least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "description": description, "minimum": least, "maximum": most}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def _row(name: str, description: str, properties: Mapping[str, Any], *, required: Sequence[str] = ()) -> Row:
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    modes = MODES if name in _FOR_OTHERS else tuple(mode for mode in MODES if mode != AMONG_OTHERS)
    spec = ToolSpec(name, description, schema)
    return Row(spec, modes, offered=name != "memory_write", reads=name in _READING)


_REASON = _text("Why, in one sentence, for your human.", 500)
_SECTIONS = {
    "type": "array",
    "description": "Sections to replace or add; the others stay as they are.",
    "minItems": 1,
    "maxItems": 20,
    "items": {
        "type": "object",
        "properties": {
            "title": _text("The section's heading, without #.", _KEY),
            "body": _text("What is to stand under it.", _TEXT),
        },
        "required": ["title", "body"],
        "additionalProperties": False,
    },
}

_ROWS = (
    _row(
        "save_memory",
        "Keep something worth knowing later that came up in the conversation: a stable fact about your human "
        "or their world, or something that happened. It is noted in today's log, too.",
        {
            "fact": _text("The fact, in the third person and in the language it was said in.", _FACT),
            "key": _text('What it is about, in one or two words, like "job" or "pet".', _KEY),
            "kind": _text(
                "fact (the default), profile (true for good), episode (something that happened) or "
                "correction (how your human wants you to behave).",
                0,
                enum=SAVED_KINDS,
            ),
        },
        required=("fact", "key"),
    ),
    _row(
        "remember",
        "Keep what your human asked you to remember, in their own words.",
        {
            "key": _text('What it is about, in one or two words, like "job" or "pet".', _KEY),
            "value": _text("What to remember, as your human said it.", _FACT),
        },
        required=("key", "value"),
    ),
    _row(
        "forget",
        "Take out of use what your human asked you to forget. It can be restored.",
        {"key": _text("The key it is kept under, or its id.", _KEY)},
        required=("key",),
    ),
    _row(
        "off_record",
        "Your human does not want this exchange kept: erase it, and keep nothing of what follows in it.",
        {},
    ),
    _row(
        "memory_search",
        "Search all that you remember: facts, logs, past conversations, notes.",
        {
            "query": _text("What you want to know.", _QUERY),
            "top_k": _number("How many results; 5 if not given.", 1, 20),
            "include_untrusted": _flag("Also what strangers, pages and documents said; false if not given."),
        },
        required=("query",),
    ),
    _row(
        "share_memory",
        "Propose that something you remember may be told to others. Your human decides.",
        {"id": _text("Its id, as a search gives it.", _KEY), "reason": _REASON},
        required=("id", "reason"),
    ),
    _row(
        "memory_get",
        "Read a file of your memory, with line numbers.",
        {
            "path": _text('Its path as a search gives it, like "memory/2026-11-14.md".', 500),
            "from_line": _number("The first line; 1 if not given.", 1, 10_000_000),
            "lines": _number("How many lines; 100 if not given.", 1, 1000),
        },
        required=("path",),
    ),
    _row(
        "recall_as_of",
        "Tell what was true on a day in the past, as you know it now.",
        {
            "date": _text("The day, as 2026-11-14, or an instant in ISO 8601.", 40),
            "query": _text("Only what has these words.", _QUERY),
        },
        required=("date",),
    ),
    _row(
        "manage_goals",
        "List your goals or change one of them.",
        {
            "action": _text("What to do.", 0, enum=GOAL_ACTIONS),
            "goal": _text("To add: its text. Else: its number, or some of its words.", 500),
            "text": _text("The note, or what came of a completed goal.", _FACT),
            "priority": _text("To add, reopen and reprioritise.", 0, enum=tuple(PRIORITIES)),
        },
        required=("action",),
    ),
    _row(
        "update_identity",
        "Propose other values for fields of your IDENTITY.md, like name, emoji or vibe. Your human decides.",
        {
            "fields": {
                "type": "object",
                "description": "Each field's name and its new value; the others stay as they are.",
                "properties": {},
                "additionalProperties": {"type": "string", "minLength": 1, "maxLength": 500},
            },
            "reason": _REASON,
        },
        required=("fields", "reason"),
    ),
    _row(
        "update_soul",
        "Propose a change to your SOUL.md: sections, or the whole text. Your human decides.",
        {"sections": _SECTIONS, "text": _text("The whole new text.", _TEXT), "reason": _REASON},
        required=("reason",),
    ),
    _row(
        "update_motivations",
        "Propose a change to your MOTIVATIONS.md: sections, or the whole text. Your human decides.",
        {"sections": _SECTIONS, "text": _text("The whole new text.", _TEXT), "reason": _REASON},
        required=("reason",),
    ),
    _row(
        "improve",
        "Turn what your human says should be otherwise, about you or about what you remember, into proposals "
        "for the right files. Your human decides.",
        {"words": _text("What should change, as your human said it.", _FACT), "reason": _REASON},
        required=("words", "reason"),
    ),
    _row(
        "memory_write",
        "Another name for save_memory.",
        {
            "content": _text("The fact.", _FACT),
            "category": _text("What it is about.", _KEY),
        },
        required=("content",),
    ),
)
TABLE: Mapping[str, Row] = {row.spec.name: row for row in _ROWS}

"""The tools as a model is told of them: names, descriptions, arguments, and the modes they are for.

Names and arguments are stable: other programs call these tools, too. Whatever
is said here is sent with every message, so it is short; how long a text and how
large a number may be is checked, and told only to who gets it wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from almario.conversation import tool_shapes as shapes
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.goal_list import PRIORITIES, GoalAction
from almario.domain.messages import Sentence
from almario.domain.model import MODES
from almario.domain.talk import ToolSpec
from almario.named_tuples import NamedTuple

GOAL_ACTIONS = ("list", *get_args(GoalAction))
SAVED_KINDS = ("fact", "profile", "episode", "instruction", "correction")
PROPOSED_FILES = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md")
# Working with others, the agent keeps its human's affairs to itself.
AMONG_OTHERS = "collaboration"
_FOR_OTHERS = ("memory_search", "save_memory")
_READING = ("memory_search", "memory_get", "recall_as_of", "off_record", "why", "search", "fetch")
# Who says what, in a conversation that another program reports.
REPORTED_ROLES = ("user", "assistant")
# What a schema says for the check alone.
_LIMITS = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "additionalProperties")
_KEY = 80
_DATE = 40
_FACT = 2000
_QUERY = 2000
_TEXT = 100_000


class Offer(NamedTuple):
    """A tool as other programs are offered it: its name there, a title, and the shape of what it gives back.

    *destroys*: it may put out of use what is there; *repeats*: once more does no more. It may be *usual*, or
    offered only where all are wanted; and fit *for_others*, whom the owner does not trust. What it says
    *in_json* is told as that, even where others are told in words.
    """

    name: str
    title: Sentence
    output: Mapping[str, Any] = shapes.TEXT
    destroys: bool = False
    repeats: bool = False
    usual: bool = True
    for_others: bool = False
    in_json: bool = False


class Row(NamedTuple):
    """A tool of the table: as a model is told of it, the whole schema of its arguments, its modes.

    One without a mode is for other programs alone.
    """

    spec: ToolSpec
    schema: Mapping[str, Any]
    modes: tuple[str, ...]
    # Whether it only looks: then it can be used off the record, too.
    reads: bool = True
    offer: Offer | None = None


def _text(description: str, most: int, *, enum: Sequence[str] = ()) -> dict[str, Any]:
    told = {"description": description} if description else {}
    if enum:
        return {"type": "string", **told, "enum": list(enum)}
    return {"type": "string", **told, "minLength": 1, "maxLength": most}


def _number(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def _row(
    name: str,
    description: str,
    properties: Mapping[str, Any],
    *,
    required: Sequence[str] = (),
    offer: Offer | None = None,
) -> Row:
    schema: dict[str, Any] = {"type": "object", "properties": dict(properties)}
    schema |= {"required": list(required)} if required else {}
    schema |= {"additionalProperties": False}
    modes = MODES if name in _FOR_OTHERS else tuple(mode for mode in MODES if mode != AMONG_OTHERS)
    return Row(ToolSpec(name, description, _told(schema)), schema, modes, name in _READING, offer)


def _told(schema: Any) -> Any:
    """Return a schema without its limits."""
    if isinstance(schema, Mapping):
        return {name: _told(value) for name, value in schema.items() if name not in _LIMITS}
    return schema


_REASON = _text("", 500)
_SECTIONS = {
    "type": "array",
    "description": "To replace or add; in IDENTITY.md each is a field.",
    "minItems": 1,
    "maxItems": 20,
    "items": {
        "type": "object",
        "properties": {"title": _text("", _KEY), "body": _text("", _TEXT)},
        "required": ["title", "body"],
        "additionalProperties": False,
    },
}
_MESSAGES = {
    "type": "array",
    "description": "In their order, word for word.",
    "minItems": 1,
    "maxItems": 100,
    "items": {
        "type": "object",
        "properties": {"role": _text("", 0, enum=REPORTED_ROLES), "text": _text("", _TEXT)},
        "required": ["role", "text"],
        "additionalProperties": False,
    },
}

_ROWS = (
    _row(
        "save_memory",
        "Keep what your human asked you to keep.",
        {
            "fact": _text("In the third person, in your human's words and language.", _FACT),
            "key": _text('Its topic, like "job".', _KEY),
            "kind": _text(
                "profile: lasting; episode: happened; instruction: how to behave; correction: what the key's "
                "fact is now.",
                0,
                enum=SAVED_KINDS,
            ),
            "when": _text(
                'When it was or holds: "2026-12-03", "2025", "2026-08-20/2026-08-27", "2025/..", '
                '"../2026-11-27".',
                _DATE,
            ),
        },
        required=("fact",),
        offer=Offer("remember", Sentence("Remember"), shapes.KEPT, repeats=True, for_others=True),
    ),
    _row(
        "update_memory",
        "Change a memory. What is no longer so is ended, not forgotten.",
        {
            "id": _text("", _KEY),
            "fact": _text("Its new text.", _FACT),
            "when": _text("", _DATE),
            "ended": _text("Its last day, like 2026-11-14.", _DATE),
            "share": _flag("Others may be told."),
            "reason": _REASON,
        },
        required=("id",),
        offer=Offer("update", Sentence("Change a memory"), shapes.CHANGED, destroys=True, repeats=True),
    ),
    _row(
        "forget",
        "Put out of mind what your human asked you to forget.",
        {"key": _text("Its key or id.", _KEY)},
        required=("key",),
        offer=Offer("forget", Sentence("Forget"), shapes.FORGOTTEN, destroys=True, repeats=True),
    ),
    _row("off_record", "Erase this exchange: your human does not want it kept.", {}),
    _row(
        "memory_search",
        "Search facts, logs, conversations and notes.",
        {
            "query": _text("", _QUERY),
            "top_k": _number(1, 20),
            "include_untrusted": _flag("Also what strangers said."),
        },
        required=("query",),
        offer=Offer("recall", Sentence("Recall"), shapes.FOUND, for_others=True),
    ),
    _row(
        "memory_get",
        "Read a file that a search named.",
        {"path": _text("", 500), "from_line": _number(1, 10_000_000), "lines": _number(1, 1000)},
        required=("path",),
        offer=Offer("read", Sentence("Read a file of the memory"), usual=False),
    ),
    _row(
        "recall_as_of",
        "Tell what was true on a day, like 2026-11-14.",
        {"date": _text("", _DATE), "query": _text("", _QUERY)},
        required=("date",),
        offer=Offer("as_of", Sentence("What was true then"), usual=False),
    ),
    _row(
        "manage_goals",
        "List your goals or change one.",
        {
            "action": _text("", 0, enum=GOAL_ACTIONS),
            "goal": _text("Its text, to add; else its number.", 500),
            "text": _text("A note or outcome.", _FACT),
            "priority": _text("", 0, enum=tuple(PRIORITIES)),
        },
        required=("action",),
        offer=Offer("goals", Sentence("Goals"), shapes.GOALS, destroys=True),
    ),
    _row(
        "propose_change",
        "Propose to your human a change to who you are. Without a file, text is what they want changed, in "
        "their words.",
        {
            "file": _text("", 0, enum=PROPOSED_FILES),
            "sections": _SECTIONS,
            "text": _text("The whole new text.", _TEXT),
            "reason": _REASON,
        },
        required=("reason",),
        offer=Offer("propose", Sentence("Propose a change"), shapes.PROPOSED, repeats=True),
    ),
)
_SESSION = _text("As session_append gave it.", _KEY)
# What the chat does by itself, or otherwise.
_FOR_PROGRAMS = (
    _row(
        "why",
        "Tell what a memory rests on, and what became of it.",
        {"id": _text("As recall gives it.", _KEY)},
        required=("id",),
        offer=Offer("why", Sentence("Why is this remembered?"), shapes.REASONS),
    ),
    _row(
        "session_append",
        "Report what was said in this conversation, to be learned from; not if hooks do.",
        {
            "session": _text("As this gave it before; without it, a new one begins.", _KEY),
            "messages": _MESSAGES,
            "end": _flag("The conversation is over."),
        },
        required=("messages",),
        offer=Offer("session_append", Sentence("Report a conversation"), shapes.APPENDED),
    ),
    _row(
        "session_end",
        "Say that a reported conversation is over.",
        {"session": _SESSION},
        required=("session",),
        offer=Offer("session_end", Sentence("End a conversation"), shapes.ENDED, repeats=True, usual=False),
    ),
    _row(
        "search",
        "Search the memory; fetch reads what it finds.",
        {"query": _text("", _QUERY)},
        required=("query",),
        offer=Offer("search", Sentence("Search"), shapes.RESULTS, for_others=True, in_json=True),
    ),
    _row(
        "fetch",
        "Read what search found.",
        {"id": _text("", 500)},
        required=("id",),
        offer=Offer("fetch", Sentence("Read"), shapes.FETCHED, for_others=True, in_json=True),
    ),
)
TABLE: Mapping[str, Row] = {
    row.spec.name: row for row in (*_ROWS, *(row._replace(modes=()) for row in _FOR_PROGRAMS))
}
# What other programs are offered, in the order in which they are told of it.
_ORDER = "recall remember update forget why session_append session_end goals propose as_of read search fetch"
OFFERED: Mapping[str, Row] = {
    name: row for name in _ORDER.split() for row in TABLE.values() if row.offer and row.offer.name == name
}


def offered(audience: Audience = OWNER_ALONE, *, every: bool = False) -> dict[str, Row]:
    """Return the tools that other programs are offered, by their names there: the usual, or *every* one."""
    return {
        name: row
        for name, row in OFFERED.items()
        if row.offer and (every or row.offer.usual) and (audience.is_private or row.offer.for_others)
    }

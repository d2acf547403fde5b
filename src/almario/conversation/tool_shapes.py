"""The shapes of what tools give back to programs, as JSON Schemas; `tool_outputs` has the values."""

from collections.abc import Mapping, Sequence
from typing import Any


def listed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a list of objects, all of whose properties are there."""
    return {"type": "array", "items": shaped(properties)}


def shaped(properties: Mapping[str, Any], *, optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the schema of an object; what is not *optional* is always there."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": dict(properties), "required": required}


_TEXT, _NUMBER, _YES = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
_TEXTS = {"type": "array", "items": _TEXT}
_HIT = dict.fromkeys(("id", "kind", "text", "when", "certainty", "state"), _TEXT)
_MEMORY = {**dict.fromkeys(("id", "kind", "text", "when", "origin"), _TEXT), "guess": _YES}
_PROPOSAL = dict.fromkeys(("id", "file", "state", "reason", "diff"), _TEXT)
_GOAL = {"number": _NUMBER, "text": _TEXT, "priority": _TEXT, "done": _YES, "more": _TEXTS}
_CHANGE = dict.fromkeys(("when", "by", "what"), _TEXT)
_RESULT = dict.fromkeys(("id", "title", "url"), _TEXT)

FOUND = shaped({"found": listed(_HIT), "notes": _TEXTS})
KEPT = shaped({"outcome": _TEXT, "memory": shaped(_MEMORY), "notes": _TEXTS}, optional=("memory",))
CHANGED = shaped(
    {"changed": listed(_MEMORY), "proposals": listed(_PROPOSAL)}, optional=("changed", "proposals")
)
PROPOSED = shaped({"proposals": listed(_PROPOSAL), "notes": _TEXTS})
FORGOTTEN = shaped({"forgotten": listed(_MEMORY)})
REASONS = shaped(
    {
        "memory": shaped(_MEMORY),
        "state": _TEXT,
        "source": _TEXT,
        "evidence": _TEXTS,
        "history": listed(_CHANGE),
        "replaced": listed(_MEMORY),
        "replaced_by": shaped(_MEMORY),
    },
    optional=("replaced_by",),
)
GOALS = shaped({"goals": listed(_GOAL)})
APPENDED = shaped({"session": _TEXT, "turns": _TEXTS, "ended": _YES})
ENDED = shaped({"session": _TEXT, "ended": _YES})
RESULTS = shaped({"results": listed(_RESULT)})
FETCHED = shaped({**_RESULT, "text": _TEXT, "metadata": {"type": "object", "additionalProperties": _TEXT}})
TEXT = shaped({"text": _TEXT})

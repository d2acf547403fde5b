"""Values of an export as they should be, whatever stands there."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from almario.domain import validity
from almario.domain.memories import KINDS
from almario.domain.messages import Sentence
from almario.importing.arrivals import NotText, Skipped
from almario.importing.json_streams import elements
from almario.importing.markdown import flat, plain
from almario.importing.source import Entry, Export
from almario.memory.transfer import Note

# Nobody kept anything before; a number above is of milliseconds.
_FIRST, _LAST = 0, 4_102_444_800
# The parts of a message that are no text, as Anthropic and OpenAI call them.
NOT_TEXT = {
    "tool_use": NotText.CALL,
    "server_tool_use": NotText.CALL,
    "function_call": NotText.CALL,
    "custom_tool_call": NotText.CALL,
    "local_shell_call": NotText.CALL,
    "web_search_call": NotText.CALL,
    "tool_result": NotText.RESULT,
    "function_call_output": NotText.RESULT,
    "custom_tool_call_output": NotText.RESULT,
    "thinking": NotText.THOUGHT,
    "redacted_thinking": NotText.THOUGHT,
    "reasoning": NotText.THOUGHT,
    "image": NotText.IMAGE,
    "input_image": NotText.IMAGE,
}


def text(value: Any) -> str:
    """Return a text that has no halves of signs; nothing if it is none."""
    return value.encode("utf-8", "replace").decode().strip() if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def instant(value: Any) -> datetime | None:
    """Return a time: seconds or milliseconds since 1970, or as ISO 8601 has it; None if it is none."""
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
        except ValueError:
            return None
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        return found if 1970 <= found.year < 2100 else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not _FIRST < value < _LAST * 1000:
        return None
    seconds = value / 1000 if value > _LAST else value
    return datetime.fromtimestamp(seconds, UTC) if _FIRST < seconds < _LAST else None


def as_exported(note: Note, own: Any) -> Note:
    """Return a note with what an export of ours says of it; its words count as they stand there now."""
    fields = mapping(own)
    exact, kind, dated = fields.get("text"), fields.get("kind"), text(fields.get("dated"))
    told = (each(whole) for whole in (f"{exact}", f"{fields.get('key')}: {exact}") for each in (flat, plain))
    cues = tuple(filter(None, map(text, listed(fields.get("cues")))))
    return note._replace(
        text=exact if isinstance(exact, str) and note.text in told else note.text,
        key=text(fields["key"]) if "key" in fields else note.key,
        kind=kind if kind in KINDS else note.kind,
        since=instant(fields.get("since")) or note.since,
        dated=dated if validity.read(dated) or validity.is_written(dated) else note.dated,
        cues=cues if fields else note.cues,
    )


def first_of(entry: Entry) -> Any:
    """Return the first element of a file's array, or the one value that it is; None if it has none."""
    try:
        with entry.stream() as stream:
            return next(elements(stream), None)
    except (ValueError, OSError):
        return None


def objects(entry: Entry) -> Iterator[Mapping[str, Any] | Skipped]:
    """Yield the objects of a file's array; what cannot be read is told, and ends it."""
    number = 0
    try:
        with entry.stream() as stream:
            for number, value in enumerate(elements(stream), 1):
                yield (
                    value
                    if isinstance(value, dict)
                    else unread(f"{entry.name} [{number}]", "it is no object")
                )
    except (ValueError, OSError) as exc:
        yield unread(f"{entry.name} [{number + 1}]", str(exc))


# What is wrong with what cannot be read.
_WRONG = {
    each.text: each
    for each in (
        Sentence("it is damaged"),
        Sentence("it is too long"),
        Sentence("it is nested too deeply"),
        Sentence("it is no JSON"),
        Sentence("it ends in the middle"),
        Sentence("it ends in the middle, or is no JSON"),
        Sentence("it says nothing"),
        Sentence("it has no name"),
        Sentence("it has no summary or no day"),
        Sentence("it is neither an entity nor a relation"),
        Sentence("it is no object"),
    )
}


def unread(place: str, why: str) -> Skipped:
    """Return what cannot be read, and where it stands."""
    return Skipped(place, Sentence("it cannot be read ({why})", why=_WRONG.get(why, why)))


def whole(source: Export) -> Any:
    """Return the one JSON value that a source is; None if it is something else."""
    entry = source.entries[0] if len(source.entries) == 1 else None
    return first_of(entry) if entry and Path(entry.name.lower()).suffix in (".json", ".af", "") else None

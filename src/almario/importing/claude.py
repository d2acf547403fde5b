"""Claude's data export: conversations, what it remembered, and the papers of projects."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.domain.turns import Role
from almario.importing.arrivals import Arrival, ImportedMessage, ImportedTalk, Kind, NoText, NotText, Skipped
from almario.importing.fields import NOT_TEXT, first_of, instant, listed, mapping, objects, text
from almario.importing.markdown import statements
from almario.importing.source import Entry, Export
from almario.memory.transfer import Note

_CONVERSATIONS = regex(r"conversations(?:-\d+)?\.json")
_ROLES: Mapping[str, Role] = {"human": "user", "assistant": "assistant"}
_KNOWN = ("conversations_memory", "memory")


def _fits(source: Export) -> bool:
    files = [e for e in source.entries if _CONVERSATIONS.fullmatch(e.last)] or list(_memories(source))
    found = mapping(first_of(files[0])) if files else {}
    return "chat_messages" in found or any(name in found for name in (*_KNOWN, "memory_files"))


def _memories(source: Export) -> Iterator[Entry]:
    return (
        entry
        for entry in source.ending(".json")
        if entry.last == "memories.json" or f"/{entry.name}".rpartition("/")[0].endswith("/memories")
    )


def _read(source: Export) -> Iterator[Arrival]:
    for entry in source.entries:
        if _CONVERSATIONS.fullmatch(entry.last):
            for number, found in enumerate(objects(entry), 1):
                place = f"{entry.name} [{number}]"
                yield from [found] if isinstance(found, Skipped) else _conversation(found, place)
    for entry in _memories(source):
        for found in objects(entry):
            yield from [found] if isinstance(found, Skipped) else _remembered(found, entry.name)
    for entry in source.ending(".json"):
        if "projects/" in entry.name or entry.last == "projects.json":
            for found in objects(entry):
                yield from [found] if isinstance(found, Skipped) else _papers(found, entry.name)


def _conversation(found: Mapping[str, Any], place: str) -> Iterator[Arrival]:
    identity, messages = text(found.get("uuid")), listed(found.get("chat_messages"))
    apart = Counter[Sentence]()
    kept = [message for each in messages if (message := _message(mapping(each), apart))]
    yield NoText(apart)
    if not identity or not kept:
        yield Skipped(place, Sentence("it has no messages" if identity else "it has no id"))
    else:
        yield ImportedTalk(identity, text(found.get("name")), tuple(kept))


def _message(found: Mapping[str, Any], apart: Counter[Sentence]) -> ImportedMessage | None:
    """Return what a message says; what is no text in it is counted *apart*."""
    role = _ROLES.get(text(found.get("sender")))
    content = [mapping(each) for each in listed(found.get("content"))]
    apart.update(
        NOT_TEXT.get(text(each.get("type")), NotText.OTHER) for each in content if each.get("type") != "text"
    )
    spoken = [text(each.get("text")) for each in content if each.get("type") == "text"]
    parts = list(filter(None, spoken)) or list(filter(None, [text(found.get("text"))]))
    named = [*listed(found.get("attachments")), *listed(found.get("files"))]
    files = [f"[{name}]" for each in named if (name := text(mapping(each).get("file_name")))]
    parts += files
    apart[NotText.ATTACHMENT] += len(files)
    identity = text(found.get("uuid"))
    if not role or not parts or not identity:
        apart[NotText.OTHER] += bool(parts)
        return None
    return ImportedMessage(identity, role, "\n\n".join(parts), instant(found.get("created_at")))


def _remembered(found: Mapping[str, Any], place: str) -> Iterator[Arrival]:
    """Yield what Claude remembered of its user: a text of its own, in sentences or points."""
    texts = [text(found.get(name)) for name in _KNOWN]
    texts += map(text, mapping(found.get("project_memories")).values())
    files = found.get("memory_files")
    each = list(files.values()) if isinstance(files, dict) else listed(files)
    texts += [text(one) or text(mapping(one).get("content")) for one in each]
    for fact in filter(None, texts):
        for heading, statement in statements(fact):
            yield Note(statement, heading, place=place)


def _papers(found: Mapping[str, Any], place: str) -> Iterator[Arrival]:
    for paper in map(mapping, listed(found.get("docs"))):
        name = text(paper.get("filename")) or place
        yield Skipped(name, Sentence("a paper of the project {name}", name=text(found.get("name")) or "?"))


KIND = Kind("claude", Sentence("a Claude export"), _fits, _read)

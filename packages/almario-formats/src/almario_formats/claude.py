"""Claude's data export: conversations, what it remembered, and the papers of projects."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, ImportedMessage, Kind, Skipped
from almario.importing.fields import Fields, text
from almario.importing.source import Export
from almario.plugins import Note, Sentence
from almario_formats.json_streams import first_of, objects
from almario_formats.markdown import statements
from almario_formats.spoken import ROLES, NotText, files_of, talk, texts_of

_CONVERSATIONS = regex(r"(?:.*/)?conversations(?:-\d+)?\.json")
_MEMORIES = regex(r"(?:.*/)?memories(?:/[^/]*)?\.json")
_KNOWN = ("conversations_memory", "memory")


def _fits(source: Export) -> bool:
    files = (
        each for part in (_CONVERSATIONS, _MEMORIES) for each in source.entries if part.fullmatch(each.name)
    )
    found = next(map(first_of, files), Fields())
    return any(name in found for name in ("chat_messages", *_KNOWN, "memory_files"))


def _read(source: Export) -> Iterator[Arrival]:
    yield from _parts(source, _CONVERSATIONS, _conversation)
    yield from _parts(source, _MEMORIES, _remembered)
    yield from _parts(source, regex(r"(?:.*/)?projects(?:/.*)?\.json"), _papers)


def _parts(
    source: Export, file: re.Pattern[str], reads: Callable[[Fields], Iterator[Arrival]]
) -> Iterator[Arrival]:
    for entry in source.entries:
        if file.fullmatch(entry.name):
            for found in objects(entry):
                yield from [found] if isinstance(found, Skipped) else reads(found)


def _conversation(found: Fields) -> Iterator[Arrival]:
    apart = Counter[Sentence]()
    messages = [each for one in found.every("chat_messages") if (each := _message(one, apart))]
    return talk(found.place, found.text("uuid"), found.text("name"), messages, apart)


def _message(found: Fields, apart: Counter[Sentence]) -> ImportedMessage | None:
    """Return what a message says; what is no text in it is counted *apart*."""
    role, identity = ROLES.get(found.text("sender")), found.text("uuid")
    parts = texts_of(found, "text", apart)
    parts += files_of([*found.every("attachments"), *found.every("files")], "file_name", apart)
    if role and parts and identity:
        return ImportedMessage(identity, role, "\n\n".join(parts), found.instant("created_at"))
    apart[NotText.OTHER] += bool(parts)
    return None


def _remembered(found: Fields) -> Iterator[Arrival]:
    """Yield what Claude remembered of its user: a text of its own, in sentences or points."""
    files = found.inner("memory_files").all.values() or found.listed("memory_files")
    texts = [*(found[name] for name in _KNOWN), *found.inner("project_memories").all.values(), *files]
    for each in texts:
        for heading, statement in statements(text(each) or Fields(each).text("content")):
            yield Note(statement, heading, place=found.place)


def _papers(found: Fields) -> Iterator[Arrival]:
    for paper in found.every("docs"):
        project = Sentence("a paper of the project {name}", name=found.text("name") or "?")
        yield Skipped(paper.text("filename") or found.place, project)


KIND = Kind("claude", Sentence("a Claude export"), _fits, _read)

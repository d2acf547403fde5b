"""Transcripts of Claude Code and Codex: one file of lines a session."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from almario.importing.arrivals import Arrival, ImportedMessage, Kind, Skipped
from almario.importing.fields import Fields, rows
from almario.importing.source import Entry, Export
from almario.plugins import Sentence
from almario_formats.spoken import NOT_TEXT, ROLES, NotText, talk, texts_of

# What these programs say in their user's place.
_NOISE = (
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "<INSTRUCTIONS>",
    "# AGENTS.md",
    "Caveat: The messages below",
)

# Finds the message of a line; if it has none, that is counted.
Finds = Callable[[Fields, Counter[Sentence]], Fields | None]


def _of_claude_code(line: Fields, apart: Counter[Sentence]) -> Fields | None:
    message = line.inner("message")
    is_ours = message.all and not line["isSidechain"] and not line["isMeta"]
    apart[NotText.PROGRAM] += not is_ours
    return message if is_ours else None


def _of_codex(line: Fields, apart: Counter[Sentence]) -> Fields | None:
    payload = line.inner("payload")
    if line["type"] == "response_item" and payload["type"] == "message":
        return payload
    apart[NOT_TEXT.get(payload.text("type"), NotText.PROGRAM)] += 1
    return None


def _said(line: Fields, message: Fields, apart: Counter[Sentence]) -> ImportedMessage | None:
    """Return what a message says; what is no text in it, or was not said to anybody, is counted *apart*."""
    role, name = ROLES.get(message.text("role")), line.text("uuid") or line.place.rpartition(":")[2]
    texts = texts_of(message, "content", apart)
    words = "\n\n".join(each for each in texts if not each.startswith(_NOISE))
    apart[NotText.PROGRAM] += sum(each.startswith(_NOISE) for each in texts) if role else bool(texts)
    return ImportedMessage(name, role, words, line.instant("timestamp")) if role and words else None


def _fits(is_ours: Callable[[Fields], bool], source: Export) -> bool:
    starts = (islice(rows(entry), 20) for entry in islice(source.ending(".jsonl"), 3))
    return any(isinstance(row, Fields) and is_ours(row) for start in starts for row in start)


def _read(find: Finds, source: Export) -> Iterator[Arrival]:
    for entry in source.ending(".jsonl"):
        yield from _talk(entry, find)


def _talk(entry: Entry, find: Finds) -> Iterator[Arrival]:
    messages: list[ImportedMessage] = []
    apart = Counter[Sentence]()
    folder = ""
    for row in rows(entry):
        if isinstance(row, Skipped):
            yield row
            continue
        folder = folder or row.text("cwd") or row.inner("payload").text("cwd")
        if (message := find(row, apart)) and (said := _said(row, message, apart)):
            messages.append(said)
    title = messages[0].text[:60] if messages else ""
    yield from talk(entry.name, entry.last.removesuffix(".jsonl"), title, messages, apart, folder)


def _is_claude_code(line: Fields) -> bool:
    return "sessionId" in line and "message" in line


def _is_codex(line: Fields) -> bool:
    return "payload" in line and line["type"] in ("session_meta", "response_item")


CLAUDE_CODE = Kind(
    "claude-code",
    Sentence("transcripts of Claude Code"),
    partial(_fits, _is_claude_code),
    partial(_read, _of_claude_code),
)
CODEX = Kind("codex", Sentence("transcripts of Codex"), partial(_fits, _is_codex), partial(_read, _of_codex))

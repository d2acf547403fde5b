"""Transcripts of Claude Code and Codex: one file of lines a session."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from almario.domain.messages import Sentence
from almario.domain.turns import Role
from almario.importing.arrivals import Arrival, ImportedMessage, ImportedTalk, Kind, NoText, NotText, Skipped
from almario.importing.fields import NOT_TEXT, instant, listed, mapping, text, unread
from almario.importing.json_streams import lines
from almario.importing.source import Entry, Export

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant"}
_TEXTS = ("text", "input_text", "output_text")
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

ReadsMessage = Callable[[Mapping[str, Any], int, Counter[Sentence]], ImportedMessage | None]


def _of_claude_code(
    found: Mapping[str, Any], number: int, apart: Counter[Sentence]
) -> ImportedMessage | None:
    message = mapping(found.get("message"))
    if found.get("isSidechain") or found.get("isMeta") or not message:
        apart[NotText.PROGRAM] += 1
        return None
    name = text(found.get("uuid")) or str(number)
    return _message(name, message, found, apart)


def _of_codex(found: Mapping[str, Any], number: int, apart: Counter[Sentence]) -> ImportedMessage | None:
    payload = mapping(found.get("payload"))
    if found.get("type") == "response_item" and payload.get("type") == "message":
        return _message(str(number), payload, found, apart)
    apart[NOT_TEXT.get(text(payload.get("type")), NotText.PROGRAM)] += 1
    return None


def _message(
    name: str, message: Mapping[str, Any], line: Mapping[str, Any], apart: Counter[Sentence]
) -> ImportedMessage | None:
    """Return what a message says; what is no text in it, or was not said to anybody, is counted *apart*."""
    role, content = _ROLES.get(text(message.get("role"))), message.get("content")
    parts = [mapping(each) for each in listed(content)]
    apart.update(
        NOT_TEXT.get(text(p.get("type")), NotText.OTHER) for p in parts if p.get("type") not in _TEXTS
    )
    texts = [text(part.get("text")) for part in parts if part.get("type") in _TEXTS] or [text(content)]
    words = "\n\n".join(each for each in texts if each and not each.startswith(_NOISE))
    apart[NotText.PROGRAM] += sum(each.startswith(_NOISE) for each in texts) if role else any(texts)
    return ImportedMessage(name, role, words, instant(line.get("timestamp"))) if role and words else None


def _fits(is_ours: Callable[[Mapping[str, Any]], bool]) -> Callable[[Export], bool]:
    def fits(source: Export) -> bool:
        for entry in list(source.ending(".jsonl"))[:3]:
            with entry.stream() as stream:
                for number, value in lines(stream):
                    if is_ours(mapping(value)):
                        return True
                    if number > 20:
                        break
        return False

    return fits


def _read(reads: ReadsMessage) -> Callable[[Export], Iterator[Arrival]]:
    def read(source: Export) -> Iterator[Arrival]:
        for entry in source.ending(".jsonl"):
            yield from _talk(entry, reads)

    return read


def _talk(entry: Entry, reads: ReadsMessage) -> Iterator[Arrival]:
    messages: list[ImportedMessage] = []
    apart = Counter[Sentence]()
    try:
        with entry.stream() as stream:
            for number, value in lines(stream):
                if isinstance(value, Exception):
                    yield unread(f"{entry.name}:{number}", str(value))
                elif message := reads(mapping(value), number, apart):
                    messages.append(message)
    except (ValueError, OSError) as exc:
        yield unread(entry.name, str(exc))
    yield NoText(apart)
    if messages:
        yield ImportedTalk(entry.last.removesuffix(".jsonl"), messages[0].text[:60], tuple(messages))
    else:
        yield Skipped(entry.name, Sentence("it has no messages"))


CLAUDE_CODE = Kind(
    "claude-code",
    Sentence("transcripts of Claude Code"),
    _fits(lambda line: "sessionId" in line and "message" in line),
    _read(_of_claude_code),
)
CODEX = Kind(
    "codex",
    Sentence("transcripts of Codex"),
    _fits(lambda line: "payload" in line and line.get("type") in ("session_meta", "response_item")),
    _read(_of_codex),
)

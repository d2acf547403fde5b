"""Transcripts of Claude Code and Codex: one file of lines a session."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice

from almario.importing.agent_transcripts import FORMS, NOISE, TranscriptForm
from almario.importing.arrivals import Arrival, ImportedMessage, Kind, Skipped
from almario.importing.fields import Fields, rows
from almario.importing.source import Entry, Export
from almario.plugins import Sentence
from almario_formats.spoken import NOT_TEXT, ROLES, NotText, talk, texts_of


def _said(line: Fields, message: Fields, apart: Counter[Sentence]) -> ImportedMessage | None:
    """Return what a message says; what is no text in it, or was not said to anybody, is counted *apart*."""
    role, name = ROLES.get(message.text("role")), line.text("uuid") or line.place.rpartition(":")[2]
    texts = texts_of(message, "content", apart)
    words = "\n\n".join(each for each in texts if not each.startswith(NOISE))
    apart[NotText.PROGRAM] += sum(each.startswith(NOISE) for each in texts) if role else bool(texts)
    return ImportedMessage(name, role, words, line.instant("timestamp")) if role and words else None


def _fits(form: TranscriptForm, source: Export) -> bool:
    starts = (islice(rows(entry), 20) for entry in islice(source.ending(".jsonl"), 3))
    return any(isinstance(row, Fields) and form.is_ours(row) for start in starts for row in start)


def _read(form: TranscriptForm, source: Export) -> Iterator[Arrival]:
    for entry in source.ending(".jsonl"):
        yield from _talk(entry, form)


def _talk(entry: Entry, form: TranscriptForm) -> Iterator[Arrival]:
    messages: list[ImportedMessage] = []
    apart = Counter[Sentence]()
    folder = ""
    for row in rows(entry):
        if isinstance(row, Skipped):
            yield row
            continue
        folder = folder or row.text("cwd") or row.inner("payload").text("cwd")
        message = form.message(row)
        if message is None:
            apart[NOT_TEXT.get(row.inner("payload").text("type"), NotText.PROGRAM)] += 1
        elif said := _said(row, message, apart):
            messages.append(said)
    title = messages[0].text[:60] if messages else ""
    yield from talk(entry.name, entry.last.removesuffix(".jsonl"), title, messages, apart, folder)


def _kind(name: str, called: Sentence, form: TranscriptForm) -> Kind:
    return Kind(name, called, partial(_fits, form), partial(_read, form))


CLAUDE_CODE = _kind("claude-code", Sentence("transcripts of Claude Code"), FORMS["claude-code"])
CODEX = _kind("codex", Sentence("transcripts of Codex"), FORMS["codex"])

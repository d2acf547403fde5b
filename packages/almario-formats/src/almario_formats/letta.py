"""A Letta agent file: a persona, blocks of what is remembered, and what was said."""

from collections.abc import Iterator
from itertools import groupby

from almario.importing.arrivals import Arrival, ImportedMessage, ImportedTalk, Kind, Skipped, SoulText
from almario.importing.fields import Fields
from almario.importing.source import Export
from almario.plugins import Note, Sentence
from almario_formats.json_streams import first_of, whole
from almario_formats.markdown import as_exported, statements
from almario_formats.spoken import ROLES

_MADE_BY, _OURS = "made_by", "almario"


def _fits(source: Export) -> bool:
    found = whole(source)
    return isinstance(found["agents"], list) and isinstance(found["blocks"], list)


def _read(source: Export) -> Iterator[Arrival]:
    found = first_of(source.entries[0])
    for block in found.every("blocks"):
        if block["label"] == "persona" and block.text("value"):
            yield SoulText("SOUL.md", block.text("value"), "persona")
        else:
            yield from _stated(block)
    is_ours = found.inner("metadata")[_MADE_BY] == _OURS
    for agent in found.every("agents"):
        yield from _said(agent, is_ours=is_ours)
        if tools := len(agent.listed("tool_ids")):
            yield Skipped(agent.text("name") or "?", Sentence("tools of the agent: {count}", count=tools))


def _stated(block: Fields) -> Iterator[Arrival]:
    remarks: dict[str, list[Fields]] = {}
    for own in block.inner("metadata").every(_OURS):
        remarks.setdefault(own.text("point"), []).append(own)
    for heading, statement in statements(block.text("value")):
        left = remarks.get(statement)
        note = Note(statement, heading, place=block.text("label") or "?")
        yield as_exported(note, left.pop(0) if left else Fields())


def _said(agent: Fields, *, is_ours: bool) -> Iterator[Arrival]:
    messages = [each for one in agent.every("messages") if (each := _message(one))]
    if is_ours:
        for session, turns in groupby(messages, lambda each: each.id.rpartition("#")[0]):
            numbered = (each._replace(id=each.id.rpartition("#")[2]) for each in turns)
            yield ImportedTalk(session, session, tuple(numbered), of_ours=True)
    elif messages:  # its own ids count within a file: another file has the same for others
        name = agent.text("name") or "?"
        stated = (each._replace(id=f"{each.at} {each.role} {each.text}") for each in messages)
        yield ImportedTalk(name, name, tuple(stated))


def _message(found: Fields) -> ImportedMessage | None:
    role, name = ROLES.get(found.text("role")), found.text("otid", "id")
    parts = [part.text("text") for part in found.every("content")] or [found.text("content")]
    words = "\n\n".join(filter(None, parts))
    return (
        ImportedMessage(name, role, words, found.instant("created_at")) if role and words and name else None
    )


KIND = Kind("letta", Sentence("a Letta agent file"), _fits, _read)

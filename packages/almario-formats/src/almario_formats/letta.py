"""A Letta agent file: a persona, blocks of what is remembered, and what was said."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from almario.domain.documents.lines import without_comments
from almario.domain.records import written
from almario.domain.turns import SPOKEN
from almario.exporting.outgoing import OutFile, Outgoing, OutKind
from almario.importing.arrivals import Arrival, ImportedMessage, ImportedTalk, Kind, Skipped, SoulText
from almario.importing.fields import Fields
from almario.importing.source import Export
from almario.plugins import Note, Sentence
from almario_formats.json_streams import first_of, whole
from almario_formats.markdown import statements
from almario_formats.spoken import ROLES
from almario_formats.writing import PERSONA, as_exported, line, persona, remark, streamed

_MADE_BY, _OURS = "made_by", "almario"
# A block has so many characters, and so many of them the agent is told with every message.
_LIMIT, _ATTACHED = 20_000, 5
_AGENT = "agent-0"


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


def _files(agent: Outgoing) -> Iterator[OutFile]:
    made: list[str] = []
    file = {
        "blocks": _blocks(agent, made),
        "agents": _agents(agent, made),
        **{name: [] for name in ("groups", "files", "sources", "tools", "mcp_servers")},
        "metadata": {_MADE_BY: _OURS},
        "created_at": written(agent.now),
    }
    yield OutFile("agent.af", streamed(file))


def _agents(agent: Outgoing, blocks: list[str]) -> Iterator[dict[str, Any]]:
    yield {
        "id": _AGENT,
        "name": agent.name,
        "description": agent.identity("vibe"),
        "block_ids": blocks[:_ATTACHED],
        **{name: [] for name in ("tool_ids", "source_ids", "tags", "files_agents", "group_ids")},
        "in_context_message_ids": [],
        "timezone": str(agent.zone),
        "messages": _messages(agent),
    }


def _blocks(agent: Outgoing, made: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the persona, what is known of the owner, and then all else that is remembered."""
    yield _block(made, "persona", persona(agent), [])
    about = without_comments(agent.soul().get("USER.md", "")).strip()
    text, notes, label = f"{about}\n\n" if about else "", list[Note](), "human"
    for note in agent.notes():
        added = f"- {line(note)}\n"
        if notes and len(text) + len(added) > _LIMIT:
            yield _block(made, label, text, notes)
            text, notes, label = "", [], f"memory_{len(made)}"
        text += added
        notes.append(note)
    if text:
        yield _block(made, label, text, notes)


def _block(made: list[str], label: str, text: str, notes: list[Note]) -> dict[str, Any]:
    made.append(f"block-{len(made)}")
    own = [{"point": line(note), **remark(note)} for note in notes]
    limit = max(len(text), _LIMIT)
    return {"id": made[-1], "label": label, "value": text, "limit": limit, "metadata": {_OURS: own}}


def _messages(agent: Outgoing) -> Iterator[dict[str, Any]]:
    said = ((session, turn) for session, turns in agent.conversations() for turn in turns)
    spoken = ((session, turn) for session, turn in said if turn.role in SPOKEN)
    for number, (session, turn) in enumerate(spoken):
        yield {
            "id": f"message-{number}",  # Letta takes no other form
            "otid": f"{session}#{turn.n}",
            "agent_id": _AGENT,
            "role": turn.role,
            "content": [{"type": "text", "text": turn.text}],
            "created_at": written(turn.at),
        }


KIND = Kind("letta", Sentence("a Letta agent file"), _fits, _read)
OUT = OutKind("letta", ".af", (*PERSONA, "USER.md", "memories", "conversations", "days"), _files)

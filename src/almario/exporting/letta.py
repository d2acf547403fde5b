"""A Letta agent file: a persona, blocks of what is remembered, and what was said."""

from collections.abc import Iterator
from typing import Any

from almario.domain.documents.lines import without_comments
from almario.domain.records import written
from almario.domain.turns import SPOKEN
from almario.exporting.formats import OutFile, OutKind
from almario.exporting.outgoing import Outgoing
from almario.exporting.remarks import line, remark, streamed
from almario.memory.transfer import Note

# A block has so many characters, and so many of them the agent is told with every message.
_LIMIT, _ATTACHED = 20_000, 5
_AGENT = "agent-0"


def _files(agent: Outgoing) -> Iterator[OutFile]:
    made: list[str] = []
    whole = {
        "blocks": _blocks(agent, made),
        "agents": _agents(agent, made),
        **{name: [] for name in ("groups", "files", "sources", "tools", "mcp_servers")},
        "metadata": {"made_by": "almario"},
        "created_at": written(agent.now),
    }
    yield OutFile("agent.af", streamed(whole))


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
    yield _block(made, "persona", agent.persona(), [])
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
    return {"id": made[-1], "label": label, "value": text, "limit": limit, "metadata": {"almario": own}}


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


_CARRIES = (
    "SOUL.md",
    "IDENTITY.md",
    "MOTIVATIONS.md",
    "USER.md",
    "memories",
    "conversations",
    "days",
)
KIND = OutKind("letta", ".af", _CARRIES, _files)

"""mem0: a list of memories as its interface returns it, each with what it has no field for as metadata."""

from collections.abc import Iterator
from hashlib import md5
from typing import Any

from almario.domain.records import written
from almario.exporting.formats import OutFile, OutKind
from almario.exporting.outgoing import Outgoing
from almario.exporting.remarks import remark, streamed, words
from almario.memory.transfer import Note


def _files(agent: Outgoing) -> Iterator[OutFile]:
    yield OutFile("mem0.json", streamed({"results": (_item(note, agent.name) for note in agent.notes())}))


def _item(note: Note, agent: str) -> dict[str, Any]:
    at = written(note.since) if note.since else None
    digest = md5(words(note).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    return {
        "id": note.place or digest,
        "memory": words(note),
        "hash": digest,
        "metadata": {"almario": remark(note)},
        "categories": [note.key] if note.key else [],
        "created_at": at,
        "updated_at": at,
        "user_id": "owner",
        "agent_id": agent,
    }


KIND = OutKind("mem0", ".json", ("memories", "days"), _files)

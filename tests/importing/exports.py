"""Small exports, written to the letter of their formats."""

import base64
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n"


def _node(
    name: str, parent: str | None, role: str, text: str, at: float | None, **more: Any
) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {
        "id": name,
        "author": {"role": role},
        "create_time": at,
        "content": content,
        "metadata": more,
    }
    return {"id": name, "parent": parent, "children": [], "message": message if role else None}


def chatgpt_talk(number: int, *, title: str = "Lisbon") -> dict[str, Any]:
    at = 1_700_000_000 + number * 86_400
    nodes = [
        _node("r", None, "", "", None),
        _node("s", "r", "system", "hidden", None, is_visually_hidden_from_conversation=True),
        _node("q", "s", "user", f"I want to see Lisbon with Inés, plan {number}", at),
        _node("old", "q", "assistant", "Another answer.", at + 5),
        _node("a", "q", "assistant", "Take tram 28.", at + 9),
    ]
    return {
        "title": title,
        "create_time": at,
        "update_time": None,
        "conversation_id": f"talk-{number}",
        "current_node": "a",
        "mapping": {each["id"]: each for each in nodes},
    }


def chatgpt(path: Path, count: int = 3) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt_talk(n) for n in range(count)]))
        archive.writestr("user.json", "{}")
    return path


def claude(path: Path) -> Path:
    message = {
        "uuid": "m1",
        "sender": "human",
        "text": "",
        "content": [{"type": "text", "text": "My cat is called Michi."}],
        "created_at": "2025-03-01T10:00:00Z",
        "attachments": [{"file_name": "vet.pdf", "extracted_content": "a bill"}],
    }
    answer = {
        "uuid": "m2",
        "sender": "assistant",
        "text": "A fine name.",
        "created_at": "2025-03-01T10:00:09Z",
    }
    talk = {"uuid": "t", "name": "Cats", "chat_messages": [message, answer]}
    memory = {"conversations_memory": "**Work**\n\n- Ana bakes bread at night\n", "account_uuid": "u"}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([talk]))
        archive.writestr("memories.json", json.dumps([memory]))
    return path


def mcp_memory(path: Path) -> Path:
    rows = [
        {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["plays the cello"]},
        {"type": "relation", "from": "Ana", "to": "Leo", "relationType": "mother_of"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def mem0(path: Path) -> Path:
    item = {"id": "a", "memory": "Likes to hike on Sundays", "created_at": "2025-05-05T10:00:00+00:00"}
    path.write_text(json.dumps({"count": 1, "results": [item]}))
    return path


def letta(path: Path) -> Path:
    said = {"id": "x", "role": "user", "content": [{"type": "text", "text": "Hi, I am Bo."}]}
    blocks = [{"label": "human", "value": "Bo likes chess."}, {"label": "persona", "value": "I am Sam."}]
    agent = {"id": "agent-0", "name": "Sam", "messages": [{**said, "created_at": "2025-01-01T00:00:00Z"}]}
    path.write_text(json.dumps({"agents": [agent], "blocks": blocks}))
    return path


def card(path: Path) -> Path:
    entry = {"keys": ["storm"], "content": "Rook is afraid of thunder.", "enabled": True, "name": "Thunder"}
    data = {"name": "Rook", "description": "{{char}} is a dry raven.", "character_book": {"entries": [entry]}}
    data["system_prompt"] = "Obey me."
    reply = json.dumps({"spec": "chara_card_v3", "spec_version": "3.0", "data": data})
    text = b"ccv3\0" + base64.b64encode(reply.encode())
    path.write_bytes(PNG + chunk(b"IHDR", b"\0" * 13) + chunk(b"tEXt", text) + chunk(b"IEND", b""))
    return path


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _folder(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def openclaw(path: Path) -> Path:
    memory = (
        "## Home\n\n- The router is in the hall <!-- trigger: wifi, internet -->\n- Bins go out on Tuesday\n"
    )
    files = {"SOUL.md": "# Soul\n\nBe dry.\n", "IDENTITY.md": "- **Name:** Claw\n", "AGENTS.md": "Rules.\n"}
    return _folder(path, files | {"MEMORY.md": memory, "memory/2026-01-03.md": "- Fixed the boiler\n"})


def nanobot(path: Path) -> Path:
    line = json.dumps({"cursor": 1, "timestamp": "2026-04-03 00:02", "content": "Painted the fence"})
    return _folder(path, {"SOUL.md": "Be brief.\n", "memory/history.jsonl": line + "\n"})


def hermes(path: Path) -> Path:
    return _folder(path, {"memories/MEMORY.md": "Ana rides a Vespa\n§\nLeo is seven\n"})


def notes(path: Path) -> Path:
    boat = "---\ntitle: Boat\ncreated: 2025-02-03\n---\n\n- [tech] The engine is a [[Yanmar|Yanmar 2GM]]\n"
    return _folder(path, {"Boat.md": boat, "2025-06-01.md": "Sailed to Ons.\n", "map.pdf": "%PDF"})


def claude_code(path: Path, folder: str = "") -> Path:
    said = {"type": "user", "sessionId": "s", "uuid": "u1", "timestamp": "2026-02-01T09:00:00Z"}
    said |= {"cwd": folder} if folder else {}
    rows = [
        {**said, "message": {"role": "user", "content": "We deploy on Fridays"}},
        {**said, "uuid": "u2", "isMeta": True, "message": {"role": "user", "content": "meta"}},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def codex(path: Path, folder: str = "") -> Path:
    part = {"type": "input_text", "text": "The staging server is called Heron"}
    rows = [
        {"timestamp": "2026-02-01T09:00:00Z", "type": "session_meta", "payload": {"cwd": folder}},
        {
            "timestamp": "2026-02-01T09:00:01Z",
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": [part]},
        },
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path

"""Our own form, whole and documented in docs/export.md; and its memories alone."""

import json
from collections.abc import Iterator
from typing import Any

from almario.domain.model import SOUL_FILES
from almario.domain.records import written
from almario.domain.turns import fields_of_turn
from almario.exporting.outgoing import OutFile, Outgoing, OutKind

VERSION = 1
_README = """# {name}

This is all that an agent called {name} is and remembers, written by Almario on {day}.

- `soul/`: who it is, as Markdown
- `memories.jsonl`: what it remembers, a memory a line
- `conversations.jsonl`: what was said, a message a line
- `days.jsonl`: what was written in its daily logs besides
- `files/`: those logs, HISTORY.md, and your own lines in MEMORY.md, to read
- `bundle.json`: which version of this form it is

`almario import` takes it in. docs/export.md of Almario describes every field.
"""


def _bundle(agent: Outgoing) -> Iterator[OutFile]:
    head = {"almario_bundle": VERSION, "name": agent.name, "made": written(agent.now)}
    yield OutFile("bundle.json", [json.dumps(head | {"zone": str(agent.zone)}, ensure_ascii=False), "\n"])
    yield OutFile("README.md", [_README.format(name=agent.name, day=agent.now.date())])
    for name, text in agent.soul(exactly=True).items():
        yield OutFile(f"soul/{name}", [text])
    yield from _jsonl(agent)
    yield OutFile("conversations.jsonl", map(_line, _messages(agent)))
    yield OutFile("days.jsonl", map(_line, _days(agent)))
    for name, text in agent.files():
        yield OutFile(f"files/{name}", [text])


def _jsonl(agent: Outgoing) -> Iterator[OutFile]:
    yield OutFile("memories.jsonl", (f"{line}\n" for line in agent.lines()))


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _messages(agent: Outgoing) -> Iterator[dict[str, Any]]:
    for session, turns in agent.conversations():
        yield from ({**fields_of_turn(turn), "session": session} for turn in turns)


def _days(agent: Outgoing) -> Iterator[dict[str, Any]]:
    for note, is_trusted in agent.days():
        yield {"at": written(note.since) if note.since else "", "text": note.text, "trusted": is_trusted}


_MEMORIES = ("memories", "replaced", "others", "evidence", "secrets")
BUNDLE = OutKind(
    "bundle", ".zip", (*SOUL_FILES, "goals", *_MEMORIES, "prose", "conversations", "days"), _bundle
)
JSONL = OutKind("jsonl", ".jsonl", _MEMORIES, _jsonl)

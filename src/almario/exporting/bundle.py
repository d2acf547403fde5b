"""Our own form, whole and documented in docs/export.md; and its memories alone."""

import json
from collections.abc import Iterator
from typing import Any

from almario.domain.model import SOUL_FILES
from almario.domain.records import written
from almario.exporting.formats import OutFile, OutKind
from almario.exporting.outgoing import Outgoing

VERSION = 1
_README = """# {name}

This is all that an agent called {name} is and remembers, written by Almario on {day}.

- `soul/`: who it is, as Markdown
- `memories.jsonl`: what it remembers, a memory a line
- `conversations.jsonl`: what was said, a message a line
- `days.jsonl`: what was written in its daily logs besides
- `bundle.json`: which version of this form it is

`almario import` takes it in. docs/export.md of Almario describes every field.
"""


def _bundle(agent: Outgoing) -> Iterator[OutFile]:
    head = {"almario_bundle": VERSION, "name": agent.name, "made": written(agent.now)}
    yield OutFile("bundle.json", [json.dumps(head | {"zone": str(agent.zone)}, ensure_ascii=False), "\n"])
    yield OutFile("README.md", [_README.format(name=agent.name, day=agent.now.date())])
    for name, text in agent.soul(exactly=True).items():
        yield OutFile(f"soul/{name}", [text])
    yield OutFile("memories.jsonl", _lines(agent))
    yield OutFile("conversations.jsonl", map(_line, _messages(agent)))
    yield OutFile("days.jsonl", map(_line, _days(agent)))


def _jsonl(agent: Outgoing) -> Iterator[OutFile]:
    yield OutFile("memories.jsonl", _lines(agent))


def _lines(agent: Outgoing) -> Iterator[str]:
    return (f"{line}\n" for line in agent.lines())


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _messages(agent: Outgoing) -> Iterator[dict[str, Any]]:
    for session, turns in agent.conversations():
        for turn in turns:
            yield {
                "session": session,
                "n": turn.n,
                "at": written(turn.at),
                "role": turn.role,
                "speaker": turn.speaker,
                "origin": turn.origin,
                "text": turn.text,
            }


def _days(agent: Outgoing) -> Iterator[dict[str, Any]]:
    for note, is_trusted in agent.days():
        yield {"at": written(note.since) if note.since else "", "text": note.text, "trusted": is_trusted}


_MEMORIES = ("memories", "replaced", "others", "evidence", "cues", "secrets")
BUNDLE = OutKind("bundle", ".zip", (*SOUL_FILES, "goals", *_MEMORIES, "conversations", "days"), _bundle)
JSONL = OutKind("jsonl", ".jsonl", _MEMORIES, _jsonl)

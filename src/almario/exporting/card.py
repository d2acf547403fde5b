"""A character card, V3: who the agent is, and on request what it remembers as a lorebook."""

from collections.abc import Iterator
from typing import Any

from almario.domain.plain_text import regex
from almario.exporting.formats import OutFile, OutKind
from almario.exporting.outgoing import Outgoing
from almario.exporting.remarks import remark, streamed, words
from almario.memory.transfer import Note

# An order to the program that reads it.
_DECORATOR = regex(r"(?m)^@@")


def _files(agent: Outgoing) -> Iterator[OutFile]:
    made = int(agent.now.timestamp())
    data = {
        "name": agent.name,
        "description": agent.persona(),
        "personality": agent.identity("vibe"),
        **dict.fromkeys(("scenario", "first_mes", "mes_example"), ""),
        "creator_notes": "Exported by Almario.",
        **dict.fromkeys(("system_prompt", "post_history_instructions", "creator", "character_version"), ""),
        **{name: [] for name in ("alternate_greetings", "group_only_greetings", "tags")},
        "creation_date": made,
        "modification_date": made,
        "extensions": {},
        "character_book": {"extensions": {}, "entries": _entries(agent)},
    }
    yield OutFile("card.json", streamed({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}))


def _entries(agent: Outgoing) -> Iterator[dict[str, Any]]:
    for number, note in enumerate(agent.notes(), 1):
        keys = _keys(note)
        yield {
            "keys": keys,
            "content": _DECORATOR.sub(" @@", words(note)),
            "extensions": {"almario": remark(note)},
            "enabled": True,
            "insertion_order": number,
            "use_regex": False,
            # What has no key comes to mind always.
            "constant": not keys,
            "id": number,
            "name": note.key,
        }


def _keys(note: Note) -> list[str]:
    return list(note.cues) or list(filter(None, [note.key]))


_CARRIES = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md", "memories", "days")
KIND = OutKind("card", ".json", _CARRIES, _files, is_shared=True)

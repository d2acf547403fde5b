"""Character cards, V2 and V3: JSON, in a picture or a zip; a lorebook's entries with their keys."""

import base64
import binascii
import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

from almario.domain.messages import Sentence
from almario.importing.arrivals import Arrival, Kind, Skipped, SoulText
from almario.importing.fields import as_exported, first_of, listed, mapping, text
from almario.importing.markdown import plain
from almario.importing.source import Entry, Export
from almario.memory.transfer import Note

_PNG = b"\x89PNG\r\n\x1a\n"
_SPECS = ("chara_card_v2", "chara_card_v3", "lorebook_v3")
# V3 wins where a picture carries both.
_CHUNKS = ("ccv3", "chara")
_PARTS = {
    "description": "",
    "personality": "Personality",
    "scenario": "Scenario",
    "mes_example": "How they talk",
}


def _card(source: Export) -> Mapping[str, Any]:
    entry = source.top("card.json") or (source.entries[0] if len(source.entries) == 1 else None)
    if entry is None:
        return {}
    found = mapping(_in_picture(entry) if entry.start(8) == _PNG else first_of(entry))
    return found if found.get("spec") in _SPECS else {}


def _in_picture(entry: Entry) -> Any:
    """Return the card in a picture; None if it has none, or lies about its parts."""
    try:
        content = entry.content()
        texts = dict(_texts(content))
        found = next((texts[name] for name in _CHUNKS if name in texts), None)
        return json.loads(base64.b64decode(found, validate=True)) if found else None
    except (ValueError, binascii.Error, RecursionError, OSError):
        return None


def _texts(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the texts of a picture by their names; a part that is longer than the rest ends it."""
    at = len(_PNG)
    while at + 12 <= len(content):
        length, name = struct.unpack(">I4s", content[at : at + 8])
        data = content[at + 8 : at + 8 + length]
        if len(data) < length:
            return
        if name == b"tEXt":
            key, _, value = data.partition(b"\0")
            yield key.decode("latin-1").lower(), value
        at += 12 + length


def _fits(source: Export) -> bool:
    return bool(_card(source))


def _read(source: Export) -> Iterator[Arrival]:
    card = _card(source)
    data, name = mapping(card.get("data")), text(mapping(card.get("data")).get("name"))
    if card.get("spec") == "lorebook_v3":
        yield from _lore(data)
        return
    if soul := _soul(data, name):
        yield SoulText("SOUL.md", soul, name or source.name)
    for field in ("system_prompt", "post_history_instructions"):
        if text(data.get(field)):
            yield Skipped(field, Sentence("orders of a card to a model are not taken in"))
    yield from _lore(mapping(data.get("character_book")))


def _soul(data: Mapping[str, Any], name: str) -> str:
    parts = [(head, _filled(text(data.get(field)), name)) for field, head in _PARTS.items()]
    chapters = [f"## {head}\n\n{part}" if head else part for head, part in parts if part]
    return f"# {name}\n\n" + "\n\n".join(chapters) + "\n" if name and chapters else ""


def _lore(book: Mapping[str, Any]) -> Iterator[Arrival]:
    for number, entry in enumerate(map(mapping, listed(book.get("entries"))), 1):
        content, own = text(entry.get("content")), mapping(entry.get("extensions")).get("almario")
        fact = plain(" ".join(line for line in content.splitlines() if own or not line.startswith("@@")))
        place = text(entry.get("name")) or text(entry.get("comment")) or f"entry {number}"
        if not fact or entry.get("enabled") is False:
            yield Skipped(place, Sentence("it is switched off" if fact else "it says nothing"))
            continue
        cues = tuple(filter(None, map(text, listed(entry.get("keys")))))
        note = Note(fact, place if text(entry.get("name")) else "", cues=cues, place=place)
        yield as_exported(note, own)


def _filled(text: str, name: str) -> str:
    return text.replace("{{char}}", name).replace("{{user}}", "the owner")


KIND = Kind("card", Sentence("a character card"), _fits, _read)

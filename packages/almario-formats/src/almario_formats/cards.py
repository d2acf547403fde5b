"""Character cards, V2 and V3, as JSON, in a picture or a zip: who an agent is, and what it knows."""

import base64
import json
import struct
from collections.abc import Iterator

from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, Kind, Skipped, SoulText
from almario.importing.fields import SAYS_NOTHING, Fields
from almario.importing.source import Entry, Export
from almario.plugins import Note, Sentence
from almario_formats.json_streams import first_of
from almario_formats.markdown import as_exported, plain

_PNG = b"\x89PNG\r\n\x1a\n"
_SPECS = ("chara_card_v2", "chara_card_v3", "lorebook_v3")
# V3 wins where a picture carries both.
_CHUNKS = ("ccv3", "chara")
_CHAPTERS = {"personality": "Personality", "scenario": "Scenario", "mes_example": "How they talk"}
# An order to the program that reads it.
_DECORATOR = regex(r"(?m)^@@")


def _card(source: Export) -> Fields:
    entry = source.top("card.json") or source.entries[0]
    if entry.name != "card.json" and len(source.entries) > 1:
        return Fields()
    found = _in_picture(entry) if entry.start(8) == _PNG else first_of(entry)
    return found if found["spec"] in _SPECS else Fields()


def _in_picture(entry: Entry) -> Fields:
    """Return the card in a picture; without fields if it has none, or lies about its parts."""
    try:
        texts = dict(_texts(entry.content()))
        found = next((texts[name] for name in _CHUNKS if name in texts), b"")
        return Fields(json.loads(base64.b64decode(found, validate=True)))
    except (ValueError, RecursionError, OSError):
        return Fields()


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
    return bool(_card(source).all)


def _read(source: Export) -> Iterator[Arrival]:
    card = _card(source)
    data = card.inner("data")
    if card["spec"] == "lorebook_v3":
        yield from _lore(data)
        return
    if soul := _soul(data):
        yield SoulText("SOUL.md", soul, data.text("name"))
    for field in ("system_prompt", "post_history_instructions"):
        if data.text(field):
            yield Skipped(field, Sentence("orders of a card to a model are not taken in"))
    yield from _lore(data.inner("character_book"))


def _soul(data: Fields) -> str:
    name = data.text("name")
    parts = [data.text("description")]
    parts += [f"## {head}\n\n{each}" for field, head in _CHAPTERS.items() if (each := data.text(field))]
    soul = "\n\n".join(filter(None, parts)).replace("{{char}}", name).replace("{{user}}", "the owner")
    return f"# {name}\n\n{soul}\n" if name and soul else ""


def _lore(book: Fields) -> Iterator[Arrival]:
    for number, entry in enumerate(book.every("entries"), 1):
        own, name = entry.inner("extensions").inner("almario"), entry.text("name")
        lines = entry.text("content").splitlines()
        fact = plain(" ".join(line for line in lines if own.all or not _DECORATOR.match(line)))
        place = name or entry.text("comment") or f"entry {number}"
        if not fact or entry["enabled"] is False:
            yield Skipped(place, Sentence("it is switched off") if fact else SAYS_NOTHING)
        else:
            yield as_exported(Note(fact, name, cues=tuple(entry.texts("keys")), place=place), own)


KIND = Kind("card", Sentence("a character card"), _fits, _read)

"""Where words still stand in an agent's files, piece by piece, for the owner to say what is erased of it.

A piece is what can be erased as one: a memory, a message, a line, an earlier content, a text in the journal.
Nothing here judges what is meant: whatever has the words is named.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

from almario.domain.documents.document import digest
from almario.domain.held import HeldAs, HeldWords
from almario.domain.journal_lines import every_string, with_texts
from almario.domain.memories import ERASED, Wanted
from almario.domain.model import CORE_MEMORY
from almario.domain.records import Rewriting
from almario.domain.turn_ids import TurnId
from almario.domain.turns import session_of
from almario.memory.ledger import Ledger
from almario.ports import Holding, Store

_LINES = (".md", ".txt", ".jsonl")
_CHANGED = "memory.changed"
_NAME = 12


def held_words(vault: Store, ledger: Ledger, words: str) -> list[HeldWords]:
    """Return every piece of the files that has these words, in any case and however they are parted.

    Those of other programs are not looked into.
    """
    finds = _finder(words)
    if finds is None:
        return []
    found: list[HeldWords] = []
    holdings = vault.documents.holdings()
    for each in sorted(holdings, key=lambda each: (_ORDER[each.holder], each.name)):
        if each.holder == "foreign":
            continue
        if finds(each.name):
            found.append(_piece("name", each.name, 0, each.name))
        text = vault.read(each.name).raw
        if each.holder == "version":
            found += [_piece("version", each.name, at, piece) for at, _, piece in finds(text)[:1]]
        elif each.holder in ("transcript", "journal"):
            found += _in_rows(each, text, finds)
        elif each.name.endswith(_LINES):
            found += _in_lines(each, text, finds)
        else:
            found += [_piece("name", each.name, at, each.name) for at, _, _ in finds(text)[:1]]
    return _without_renderings(found, ledger)


_ORDER = {"document": 0, "transcript": 1, "version": 2, "journal": 3, "foreign": 4}
# Gives where a text has the words: the first line and the last, from 0, with these lines.
_Finder = Callable[[str], list[tuple[int, int, str]]]


def _finder(words: str) -> _Finder | None:
    """Return what finds words at the beginning of a word; None if there are none."""
    plain = unicodedata.normalize("NFC", " ".join(words.split()))
    if not plain:
        return None
    forms = dict.fromkeys([plain, json.dumps(plain)[1:-1]])
    edge = r"(?<![^\W_])" if plain[0].isdigit() or plain[0].lower() != plain[0].upper() else ""
    whole = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
    pattern = re.compile(f"{edge}(?:{whole})", re.IGNORECASE)

    def found(text: str) -> list[tuple[int, int, str]]:
        composed = unicodedata.normalize("NFC", text)
        lines, places = text.split("\n"), list[tuple[int, int, str]]()
        for match in pattern.finditer(composed):
            first, last = (composed.count("\n", 0, at) for at in match.span())
            if not places or places[-1][1] < first:
                places.append((first, last, "\n".join(lines[first : last + 1])))
        return places

    return found


def _piece(kind: HeldAs, place: str, line: int, text: str, ref: str = "") -> HeldWords:
    own = digest(f"{kind}\n{place}\n{text}".encode("utf-8", "surrogatepass"))[:_NAME]
    return HeldWords(ref if kind in ("memory", "message") else own, kind, place, line + 1, text, ref)


def _in_lines(held: Holding, text: str, finds: _Finder) -> list[HeldWords]:
    return [_piece("line", held.name, first, piece) for first, _, piece in finds(text)]


def _in_rows(held: Holding, text: str, finds: _Finder) -> Iterator[HeldWords]:
    session = session_of(held.name.rpartition("/")[2]) if held.holder == "transcript" else None
    for at, line in enumerate(text.split("\n")):
        fields = _fields(line)
        if fields is None:
            yield from (_piece("line", held.name, at, piece) for _, _, piece in finds(line))
        elif held.holder == "journal":
            yield from _in_event(held, at, fields, finds)
        elif texts := [each for each in _strings(fields) if finds(each)]:
            said = str(fields.get("text") or "")
            ref = str(TurnId(session or "", fields.get("n", 0)))
            # Of what is erased only who said it is left.
            is_gone = said in ("", ERASED)
            kind: HeldAs = "name" if is_gone and fields.keys() <= _LEFT else "message"
            yield _piece(kind, held.name, at, said if finds(said) else texts[0], ref)


_LEFT = {"n", "at", "role", "speaker", "origin", "text", "off", "crc", "ref"}


def _in_event(held: Holding, at: int, fields: dict[str, Any], finds: _Finder) -> Iterator[HeldWords]:
    changes = fields.get("changes", ()) if fields.get("type") == _CHANGED else ()
    for change in changes:
        if texts := [each for each in _strings(change) if finds(each)]:
            yield _piece("memory", held.name, at, texts[0], str(change.get("id", "")))
    rest = {**fields, "changes": []} if changes else fields
    own = [each for each in _noted(partial(with_texts, rest)) if finds(each)]
    yield from (_piece("history", held.name, at, each) for each in dict.fromkeys(own))
    if not own and any(finds(each) for each in _strings(rest)):
        yield _piece("name", held.name, at, str(fields.get("type", "")))


def _fields(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _strings(value: Any) -> list[str]:
    return _noted(partial(every_string, value))


def _noted(walk: Callable[[Rewriting], object]) -> list[str]:
    """Return the texts that are passed by."""
    found: list[str] = []

    def note(text: str, _: bool) -> str:
        found.append(text)
        return text

    walk(note)
    return found


def _without_renderings(found: list[HeldWords], ledger: Ledger) -> list[HeldWords]:
    """Return each piece once; of memories the latest line, and no line of MEMORY.md that shows one."""
    named = {each.ref for each in found if each.kind == "memory"}
    values = [memory.value for memory in ledger.table.select(Wanted(ids=tuple(named)))] if named else []
    pieces: dict[str, HeldWords] = {}
    for each in found:
        shows_one = each.place == CORE_MEMORY and any(value and value in each.text for value in values)
        if not shows_one:
            pieces[each.id] = each
    return list(pieces.values())


def without_lines(text: str, pieces: Collection[str]) -> str:
    """Return a text without these pieces, each of whole lines."""
    gone = [piece.split("\n") for piece in pieces]
    lines, kept, at = text.split("\n"), list[str](), 0
    while at < len(lines):
        size = next((len(piece) for piece in gone if lines[at : at + len(piece)] == piece), 0)
        if not size:
            kept.append(lines[at])
        at += size or 1
    return "\n".join(kept)


def without_said(fields: dict[str, Any], texts: Collection[str]) -> dict[str, Any]:
    """Return a journal line in which each of these texts is gone; what memories say stays."""
    if not texts or "type" not in fields:
        return fields
    is_changed = fields["type"] == _CHANGED
    rest = {**fields, "changes": []} if is_changed else fields
    cleaned = with_texts(rest, lambda text, _: ERASED if text in texts else text)
    return {**cleaned, "changes": fields["changes"]} if is_changed else cleaned

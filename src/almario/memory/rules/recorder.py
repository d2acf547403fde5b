"""What is kept of how answers came about, a line each, and each text that a prompt told, once a day.

A line is JSON: an answer has a `turn`, and names the texts of its prompt's sections by their digests; a text
has a `text`, its digest, and what it `said`.
"""

import json
from collections.abc import Collection, Iterator
from typing import Any

from almario.domain.documents.document import digest
from almario.domain.memories import ERASED
from almario.memory.rules.erasure import erased_strings

# Where they are kept, a file for each day where the owner is.
FLIGHTS = "flights/"
# Tells what was looked for and found: pieces of turns, too.
RELEVANT = "relevant"
# How a line begins that is no answer: most of a day are such, and need not be read for the rest.
_OF_A_TEXT = '{"text":'


def flight_lines(text: str) -> Iterator[dict[str, Any]]:
    """Yield what the lines of a day hold; what is no line of ours is passed over."""
    for line in text.split("\n"):
        try:
            found = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and ("turn" in found or "text" in found):
            yield found


def text_name(said: str) -> str:
    """Return the name of a text."""
    return digest(said.encode("utf-8", "replace"))[:24]


def answers_in(text: str, about: str = "") -> Iterator[dict[str, Any]]:
    """Yield the answers of a day alone, or those whose lines name what they are *about*."""
    wanted = (line for line in text.split("\n") if about in line and not line.startswith(_OF_A_TEXT))
    for line in wanted:
        yield from (each for each in flight_lines(line) if "turn" in each)


def without_flights(text: str, turns: Collection[str], ids: Collection[str], texts: Collection[str]) -> str:
    """Return a day without the answers in these turns, and without what was *texts*, wherever it was told.

    What was found for another answer goes as a whole if one of the turns or memories was among it.
    """
    lines = list(flight_lines(text))
    kept = [each for each in lines if each.get("turn", "") not in turns]
    to_erase = {
        section[1]
        for each in kept
        if any(found[0] in turns or found[0] in ids for found in each.get("found", ()))
        for section in each.get("sections", ())
        if section[0] == RELEVANT
    }
    named = {section[1] for each in kept for section in each.get("sections", ())}
    said = {
        each["text"]: ERASED if each["text"] in to_erase else erased_strings(each["said"], texts)
        for each in kept
        if "said" in each
    }
    # A digest of what a text said before would tell what is gone from it.
    names = {name: text_name(text) for name, text in said.items()}

    def cleaned(each: dict[str, Any]) -> dict[str, Any]:
        if "said" in each:
            return {"text": names[each["text"]], "said": said[each["text"]]}
        told = [[kind, names.get(name, name), *rest] for kind, name, *rest in each.get("sections", ())]
        return each | ({"sections": told} if told else {})

    left = [cleaned(each) for each in kept if "turn" in each or each["text"] in named]
    return (
        text
        if left == lines
        else "".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n" for each in left)
    )

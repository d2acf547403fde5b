"""IDENTITY.md: `key: value` lines, and the sentence that each becomes.

Bullets and bold keys (`- **Name:** Finny`) are read as well; every other
line is the owner's and stays as it is.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from almario.domain.documents.bullets import guard_arrows, unguard_arrows
from almario.domain.documents.lines import folded, newline_of, plain_lines, split_lines
from almario.domain.messages import say
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

_START = regex(r"\ufeff?[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?")
_MARKS = regex(r"\*{1,2}|_{1,2}")
_GAP = regex(r"[ \t]*")
# A colon after more than this is one in a sentence.
_LONGEST_KEY = 61
# A new field with a longer name would be a sentence.
_LONGEST_NEW = 40
_ALIASES = {
    "nombre": "name",
    "carácter": "vibe",
    "vibra": "vibe",
    "onda": "vibe",
    "criatura": "creature",
    "pronombres": "pronouns",
    "papel": "role",
    "rol": "role",
}
_SENTENCES = {
    "name": "Your name is {value}",
    "emoji": "Your emoji is {value}",
    "vibe": "Your vibe: {value}",
    "role": "Your role: {value}",
    "creature": "You are {value}",
    "pronouns": "Your pronouns are {value}",
}
_OTHER = "Your {key}: {value}"


class Field(NamedTuple):
    key: str
    value: str

    @property
    def name(self) -> str:
        """The key by which the field is known in any language."""
        return _ALIASES.get(folded(self.key), folded(self.key))


def parse_identity(text: str) -> list[Field]:
    """Return the fields of IDENTITY.md that have a value."""
    lines = split_lines(text)
    fields = [
        Field(key, unguard_arrows(lines[index][start:]).strip()) for index, key, start in _fields(lines)
    ]
    return [field for field in fields if field.value]


@lru_cache(32)
def identity_value(text: str, name: str) -> str:
    """Return the value of one field, or nothing."""
    return next((field.value for field in parse_identity(text) if field.name == name), "")


def is_field(name: str, value: str) -> bool:
    """Return whether a name and a value, a line each, can be a field that is read back as it was set."""
    is_name = len(name) <= _LONGEST_NEW and name == guard_arrows(name)
    return is_name and parse_identity(with_fields("", {name: value})) == [Field(name, value)]


def with_fields(text: str, values: Mapping[str, str]) -> str:
    """Return *text* with these fields set in place; new ones are added after the last field."""
    lines = split_lines(text)
    end = newline_of(text)
    missing = {Field(key, "").name: (key, value) for key, value in values.items()}
    last = -1
    for index, key, start in _fields(lines):
        last = index
        if wanted := missing.pop(Field(key, "").name, None):
            before, rest = lines[index][:start], lines[index][start:]
            gap = "" if before[-1] in " \t" else " "
            lines[index] = before + gap + guard_arrows(wanted[1]) + rest[len(rest.rstrip()) :]
    added = [f"{key}: {guard_arrows(value)}{end}" for key, value in missing.values()]
    place = last + 1 if last >= 0 else len(lines)
    if added and place and not lines[place - 1].endswith("\n"):
        lines[place - 1] += end
    return "".join(lines[:place] + added + lines[place:])


@lru_cache(8)
def identity_sentences(text: str, language: str) -> tuple[str, ...]:
    """Say each field as one sentence to the agent, in its language."""
    sentences = []
    for field in parse_identity(text):
        sentence = say(language, _SENTENCES.get(field.name, _OTHER), key=field.key, value=field.value)
        sentences.append(sentence if sentence.endswith((".", "!", "?", "…")) else sentence + ".")
    return tuple(sentences)


def _fields(lines: list[str]) -> list[tuple[int, str, int]]:
    """Return (index, key, where its value starts) of each line that is a field, also an empty one."""
    found = []
    for index, line in plain_lines(lines):
        start = _end_of(_START, line, 0)
        words, colon, rest = line[start:].partition(":")
        bare = words.rstrip(" \t")
        is_other = not colon or len(bare) > _LONGEST_KEY or "\r" in bare or bare.startswith(("#", ">", "|"))
        if is_other or rest.startswith("//"):  # a URL is not a field
            continue
        if key := bare.strip(" \t*_`"):
            place = start + len(words) + 1
            if (mark := _MARKS.match(bare)) and rest.startswith(mark[0]):
                place += len(mark[0])
            found.append((index, key, _end_of(_GAP, line, place)))
    return found


def _end_of(pattern: re.Pattern[str], line: str, place: int) -> int:
    match = pattern.match(line, place)
    return match.end() if match else place

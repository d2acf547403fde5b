"""IDENTITY.md: `key: value` lines, and the sentence that each becomes.

Bullets and bold keys (`- **Name:** Finny`) are read as well; every other
line is the owner's and stays as it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from almario.domain.documents.lines import folded, newline_of, plain_lines, split_lines
from almario.domain.messages import say

_FIELD = re.compile(
    r"(?P<before>\ufeff?[ \t]*(?:[-*+][ \t]+)?)(?P<key>[^:\r\n#>|][^:\r\n]{0,60}?)"
    r"(?P<colon>[ \t]*:(?:\*\*|__)?[ \t]*)"
)
_ALIASES = {
    "nombre": "name",
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


@dataclass(frozen=True, slots=True)
class Field:
    key: str
    value: str

    @property
    def name(self) -> str:
        """The key by which the field is known in any language."""
        return _ALIASES.get(folded(self.key), folded(self.key))


def parse_identity(text: str) -> list[Field]:
    """Return the fields of IDENTITY.md that have a value."""
    return [Field(key, value) for _, key, value in _fields(split_lines(text)) if value]


def identity_value(text: str, name: str) -> str:
    """Return the value of one field, or nothing."""
    return next((field.value for field in parse_identity(text) if field.name == name), "")


def with_fields(text: str, values: Mapping[str, str]) -> str:
    """Return *text* with these fields set in place; new ones are added after the last field."""
    lines = split_lines(text)
    end = newline_of(text)
    missing = {Field(key, "").name: (key, value) for key, value in values.items()}
    last = -1
    for index, key, _ in list(_fields(lines)):
        last = index
        if wanted := missing.pop(Field(key, "").name, None):
            found = _FIELD.match(lines[index])
            assert found is not None
            start, rest = lines[index][: found.end()], lines[index][found.end() :]
            gap = "" if start[-1] in " \t" else " "
            lines[index] = start + gap + wanted[1] + rest[len(rest.rstrip()) :]
    added = [f"{key}: {value}{end}" for key, value in missing.values()]
    place = last + 1 if last >= 0 else len(lines)
    if added and place and not lines[place - 1].endswith("\n"):
        lines[place - 1] += end
    return "".join(lines[:place] + added + lines[place:])


def identity_sentences(text: str, language: str) -> list[str]:
    """Say each field as one sentence to the agent, in its language."""
    sentences = []
    for field in parse_identity(text):
        said = say(language, _SENTENCES.get(field.name, _OTHER), key=field.key, value=field.value)
        sentences.append(said if said.endswith((".", "!", "?", "…")) else said + ".")
    return sentences


def _fields(lines: list[str]) -> list[tuple[int, str, str]]:
    found = []
    for index, line in plain_lines(lines):
        match = _FIELD.match(line)
        key = match["key"].strip(" \t*_`") if match else ""
        if match and key and not line.startswith("//", match.end("colon")):  # a URL is not a field
            found.append((index, key, line[match.end() :].strip()))
    return found

"""How a setting is declared, read from plain text and checked."""

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from almario.domain.messages import Sentence

_TRUE = {"1", "true", "yes", "on", "sí", "si"}
_FALSE = {"0", "false", "no", "off"}
_SCHEMA_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


class Limits(NamedTuple):
    """What a setting may be, besides its type."""

    doc: str
    low: float | None = None
    high: float | None = None
    choices: Sequence[str] = ()
    home_only: bool = False


def option(default: Any, doc: str, **limits: Any) -> Any:
    """Declare a setting; *doc* is its one sentence in the docs and the schema."""
    return field(default=default, metadata={"limits": Limits(doc, **limits)})


def switch(doc: str) -> Any:
    """Declare the switch of a feature that is on unless the owner turns it off."""
    return option(True, doc)


class Option(NamedTuple):
    """One setting: its dotted key, type, default and limits."""

    key: str
    type: type[Any]
    default: Any
    limits: Limits

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "ALMARIO_" + self.key.replace(".", "_").upper()

    @property
    def allowed(self) -> Sentence:
        """What the value may be, in words."""
        low, high, choices = self.limits.low, self.limits.high, self.limits.choices
        if choices:
            return Sentence("one of {choices}", choices=", ".join(choices))
        if self.type is bool:
            return Sentence("true or false")
        if low is None or high is None:
            return Sentence("text in quotes")
        kind = "a whole number from {low} to {high}" if self.type is int else "a number from {low} to {high}"
        return Sentence(kind, low=f"{low:g}", high=f"{high:.12g}")

    def parse(self, text: str) -> Any:
        """Read a value from plain text; what does not fit is left for `accepts` to refuse."""
        word = text.strip().lower()
        if self.type is bool:
            return True if word in _TRUE else False if word in _FALSE else text
        if self.type is str:
            return text
        try:
            return self.type(word)
        except ValueError:
            return text

    def accepts(self, value: Any) -> bool:
        if type(value) is not self.type and not (self.type is float and type(value) is int):
            return False
        if self.limits.choices and value not in self.limits.choices:
            return False
        low, high = self.limits.low, self.limits.high
        return low is None or high is None or low <= value <= high

    def schema(self) -> dict[str, Any]:
        """Return the setting's JSON Schema."""
        found: dict[str, Any] = {"type": _SCHEMA_TYPES[self.type], "description": self.limits.doc}
        found["default"] = self.default
        if self.limits.choices:
            found["enum"] = list(self.limits.choices)
        if self.limits.low is not None:
            found |= {"minimum": self.limits.low, "maximum": self.limits.high}
        return found


def schema_of(options: Iterable[Option], *, title: str) -> dict[str, Any]:
    """Return the JSON Schema of a file with these settings."""
    root: dict[str, Any] = {"title": title, **_table()}
    for each in options:
        section, _, name = each.key.rpartition(".")
        place = root["properties"].setdefault(section, _table()) if section else root
        place["properties"][name] = each.schema()
    return root


def _table() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "additionalProperties": False}

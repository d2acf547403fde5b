"""How a setting is declared, read from plain text and checked."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, dataclass_transform, get_args

from almario.domain.messages import Sentence
from almario.named_tuples import NamedTuple

_TRUE = {"1", "true", "yes", "on", "sí", "si"}
_FALSE = {"0", "false", "no", "off"}


class Limits(NamedTuple):
    """What a setting may be, besides its type."""

    doc: str
    low: float | None = None
    high: float | None = None
    choices: Sequence[str] = ()
    home_only: bool = False


class Declared(NamedTuple):
    """A setting as its group declares it."""

    default: Any
    limits: Limits
    kind: type[Any] = object


def option(default: Any, doc: str, **limits: Any) -> Any:
    """Declare a setting; *doc* is its one sentence in the docs and the schema."""
    return Declared(default, Limits(doc, **limits))


def switch(doc: str) -> Any:
    """Declare the switch of a feature that is on unless the owner turns it off."""
    return option(True, doc)


def group(kind: type[Any]) -> Any:
    """Declare settings of their own under one name."""
    return option(kind(), "")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Group:
    """Settings that belong together, each declared with `option`; they are chosen once and do not change.

    Every command loads all groups, and a dataclass would take a millisecond each.
    """

    declared: ClassVar[Mapping[str, Declared]]

    def __init_subclass__(cls) -> None:
        # One that may be left open is declared as `float | None`, and is None unless it is set.
        kinds = {name: (*get_args(kind), kind)[0] for name, kind in cls.__annotations__.items()}
        cls.declared = {name: vars(cls)[name]._replace(kind=kind) for name, kind in kinds.items()}
        for name, made in cls.declared.items():
            setattr(cls, name, made.default)

    def __init__(self, **chosen: Any) -> None:
        if unknown := chosen.keys() - self.declared.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        vars(self).update(chosen)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} is set when {type(self).__name__} is made")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._values() == self._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._values()}"

    def but(self, **chosen: Any) -> Self:
        """Return these settings with some chosen otherwise."""
        return type(self)(**{**vars(self), **chosen})

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.declared)


def variable_of(key: str) -> str:
    """Return the environment variable that sets a key."""
    return "ALMARIO_" + key.replace(".", "_").upper()


class Option(NamedTuple):
    """One setting: its dotted key, type, default and limits."""

    key: str
    type: type[Any]
    default: Any
    limits: Limits

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return variable_of(self.key)

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

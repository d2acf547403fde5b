"""Typed values as JSON, and the texts in them that a person may want erased.

What a field may hold is said once, by its type. A `Text` is somebody's words;
a `Ref` names something (a file, a session, a hash, an instant); a closed set of
words is a `Literal`; a `Sentence` is ours, and may have somebody's words in it.
So what a purge has to look at follows from the types alone.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from almario.domain.messages import Sentence
from almario.named_tuples import NamedTuple

T = TypeVar("T")


class Erasable(NamedTuple):
    """Marks a text that a purge looks at; one that is a *heading* in a file is treated as it is there."""

    heading: bool = False


class FieldsOf(NamedTuple):
    """Marks a mapping from names of some fields of another type to their values."""

    kind: Any


class Name:
    """Marks a string in which nobody's words can stand."""


Text = Annotated[str, Erasable()]
Heading = Annotated[str, Erasable(heading=True)]
Ref = Annotated[str, Name()]

_AS_THEY_ARE = frozenset((str, int, float, bool, NoneType))
_Step = Callable[[Any], Any]
# Takes a text and whether it is a heading, and returns what is left of it.
Rewriting = Callable[[str, bool], str]
_Rewrite = Callable[[Any, Rewriting, type[str]], Any]


def plain(value: Any) -> Any:
    """Return a value as JSON has it; of a record, what differs from its defaults."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is dict:
        return {name: inner if type(inner) is str else plain(inner) for name, inner in value.items()}
    if kind in (tuple, list):
        return [inner if type(inner) is str else plain(inner) for inner in value]
    if isinstance(value, Sentence):
        return value.kept
    if hasattr(value, "_fields"):
        defaults = value._field_defaults
        return {
            name.rstrip("_"): plain(inner)
            for name, inner in zip(value._fields, value, strict=True)
            if name not in defaults or inner != defaults[name]
        }
    return written(value) if isinstance(value, datetime) else value


def written(at: datetime) -> str:
    """Return an instant as it is written in data."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(kind: type[T], said: Any) -> T:
    """Return the value of a type that `plain` wrote; KeyError, TypeError or ValueError if it is none."""
    own: Any = kind
    reader = _reader(own)
    value: T = reader(said) if reader else said
    return value


def rewritten(kind: Any, said: Any, change: Rewriting, *, only: type[str] = str) -> Any:
    """Return what `plain` wrote of a type with each of its texts changed.

    *only* `Words`: in sentences, what somebody said, and no other fact.
    """
    rewrite = _rewriter(kind)
    return rewrite(said, change, only) if rewrite else said


@cache
def _fields(kind: Any) -> dict[str, Any]:
    return {name.rstrip("_"): hint for name, hint in get_type_hints(kind, include_extras=True).items()}


def _inner(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return what a type is, without its marks and None, and its arguments."""
    if get_origin(kind) is Annotated:
        kind = kind.__origin__
    if get_origin(kind) in (Union, UnionType):
        one, *more = [each for each in get_args(kind) if each is not NoneType]
        return (Literal, ()) if more else _inner(one)
    return get_origin(kind) or kind, get_args(kind)


@cache
def _reader(kind: Any) -> _Step | None:
    """Return what reads values of a type; None if they are as they are written."""
    own, inner = _inner(kind)
    if own is Sentence:
        return Sentence.read
    if own is datetime:
        return lambda said: None if said is None else datetime.fromisoformat(said)
    if own is tuple:
        each = _reader(inner[0])
        return (lambda said: tuple(map(each, said))) if each else tuple
    if own is dict and (of := _reader(inner[1])):
        return lambda said: {name: of(value) for name, value in said.items()}
    return _record_reader(own) if hasattr(own, "_fields") else None


def _record_reader(kind: Any) -> _Step:
    hints = get_type_hints(kind, include_extras=True)
    fields = [
        (name, name.rstrip("_"), _reader(hints[name]), name in kind._field_defaults) for name in kind._fields
    ]

    def read_record(said: Any) -> Any:
        if said is None:
            return None
        found = {}
        for name, key, reader, may_lack in fields:
            if key in said or not may_lack:
                value = said[key]
                found[name] = reader(value) if reader and value is not None else value
        return kind(**found)

    return read_record


@cache
def _rewriter(kind: Any) -> _Rewrite | None:
    """Return what changes the texts in values of a type; None if there can be none."""
    marks = kind.__metadata__ if get_origin(kind) is Annotated else ()
    for mark in marks:
        if isinstance(mark, Erasable):
            heading = mark.heading
            return lambda said, change, _: change(said, heading) if isinstance(said, str) else said
        if isinstance(mark, FieldsOf):
            return _of_fields(_fields(mark.kind))
    own, inner = _inner(kind)
    if own is Sentence:
        return _in_sentence
    if own in (tuple, dict) and (of := _rewriter(inner[-1] if own is dict else inner[0])):
        if own is dict:
            return lambda said, *how: {name: of(value, *how) for name, value in (said or {}).items()}
        return lambda said, *how: [of(each, *how) for each in said or ()]
    is_record = hasattr(own, "_fields") or is_typeddict(own)
    return _of_fields(_fields(own)) if is_record else None


def _of_fields(fields: Mapping[str, Any]) -> _Rewrite | None:
    known = {name: rewrite for name, hint in fields.items() if (rewrite := _rewriter(hint))}
    if not known:
        return None

    def rewrite_fields(said: Any, change: Rewriting, only: type[str]) -> Any:
        if not isinstance(said, dict):
            return said
        return {
            name: known[name](value, change, only) if name in known else value for name, value in said.items()
        }

    return rewrite_fields


def _in_sentence(said: Any, change: Rewriting, only: type[str]) -> Any:
    return Sentence.read(said).changed(lambda text: change(text, False), only=only).kept if said else said

"""Values from the JSON of a server: the inverse of `apps.web.shapes.shown`, told by their types alone."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from almario.domain.messages import Sentence

T = TypeVar("T")
_Read = Callable[[Any], Any]


def read(kind: type[T], said: Any) -> T:
    """Return a value of a type from what a server said; KeyError, TypeError or ValueError if it is none."""
    own: Any = kind
    found: T = _reader(own)(said)
    return found


@cache
def _reader(kind: Any) -> _Read:
    """Return what reads values of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _reader(inner[0])
    if origin in (Union, UnionType):
        known = [each for each in inner if each is not NoneType]
        return _optional(_reader(known[0])) if len(known) == 1 else _as_it_is
    if kind is Sentence:
        return Sentence.own
    if kind in (datetime, date, time):
        read_instant: _Read = kind.fromisoformat
        return read_instant
    if hasattr(kind, "_fields"):
        return _SPECIAL.get(f"{kind.__module__}.{kind.__name__}", _record)(kind)
    return _collection(origin, inner)


def _as_it_is(said: Any) -> Any:
    return said


def _optional(reader: _Read) -> _Read:
    return lambda said: None if said is None else reader(said)


def _collection(origin: Any, inner: tuple[Any, ...]) -> _Read:
    """Return what reads a list, a tuple or a mapping; anything else is as it is written."""
    if origin is tuple and inner[1:] != (...,):
        each = [_reader(kind) for kind in inner]
        return lambda said: tuple(of(value) for of, value in zip(each, said, strict=True))
    if origin in (list, tuple, Sequence):
        of, made = _reader(inner[0]), list if origin is list else tuple
        return lambda said: made(map(of, said))
    if origin in (dict, Mapping):
        name_of, value_of = map(_reader, inner)
        return lambda said: {name_of(name): value_of(value) for name, value in said.items()}
    return _as_it_is


def _record(kind: Any) -> _Read:
    """Return what reads a record from its fields; one that is left out, or not for us, has its default."""
    hints = get_type_hints(kind, include_extras=True)
    fields = [(name, _reader(hints[name]), name in kind._field_defaults) for name in kind._fields]

    def read_record(said: Any) -> Any:
        told = {name: said.get(name) for name, _, may_lack in fields if may_lack}
        told |= {name: said[name] for name, _, may_lack in fields if not may_lack}
        return kind(
            **{
                name: of(told[name])
                for name, of, may_lack in fields
                if not may_lack or told[name] is not None
            }
        )

    return read_record


def _validity(_: Any) -> _Read:
    from almario.domain.validity import read as read_time  # noqa: PLC0415 - for plans alone

    return read_time


def _document(kind: Any) -> _Read:
    def read_document(said: Any) -> Any:
        content = None if said["hash"] is None else said["text"].encode()
        return kind(said["name"], content, said["is_link"])

    return read_document


def _event(kind: Any) -> _Read:
    from almario.domain import events, records  # noqa: PLC0415 - for the journal alone

    def read_event(said: Any) -> Any:
        body = records.read(events.kind_of(said["type"]) or events.Unknown, said["what"])
        filings = records.read(tuple[events.Filing, ...], said["filings"])
        own = {name: said[name] for name in ("id", "host", "actor", "filed", "version")}
        at = datetime.fromisoformat(said["at"])
        return kind(seq=said["position"], at=at, body=body, filings=filings, **own)

    return read_event


# What is told in another form than its fields.
_SPECIAL: dict[str, Callable[[Any], _Read]] = {
    "almario.domain.validity.Validity": _validity,
    "almario.domain.documents.lines.Document": _document,
    "almario.domain.events.Event": _event,
}

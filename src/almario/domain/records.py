"""Typed values as JSON, and the texts in them that a person may want erased.

What a field may hold is said once, by its type. A `Text` is somebody's words;
a `Ref` names something (a file, a session, a hash, an instant); a closed set of
words is a `Literal`; a `Sentence` is ours, and may have somebody's words in it.
So what a purge has to look at follows from the types alone.
"""

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, tzinfo
from functools import cache
from sys import modules
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
_Tell = Callable[[Sentence], Any]
# Takes a text and whether it is a heading, and returns what is left of it.
Rewriting = Callable[[str, bool], str]
_Rewrite = Callable[[Any, Rewriting, type[str]], Any]


def showing(*names: str) -> Callable[[type[T]], type[T]]:
    """Let programs see some properties of a record as if they were fields."""

    def mark(kind: type[T]) -> type[T]:
        kind._shown = names  # type: ignore[attr-defined]
        return kind

    return mark


def plain(value: Any, tell: _Tell | None = None) -> Any:
    """Return a value as JSON has it: of a record, what differs from its defaults; of a sentence, its parts.

    With *tell*, it is as programs see it: a record has all its fields and what it is `showing`, and a
    sentence is what *tell* makes of it.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is dict:
        return {
            str(name): inner if type(inner) is str else plain(inner, tell) for name, inner in value.items()
        }
    if kind in (tuple, list):
        return [inner if type(inner) is str else plain(inner, tell) for inner in value]
    if isinstance(value, Sentence):
        return tell(value) if tell else value.kept
    if hasattr(value, "_fields"):
        return _whole(value, tell) if tell else _differing(value)
    return _plain_of_others(value, tell)


def _differing(record: Any) -> dict[str, Any]:
    defaults = record._field_defaults
    return {
        name.rstrip("_"): plain(inner)
        for name, inner in zip(record._fields, record, strict=True)
        if name not in defaults or inner != defaults[name]
    }


def _whole(record: Any, tell: _Tell) -> dict[str, Any]:
    names = (*record._fields, *getattr(record, "_shown", ()))
    return {name.rstrip("_"): plain(getattr(record, name), tell) for name in names}


def _plain_of_others(value: Any, tell: _Tell | None) -> Any:
    if isinstance(value, date | time):
        return written(value) if isinstance(value, datetime) and not tell else value.isoformat()
    if isinstance(value, bytes):
        return _text_of(value)
    if isinstance(value, Mapping):
        return {str(name): plain(inner, tell) for name, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return _plain_list(value, tell)
    return value if isinstance(value, str | int | float) else str(value)


def _plain_list(value: Any, tell: _Tell | None) -> Any:
    items = [plain(inner, tell) for inner in value]
    if not hasattr(value, "_items"):
        return items
    kind: Any = type(value)
    beside = {name: plain(getattr(value, name), tell) for name in _fields(kind)}
    return {value._items: items, **beside}


def _text_of(content: bytes) -> str | dict[str, str]:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": b2a_base64(content, newline=False).decode()}


def written(at: datetime) -> str:
    """Return an instant as it is written in data."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(kind: type[T], given: Any) -> T:
    """Return the value of a type that `plain` wrote; KeyError, TypeError or ValueError if it is none."""
    own: Any = kind
    reader = _reader(own)
    value: T = reader(given) if reader else given
    return value


def rewritten(kind: Any, given: Any, change: Rewriting, *, only: type[str] = str) -> Any:
    """Return what `plain` wrote of a type with each of its texts changed.

    *only* `Words`: in sentences, what somebody said, and no other fact.
    """
    rewrite = _rewriter(kind)
    return rewrite(given, change, only) if rewrite else given


def hints_of(owner: Any) -> dict[str, Any]:
    """Return the types of a record's fields or of a function, those too that only type checkers import."""
    try:
        return get_type_hints(owner, include_extras=True)
    except NameError:
        return get_type_hints(owner, None, _names_in(owner.__module__), include_extras=True)


class _Names(dict[str, Any]):
    """What stands in a module under `if TYPE_CHECKING`, each name loaded when it is first looked up."""

    def __init__(self, module: Any) -> None:
        import ast  # noqa: PLC0415 - few types need it
        from inspect import getsource  # noqa: PLC0415

        self._module = module
        self._statements: dict[str, Any] = {}
        for block in ast.parse(getsource(module)).body:
            if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING":
                for each in block.body:
                    bound = [name.asname or name.name for name in getattr(each, "names", ())]
                    bound += [target.id for target in getattr(each, "targets", ())]
                    self._statements |= dict.fromkeys(bound, ast.Module([each], []))

    def __missing__(self, name: str) -> Any:
        code = compile(self._statements[name], self._module.__name__, "exec")
        exec(code, vars(self._module), self)  # noqa: S102 - our own source
        return self[name]


@cache
def _names_in(module: str) -> _Names:
    return _Names(modules[module])


@cache
def _fields(kind: Any) -> dict[str, Any]:
    return {name.rstrip("_"): hint for name, hint in hints_of(kind).items()}


def _inner(kind: Any) -> tuple[Any, tuple[Any, ...]]:
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
    if simple := _SIMPLE.get(own):
        return lambda given: None if given is None else simple(given)
    if own is tuple and inner[1:] not in ((), (...,)):
        each_of = [_reader(part) for part in inner]
        return lambda given: tuple(of(one) if of else one for of, one in zip(each_of, given, strict=True))
    if made := _COLLECTIONS.get(own):
        each = _reader(inner[0])
        return lambda given: None if given is None else made(map(each, given) if each else given)
    if own in (dict, Mapping):
        name_of, of = map(_reader, inner)
        return _mapping_reader(name_of, of) if name_of or of else None
    if hasattr(own, "_fields"):
        return getattr(own, "from_json", None) or _record_reader(own)
    return _list_reader(own) if hasattr(own, "_items") else None


def _mapping_reader(name_of: _Step | None, of: _Step | None) -> _Step:
    return lambda given: {
        name_of(name) if name_of else name: of(value) if of else value for name, value in given.items()
    }


def _list_reader(kind: Any) -> _Step:
    item = _reader(get_args(kind.__orig_bases__[0])[0])
    beside = {name: _reader(hint) for name, hint in _fields(kind).items()}

    def read_list(given: Any) -> Any:
        made = kind(map(item, given[kind._items]) if item else given[kind._items])
        for name, reader in beside.items():
            setattr(made, name, reader(given[name]) if reader else given[name])
        return made

    return read_list


def _read_bytes(given: Any) -> bytes:
    return a2b_base64(given["base64"]) if isinstance(given, dict) else str(given).encode()


def _read_zone(given: str) -> tzinfo:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - for one property

    return ZoneInfo(given)


_SIMPLE: Mapping[Any, _Step] = {
    Sentence: Sentence.read, datetime: datetime.fromisoformat, date: date.fromisoformat,
    time: time.fromisoformat, bytes: _read_bytes, tzinfo: _read_zone,
}  # fmt: skip
_COLLECTIONS: Mapping[Any, Any] = {
    tuple: tuple, list: list, Sequence: list, Iterable: list, frozenset: frozenset,
}  # fmt: skip


def _record_reader(kind: Any) -> _Step:
    hints = hints_of(kind)
    fields = [
        (name, name.rstrip("_"), _reader(hints[name]), name in kind._field_defaults) for name in kind._fields
    ]

    def read_record(given: Any) -> Any:
        if given is None:
            return None
        found = {}
        for name, key, reader, may_lack in fields:
            if key in given or not may_lack:
                value = given[key]
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
            return lambda given, change, _: change(given, heading) if isinstance(given, str) else given
        if isinstance(mark, FieldsOf):
            return _of_fields(_fields(mark.kind))
    own, inner = _inner(kind)
    if own is Sentence:
        return _in_sentence
    if own in (tuple, dict) and (of := _rewriter(inner[-1] if own is dict else inner[0])):
        if own is dict:
            return lambda given, *how: {name: of(value, *how) for name, value in (given or {}).items()}
        return lambda given, *how: [of(each, *how) for each in given or ()]
    is_record = hasattr(own, "_fields") or is_typeddict(own)
    return _of_fields(_fields(own)) if is_record else None


def _of_fields(fields: Mapping[str, Any]) -> _Rewrite | None:
    known = {name: rewrite for name, hint in fields.items() if (rewrite := _rewriter(hint))}
    if not known:
        return None

    def rewrite_fields(given: Any, change: Rewriting, only: type[str]) -> Any:
        if not isinstance(given, dict):
            return given
        return {
            name: known[name](value, change, only) if name in known else value
            for name, value in given.items()
        }

    return rewrite_fields


def _in_sentence(given: Any, change: Rewriting, only: type[str]) -> Any:
    return Sentence.read(given).changed(lambda text: change(text, False), only=only).kept if given else given

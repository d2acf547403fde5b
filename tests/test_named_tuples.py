"""Our NamedTuple does what that of typing does."""

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_type_hints

import pytest

from almario.named_tuples import NamedTuple
from tests.tables import each_row

Row = TypeVar("Row")


class Place(NamedTuple):
    """Where something is."""

    line: int
    file: str = "SOUL.md"

    @property
    def told(self) -> str:
        return f"{self.file}#{self.line}"


class Pinned(Place):
    """A place of one's own making."""


class Listed(NamedTuple, Generic[Row]):
    rows: tuple[Row, ...] = ()


class Bare(NamedTuple):
    pass


def test_a_value_is_made_by_place_by_name_and_by_default() -> None:
    assert Place(3) == Place(line=3, file="SOUL.md") == (3, "SOUL.md")
    assert Place(3).told == "SOUL.md#3"
    assert (Pinned(3), type(Pinned(3))) == (Place(3), Pinned)
    assert (Listed((1, 2)).rows, Bare()) == ((1, 2), ())


def test_a_value_is_changed_shown_copied_and_taken_apart_as_others_are() -> None:
    place = Place(3)

    assert place._replace(line=4) == Place._make([4, "SOUL.md"]) == copy.copy(Place(4))
    assert place._asdict() == {"line": 3, "file": "SOUL.md"}
    assert repr(place) == "Place(line=3, file='SOUL.md')"
    assert pickle.loads(pickle.dumps(place)) == place
    assert (Place._fields, Place._field_defaults) == (("line", "file"), {"file": "SOUL.md"})
    match place:
        case Place(line, file):
            assert (line, file) == place
    assert not hasattr(place, "__dict__")


def test_what_a_class_is_made_of_can_be_asked_before_its_first_value() -> None:
    class Unused(NamedTuple):
        line: int
        file: str = ""

    assert str(inspect.signature(Unused)) in ("(line, file='')", "(line: int, file: str = '')")
    assert get_type_hints(Unused) == {"line": int, "file": str}


@each_row(
    ("wrong", "error"),
    [
        (Place, TypeError),
        (lambda: Place(1, "a", 2), TypeError),  # type: ignore[call-arg]
        (lambda: Place(place=1), TypeError),  # type: ignore[call-arg]
        (lambda: Place._make([1]), TypeError),
        (lambda: Place(1)._replace(place=2), (TypeError, ValueError)),  # type: ignore[call-arg]
        (lambda: setattr(Place(1), "line", 2), AttributeError),
    ],
)
def test_what_does_not_fit_is_refused(wrong: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        wrong()

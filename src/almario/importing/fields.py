"""Values of an export as they should be, whatever stands there."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from almario.domain.messages import Sentence
from almario.importing.arrivals import Arrival, Skipped
from almario.importing.source import Entry

# Nobody kept anything before; a number above is of milliseconds.
_FIRST, _LAST = 0, 4_102_444_800
SAYS_NOTHING = Sentence("it says nothing")


class Fields:
    """An object of an export, and the *place* where it stands; a field of the wrong type is empty."""

    def __init__(self, value: object = None, place: str = "") -> None:
        self.all: Mapping[str, Any] = value if isinstance(value, dict) else {}
        self.place = place

    def __contains__(self, name: str) -> bool:
        return name in self.all

    def __getitem__(self, name: str) -> Any:
        """Return a field as it stands there, None if there is none."""
        return self.all.get(name)

    def text(self, *names: str) -> str:
        """Return the first of these fields that says something."""
        return next(filter(None, map(text, map(self.all.get, names))), "")

    def instant(self, *names: str) -> datetime | None:
        """Return the first of these fields that is a time."""
        return next(filter(None, map(instant, map(self.all.get, names))), None)

    def inner(self, name: str) -> "Fields":
        """Return an object within it."""
        return Fields(self[name], self.place)

    def listed(self, name: str) -> list[Any]:
        """Return a list within it."""
        return self[name] if isinstance(self[name], list) else []

    def every(self, name: str) -> list["Fields"]:
        """Return the objects of a list within it."""
        return [Fields(each, self.place) for each in self.listed(name)]

    def texts(self, name: str) -> list[str]:
        """Return the texts of a list within it that say something."""
        return list(filter(None, map(text, self.listed(name))))


def text(value: Any) -> str:
    """Return a text that has no halves of signs; nothing if it is none."""
    return value.encode("utf-8", "replace").decode().strip() if isinstance(value, str) else ""


def instant(value: Any) -> datetime | None:
    """Return a time: seconds or milliseconds since 1970, or as ISO 8601 has it; None if it is none."""
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
        except ValueError:
            return None
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        return found if 1970 <= found.year < 2100 else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not _FIRST < value < _LAST * 1000:
        return None
    seconds = value / 1000 if value > _LAST else value
    return datetime.fromtimestamp(seconds, UTC) if _FIRST < seconds < _LAST else None


def rows(entry: Entry) -> Iterator[Fields | Skipped]:
    """Yield the object that each line of a file is; what cannot be read is named in its place."""
    try:
        for number, value in entry.values():
            yield fields_at(f"{entry.name}:{number}", value)
    except (ValueError, OSError) as exc:
        yield unread(entry.name, exc)


def first_row(entry: Entry) -> Fields:
    """Return the object that the first line of a file is; one without fields if it is none."""
    found = next(rows(entry), None)
    return found if isinstance(found, Fields) else Fields()


def fields_at(place: str, value: Any) -> Fields | Skipped:
    """Return a value's fields; if it is an error, or no object, that it cannot be read."""
    if isinstance(value, dict):
        return Fields(value, place)
    return unread(place, value if isinstance(value, Exception) else Sentence("it is no object"))


def by_entry(read: Callable[[Entry], Iterator[Arrival]]) -> Callable[[Entry], Iterator[Arrival]]:
    """Have a file that cannot be read named in the place of what it says."""

    def arrivals(entry: Entry) -> Iterator[Arrival]:
        try:
            yield from read(entry)
        except (ValueError, OSError) as exc:
            yield unread(entry.name, exc)

    return arrivals


def unread(place: str, why: str | Exception) -> Skipped:
    """Return what cannot be read, where it stands and why."""
    if isinstance(why, UnicodeDecodeError):
        why = Sentence("it is not UTF-8 text; save it as UTF-8")
    elif isinstance(why, Exception):
        why = next((each for each in why.args if isinstance(each, Sentence)), str(why))
    return Skipped(place, Sentence("it cannot be read ({why})", why=why))

"""When something happened, or since and until when it holds, as far as it was said: a small part of EDTF."""

import re
from datetime import date
from typing import NamedTuple

_PARTIAL = r"\d{4}(?:-\d\d(?:-\d\d)?)?"
_WRITTEN = re.compile(
    rf"(?:(?P<day>{_PARTIAL})|(?P<first>{_PARTIAL}|\.\.)/(?P<last>{_PARTIAL}|\.\.))(?P<about>~?)"
)


class Validity(NamedTuple):
    """A day, month or year (*first* and *last* are the same), or a time of which an end may be open ("")."""

    first: str
    last: str
    about: bool = False

    def __str__(self) -> str:
        span = f"{self.first or '..'}/{self.last or '..'}"
        return (self.first if self.first == self.last else span) + ("~" if self.about else "")


def read(text: str) -> Validity | None:
    """Read a time as it is written; None if it is none."""
    found = _WRITTEN.fullmatch(text.strip())
    if not found:
        return None
    first, last = (found["day"] or found[name].strip(".") for name in ("first", "last"))
    in_order = not first or not last or first <= last[: len(first)] or first[: len(last)] <= last
    is_some = bool(first or last) and all(map(_is_time, filter(None, (first, last))))
    return Validity(first, last, bool(found["about"])) if is_some and in_order else None


def _is_time(partial: str) -> bool:
    try:
        date.fromisoformat(partial + "-01-01"[len(partial) - 4 :])
    except ValueError:
        return False
    return True

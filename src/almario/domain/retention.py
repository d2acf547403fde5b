"""Which earlier contents of a soul file are kept, and which are too old."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Protocol

from almario.domain.model import Version
from almario.domain.read_models import Follower
from almario.named_tuples import NamedTuple

# So much time is believed to lie between two versions at most: a clock that says more may be wrong.
_LEAP = timedelta(days=7)


class Retention(Protocol):
    """How many of the newest are always kept, and for how many days one a day is."""

    @property
    def keep(self) -> int: ...

    @property
    def days(self) -> int: ...


class Dated(NamedTuple):
    """A content's hash and the day it was current on."""

    hash: str
    day: date


def hashes_to_keep(history: Sequence[Dated], today: date, settings: Retention) -> set[str]:
    """Choose from *history* (oldest first): the first, the newest, and each recent day's last."""
    if not history:
        return set()
    kept = {history[0].hash}
    kept.update(entry.hash for entry in history[-settings.keep :])
    since = today - timedelta(days=settings.days)
    last_of_day = {entry.day: entry.hash for entry in history if entry.day >= since}
    return kept | set(last_of_day.values())


def believed_day(history: Sequence[Dated], today: date) -> date:
    """Return the latest day that it can be, however far the clock has leapt since some version."""
    days = [*(entry.day for entry in history), today]
    believed = days[0]
    for before, day in pairwise(days):
        believed = min(day, believed + min(max(day - before, timedelta()), _LEAP))
    return believed


def hashes_to_delete(
    history: Sequence[Version], follower: Follower, now: datetime, zone: tzinfo, settings: Retention
) -> set[str]:
    """Return the hashes of a file's contents that the settings do not keep."""
    kept = [each for each in history if each.hash is not None]
    dated = [Dated(each.hash or "", each.at.astimezone(zone).date()) for each in kept]
    today = believed_day(dated, now.astimezone(zone).date())
    old = {entry.hash for entry in dated} - hashes_to_keep(dated, today, settings)
    return old - _needed(history[0].file, follower, now) if old else old


def _needed(file: str, follower: Follower, now: datetime) -> set[str]:
    """Return the contents that open proposals are about, or that the owner has drift measured against."""
    from almario.domain.proposal import has_passed  # noqa: PLC0415 - only when versions are deleted
    from almario.domain.soul_models import DRIFT, PROPOSALS  # noqa: PLC0415 - as above

    made = follower.rows(PROPOSALS).values()
    waiting = [each.body for each in made if not each.answers and not each.body.why]
    own = [body for body in waiting if body.file == file and not has_passed(body.until, now)]
    pins = [mark.files for mark in follower.rows(DRIFT).values() if mark.kind == "pinned"]
    return {name for body in own for name in (body.from_ or "", body.to)} | {
        pin[file] for pin in pins if file in pin
    }

"""What is kept of the past."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from almario.store.settings import VersionSettings

# So much time is believed to lie between two versions at most: a clock that says more may be wrong.
_LEAP = timedelta(days=7)


class Dated(NamedTuple):
    """A content's hash and the day it was current on."""

    hash: str
    day: date


def hashes_to_keep(history: Sequence[Dated], today: date, settings: VersionSettings) -> set[str]:
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

"""Public fakes, so that users test the way the authors do."""

from datetime import UTC, datetime, timedelta


class FixedClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, now: datetime = datetime(2026, 11, 14, 13, 30, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        """Move the clock: `advance(days=1, minutes=5)`."""
        self.now += timedelta(**by)

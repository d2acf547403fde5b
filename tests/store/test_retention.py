"""Of the past are kept the first, the newest, and each recent day's last."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.retention import Dated, hashes_to_keep
from almario.store.settings import VersionSettings
from tests.texts import often

TODAY = date(2026, 11, 14)


def days_ago(*days: int) -> list[Dated]:
    """Return a history with one content for each, named by its place and its day."""
    return [Dated(f"{place}@{ago}", TODAY - timedelta(days=ago)) for place, ago in enumerate(days)]


histories = st.lists(st.integers(0, 200), max_size=40).map(lambda days: days_ago(*sorted(days, reverse=True)))
kept_settings = st.builds(VersionSettings, keep=st.integers(1, 12), days=st.integers(0, 120))


def test_nothing_is_kept_of_nothing() -> None:
    assert hashes_to_keep([], TODAY, VersionSettings()) == set()


def test_the_first_is_kept_however_old() -> None:
    history = days_ago(3000, 2000, 1, 1)

    assert hashes_to_keep(history, TODAY, VersionSettings(keep=1)) == {"0@3000", "3@1"}


def test_the_newest_are_kept_though_they_are_of_one_day() -> None:
    history = days_ago(*[200] * 5, *[0] * 12)

    kept = hashes_to_keep(history, TODAY, VersionSettings(keep=10))

    assert kept == {"0@200", *(f"{place}@0" for place in range(7, 17))}


def test_of_each_recent_day_the_last_is_kept() -> None:
    history = days_ago(91, 90, 90, 89, 89, 3, 3, 0)

    assert hashes_to_keep(history, TODAY, VersionSettings(keep=1)) == {"0@91", "2@90", "4@89", "6@3", "7@0"}


def test_a_content_that_came_back_is_kept_while_it_is_new() -> None:
    history = [Dated("a", TODAY - timedelta(days=200)), *days_ago(150, 140), Dated("b", TODAY)]
    history.insert(2, Dated("b", TODAY - timedelta(days=145)))

    assert hashes_to_keep(history, TODAY, VersionSettings(keep=1)) == {"a", "b"}


@often
@given(histories, kept_settings)
def test_only_what_is_old_and_not_the_last_of_its_day_goes(
    history: list[Dated], settings: VersionSettings
) -> None:
    kept = hashes_to_keep(history, TODAY, settings)

    assert kept <= {entry.hash for entry in history}
    for place, entry in enumerate(history):
        is_last_of_day = all(later.day != entry.day for later in history[place + 1 :])
        is_recent = (TODAY - entry.day).days <= settings.days
        is_newest = place >= len(history) - settings.keep
        assert (entry.hash in kept) is (place == 0 or is_newest or (is_recent and is_last_of_day))


@often
@given(histories, kept_settings)
def test_pruning_twice_is_pruning_once(history: list[Dated], settings: VersionSettings) -> None:
    kept = hashes_to_keep(history, TODAY, settings)
    left = [entry for entry in history if entry.hash in kept]

    assert hashes_to_keep(left, TODAY, settings) == kept

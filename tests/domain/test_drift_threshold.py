"""The threshold lies between the changes that should pass and those of which the owner should be warned."""

import pytest
from benchmarks.drift import by_words, with_embedder
from benchmarks.souls import CHANGES, LANGUAGES, Change, soul_in

from almario.becoming.settings import DriftSettings


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_the_owner_is_warned_of_another_soul_and_not_of_a_small_change(change: Change, language: str) -> None:
    soul = soul_in(language)
    changed = change.made[language](soul)

    assert (by_words(soul, changed).score > DriftSettings().warn) == change.warns


def test_a_soul_that_is_measured_by_meaning_warns_of_the_same() -> None:
    measure = with_embedder()

    for change in CHANGES:
        soul = soul_in("es")
        assert (measure(soul, change.made["es"](soul)).score > DriftSettings().warn) == change.warns

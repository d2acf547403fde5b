"""The threshold lies between the changes that should pass and those of which the owner should be warned."""

from benchmarks.drift import broken_in, by_words, with_embedder
from benchmarks.souls import CHANGES, LANGUAGES, Change, soul_in
from benchmarks.souls.boundaries import BROKEN, REWORDED, UNSEEN, pairs, soul_with

from almario.becoming.settings import DriftSettings
from tests.tables import each_row


@each_row("language", LANGUAGES)
@each_row("change", CHANGES, ids=lambda change: change.name)
def test_the_owner_is_warned_of_another_soul_and_not_of_a_small_change(change: Change, language: str) -> None:
    soul = soul_in(language)
    changed = change.made[language](soul)

    assert by_words(soul, changed).warns(DriftSettings().warn) == change.warns


def test_a_soul_that_is_measured_by_meaning_warns_of_the_same() -> None:
    measure = with_embedder()

    for change in CHANGES:
        soul = soul_in("es")
        assert measure(soul, change.made["es"](soul)).warns(DriftSettings().warn) == change.warns


@each_row(("before", "after"), pairs(BROKEN))
def test_one_boundary_that_is_gone_weakened_or_turned_round_is_enough_for_a_warning(
    before: str, after: str
) -> None:
    drift = by_words(soul_with(before), soul_with(after))

    assert drift.boundaries == 1
    assert drift.warns(1.0)


def test_boundaries_in_other_words_are_not_broken_and_most_that_are_it_was_not_made_for_are_found() -> None:
    reworded, broken = UNSEEN

    for measure in (by_words, with_embedder()):
        assert broken_in(REWORDED, measure)[0] <= 2
        assert broken_in(reworded, measure)[0] == 0
        found, of_all = broken_in(broken, measure)
        assert found / of_all > 0.8


@each_row("permission", ["I share secrets.", "Comparto secretos."])
def test_a_boundary_that_stands_beside_its_contrary_is_broken(permission: str) -> None:
    before = soul_with("I never share secrets.")["SOUL.md"] + "- Nunca comparto secretos.\n"

    after = before.replace("I like tea and maps.", f"I like tea and maps. {permission}")

    assert by_words({"SOUL.md": before}, {"SOUL.md": after}).boundaries == 1


def test_a_boundary_that_stands_elsewhere_or_has_come_is_not_broken() -> None:
    before = soul_with("I never share secrets.")["SOUL.md"]
    moved = before.replace("- I never share secrets.\n", "").replace("maps.", "maps. I never share secrets.")

    assert by_words({"SOUL.md": before}, {"SOUL.md": moved}).boundaries == 0
    assert by_words({"SOUL.md": before}, {"SOUL.md": f"{before}- I never lie.\n"}).boundaries == 0

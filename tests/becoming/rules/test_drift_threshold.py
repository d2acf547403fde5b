"""The threshold lies between the changes that should pass and those of which the owner should be warned."""

from benchmarks.drift import by_lines, with_embedder
from benchmarks.souls import CHANGES, LANGUAGES, Change, soul_in

from almario.becoming.settings import DriftSettings
from tests.tables import each_row

BEFORE = "# Soul\n\nI like tea and maps.\n\n## Boundaries\n\n- I never share secrets.\n- I never lie.\n"


@each_row("language", LANGUAGES)
@each_row("change", CHANGES, ids=lambda change: change.name)
def test_the_owner_is_warned_of_another_soul_and_not_of_a_small_change(change: Change, language: str) -> None:
    soul = soul_in(language)
    changed = change.made[language](soul)

    assert by_lines(soul, changed).warns(DriftSettings().warn) == change.warns


def test_a_soul_that_is_measured_by_meaning_warns_of_the_same() -> None:
    measure = with_embedder()

    for change in CHANGES:
        soul = soul_in("es")
        assert measure(soul, change.made["es"](soul)).warns(DriftSettings().warn) == change.warns


@each_row("boundary", ["", "I share secrets.", "I rarely share secrets.", "I keep what I am told to myself."])
def test_one_boundary_that_is_gone_or_has_other_words_is_enough_for_a_warning(boundary: str) -> None:
    after = BEFORE.replace("I never share secrets.", boundary)

    drift = by_lines({"SOUL.md": BEFORE}, {"SOUL.md": after})

    assert drift.boundaries == 1
    assert drift.warns(1.0)


@each_row(("boundary", "permission"), [("I never lie.", "I lie."), ("Nunca miento.", "Miento.")])
def test_a_boundary_that_stands_beside_its_contrary_is_broken(boundary: str, permission: str) -> None:
    before = BEFORE.replace("I never lie.", boundary)
    after = before.replace("maps.", f"maps. {permission}")

    assert by_lines({"SOUL.md": before}, {"SOUL.md": after}).boundaries == 1


def test_a_boundary_that_stands_elsewhere_or_has_come_is_not_broken() -> None:
    moved = BEFORE.replace("- I never share secrets.\n", "").replace("maps.", "maps. I never share secrets.")

    assert by_lines({"SOUL.md": BEFORE}, {"SOUL.md": moved}).boundaries == 0
    assert by_lines({"SOUL.md": BEFORE}, {"SOUL.md": f"{BEFORE}- I never shout.\n"}).boundaries == 0

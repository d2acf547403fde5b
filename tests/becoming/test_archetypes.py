"""The characters that come along are whole, and any of them can be mixed."""

from itertools import permutations

import pytest

from almario.becoming.archetypes import archetype, archetypes, drawn, mix
from almario.becoming.drafts import Brief, files_of
from almario.becoming.rules.linting import lint, sentences_in
from almario.domain.messages import LANGUAGES
from almario.errors import SoulError
from tests.tables import each_row

IDS = [each.id for each in archetypes("en")]
# The budgets of the prompt as they are by default.
BUDGETS = {"IDENTITY.md": 300, "SOUL.md": 4000, "MOTIVATIONS.md": 1200, "GOALS.md": 800}


def test_there_are_eight_and_the_same_ones_in_both_languages() -> None:
    assert len(IDS) >= 8
    assert [each.id for each in archetypes("es")] == IDS


@each_row("language", LANGUAGES)
@each_row("name", IDS)
def test_every_archetype_is_without_fault(name: str, language: str) -> None:
    assert lint(files_of(mix([name], language)), budgets=BUDGETS, language=language) == []


@each_row("language", LANGUAGES)
def test_no_two_archetypes_share_a_sentence(language: str) -> None:
    seen: dict[str, str] = {}
    for each in archetypes(language):
        own = each.draft
        lines = [*own.traits, *own.style, *own.boundaries, *own.drives, *own.focus, *own.questions]
        for sentence in sentences_in("\n".join(lines)):
            assert seen.setdefault(sentence, each.id) == each.id


@each_row("language", LANGUAGES)
@each_row("first", IDS)
def test_every_pair_mixes_without_fault_in_either_order(first: str, language: str) -> None:
    for one, other in permutations(IDS, 2):
        if one == first:
            mixed = mix([one, other], language)
            assert lint(files_of(mixed), budgets=BUDGETS, language=language) == [], other
            assert mixed == mix([one, other], language)


def test_a_mixture_takes_from_each_in_turn_the_first_leading() -> None:
    maker, host = archetype("maker", "en").draft, archetype("host", "en").draft

    mixed = mix(["maker", "host"], "en")

    assert mixed.traits == (maker.traits[0], host.traits[0], maker.traits[1], host.traits[1])
    assert mixed.emoji == maker.emoji
    assert mixed.vibe == "practical and precise; attentive and quick"


def test_who_is_named_more_often_says_more() -> None:
    maker = archetype("maker", "en").draft

    mixed = mix(["maker", "host", "maker", "maker"], "en")

    assert sum(line in maker.style for line in mixed.style) == 5


def test_an_archetype_is_known_by_its_name_in_either_language() -> None:
    assert archetype("Compañía", "en").id == archetype("companion", "es").id == "companion"
    with pytest.raises(SoulError, match='did you mean "archivist"'):
        archetype("archivst", "en")
    with pytest.raises(SoulError, match="--archetypes"):
        archetype("zzzzzz", "en")
    with pytest.raises(SoulError, match="at least one"):
        mix([], "en")


def test_a_brief_fills_in_what_it_says_and_leaves_the_rest() -> None:
    soul = drawn(Brief("Luz", "keeps the boat", "salty", "en", "⛵", archetypes=("maker",)))

    assert soul[:5] == ("en", "Luz", "⛵", "keeps the boat", "salty")
    assert soul.goals == archetype("maker", "en").draft.goals
    assert drawn(Brief(language="en", archetypes=("maker",))).name == "Alma"

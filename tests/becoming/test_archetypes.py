"""The characters that come along are whole."""

import pytest

from almario.becoming.archetypes import archetype, archetypes, drawn
from almario.becoming.drafts import LISTS, Brief, files_of
from almario.domain.messages import LANGUAGES
from almario.errors import SoulError
from almario.text.tongues import written_in
from tests.tables import each_row

IDS = [each.id for each in archetypes("en")]


def test_there_are_eight_and_the_same_ones_in_both_languages() -> None:
    assert len(IDS) >= 8
    assert [each.id for each in archetypes("es")] == IDS


@each_row("language", LANGUAGES)
@each_row("name", IDS)
def test_every_archetype_is_whole_and_in_its_language(name: str, language: str) -> None:
    draft = archetype(name, language).draft

    assert all(getattr(draft, part) for part in ("emoji", "role", "vibe", *LISTS, "goals"))
    assert written_in(files_of(draft)["SOUL.md"], language) == language


@each_row("language", LANGUAGES)
def test_no_two_archetypes_share_a_line(language: str) -> None:
    seen: dict[str, str] = {}
    for each in archetypes(language):
        own = each.draft
        lines = [*own.traits, *own.style, *own.boundaries, *own.drives, *own.focus, *own.questions]
        for line in lines:
            assert seen.setdefault(line, each.id) == each.id


def test_an_archetype_is_known_by_its_name_in_either_language() -> None:
    assert archetype("Compañía", "en").id == archetype("companion", "es").id == "companion"
    with pytest.raises(SoulError, match='did you mean "archivist"'):
        archetype("archivst", "en")
    with pytest.raises(SoulError, match="--archetypes"):
        archetype("zzzzzz", "en")


def test_a_brief_fills_in_what_it_says_and_leaves_the_rest() -> None:
    soul = drawn(Brief("Luz", "keeps the boat", "salty", "en", "⛵", archetype="maker"))

    assert soul[:5] == ("en", "Luz", "⛵", "keeps the boat", "salty")
    assert soul.goals == archetype("maker", "en").draft.goals
    assert drawn(Brief(language="en", archetype="maker")).name == "Alma"

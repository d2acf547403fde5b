"""A section of a soul file can be locked and unlocked, and nothing else in the file changes."""

import pytest

from almario.becoming.rules.locking import parts_of, with_lock, without_lock
from almario.errors import SoulError
from tests.tables import each_row

SOUL = "# Soul\n\n## Traits\n\nI am calm.\n\n## Boundaries\n\n- I never lie.\n- I ask.\n"


@each_row(
    ("text", "title"),
    [
        (SOUL, "Traits"),
        (SOUL, "boundaries"),
        (SOUL.replace("\n", "\r\n"), "Traits"),
        (SOUL + "\n\n## Límites\n\nx\n", "Traits"),
        ("## Traits\nNo blank line.\n## Boundaries\nx\n", "Traits"),
        ("# Soul\n\nI am calm.\n", "Soul"),
    ],
)
def test_what_is_locked_and_unlocked_again_is_as_it_was(text: str, title: str) -> None:
    locked = with_lock(text, title)

    assert locked != text
    assert [part.title for part in parts_of(locked) if part.is_locked] == [
        part.title for part in parts_of(text) if part.title.lower() == title.lower()
    ]
    assert without_lock(locked, title) == text


def test_only_the_words_of_the_section_are_locked() -> None:
    assert with_lock(SOUL, "Traits") == (
        "# Soul\n\n## Traits\n\n<!-- locked -->\nI am calm.\n<!-- /locked -->\n\n"
        "## Boundaries\n\n- I never lie.\n- I ask.\n"
    )


def test_a_lock_over_several_sections_goes_whole() -> None:
    text = "<!-- locked -->\n## A\n\na\n\n## B\n\nb\n<!-- /locked -->\n## C\n\nc\n"

    assert [part.is_locked for part in parts_of(text) if part.level] == [True, True, False]
    assert without_lock(text, "B") == "## A\n\na\n\n## B\n\nb\n## C\n\nc\n"


@each_row(
    ("text", "title", "why"),
    [
        (SOUL, "Goals", 'there is no section "Goals"; there are: Soul, Traits, Boundaries'),
        (SOUL + "## Traits\n\nx\n", "Traits", 'there are several sections "Traits"; edit the file itself'),
        (SOUL + "## Empty\n\n", "Empty", 'there is nothing in "Empty" to be locked'),
        (with_lock(SOUL, "Traits"), "Traits", '"Traits" is locked already'),
    ],
)
def test_what_cannot_be_locked_says_why(text: str, title: str, why: str) -> None:
    with pytest.raises(SoulError, match=why):
        with_lock(text, title)


def test_what_is_not_locked_cannot_be_unlocked() -> None:
    with pytest.raises(SoulError, match='"Traits" is not locked'):
        without_lock(SOUL, "Traits")

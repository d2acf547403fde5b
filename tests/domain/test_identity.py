"""IDENTITY.md is read in the shapes people write it, and becomes sentences."""

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.documents.identity import (
    identity_sentences,
    identity_value,
    parse_identity,
    with_fields,
)
from almario.domain.documents.lines import newline_of
from tests.tables import each_row
from tests.texts import any_text, ended, often, words


@each_row(
    "line",
    [
        "name: Finny",
        "Name:Finny",
        "  NAME :\tFinny  ",
        "- name: Finny",
        "- **Name:** Finny",
        "**Name**: Finny",
        "**Name:** Finny",
        "+ `name`: Finny",
        "* __Name__: Finny",
        "__Name:__ Finny",
        "\ufeffname: Finny\r",
        "Nombre: Finny",
        "- **Nombre:** Finny",
    ],
)
def test_a_field_is_read_in_each_common_shape(line: str) -> None:
    assert identity_value(f"{line}\n", "name") == "Finny"


@each_row(
    ("key", "name"),
    [
        ("Nombre", "name"),
        ("vibra", "vibe"),
        ("Carácter", "vibe"),
        ("Onda", "vibe"),
        ("criatura", "creature"),
        ("Rol", "role"),
    ],
)
def test_spanish_keys_are_known_by_their_english_names(key: str, name: str) -> None:
    assert identity_value(f"{key}: x", name) == "x"


def test_a_value_keeps_its_colons_and_marks() -> None:
    text = "vibe: warm: always, at 10:30\nsite: https://example.org\nmotto:**bold** words\n"

    assert [field.value for field in parse_identity(text)] == [
        "warm: always, at 10:30",
        "https://example.org",
        "**bold** words",
    ]


@each_row(
    "line",
    [
        "https://example.org",
        "see https://example.org: it is good",
        "# Identity: mine",
        "   ## Identity: mine",
        "> name: Finny",
        "  > name: Finny",
        "- > name: Finny",
        "| name: | Finny |",
        "  | name: | Finny |",
        "name:",
        "- **name:**  ",
        ": Finny",
        "** : Finny",
        "words without a colon",
        "a sentence that goes on for so long that nobody would take its first half for a key: no",
        "```\nname: Finny\n```",
        "<!-- name: Finny -->",
        "",
    ],
)
def test_other_lines_are_no_fields(line: str) -> None:
    assert parse_identity(line) == []


def test_the_first_value_that_is_not_empty_counts() -> None:
    assert identity_value("name:\nname: Finny\nname: Other\n", "name") == "Finny"
    assert identity_value("name: Finny\n", "vibe") == ""


def test_each_field_becomes_a_sentence() -> None:
    text = "# Identity\n\nname: Finny\nemoji: 🤖\nvibe: warm\nFavourite tea: green\n"

    assert [*identity_sentences(text, "en")] == [
        "Your name is Finny.",
        "Your emoji is 🤖.",
        "Your vibe: warm.",
        "Your Favourite tea: green.",
    ]


@each_row("value", ["Warm.", "Warm!", "Warm?", "Warm…"])
def test_a_value_that_ends_a_sentence_gets_no_second_end(value: str) -> None:
    assert identity_sentences(f"vibe: {value}", "en") == (f"Your vibe: {value}",)


def test_braces_in_a_value_are_only_text() -> None:
    assert identity_sentences("name: {value} {0}", "en") == ("Your name is {value} {0}.",)


def test_a_field_is_set_in_place_in_the_shape_it_has() -> None:
    text = "# Me\r\n\r\n- **Nombre:** Old  \r\n- vibe:\r\nprose\r\n"

    assert with_fields(text, {"name": "Finny", "vibe": "warm"}) == (
        "# Me\r\n\r\n- **Nombre:** Finny  \r\n- vibe: warm\r\nprose\r\n"
    )


def test_a_new_field_is_added_after_the_last_one() -> None:
    assert with_fields("# Me\nname: Finny\n\nprose\n", {"vibe": "warm"}) == (
        "# Me\nname: Finny\nvibe: warm\n\nprose\n"
    )
    assert with_fields("# Me", {"name": "Finny"}) == "# Me\nname: Finny\n"
    assert with_fields("", {"name": "Finny"}) == "name: Finny\n"


@often
@given(any_text, st.sampled_from(["name", "Vibe", "role"]), words)
def test_setting_a_field_leaves_all_other_lines_alone(text: str, key: str, value: str) -> None:
    before = ended(text)

    after = ended(with_fields(text, {key: value}))

    if len(after) == len(before):
        assert sum(old != new for old, new in zip(before, after, strict=True)) <= 1
    else:
        place = after.index(f"{key}: {value}{newline_of(text)}")
        assert after[:place] + after[place + 1 :] == before


@often
@given(any_text)
def test_a_field_says_nothing_that_its_file_does_not(text: str) -> None:
    for field in parse_identity(text):
        assert field.key in text
        assert field.value
        assert field.value in text

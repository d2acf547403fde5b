"""Which language a text is in, and which words may be meant in it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import almario.language
from almario.language import Language, codes, common, language, languages
from almario.text import tongues
from almario.text.claims import claims_of, denies
from almario.text.tongues import language_of, rules_for, written_in
from tests.language.written import SENTENCES
from tests.tables import each_row

ENOUGH = 0.95
FAKE = """\
asking = "qo"
happening = "qo"
opening = "qo"
former = "qo"
amounts = "qo"
negations = "nax"

[times]
weekdays = "ba; be; bi; bo; bu; by; bz"
"""


def test_the_language_of_a_sentence_is_told() -> None:
    found = [(code, language_of(text)) for code in codes() for text in SENTENCES[code]]

    assert sum(code == told for code, told in found) >= ENOUGH * len(found)
    # Who is not sure says nothing rather than another language.
    assert [pair for pair in found if pair[1] not in ("", pair[0])] == []


@each_row("code", ["nl", "pl", "ro", "sv", "tr"])
def test_a_language_that_is_not_known_is_none(code: str) -> None:
    assert [text for text in SENTENCES[code] if language_of(text)] == []


@each_row("code", ["ru", "zh", "ko"])
def test_a_script_of_its_own_tells_a_language(code: str) -> None:
    assert {language_of(text) for text in SENTENCES[code]} == {code}
    assert {written_in(text, "en") for text in SENTENCES[code]} == {code}


@each_row("text", ["", "ok 👍", "12345", "Zxqv", "Ana", "x" * 3000, "…"])
def test_what_tells_no_language_is_in_none(text: str) -> None:
    assert language_of(text) == ""


def test_a_word_of_another_script_does_not_make_a_text_of_it() -> None:
    assert language_of("Hoy aprendí que 猫 es la palabra para gato en japonés") == "es"


def test_what_is_said_again_and_again_tells_no_more() -> None:
    assert written_in("Ana moves " * 800, "en") == "en"


def test_what_may_as_well_be_in_the_language_that_is_expected_is_in_it() -> None:
    assert written_in("Vivo a Milano", "es") == "es"
    assert written_in("Da gennaio lavoro di notte in un panificio", "es") == "it"
    assert written_in("Biscuit!", "es") == "es"


@each_row("code", ["ru", "zh", "ko"])
def test_a_language_with_another_script_has_no_rules(code: str) -> None:
    assert [text for text in SENTENCES[code] if rules_for(text)] == []


@each_row("code", ["en", "es", "fr", "pt", "it", "de", "ja"])
def test_the_rules_of_the_own_language_hold_for_every_sentence(code: str) -> None:
    assert [text for text in SENTENCES[code] if code not in rules_for(text)] == []


def test_where_nothing_tells_any_language_may_be_meant() -> None:
    assert rules_for("Zxqv") == codes()


@each_row(
    ("text", "word", "is_denied"),
    [
        ("Je ne fume pas depuis dix ans", "fume", True),
        ("Meu irmão trabalha no hospital e mora no centro da cidade", "hospital", False),
        ("Meu irmão não trabalha mais neste hospital", "hospital", True),
        ("No fumo", "fumo", True),
        ("Mein Bruder arbeitet nicht mehr im Krankenhaus", "krankenhaus", True),
        ("Non mangio carne da due anni", "carne", True),
        ("Att resa till sjöss är något av det bästa som finns i livet", "sjoss", False),
    ],
)
def test_what_denies_does_so_in_its_own_language(text: str, word: str, is_denied: bool) -> None:
    assert claims_of(text).senses[word] == {is_denied}


def test_in_portuguese_in_the_is_no_negation() -> None:
    assert not denies("Meu irmão trabalha no hospital e mora no centro da cidade")
    assert denies("Mi hermano no trabaja en el hospital")


def test_every_language_with_a_file_is_told_from_the_others() -> None:
    # Japanese is told by its script.
    assert set(codes()) - set(common()) == {"ja"}
    # As many of each, or one would be likelier.
    assert len({len(words) for words in common().values()}) == 1


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Language]:
    folder = shutil.copytree(Path(almario.language.__file__).parent, tmp_path / "language")
    (folder / "xx.toml").write_text(FAKE)
    monkeypatch.setattr(almario.language, "_FOLDER", folder)
    caches = (codes, languages, language, tongues.words_of, tongues._counts)
    for each in caches:
        each.cache_clear()
    yield language("xx")
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


def test_a_language_that_is_added_to_the_folder_is_found(fake: Language) -> None:
    assert fake in languages()
    assert denies("Zxqv nax")


def test_its_rules_do_not_hold_for_what_is_in_another(fake: Language) -> None:
    assert fake.code not in rules_for(SENTENCES["en"][0])

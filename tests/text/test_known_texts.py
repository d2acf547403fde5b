"""A file without secrets is searched once, and again as soon as anything about it is another."""

from pathlib import Path

import pytest

import almario
from almario.text import redaction
from almario.text.redaction import Redactor
from almario.text.secrets.patterns import SecretSpan
from almario.text.settings import RedactionSettings

TEXT = "# Soul\n\nI like boats, and the sea.\n"
WORDS_ONLY = {"embedder.name": "none", "llm.model": "none"}


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that are searched from now on."""
    found: list[str] = []
    real = redaction._spans

    def noted(label: str, text: str, region: str) -> list[SecretSpan]:
        found.append(text)
        return real(label, text, region)

    monkeypatch.setattr(redaction, "_spans", noted)
    return found


def redactor(noted: str = "", region: str = "") -> Redactor:
    made = Redactor(RedactionSettings(), lambda: region)
    made.known.noted = lambda: noted
    return made


def test_a_text_without_secrets_is_searched_once(searched: list[str]) -> None:
    first = redactor()
    assert [first.file(TEXT), first.file(TEXT)] == [TEXT, TEXT]

    assert redactor(str(first.known)).file(TEXT) == TEXT
    assert searched == [TEXT]


def test_a_text_with_a_secret_is_searched_by_every_process(searched: list[str]) -> None:
    text = "# Soul\n\npassword=hunter2\n"
    first = redactor()

    assert {first.file(text), first.file(text), redactor(str(first.known)).file(text)} == {
        "# Soul\n\npassword=[redacted:password]\n"
    }
    assert (str(first.known), len(searched)) == ("", 2)


def test_in_another_country_it_is_searched_again(searched: list[str]) -> None:
    text = f"{TEXT}Row 7.\n"  # a region matters to figures alone
    first = redactor()
    first.file(text)

    redactor(str(first.known), "ES").file(text)

    assert searched == [text, text]


def test_with_other_rules_it_is_searched_again(searched: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first = redactor()
    first.file(TEXT)
    monkeypatch.setattr(redaction, "_rules", lambda: b"newer ones")

    redactor(str(first.known)).file(TEXT)

    assert searched == [TEXT, TEXT]


def test_every_source_of_the_rules_is_part_of_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "redaction.py"
    (tmp_path / "secrets").mkdir()
    rule = tmp_path / "secrets" / "keys.py"
    here.write_text("")
    rule.write_text("a = 1")
    monkeypatch.setattr(redaction, "__file__", str(here))
    rules = redaction._rules.__wrapped__

    before = rules()
    assert rules() == before
    rule.write_text("a = 2")
    assert rules() != before
    rule.chmod(0)
    rule.unlink()
    here.unlink()
    assert rules() != rules()  # where they cannot be read, nothing is known


@pytest.mark.folder
def test_the_next_process_need_not_search_a_soul_that_did_not_change(
    tmp_path: Path, searched: list[str]
) -> None:
    home = tmp_path / "home"
    with almario.create(home, settings=WORDS_ONLY) as soul:
        soul.prompt()
        file = soul.path / "SOUL.md"
    assert any("# Soul" in text for text in searched)

    searched.clear()
    with almario.open(home, settings=WORDS_ONLY) as soul:
        soul.prompt()
    assert searched == []

    file.write_text(file.read_text() + "\nMy password is hunter2.\n")
    with almario.open(home, settings=WORDS_ONLY) as soul:
        prompt = soul.prompt()
    assert "hunter2" not in str(prompt)
    assert "[withheld:password]" in str(prompt)


def test_a_forged_or_damaged_note_makes_no_other_text_known(searched: list[str]) -> None:
    first = redactor()
    first.file(TEXT)
    other = "# Soul\n\nmy password is hunter2\n"

    for noted in ("", "nonsense", str(first.known), str(first.known)[:-1], " ".join(["0" * 32] * 99)):
        assert "hunter2" not in redactor(noted).file(other)

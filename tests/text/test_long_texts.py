"""What is too long to be searched for secrets: it stays as it is, and nobody is told of it."""

import pytest

from almario.text import redaction
from almario.text.redaction import LONGEST_LINE, Known, Redactor
from almario.text.secrets.patterns import SecretSpan
from almario.text.settings import RedactionSettings
from tests.tables import each_row

SECRET = "my password is hunter2-Tundra!"
MASKED = "[withheld:unread]"
FILLING = "boat " * (LONGEST_LINE // 5)


@each_row(
    ("text", "told", "count"),
    [
        (f"{SECRET}\n{FILLING}{SECRET}\nthe end", "the end", 1),
        (f"the beginning {FILLING}{FILLING}{SECRET}", "the beginning", 1),
        ("x" * 3 * LONGEST_LINE + SECRET, "", 1),
        (f"{FILLING[:-12]}{SECRET}{FILLING}", "boat", 1),  # it begins before the end, and goes on after it
        (f"{FILLING}{SECRET}\nbetween\n{FILLING}{SECRET}\n", "between", 2),
    ],
)
def test_the_end_of_a_line_that_is_too_long_is_kept_and_not_told(text: str, told: str, count: int) -> None:
    found = Redactor(RedactionSettings())(text)

    assert found.text.count(MASKED) == count
    assert "hunter2" not in found.text
    assert told in found.text
    assert len(found.text) < (count + 1) * LONGEST_LINE
    assert MASKED not in found.whole
    assert MASKED not in " ".join(found.suspected)


def test_a_text_that_is_too_long_is_told_up_to_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "LONGEST_TEXT", 150_000)
    text = f"the harbour\n{'a line about the sea ' * 4}\n" * 3000 + SECRET

    found = Redactor(RedactionSettings())(text)

    assert found.text.endswith(MASKED)
    assert "hunter2" not in found.text
    assert 149_000 < len(found.text) < 151_000


def test_a_long_text_is_searched_once_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    text, found_in = f"call me at 612 345 678 {FILLING * 2}", redaction._found_in
    searched: list[int] = []

    def counted(label: str, text: str, region: str) -> list[SecretSpan]:
        searched.append(len(text))
        return found_in(label, text, region)

    monkeypatch.setattr(redaction, "_found_in", counted)
    redactor, other = Redactor(RedactionSettings()), Redactor(RedactionSettings())
    told = (redactor.file(text), redactor(text).text, redactor.suspected(text))
    other.known.noted = lambda: str(redactor.known)

    assert (other.file(text), other(text).text, other.suspected(text)) == told
    assert len(searched) == 1
    assert searched[0] <= LONGEST_LINE + 1


def test_what_was_found_is_noted_for_good_unless_it_surely_is_a_secret() -> None:
    redactor = Redactor(RedactionSettings())
    redactor.known = known = Known()

    redactor.file("the harbour")
    assert len(str(known).split()) == 1
    redactor.file("the key is sk-ant-api03-" + "Ab1" * 20)
    assert len(str(known).split()) == 1
    known.clear()
    assert str(known) == ""

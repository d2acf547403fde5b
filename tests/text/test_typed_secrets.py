"""Secrets are known in commands, answers, other scripts and asides, and what only looks like one stays."""

from almario.text.redaction import redact
from tests.tables import each_row
from tests.text.typed_secrets import TYPED, UNLIKE_TYPED


@each_row("line", TYPED, ids=lambda line: line[:40])
def test_the_secret_is_gone(line: str) -> None:
    before, _, rest = line.rpartition("{")
    secret, _, after = rest.partition("}")

    found = redact(before + secret + after).text

    assert secret not in found
    assert "[redacted:" in found or "[withheld:" in found


@each_row("region", ["", "ES", "US"])
@each_row("text", UNLIKE_TYPED, ids=lambda text: text[:40])
def test_what_is_like_it_stays(text: str, region: str) -> None:
    assert redact(text, region=region).text == text

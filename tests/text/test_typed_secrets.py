"""Secrets are known in commands, answers, other scripts and asides, and what only looks like one stays."""

import pytest

from almario.text.redaction import redact
from tests.text.typed_secrets import TYPED, UNLIKE_TYPED


@pytest.mark.parametrize("line", TYPED, ids=lambda line: line[:40])
def test_the_secret_is_gone(line: str) -> None:
    before, _, rest = line.rpartition("{")
    secret, _, after = rest.partition("}")

    found = redact(before + secret + after).text

    assert secret not in found
    assert "[redacted:" in found


@pytest.mark.parametrize("region", ["", "ES", "US"])
@pytest.mark.parametrize("text", UNLIKE_TYPED, ids=lambda text: text[:40])
def test_what_is_like_it_stays(text: str, region: str) -> None:
    assert redact(text, region=region).text == text

"""Secrets are known by their place in a table or a row, and what only looks like one stays."""

from almario.text.redaction import redact
from tests.tables import each_row
from tests.text.placed_secrets import PLACED, UNLIKE_SECRETS
from tests.text.said_secrets import told
from tests.text.secret_texts import SAFE, made


@each_row("line", PLACED, ids=lambda line: line[:40])
def test_the_secret_is_gone(line: str) -> None:
    text, secret = told(line)

    assert secret not in redact(text).text


@each_row("region", ["", "ES", "FR", "US"])
@each_row("text", UNLIKE_SECRETS, ids=lambda text: text[:40])
def test_what_is_like_it_stays(text: str, region: str) -> None:
    assert redact(text, region=region).text == text


def test_long_tokens_of_dropbox_are_known() -> None:
    assert redact(f"x {made('sl' + '.u.', 130, SAFE)} y").text == "x [redacted:api-key] y"

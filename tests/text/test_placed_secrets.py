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


def test_only_the_column_of_the_secrets_is_hidden() -> None:
    table = (
        "| Site | User | Password |\n|---|---|---|\n| Plex | tom | {} |\n| Git | ana | {} |\n\na | b | Egg12"
    )

    assert redact(table.format("V6$LuKz", "marmalade")).text == table.format(*["[redacted:password]"] * 2)


def test_a_field_in_quotes_may_have_the_sign_between_fields() -> None:
    rows = 'name,url,username,password\nShop,"a, b",ana,"{}"\nOther,,eva,{}\n'

    assert redact(rows.format("x,y!z9", "abcd1234")).text == rows.format(*["[redacted:password]"] * 2)


def test_a_table_ends_where_its_rows_end() -> None:
    text = "user,pin,notes\nana,[redacted:password],none\nWe were 4471, or so they say"

    assert redact(text).text == text


def test_long_tokens_of_dropbox_are_known() -> None:
    assert redact(f"x {made('sl' + '.u.', 130, SAFE)} y").text == "x [redacted:api-key] y"

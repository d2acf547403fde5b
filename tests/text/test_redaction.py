"""Secrets are taken out of text, and nothing else is."""

import re
import subprocess
import sys
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.text import redaction
from almario.text.redaction import Redactor, digest_of, is_only_a_mask, lines_of_secrets, redact
from almario.text.secrets.detectors import found
from almario.text.secrets.forms import FORMS
from almario.text.secrets.patterns import SecretSpan, flat, has_form
from almario.text.settings import RedactionSettings
from tests.effort import every, examples
from tests.tables import each_row
from tests.text.secret_texts import SECRETS, Case, made
from tests.texts import any_text, often
from tests.timing import grows_with_its_size

# Pieces that make secrets, half of them and what stands between them.
pieces = st.sampled_from(
    [
        *(case.text for case in SECRETS[::7]),
        *(
            "password",
            " is ",
            ": ",
            "=",
            "hunter2",
            "clave",
            "+34 612",
            " 345 678",
            "4111 1111",
            " 1111 1111",
            "-",
            " ",
        ),
        *(
            "[redacted:",
            "card]",
            "[redacted:phone]",
            "\0",
            "\u200b",
            '"',
            "'",
            "\n",
            "ES91",
            "2100 0418 4502",
            "sk-",
            "eyJ",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "://a:",
            "@h",
            "token",
            "\ud83e",
            "cvv ",
            "123",
        ),
    ]
)
mixtures = st.lists(pieces | st.text(max_size=4), max_size=12).map("".join)


@each_row("case", SECRETS, ids=lambda case: f"{case.kind}: {case.text[:30]!r}")
def test_a_secret_is_gone_and_its_kind_is_said(case: Case) -> None:
    found = redact(case.text)

    assert case.secret not in found.text
    said = case.kind != "secret"  # of these it is not always known what they are
    assert not said or f"[redacted:{case.kind}]" in found.text or f"[withheld:{case.kind}]" in found.text
    assert case.secret not in found.whole or found.suspected


@each_row("case", [case for case in SECRETS if case.kind in ("api-key", "token", "iban")])
def test_what_stands_around_a_secret_is_kept(case: Case) -> None:
    before, _, after = f"Antes, al amanecer. {case.text} ¡Y después!".partition(case.secret)

    assert redact(before + case.secret + after).text == f"{before}[redacted:{case.kind}]{after}"


def test_only_the_password_of_an_address_is_hidden() -> None:
    assert redact("postgres://bob:s3cret@db/app").text == "postgres://bob:[redacted:password]@db/app"


@each_row(
    "text",
    ["postgres://user:password@host/app", "amqp://USER:PASSWORD@HOST", "redis://me:<token>@cache"],
)
def test_the_password_of_an_example_is_none(text: str) -> None:
    assert redact(text).text == text


def test_two_finds_that_overlap_are_hidden_whole() -> None:
    assert redact(f"password={made('gh' + 'p_', 36)}!x9z").text == "password=[redacted:api-key]"


def test_kinds_are_named_once_in_the_order_of_the_text() -> None:
    text = "IBAN ES91 2100 0418 4502 0005 1332, password=hunter2, or password=hunter3"

    assert redact(text).kinds == ("iban", "password")


@each_row(
    ("text", "share"),
    [
        ("nothing here", 0.0),
        ("", 0.0),
        ("4111 1111 1111 1111", 1.0),
        ("pin: 4821", 0.0),
        ("password=hunter2", 7 / 16),
        ("ñ : 4111 1111 1111 1111", 16 / 18),
        ("ñ : +34 612 345 678", 0.0),
    ],
)
def test_the_share_counts_what_was_hidden_without_spaces(text: str, share: float) -> None:
    assert redact(text).share == pytest.approx(share)


def test_a_key_tells_what_its_value_is_and_is_not_counted() -> None:
    found = redact("perro123", key="contraseña wifi")
    assert (found.text, found.suspected) == ("[withheld:password]", ("perro123",))
    assert redact("perro123", key="usuario").text == "perro123"
    assert redact("perro y gato", key="+34 612 345 678").text == "perro y gato"


@each_row(
    ("text", "region"),
    [("el 612 345 678 de casa", "ES"), ("apunta 91 234 56 78", "es"), ("try 020 7946 0958 first", "GB")],
)
def test_national_numbers_are_known_by_their_region(text: str, region: str) -> None:
    assert "[withheld:phone]" in redact(text, region=region).text
    assert "phone" not in redact(text).text


@pytest.mark.parametrize(
    "key",
    [
        "s.k7Qm2xW9sZ4pLnTb8RcYg3Vd",
        "ctx7sk-9f2c7b1e-4d8a-4c3b-a6e5",
        "rT7kQ2xW9sZ4pLnTb8RcYg3VdM5hJf6A",
    ],
)
def test_what_only_looks_like_a_key_is_withheld_wherever_it_stands_and_never_destroyed(key: str) -> None:
    for text in (key, f"{key} goes into the deploy file"):
        found = redact(text)
        assert key not in found.text
        assert found.whole == text


@each_row(
    "text",
    [
        "my phone is 612 345 678",
        "Ana: +34 612 345 678",
        "my passport number is X1234567",
        "mi DNI es 12345678Z",
    ],
)
def test_what_only_names_a_person_is_withheld_and_never_destroyed(text: str) -> None:
    found = redact(text)

    assert found.suspected
    assert (found.whole, found.kinds) == (text, ())


@each_row("form", every(3, FORMS))
@examples(1)
@given(data=st.data())
def test_a_known_form_is_believed_however_it_looks(form: str, data: st.DataObject) -> None:
    printed = st.characters(min_codepoint=33, max_codepoint=126)
    token = data.draw(st.from_regex(re.compile(form, re.ASCII), fullmatch=True, alphabet=printed))

    assert token not in redact(f"x {token} y").text


@each_row("length", [10, 900])
def test_a_text_that_comes_again_is_searched_once(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []

    def suspects(raw: bytes, **_: object) -> list[SecretSpan]:
        searched.append(raw)
        return []

    monkeypatch.setattr(redaction, "suspects", suspects)
    for _ in range(3):
        assert redact("Tell me more of it. " * length).kinds == ()

    assert len(searched) == 1


@each_row("width", [14, 25])
@each_row(("before", "indent"), [("key:", "    "), ("They have sent me this.", "    "), ("They wrote", "> ")])
def test_a_key_that_was_wrapped_is_gone_to_its_last_piece(width: int, before: str, indent: str) -> None:
    key = made("gh" + "p_", 36)
    wrapped = f"\n{indent}".join(key[place : place + width] for place in range(0, len(key), width))

    found = redact(f"{before}\n{indent}{wrapped}\nthe rest").text
    assert found == f"{before}\n{indent}[redacted:api-key]\nthe rest"


@each_row(
    ("text", "only"),
    [
        ("[redacted:api-key]", True),
        (" [redacted:api-key], [redacted:card].", True),
        ("pin [redacted:password]", False),
        ("", False),
        ("...", False),
    ],
)
def test_a_text_of_nothing_but_masks_is_known(text: str, only: bool) -> None:
    assert is_only_a_mask(text) is only


def test_the_lines_of_secrets_are_told_with_their_kinds() -> None:
    text = "[redacted:card]\nmy password is hunter2\n\ncall +34 612 345 678, pin: 4821\n"

    assert lines_of_secrets(text, redact(text).text) == {2: ("password",), 4: ("phone", "password")}


def test_a_redactor_without_a_region_asks_once_for_one() -> None:
    asked = []

    def region() -> str:
        asked.append(1)
        return "ES"

    redactor = Redactor(RedactionSettings(), region)

    assert [redactor.text("el 612 345 678 de casa") for _ in range(2)] == ["el [withheld:phone] de casa"] * 2
    assert asked == [1]
    american = Redactor(RedactionSettings(), lambda: "US")
    assert american.text("llama al 612 345 678") == "llama al 612 345 678"


def test_a_number_that_fails_its_check_is_no_card_and_no_account() -> None:
    for text in ("4111 1111 1111 1112", "ES91 2100 0418 4502 0005 1333", "ES91 2100 0418 4502 0005 133"):
        assert (redact(text).whole, redact(text).kinds) == (text, ())


def test_an_unfinished_private_key_does_not_swallow_the_prose_after_it() -> None:
    begin = "-----BEGIN PRIVATE" + " KEY-----"

    assert (
        redact(f"{begin}\n{made('', 64)}\n\nand that was all").text
        == "[redacted:private-key]\n\nand that was all"
    )


def test_of_many_phones_none_is_left() -> None:
    text = " ".join(f"+346123{number:05}" for number in range(900))

    assert redact(text).text == " ".join(["[withheld:phone]"] * 900)


def test_the_settings_hide_secrets_but_not_in_transcripts() -> None:
    assert RedactionSettings() == RedactionSettings(enabled=True, transcripts=False)


def test_a_wrapped_key_without_a_form_of_its_own_is_withheld() -> None:
    first, second = made("", 24), made("", 24, seed=1)

    told = redact(f"api key: {first}\n  {second}\nthe rest").text

    assert told == "api key: [withheld:secret]\n  [withheld:secret]\nthe rest"


@each_row("case", SECRETS, ids=lambda case: f"{case.kind}: {case.text[:30]!r}")
def test_a_text_without_a_sign_of_a_form_has_none(case: Case) -> None:
    raw, _ = flat(case.text)

    assert has_form(raw) or not list(found(raw, ""))


@each_row(
    ("text", "secret"),
    [
        ("DB_PASSWORD=S3cr3t!x9", "S3cr3t!x9"),
        ('"client_secret": "9sJf-83ks_22kdPqLmZ"', "9sJf-83ks_22kdPqLmZ"),
        ("mysql -u root --password rootroot1", "rootroot1"),
        ("postgres://bob:s3cret@db/app", "s3cret"),
        ("IBAN ES91 2100 0418 4502 0005 1332", "ES91 2100 0418 4502 0005 1332"),
        ("my card is 4111 1111 1111 1111", "4111 1111 1111 1111"),
    ],
)
def test_what_has_the_form_or_the_place_of_a_secret_is_certain(text: str, secret: str) -> None:
    found = redact(text)

    assert secret not in found.whole
    assert found.suspected == ()


@each_row(
    ("text", "suspected"),
    [
        ("my wifi password is hunter2xyz", "hunter2xyz"),
        ("wifi at mum's: Bananaboat77", "Bananaboat77"),
        ("la clave de la alarma es 4821", "4821"),
        ("PIN: 4821", "4821"),
        ("the cabin password is tundra", "tundra"),
        ("la contraseña de la cabaña es abedul", "abedul"),
        ("the alarm code is 2012", "2012"),
        ("fr0gs!leap is my password", "fr0gs!leap"),
        ("here: Zk8sQw2eRt6yUi0pAb3dEf", "Zk8sQw2eRt6yUi0pAb3dEf"),
    ],
)
def test_what_may_be_something_else_is_kept_whole_and_told_masked(text: str, suspected: str) -> None:
    found = redact(text)

    assert found.whole == text
    assert found.suspected == (suspected,)
    assert suspected not in found.text
    assert redact(text, kept=lambda: {digest_of(suspected)}).text == text


@often
@given(mixtures, st.sampled_from(["", "ES"]))
def test_a_second_time_changes_nothing(text: str, region: str) -> None:
    once = redact(text, region=region)

    assert redact(once.text, region=region).text == once.text


@often
@given(any_text | mixtures | st.text(st.characters()))
def test_any_text_is_taken_and_unchanged_unless_something_is_found(text: str) -> None:
    found = redact(text)

    assert 0 <= found.share <= 1
    assert bool(found.kinds) == (found.whole != text) == (found.share > 0)
    assert bool(found.suspected) == (found.text != found.whole)


@often
@given(st.text("abc ñé日本\n.,"), st.text("xyz ñé日本\n.,"))
def test_the_length_of_what_surrounds_a_secret_is_kept(before: str, after: str) -> None:
    found = redact(f"{before} {made('gh' + 'p_', 36)} {after}").text

    assert found == f"{before} [redacted:api-key] {after}"


HOSTILE = {
    "one letter": "a",
    "labels": "password is ",
    "labels in one word": "password:",
    "labels and verbs": "la clave de la puerta de la casa del perro es ",
    "digits": "4",
    "groups of digits": "4444 ",
    "single digits": "4 ",
    "dashes": "- ",
    "beginnings": "-----BEGIN",
    "private keys": "-----BEGIN PRIVATE KEY-----",
    "JWTs": "eyJ",
    "dotted JWTs": "eyJaaaaaaaa.",
    "prefixes": "sk-",
    "quotes": "\"'`",
    "quotes after labels": "password: \"'",
    "plus signs": "+",
    "phones": "+34612345678 ",
    "almost phones": "+3 4 6 1 2 ",
    "addresses": "x://a:",
    "accounts": "ES91 ",
    "almost accounts": "ES9121000418450200051333 ",
    "assignments": "token=",
    "hashes": "0123456789abcdef0123456789abcdef-",
    "invisible": "pass\u200bword ",
    "other scripts": "密码是",
    "placeholders": "[redacted:card] ",
    "headings": "user | password\n",
    "rows": "a,password,b\n1,hunter2,3\n4,x\n",
    "one row of headings": "password,",
    "servers": "db:5432:a:b:",
    "seeds": "2fa JBSW Y3DP ",
    "words of a purse": "seed river ",
    "words with numbers": "1 river 2 seed ",
    "commands": "7z x -p openssl enc ",
    "prose": "El perro de la vecina come pan a las 10:30 y duerme. The dog is 12 years old. ",
}


@each_row("shape", every(12, [*HOSTILE.values()]))
def test_twice_the_text_takes_about_twice_the_time(shape: str) -> None:
    text = shape * ((1 << 15) // len(shape) + 1)

    assert grows_with_its_size(lambda size: redact(text[:size], region="ES"), 1 << 11)


def test_text_that_cannot_hold_a_secret_loads_nothing() -> None:
    program = (
        "import sys; from almario.text.redaction import redact;"
        "redact('Tiene un perro y vive en Madrid'); redact('born in 1999, has 3 cats');"
        "assert not {'re2', 'phonenumbers'} & set(sys.modules);"
        "redact('my password is hunter2'); assert not {'re2', 'numpy'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_name_of_many_parts_takes_no_time() -> None:
    started = process_time()

    redact("a_" * 31 + "1")

    assert process_time() - started < 0.5

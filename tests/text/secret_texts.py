"""Sentences with invented secrets; those a scanner of repositories would stop at are put together here."""

import random
import string
from collections.abc import Iterator
from typing import NamedTuple

WORDS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
SAFE = WORDS + "-_"


class Case(NamedTuple):
    """A text, the secret in it and its kind."""

    text: str
    secret: str
    kind: str


def made(prefix: str, length: int, letters: str = WORDS, *, seed: int = 0) -> str:
    """Make up a key with the form of a vendor's."""
    chosen = random.Random(f"{prefix}{length}{seed}")
    # The ends are letters and digits, so that no sign at an end is read as punctuation.
    inner = "".join(chosen.choice(letters) for _ in range(length - 3))
    return prefix + chosen.choice(string.ascii_lowercase if letters != HEX else "abc") + inner + "a7"


def uuid(seed: int = 0) -> str:
    return "-".join(made("", size, HEX, seed=seed) for size in (8, 4, 4, 4, 12))


def jwt() -> str:
    return ".".join([made("ey" + "J", 20, SAFE), made("ey" + "J", 60, SAFE), made("", 43, SAFE)])


# What keys of vendors begin with, and how many signs of which alphabet follow.
_PREFIXES = """
sk- 48; sk-proj- 120 safe; sk-ant-api03- 95 safe; sk-or-v1- 64 hex; AIza 35 safe; GOCSPX- 28 safe; ya29.
60 safe; ghp_ 36; gho_ 36; ghu_ 36; ghs_ 36; ghr_ 36; github_pat_ 82; glpat- 20; xoxb- 50; xoxp- 60;
xapp-1- 60; sk_live_ 24; rk_live_ 24; whsec_ 32; AC 32 hex; SK 32 hex; key- 32 hex; npm_ 36;
pypi-AgEIcHlwaS5vcmc 100 safe; hf_ 34; gsk_ 52; dop_v1_ 64 hex; abc8Q~ 34; dapi 32 hex; secret_ 43; ntn_
46; lin_api_ 40; sbp_ 40 hex; sb_secret_ 31; vcp_ 56; shpat_ 32 hex; figd_ 40; hvs. 90; dckr_pat_ 27;
pplx- 48; r8_ 37; glsa_ 41; lsv2_pt_ 40
"""
_ALPHABETS = {"words": WORDS, "hex": HEX, "safe": SAFE}


def _vendors() -> Iterator[str]:
    for row in _PREFIXES.split(";"):
        prefix, length, *alphabet = row.split()
        yield made(prefix, int(length), *map(_ALPHABETS.__getitem__, alphabet))


_VENDORS = [
    *_vendors(),
    "AK" + "IA" + "Q3EGRZT5WX2LMN7P",
    "AS" + "IA" + "Q3EGRZT5WX2LMN7P",
    made("S" + "G.", 22) + "." + made("", 43),
    "1234567890:" + made("AA", 33, SAFE),
    "MTIz" + made("", 20) + "." + made("", 6) + "." + made("", 38),
    made("PM" + "AK-", 24, HEX) + "-" + made("", 34, HEX),
    made("", 32, HEX) + "-us12",
]
_FRAMES = ["{}", "my key is {} ok?", "OPENAI_API_KEY={}", "Usa {}, por favor.", 'key = "{}"', "({})"]

_PASSWORDS = """
password={hunter2}
pwd={Ab12cd}
user=bob;Password={Str0ng};Server=x
DB_PASSWORD={letmein99}
mysql -u root --password {rootroot1}
postgres://bob:{s3cret}@db.example.com:5432/app
mysql://root:{toor}@localhost/x
https://ana:{p@ss}@example.com/path
redis://:{hunter2}@cache:6379/0
mongodb+srv://u:{abcDEF}@c.example.net
amqp://guest:{visitor}@mq
""".strip().splitlines()

_NUMBERS = """
card|my card is {4111 1111 1111 1111}
card|{4111111111111111}
card|Visa {4012-8888-8888-1881} exp 12/27
card|tarjeta {5555 5555 5555 4444}
card|{5105105105105100}
card|mastercard {2223003122003222}
card|amex {3782 822463 10005}
card|{371449635398431}
card|diners {30569309025904}
card|discover {6011 1111 1111 1117}
card|jcb {3530111333300000}
card|unionpay {6200000000000005}
card|ref 5000 {4111 1111 1111 1111}
card|{4111\u00a01111\u00a01111\u00a01111}
card|{４１１１１１１１１１１１１１１１}
iban|{ES91 2100 0418 4502 0005 1332}
iban|IBAN: {ES9121000418450200051332}.
iban|mi cuenta es {ES91-2100-0418-4502-0005-1332}, gracias
iban|{DE89 3704 0044 0532 0130 00} and more
iban|{GB29 NWBK 6016 1331 9268 19}
iban|{FR14 2004 1010 0505 0001 3M02 606} y luego
iban|{IT60 X054 2811 1010 0000 0123 456}
iban|{NL91 ABNA 0417 1643 00}
iban|{NO93 8601 1117 947}
iban|{MT84 MALT 0110 0001 2345 MTLC AST0 01S}
iban|{PT50 0002 0123 1234 5678 9015 4}
iban|{CH93 0076 2011 6238 5295 7}
iban|{es9121000418450200051332}
phone|call {+34 612 345 678} now
phone|{+34612345678}
phone|mi móvil: {+34 91 234 56 78}.
phone|{+1 (212) 555-0123} is my office, wait {+1 212 736 5000}
phone|{+44 20 7946 0958}
phone|{+49 30 901820}
phone|{+52 55 5093 0600}
phone|tel:{+33142685300}
phone|{+34\u00a0612\u00a0345\u00a0678}
phone|whatsapp ({+54 9 11 2345-6789})
""".strip().splitlines()


def _braced(line: str, kind: str) -> Case:
    start, end = line.rindex("{"), line.rindex("}", 0, len(line) if not line.endswith('"}') else -1)
    secret = line[start + 1 : end]
    return Case(line[:start] + secret + line[end + 1 :].replace("{", "").replace("}", ""), secret, kind)


def _labelled() -> list[Case]:
    aws, key, azure = made("", 40, WORDS + "/+"), made("", 32), made("", 86) + "=="
    each = [
        ("aws_secret_access_key = {}", aws, "secret"),
        ("AWS secret key: {}", aws, "secret"),
        ("AccountName=x;AccountKey={};EndpointSuffix=y", azure, "secret"),
        ('"api_key": "{}"', key, "secret"),
        ("apiKey: '{}'", key, "secret"),
        ("token: {}", key, "secret"),
        ("password reset token: {}", key, "secret"),
        ("my token is {}", key, "secret"),
        ("el token es {}", key, "secret"),
        ("la clave API es {}", key, "secret"),
        ("CLOUDFLARE_API_TOKEN={}", made("", 40, SAFE), "secret"),
        ("vercel token: {}", made("", 24), "secret"),
        ("client_secret={}&grant_type=x", key, "secret"),
        ("https://x.example/a?access_token={}&b=1", key, "secret"),
        ("https://x.example/a?api_key={}", key, "secret"),
        ("twilio auth token: {}", made("", 32, HEX), "secret"),
        ("SECRET_KEY_BASE={}", made("", 64, HEX), "secret"),
        ("SIGNING_KEY={}", key, "secret"),
        ("STRIPE_KEY: {}", key, "secret"),
        ("token: {}", uuid(), "secret"),
        ("webhook secret → {}", key, "secret"),
        ("Authorization: Bearer {}", key, "token"),
        ("curl -H 'Authorization: Bearer {}' x", made("", 40, SAFE), "token"),
        ("Authorization: Basic {}", made("", 24), "token"),
        ("https://hooks.slack.com/services/{}", "T0AB12CD3/B0EF45GH6/" + made("", 24), "token"),
        ("https://discord.com/api/webhooks/{}", "123456789012345678/" + made("", 60, SAFE), "token"),
        ("jwt {}", jwt(), "token"),
        ("Cookie: session={}; path=/", jwt(), "token"),
    ]
    return [Case(text.replace("{}", secret), secret, kind) for text, secret, kind in each]


def _private_keys() -> list[Case]:
    body = "\n".join(made("", 64, WORDS + "+/", seed=line) for line in range(4))
    cases = []
    for name in ("RSA ", "", "EC ", "OPENSSH ", "ENCRYPTED "):
        begin, end = f"-----BEGIN {name}PRIVATE" + " KEY-----", f"-----END {name}PRIVATE KEY-----"
        cases.append(Case(f"key:\n{begin}\n{body}\n{end}\nthanks", f"{begin}\n{body}\n{end}", "private-key"))
        cases.append(Case(f"key:\n{begin}\n{body}", body, "private-key"))
    one_line = body.replace("\n", "\\n")
    cases.append(Case(f'"{begin}\\n{one_line}\\n{end}\\n"', one_line, "private-key"))
    return cases


def _unicode() -> list[Case]:
    key = made("gh" + "p_", 36)
    hidden = key[:10] + "\u200b" + key[10:20] + "\u00ad" + key[20:]
    return [
        Case(f"la llave {hidden} está aquí", hidden, "api-key"),
        Case("mi contrasen\u0303a es perro123", "perro123", "password"),
        Case("la contraseña es “perro123”", "perro123", "password"),
        Case("contraseña: пароль77", "пароль77", "password"),
        Case("ｐａｓｓｗｏｒｄ： ｈｕｎｔｅｒ２", "ｈｕｎｔｅｒ２", "password"),
        Case("password:\u00a0hunter2", "hunter2", "password"),
    ]


SECRETS = [
    *(
        Case(_FRAMES[place % len(_FRAMES)].replace("{}", key), key, "api-key")
        for place, key in enumerate(_VENDORS)
    ),
    *(_braced(line, "password") for line in _PASSWORDS),
    *(_braced(line.partition("|")[2], line.partition("|")[0]) for line in _NUMBERS),
    *_labelled(),
    *_private_keys(),
    *_unicode(),
]

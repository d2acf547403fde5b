"""`python -m benchmarks.fit_secrets`: fit the weights of `text/secrets/scorer.py` to `secrets/`.

The same sentences make the same bytes. `--check` writes nothing: a fifth of the sentences is kept out, by a
hash of each, and it prints how many of that fifth's secrets are found and how many innocent ones are touched.
`--writers` does so with all that each of the last writers wrote, for several lines.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import re
import string
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zlib import crc32

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
from numpy.typing import NDArray

import almario
from almario.adapters.embedders.local import LocalEmbedder
from almario.adapters.encoder import model_files
from almario.adapters.encoder.model_files import _fields as fields
from almario.text.redaction import ROUNDS, _merged, _spans_of_message, redact
from almario.text.secrets import scorer
from almario.text.secrets.detectors import found
from almario.text.secrets.patterns import MASK, flat
from almario.text.secrets.scorer import (
    AFTER,
    BEFORE,
    COMMON,
    FORMS,
    HEAD,
    INPUTS,
    JUDGES,
    NEAR_AFTER,
    NEAR_BEFORE,
    NUMBERS,
    PLACES,
    SHORT,
    STANDING,
    WEIGHTS,
    Candidate,
    Text,
    hash_of,
    readable,
    spellings,
)
from almario.text.tongues import language_of

FOLDER = Path(__file__).parent / "secrets"
# What people say in which there is no secret.
EVERYDAY = FOLDER / "everyday.txt"
STARTER = Path(almario.__file__).parent / "becoming" / "starter"
# Those who wrote last, each without having seen anything.
WRITERS = ("writer_a", "writer_b", "writer_c", "writer_d")
# How often a frame is filled (one for plain words so much more often), a sentence's secret is changed, and a
# name is given a value; of the sentences in other folders one in so many is read.
FILLED, PLAIN, OTHERS, PAIRED, ONE_IN = 3, 4, 3, 5, 3
# How often all is read, how many at once, at which pace, and how many inputs are left out at random.
OFTEN, AT_ONCE, PACE, PACE_OF_NETWORK, RIDGE, LEFT_OUT = 6, 1024, 0.08, 3e-3, 2e-6, 0.2
# The odds from which on something is taken for a secret.
LINE = -0.5
LINES = (-1.0, -0.75, LINE, -0.25, 0.0)
# Of so many words the numbers are kept; they are made of so many of the encoder's.
KEPT, MEANT = 18_000, 96
# A word that so many sentences have, and no secret, is never one by itself.
COMMON_FROM = 12
FILLERS: dict[str, Any] = json.loads((FOLDER / "words.json").read_text("utf-8"))
WORDS: list[str]
_SEEDS: list[str]
_FIRST: list[str]
WORDS, _SEEDS, _FIRST = FILLERS["word"], FILLERS["seeds"], FILLERS["first"]
Floats = NDArray[np.floating[Any]]


class Sentence(NamedTuple):
    text: str
    secrets: tuple[str, ...]
    # What decides whether it is kept out: its frame, if it has one; and who wrote it.
    source: str
    writer: str = ""
    # Which of its secrets has been found already, from 1 on.
    known: int = 0


def sentences() -> Iterator[Sentence]:
    """Yield all sentences: those that are written out, and the frames with something put in."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield from _written(json.loads(line), path.stem)
    for text in EVERYDAY.read_text("utf-8").splitlines():
        yield Sentence(text, (), text)
    for path in sorted(FOLDER.parent.glob("harm/*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            for text in _texts(json.loads(line)):
                # Whoever named a secret there may have told it.
                is_told = path.stem != "everyday" and any(word.name for word in Text(text).words)
                if not is_told and crc32(text.encode()) % ONE_IN == 0:
                    yield Sentence(text, (), text)
    yield from _pairs()
    for path in sorted(STARTER.glob("*/*.md")):
        for part in (text := path.read_text("utf-8"), *text.split("\n\n")):
            yield Sentence(part, (), part)
    yield from (Sentence(text, (), text, "own") for text in own_texts() if is_fitted(text))
    for path in sorted(FOLDER.glob("frames_*.txt")):
        for frame in path.read_text("utf-8").splitlines():
            for number in range(FILLED * (PLAIN if "{word}" in frame else 1)):
                yield _filled(frame, random.Random(f"{frame} {number}"))


def _written(row: dict[str, Any], writer: str) -> Iterator[Sentence]:
    """Yield a sentence as it was written, with other secrets or numbers, and as it stands in a file."""
    one = Sentence(row["text"], tuple(row.get("secret", ())), row["text"], writer)
    yield one
    language = row.get("lang") or language_of(one.text)
    for number in range(OTHERS if one.secrets else any(map(str.isdigit, one.text))):
        other = _with_others(one, language, random.Random(f"{one.text} {number}"))
        yield other
        if number == 0:
            yield other._replace(text=random.Random(one.text).choice(_IN_FILES).format(other.text))
        if len(other.secrets) > 1:
            yield from (other._replace(known=nth) for nth in range(1, len(other.secrets) + 1))


# How a sentence stands in a file.
_IN_FILES = (
    "## Notes\n\n- {}\n\n<!-- almario 12 2026-03-14 -->\n",
    "# Memory Log: 2026-03-14\n\n- [13:30] {}\n",
    "## Tea\n\n- yes\n\n## Notes\n\n- {}\n- Lives in Leeds\n",
    "# Soul\n\n{}\n",
    "- [09:12] {}\n- [09:40] back home",
)


def _pairs() -> Iterator[Sentence]:
    """Yield the same said of what is secret and of what is not: only its name tells them apart."""
    for language, pairs in json.loads((FOLDER / "pairs.json").read_text("utf-8")).items():
        for kind in ("secret", "innocent"):
            for name, number in product(pairs[kind], range(PAIRED * (2 if kind == "secret" else 1))):
                chosen = random.Random(f"{language} {name} {number}")
                value = chosen.choice(VALUES)
                made = value(chosen) if callable(value) else _like(value, language, chosen)
                text = chosen.choice(pairs["said"]).replace("N", name).replace("V", made)
                text = text.lower() if chosen.random() < 0.3 and made.islower() else text
                yield Sentence(text, (made,) if kind == "secret" else (), f"{language} {name}")


def own_texts() -> Iterator[str]:
    """Yield the paragraphs of our docs and the texts and comments of our code that speak of no secret.

    Half of them are fitted as innocent, by a hash; the other half measures.
    """
    root = FOLDER.parent.parent
    texts = [
        part for path in sorted(root.glob("docs/**/*.md")) for part in path.read_text("utf-8").split("\n\n")
    ]
    for path in sorted(root.glob("src/**/*.py")):
        code = path.read_text("utf-8")
        texts += (
            each.value
            for each in ast.walk(ast.parse(code))
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
        )
        texts += re.findall(r"(?m)^ *# (.+)$", code)
    for path in sorted(root.glob("src/**/messages*.json")):
        texts += json.loads(path.read_text("utf-8")).values()
    yield from (
        each.strip() for each in dict.fromkeys(texts) if " " in each.strip() and "secret" not in each.lower()
    )


def is_fitted(text: str) -> bool:
    return crc32(text.encode("utf-8", "surrogatepass")) % 2 == 0


def _texts(value: Any) -> Iterator[str]:
    """Yield the sentences in a row of another file, which are innocent unless `secret.jsonl` has them."""
    if isinstance(value, str):
        yield from [value] if " " in value else []
    else:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for each in inner:
            yield from _texts(each)


def _with_others(one: Sentence, language: str, chosen: random.Random) -> Sentence:
    """Return a sentence with other secrets, or other numbers, so that none of them is learned by heart."""
    if not one.secrets:
        text = re.sub(r"(?<!\d)(?!19|20)\d{2,}", lambda found: _digits(len(found[0]), chosen), one.text)
        if language in SAID and language != "ja":
            text = re.sub(r"(?<=\s)[2-9](?=\s\w)", lambda found: SAID[language][int(found[0])], text)
        return one._replace(text=text)
    text, made = one.text, []
    for secret in one.secrets:
        other = _like(secret, language, chosen)
        text = text.replace(secret, other)
        made.append(other)
    return one._replace(text=text, secrets=tuple(made))


# The digits as they are said.
SAID: dict[str, list[str]] = {
    "en": "zero one two three four five six seven eight nine".split(),
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve".split(),
    "pt": "zero um dois três quatro cinco seis sete oito nove".split(),
    "fr": "zéro un deux trois quatre cinq six sept huit neuf".split(),
    "de": "null eins zwei drei vier fünf sechs sieben acht neun".split(),
    "it": "zero uno due tre quattro cinque sei sette otto nove".split(),
    "ja": "ゼロ いち に さん よん ご ろく なな はち きゅう".split(),
}
_DIGIT_WORDS = {word for words in SAID.values() for word in words}


@cache
def _said(language: str) -> list[list[str]]:
    """Return the words of innocent sentences in a language; in any, if nobody wrote some in it."""
    found = []
    for path in sorted(FOLDER.glob("writer_*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            if row["label"] == "innocent" and language in ("", row["lang"]):
                found += [
                    words
                    for part in re.findall(r"[^\W\d_]+(?:['’ ][^\W\d_]+)*", row["text"])
                    if len(words := part.split()) > 1
                ]
    return found or _said("")


def _word_of(language: str, chosen: random.Random) -> str:
    """Return a word that could be a secret by itself: a short one could not."""
    words = [word for word in chosen.choice(_said(language)) if len(word) > 3]
    return chosen.choice(words or WORDS).lower()


def _phrase_of(language: str, sizes: Sequence[int], chosen: random.Random) -> str:
    """Return some words as somebody said them, or any words."""
    size = chosen.choice(sizes)
    if language == "ja" or chosen.random() < 0.4:
        return " ".join(_word_of(language, chosen) for _ in range(size))
    words = chosen.choice([each for each in _said(language) if len(each) >= size])
    start = chosen.randint(0, len(words) - size)
    return " ".join(words[start : start + size])


def _like(secret: str, language: str, chosen: random.Random) -> str:
    """Return something that could be in the place of a secret."""
    words, drawn = secret.lower().split(), chosen.random()
    other = secret
    if len(words) > 2 and _DIGIT_WORDS.issuperset(words) and language in SAID:
        said = [chosen.choice(SAID[language]) for _ in range(chosen.choice([3, 4, 4, 5, 6]))]
        other = " ".join(said) if drawn < 0.7 else ", ".join(said)
    elif secret.isdigit() and len(secret) < 9:
        other = _like_digits(secret, language, drawn, chosen)
    elif " " in secret and all(each.isalpha() for each in words) and secret.isascii():
        if len(words) > 8:
            other = " ".join(chosen.choice(WORDS) for _ in words)
        elif drawn < 0.8:
            other = _phrase_of(language, [len(words), 2, 3, 4, 5], chosen)
    elif secret.isalpha() and secret.isascii():
        word = chosen.choice(WORDS) if drawn < 0.2 else _word_of(language, chosen)
        if drawn < 0.65:
            glued = word + chosen.choice(WORDS) if drawn >= 0.5 else word
            other = glued if secret.islower() else glued.title()
        elif drawn < 0.85:
            other = _phrase_of(language, [2, 2, 3, 4], chosen)
    elif " " not in secret and secret.isascii():
        is_mixed = any(map(str.isalpha, secret)) and any(map(str.isdigit, secret))
        is_typed = 6 < len(secret) < 16 and is_mixed and drawn < 0.5
        other = _password(chosen) if is_typed else "".join(_like_sign(each, chosen) for each in secret)
    return other


def _like_digits(secret: str, language: str, drawn: float, chosen: random.Random) -> str:
    digits = "".join(chosen.choice(string.digits) for _ in secret)
    half = len(digits) // 2
    if drawn < 0.5:
        return digits
    if drawn < 0.65:
        return chosen.choice("ABCZ#*") + digits if drawn < 0.58 else digits + chosen.choice("#*AB")
    if drawn < 0.85 and language in SAID:
        return " ".join(SAID[language][int(each)] for each in digits)
    return chosen.choice([f"{digits[:half]} {digits[half:]}", "-".join(digits), " ".join(digits), digits])


def _like_sign(sign: str, chosen: random.Random) -> str:
    kinds = (
        (str.isdigit, string.digits),
        (str.islower, string.ascii_lowercase),
        (str.isupper, string.ascii_uppercase),
    )
    return next((chosen.choice(letters) for is_kind, letters in kinds if is_kind(sign)), sign)


def _digits(size: int, chosen: random.Random) -> str:
    return str(chosen.randint(1, 9)) + "".join(chosen.choice(string.digits) for _ in range(size - 1))


def _password(chosen: random.Random) -> str:
    """Make up a password as people do."""
    word, other = (chosen.choice([*WORDS, *map(str.lower, _FIRST)]) for _ in range(2))
    word = chosen.choice([word, word.title(), word.title(), word.upper() if chosen.random() < 0.3 else word])
    if chosen.random() < 0.2:
        word = (
            word.translate(str.maketrans("aeio", "4310"))
            if chosen.random() < 0.6
            else word.replace("a", "@", 1)
        )
    number = chosen.choice(
        [
            _digits(1, chosen),
            _digits(2, chosen),
            _digits(2, chosen),
            _digits(3, chosen),
            _digits(4, chosen),
            str(chosen.randint(1950, 2026)),
        ]
    )
    sign = chosen.choice("!!_.-#$%&*@?+")
    letters = string.ascii_letters + string.digits
    random_one = "".join(chosen.choice(letters + "!#$%&*-_") for _ in range(chosen.randint(7, 16)))
    return chosen.choice(
        [
            word + number,
            word + number,
            word + number + sign,
            word + sign + number,
            word + sign + other + number,
            word + other.title() + number,
            word + other.title(),
            number + word,
            word + number + other,
            word[:4] + number + sign + other[:4],
            word + "_" + other,
            word + "-" + other + "-" + number,
            word + "." + other + number,
            sign + word + number,
            word + sign,
            random_one,
            random_one,
            "".join(chosen.choice(letters) for _ in range(chosen.randint(8, 14))) + "7a",
            "".join(
                chosen.choice(string.ascii_uppercase + string.digits)
                for _ in range(chosen.choice([8, 10, 12, 16]))
            )
            + "4",
            word[:3] + number + sign + sign,
            word.lower() + other,
            _digits(chosen.choice([8, 10, 20]), chosen),
        ]
    )


def _key(chosen: random.Random) -> str:
    letters = chosen.choice(
        [
            string.ascii_letters + string.digits,
            "0123456789abcdef",
            string.ascii_lowercase + string.digits,
            string.ascii_letters + string.digits + "-_",
        ]
    )
    size = chosen.choice([12, 16, 20, 24, 32, 40])
    return (
        chosen.choice(["", "", "live_", "key-", "tok_", "pk-"])
        + "".join(chosen.choice(letters) for _ in range(size - 2))
        + "3b"
    )


def _pin(chosen: random.Random) -> str:
    size = chosen.choice([4, 4, 4, 4, 5, 6, 6, 3, 8])
    if size == 4 and chosen.random() < 0.15:
        return str(chosen.randint(1940, 2026))
    return (
        chosen.choice(string.digits) + _digits(size - 1, chosen) + chosen.choice([""] * 9 + ["#", "*", "B"])
    )


def _combo(chosen: random.Random) -> str:
    pairs = [str(chosen.randint(1, 60)) for _ in range(chosen.choice([3, 3, 4]))]
    return chosen.choice(
        [
            "-".join(pairs),
            "-".join(pairs),
            " ".join(pairs),
            _digits(3, chosen),
            _digits(4, chosen),
            _pin(chosen),
            "-".join(_digits(4, chosen)),
        ]
    )


def _phrase(chosen: random.Random) -> str:
    return chosen.choice([" ", " ", "-", " "]).join(
        chosen.choice([*WORDS, *_SEEDS]) for _ in range(chosen.choice([3, 4, 4, 5]))
    )


def _date(chosen: random.Random) -> str:
    day, month, year = chosen.randint(1, 28), chosen.randint(1, 12), chosen.randint(1998, 2029)
    return chosen.choice(
        [
            f"{day}/{month}/{year}",
            f"{day:02}.{month:02}.{year}",
            f"{year}-{month:02}-{day:02}",
            f"{day} {FILLERS['month'][month - 1]}",
            f"{FILLERS['month'][month - 1]} {day}, {year}",
            f"{day} de {FILLERS['mes'][month - 1]}",
            f"{day}/{month}",
        ]
    )


def _drawn(pattern: str, chosen: random.Random) -> str:
    """Return *pattern* with a letter for each A or a and a digit for each 0."""
    kinds = {
        "A": string.ascii_uppercase,
        "a": string.ascii_lowercase,
        "0": string.digits,
        "h": "0123456789abcdef",
    }
    return "".join(chosen.choice(kinds.get(each, each)) for each in pattern)


# What passwords are hashed with; and how telephones are written.
_ALGORITHMS = """
argon2 argon2id bcrypt scrypt pbkdf2 PBKDF2 sha256 SHA-256 sha512 SHA-512 sha1 md5 MD5 blake2b blake3 HS256
""".split()
_TELEPHONES = (
    "600 000 000;600 00 00 00;600000000;910 000 000;07000 000000;020 7000 0000;0131 000 0000;(500) 000-0000;"
    "500-000-0000;06 00 00 00 00;0170 0000000;333 000 0000"
)


def _any_of(*patterns: str) -> Any:
    return lambda chosen: _drawn(chosen.choice(patterns), chosen)


FILLERS |= {
    "pw": _password,
    "nick": lambda chosen: (
        chosen.choice([*WORDS, *map(str.lower, _FIRST)]) + _digits(chosen.choice([1, 2, 3, 4]), chosen)
    ),
    "phrase": _phrase,
    "pin": _pin,
    "puk": partial(_digits, 8),
    "cvv": lambda chosen: _digits(chosen.choice([3, 3, 3, 4]), chosen),
    "otp": lambda chosen: chosen.choice(
        [
            _digits(6, chosen),
            _digits(6, chosen),
            f"{_digits(3, chosen)} {_digits(3, chosen)}",
            f"{_digits(3, chosen)}-{_digits(3, chosen)}",
            _digits(4, chosen),
            _digits(8, chosen),
            "G-" + _digits(6, chosen),
        ]
    ),
    "combo": _combo,
    "rec": _any_of("hhhh-hhhh", "0000 0000", "hhhhh-hhhhh", "aaaa-0000-aa0a", "AA0A-00AA-A0A0", "00000000"),
    "lic": _any_of("AAA0A-0AAAA-A00AA-AA0AA", "A0AA-00AA-AAA0-A0A0"),
    "key": _key,
    "mixed": lambda chosen: "".join(
        chosen.choice(string.ascii_letters + string.digits) for _ in range(chosen.choice([20, 24, 32, 40]))
    ),
    "seed": lambda chosen: " ".join(chosen.choice(_SEEDS) for _ in range(chosen.choice([12, 12, 24]))),
    "answer": lambda chosen: chosen.choice(
        [
            *_FIRST,
            "Rover",
            "Sir Wigglesworth",
            "Colegio San Viator",
            "Pemberton",
            "Lilac Street",
            "Volkswagen Golf",
        ]
    ),
    "year": lambda chosen: str(chosen.randint(1940, 2035)),
    "time": lambda chosen: chosen.choice(
        [
            f"{chosen.randint(0, 23)}:{chosen.randint(0, 59):02}",
            f"{chosen.randint(1, 12)}",
            f"{chosen.randint(1, 12)}pm",
            f"{chosen.randint(7, 23):02}{chosen.choice(['00', '15', '30', '45'])}",
            f"{chosen.randint(0, 23)}h{chosen.randint(10, 59)}",
        ]
    ),
    "date": _date,
    "price": lambda chosen: chosen.choice(
        ["{0} €", "{0}€", "${0}", "£{0}", "{0} euros", "{0},50 €", "{0}.99", "{0} dollars", "€{0}", "1.{0} €"]
    ).format(_digits(chosen.choice([2, 3]), chosen)),
    "ref": _any_of(
        "AA0A0A",
        "A0AA0A",
        "AAAAAA",
        "0A0AAA",
        "AAA000",
        "000-AA-000",
        "A00000",
        "AA-0000",
        "0000-0000",
        "AA00 0AA",
        "000000",
    ),
    "track": _any_of("0A000AA00000000000", "AA000000000AA", "AA0A0000000000000", "000000000000"),
    "flight": _any_of("AA0000", "AA000", "A00000", "AA 0000"),
    "gate": _any_of("A00", "A0", "00"),
    "seat": _any_of("00A", "0A"),
    "plate": _any_of("0000 AAA", "AA00 AAA", "AA-000-AA", "0000AAA", "AAA-0000", "AA 000 AA"),
    "version": _any_of("0.0.0", "0.00", "v0.0.0", "0.0.0-rc0", "00.0"),
    "hash": _any_of("hhhhhhh", "hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh"),
    "hex6": _any_of("hhhhhh"),
    "algo": lambda chosen: chosen.choice(_ALGORITHMS),
    "tel": _any_of(*_TELEPHONES.split(";")),
    "serial": _any_of("AA0A00000AA", "A000A0A00000", "00AA000000", "AAA0000AAAA0"),
    **{f"n{size}": partial(_digits, size) for size in (1, 2, 3, 4, 5, 6, 7, 13)},
}


def _everyday_words() -> list[str]:
    """Return the words of innocent sentences that are in no frame of a secret: anything may be called so."""
    told = (FOLDER / "frames_secret.txt").read_text("utf-8").lower()
    names = " ".join(
        str(FILLERS[each]) for each in ("place", "sitio", "lugar", "lieu", "ort", "posto", "card", "svc")
    )
    taken = set(re.findall(r"\w+", told + names.lower()))
    found: dict[str, None] = {}
    for path in (EVERYDAY, FOLDER.parent / "harm/everyday.jsonl", FOLDER.parent / "harm/pairs.jsonl"):
        text = path.read_text("utf-8")
        found |= dict.fromkeys(re.findall(r"(?<![\w'-])[a-záéíóúñü]{4,12}(?![\w'-])", text))
    return sorted(set(found) - taken)


FILLERS["any"] = _everyday_words()


# How a line of a log or a list begins.
_BEGINNINGS = ("- [<time>] ", "[<date>] ", "- ", "* ", "<date> <time> ", "<date>: ", "ok, ", "## <any>\n")


def _filled(frame: str, chosen: random.Random) -> Sentence:
    secrets: list[str] = []

    def put(match: re.Match[str]) -> str:
        slot = FILLERS[match[0][1:-1]]
        value: str = slot(chosen) if callable(slot) else chosen.choice(slot)
        if match[0][0] == "{":
            secrets.append(value)
        return value

    text = re.sub(r"\{[a-z]+\}|<[a-z0-9]+>", put, frame)
    if chosen.random() < 0.15:
        text = re.sub(r"<[a-z0-9]+>", put, chosen.choice(_BEGINNINGS)) + text
    begun = chosen.random()
    if begun < 0.25:
        text = text[:1].upper() + text[1:]
    elif begun < 0.32 and frame.isascii():
        text = text.replace("wifi", "Wi-Fi")
    text += chosen.choice(["", "", "", ".", "", "!", ", ok?", " thanks", "\nand buy milk"])
    return Sentence(text, tuple(secrets), frame)


# What both a secret and something else may be.
VALUES: list[Any] = [
    *(_pin, _pin, _password, _combo, partial(_digits, 3), partial(_digits, 2)),
    *(FILLERS[each] for each in ("nick", "nick", "ref", "serial")),
    *("word", "word", "Word", "two words", "more than two", "4711"),
]


class Seen(NamedTuple):
    """A sentence as the scorer gets it, with its candidates: what is seen of each, whether it is a secret."""

    sentence: Sentence
    # Each with the places of its features, its form, the words before and after it and its own.
    candidates: list[tuple[list[int], int, list[str]]]
    labels: list[bool | None]
    # Whether it has a secret that does not show by its form.
    is_wanted: bool


def masked(text: str) -> bytes:
    """Return a text without what shows by its form."""
    raw, _ = flat(text)
    for _ in range(ROUNDS):
        spans = list(found(raw, ""))
        new = _merged([span for span in spans if span.is_sure] or spans)
        if not new:
            break
        for start, end, *_ in new:
            raw = raw[:start] + MASK * (end - start) + raw[end:]
    return raw


def seen(sentence: Sentence) -> Iterator[Seen]:
    text, at = sentence.text, flat(sentence.text)[1]
    raw = masked(text)
    spans: list[tuple[int, int, int]] = []
    for nth, secret in enumerate(sentence.secrets, 1):
        for match in re.finditer(re.escape(secret), text):
            start, end = bisect_left(at, match.start()), bisect_left(at, match.end())
            if nth == sentence.known:
                raw = raw[:start] + MASK * (end - start) + raw[end:]
            elif MASK not in raw[start:end]:
                spans.append((start, end, nth))
    whole = readable(raw, text if len(raw) == len(text) else "".join(map(text.__getitem__, at)))
    is_long = len(whole) > SHORT
    for begin, stop in scorer.regions(whole) if is_long else [(0, len(whole))]:
        part = Text(whole[begin:stop])
        near = [(start - begin, end - begin, nth) for start, end, nth in spans]
        candidates, labels = [], []
        for one in part.candidates():
            value = part.text[one.start : one.end]
            if is_long and value.replace(" ", "").isalpha() and not part.is_named(one):
                continue
            first, after = part.inside(one)
            words = [""] * (BEFORE + AFTER + 1)
            before = [word.low for word in reversed(part.words[max(0, first - BEFORE) : first])]
            follow = [word.low for word in part.words[after : after + AFTER]]
            words[: len(before)], words[BEFORE : BEFORE + len(follow)] = before, follow
            if one.sort == "token":
                words[-1] = part.words[first].low
            form, places = part.seen(one)
            candidates.append((sorted(places), form, words))
            labels.append(_label(part.text, one, near))
        yield Seen(sentence, candidates, labels, bool(spans))


def _label(text: str, one: Candidate, spans: Sequence[tuple[int, int, int]]) -> bool | None:
    """Return whether a candidate is a secret; None if it is part of one, or has more in it."""
    for start, end, _ in spans:
        inside = min(end, one.end) - max(start, one.start)
        if inside > 0:
            is_piece = one.sort == "token" and inside < (end - start) * (
                1 if " " in text[start:end] and text[one.start : one.end].isalpha() else 0.5
            )
            return True if inside >= 0.75 * (one.end - one.start) and not is_piece else None
    return False


# A whole word, or some of a script that puts no spaces between words.
_PIECE = re.compile(
    r"\u2581(?:[A-Za-z\u00c0-\u017f]{2,}|[\u0400-\u04ff]{2,})"
    r"|\u2581?(?:[\u30a0-\u30ff]{2,}|[\u3040-\u309f]{2,}|[\u4e00-\u9fff]{2,}|[\uac00-\ud7af]{2,})"
)


class Vocabulary(NamedTuple):
    """Words with what the encoder makes of each; the first row is for none, then what is no word."""

    places: dict[str, int]
    meant: Floats

    def row(self, low: str) -> int:
        return next((self.places[each] for each in spellings(low) if each in self.places), 0) if low else 0


def vocabulary(every: Sequence[Seen]) -> Vocabulary:
    """Return the words of the sentences, and the commonest among the encoder's pieces, with their numbers."""
    said = Counter(word for row in every for word in set(re.findall(r"[^\W\d_]{2,24}", row.sentence.text)))
    called = {_plain(each): each for each, often in said.items() if often > 1}
    content = (model_files.FOLDER / model_files.VOCABULARY[0]).read_bytes()
    for field, piece in fields(content):  # the commonest first
        word = dict(fields(piece))[1].decode() if field == 1 else ""
        if len(called) < KEPT - len(STANDING) and _PIECE.fullmatch(word):
            called.setdefault(_plain(word.lstrip("\u2581")), word.lstrip("\u2581"))
    known = sorted(called)
    vectors = np.asarray(LocalEmbedder().embed([called[each].lower() for each in known]), np.float64)
    vectors -= vectors.mean(axis=0)
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    meant = vectors @ axes[:, -MEANT:]
    meant /= np.linalg.norm(meant, axis=1, keepdims=True)
    rows = np.zeros((1 + len(STANDING) + len(known), MEANT + len(STANDING)), np.float32)
    rows[1 : 1 + len(STANDING), MEANT:] = np.eye(len(STANDING))
    rows[1 + len(STANDING) :, :MEANT] = meant
    return Vocabulary({each: place for place, each in enumerate((*STANDING, *known), 1)}, rows)


def _plain(word: str) -> str:
    """Return a word as the scorer reads it."""
    raw = flat(word)[0]
    return readable(raw, word).lower() if len(raw) == len(word) else word


class Candidates(NamedTuple):
    """The candidates of many sentences, as arrays."""

    column: NDArray[np.int32]
    starts: NDArray[np.int64]
    forms: NDArray[np.int64]
    words: NDArray[np.int32]
    labels: Floats
    worth: Floats

    def some(self, chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return for each feature of the chosen ones which of them has it, and its place."""
        sizes = self.starts[chosen + 1] - self.starts[chosen]
        before = np.repeat(np.cumsum(sizes) - sizes - self.starts[chosen], sizes)
        return np.repeat(np.arange(len(chosen)), sizes), self.column[np.arange(sizes.sum()) - before]


def candidates_of(rows: Sequence[Seen], known: Vocabulary) -> Candidates:
    kept = [
        (*one, label, 3.0 if row.sentence.text == row.sentence.source else 1.0)
        for row in rows
        for one, label in zip(row.candidates, row.labels, strict=True)
        if label is not None
    ]
    return Candidates(
        np.concatenate([np.array(places, np.int32) for places, *_ in kept]),
        np.cumsum([0, *(len(places) for places, *_ in kept)]),
        np.array([form for _, form, *_ in kept]),
        np.array([[known.row(word) for word in words] for *_, words, _, _ in kept], np.int32),
        np.array([label for *_, label, _ in kept], np.float32),
        np.array([count for *_, count in kept], np.float32) / np.mean([count for *_, count in kept]),
    )


class Fitted(NamedTuple):
    """What the fit makes: a weight of each place and the base, and the network."""

    places: Floats
    meaning: Floats
    judges: Floats
    forms: Floats
    says: Floats


_SIDES = (slice(0, BEFORE), slice(BEFORE, BEFORE + AFTER))
_NEAR = (*range(NEAR_BEFORE), *range(BEFORE, BEFORE + NEAR_AFTER), BEFORE + AFTER)


def _pooled(numbers: Floats, words: NDArray[np.int32]) -> tuple[Floats, list[Any], list[Floats]]:
    """Return what the network reads of words' numbers, as `Text` makes it, and how it came about."""
    best = [numbers[:, side].argmax(axis=1) for side in _SIDES]
    most = [
        np.maximum(np.take_along_axis(numbers[:, side], place[:, None], 1)[:, 0], 0)
        for side, place in zip(_SIDES, best, strict=True)
    ]
    share = [
        (1 / np.sqrt(1 + (words[:, side] > 0).sum(axis=1)))[:, None].astype(np.float32) for side in _SIDES
    ]
    sums = [numbers[:, side].sum(axis=1) * each for side, each in zip(_SIDES, share, strict=True)]
    return np.concatenate([*(numbers[:, place] for place in _NEAR), *most, *sums], axis=1), best, share


def _unpooled(
    slope: Floats, numbers: Floats, words: NDArray[np.int32], best: list[Any], share: list[Floats]
) -> Floats:
    """Return the slope of words' numbers from that of what the network read."""
    parts = np.split(slope, INPUTS // NUMBERS, axis=1)
    found_slope = np.zeros_like(numbers)
    for place, part in zip(_NEAR, parts, strict=False):
        found_slope[:, place] += part
    row, number = np.arange(len(slope))[:, None], np.arange(NUMBERS)[None]
    for side, place, each, most, total in zip(_SIDES, best, share, parts[-4:-2], parts[-2:], strict=True):
        found_slope[:, side] += (total * each)[:, None]
        is_most = numbers[row, place + side.start, number] > 0
        found_slope[row, place + side.start, number] += most * is_most
    found_slope[words == 0] = 0
    return found_slope


def fitted(rows: Sequence[Seen], known: Vocabulary) -> Fitted:
    """Fit the weights of places by Adagrad and the network by Adam, together."""
    every, chance = candidates_of(rows, known), np.random.default_rng(0)
    size = len(every.labels)
    weights, square = np.zeros(PLACES + 1), np.full(PLACES + 1, 1e-8)
    slope: Floats
    shapes = ((known.meant.shape[1], NUMBERS), (INPUTS, JUDGES), (FORMS, JUDGES), (JUDGES,))
    spread = (0.25, INPUTS**-0.5, 0.1, 0.2)
    network = [
        chance.normal(0, each, shape).astype(np.float32) for each, shape in zip(spread, shapes, strict=True)
    ]
    means, squares = [np.zeros_like(each) for each in network], [np.zeros_like(each) for each in network]
    steps, step = OFTEN * -(-size // AT_ONCE), 0
    for _ in range(OFTEN):
        order = chance.permutation(size)
        for start in range(0, size, AT_ONCE):
            chosen, step = order[start : start + AT_ONCE], step + 1
            meaning, judges, forms, says = network
            words, form = every.words[chosen], every.forms[chosen]
            read = known.meant[words]
            numbers = read @ meaning
            layer, best, share = _pooled(numbers, words)
            kept = ((chance.random(layer.shape) > LEFT_OUT) / (1 - LEFT_OUT)).astype(np.float32)
            layer = layer * kept
            hidden = np.maximum(layer @ judges + forms[form], 0)
            row, column = every.some(chosen)
            odds = np.bincount(row, weights[column], len(chosen)) + weights[PLACES] + hidden @ says
            wrong = 1 / (1 + np.exp(-np.clip(odds, -30, 30))) - every.labels[chosen]
            wrong = (wrong * every.worth[chosen] / len(chosen)).astype(np.float32)

            slope = np.bincount(column, wrong[row], PLACES + 1).astype(np.float64)
            slope[:PLACES] += RIDGE * weights[:PLACES]
            slope[PLACES] = wrong.sum()
            square += slope**2
            left = 1 - step / (steps + 1)
            weights -= PACE * left * slope / np.sqrt(square)

            inner = wrong[:, None] * says * (hidden > 0)
            of_forms = np.zeros_like(forms)
            np.add.at(of_forms, form, inner)
            back = _unpooled((inner @ judges.T) * kept, numbers, words, best, share)
            of_meaning = read.reshape(-1, read.shape[2]).T @ back.reshape(-1, NUMBERS)
            for nth, each in enumerate((of_meaning, layer.T @ inner, of_forms, hidden.T @ wrong)):
                means[nth] = 0.9 * means[nth] + 0.1 * each
                squares[nth] = 0.999 * squares[nth] + 0.001 * each**2
                pace = PACE_OF_NETWORK * left / (1 - 0.9**step)
                network[nth] -= pace * means[nth] / (np.sqrt(squares[nth] / (1 - 0.999**step)) + 1e-8)
    return Fitted(weights, *network)


def marks(rows: Sequence[Seen]) -> dict[str, int]:
    """Return how much oftener sentences with secrets have a word than others, and which are never one."""
    secret, other, every, inside = (Counter[str]() for _ in range(4))
    sizes = [0, 0]
    for sentence, *_, is_wanted in rows:
        words = set(map(_plain, re.findall(r"[^\W\d_]+", sentence.text.lower())))
        every.update(words)
        inside.update(_plain(word) for each in sentence.secrets for word in re.findall(r"\w+", each.lower()))
        if sentence.text == sentence.source and (is_wanted or not sentence.writer):
            (secret if is_wanted else other).update(words)
            sizes[is_wanted] += 1
    warm = {
        word: np.log((often + 0.5) / sizes[1]) - np.log((other[word] + 2) / sizes[0])
        for word, often in secret.items()
        if often > 1
    }
    common = {word: COMMON for word, often in every.items() if often >= COMMON_FROM and not inside[word]}
    return common | {word: int(16 * min(each, 7)) for word, each in warm.items() if each > 1}


def as_bytes(made: Fitted, known: Vocabulary, marked: dict[str, int], line: float = LINE) -> bytes:
    """Return the weights as the scorer reads them."""
    numbers, names = known.meant @ made.meaning, ["", *known.places]
    chosen = sorted(range(1, len(names)), key=lambda place: hash_of(names[place]))
    worth = float(np.abs(numbers[chosen]).max() / 127)
    place_worth = float(np.abs(made.places[:PLACES]).max() / 127)
    rows = np.zeros((len(chosen), NUMBERS + 1), np.int8)
    rows[:, :NUMBERS] = np.round(numbers[chosen] / worth)
    rows[:, NUMBERS] = np.array([marked.get(names[place], 0) for place in chosen], np.uint8).view(np.int8)
    return b"".join(
        (
            HEAD.pack(len(chosen), worth, place_worth, float(made.places[PLACES]) - line),
            np.array([hash_of(names[place]) for place in chosen], "<u4").tobytes(),
            rows.tobytes(),
            np.round(made.places[:PLACES] / place_worth).astype(np.int8).tobytes(),
            made.forms.astype("<f4").tobytes(),
            np.ascontiguousarray(made.judges.T).astype("<f4").tobytes(),
            made.says.astype("<f4").tobytes(),
        )
    )


class Score(NamedTuple):
    """The secrets of what was kept out, those found, its innocent sentences, those touched."""

    secrets: int
    found: int
    innocent: int
    touched: int


def all_seen() -> list[Seen]:
    """Return every sentence once; where two files have one, the first says what it is."""
    rows = {(each.text, each.known): each for each in reversed([*sentences()])}
    return [part for each in rows.values() for part in seen(each)]


def is_out(source: str, fifth: int = 0) -> bool:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest()[0] % 5 == fifth


def _is_by(writer: str, one: Sentence) -> bool:
    return one.writer == writer


def checked(every: Sequence[Seen], known: Vocabulary, is_out: Callable[[Sentence], bool]) -> dict[str, Score]:
    """Fit all but what is out, and count what the scorer finds in that, from each of some lines on."""
    rows = [row for row in every if not is_out(row.sentence)]
    out = [row.sentence for row in every if is_out(row.sentence) and not row.sentence.known]
    made, marked, before = fitted(rows, known), marks(rows), scorer.WEIGHTS
    found_from: dict[str, Score] = {}
    with TemporaryDirectory() as folder:
        scorer.WEIGHTS = Path(folder) / "weights"
        for line in LINES:
            scorer.WEIGHTS.write_bytes(as_bytes(made, known, marked, line))
            for each in (scorer._weights, scorer._judges, scorer._numbers, scorer._mark, _spans_of_message):
                each.cache_clear()
            for what, framed in (("written", False), ("framed", True)):
                some = [one for one in out if (one.text != one.source) is framed]
                secret = [one for one in some if one.secrets]
                found_ones = sum(
                    not any(each in redact(one.text).text for each in one.secrets) for one in secret
                )
                touched = sum(redact(one.text).text != one.text for one in some if not one.secrets)
                found_from[f"{what}, {line}"] = Score(
                    len(secret), found_ones, len(some) - len(secret), touched
                )
    scorer.WEIGHTS = before
    return found_from


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--writers", action="store_true")
    chosen = parser.parse_args()
    every = all_seen()
    known = vocabulary(every)
    if chosen.check:
        for name, score in checked(every, known, lambda one: is_out(one.source)).items():
            print(name, score)
    for writer in WRITERS if chosen.writers else ():
        out = checked(every, known, partial(_is_by, writer))
        for name, score in out.items():
            print(writer, name, score, flush=True)
    if not chosen.check and not chosen.writers:
        WEIGHTS.write_bytes(as_bytes(fitted(every, known), known, marks(every)))


if __name__ == "__main__":
    main()

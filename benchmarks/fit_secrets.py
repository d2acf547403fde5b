"""`python -m benchmarks.fit_secrets`: fit the weights of `text/secrets/scorer.py` to `secrets/`.

The same sentences make the same bytes. `--check` writes nothing: a fifth of the sentences is kept out, by a
hash of each, and it prints how many of that fifth's secrets are found and how many innocent ones are touched.
`--writers` does so with all that each of the last writers wrote, for several lines.
"""

import argparse
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

from almario.adapters.embedders.local import LocalEmbedder
from almario.adapters.encoder import model_files
from almario.adapters.encoder.model_files import _fields as fields
from almario.text.redaction import ROUNDS, _merged, _spans_of_message, redact
from almario.text.secrets import scorer
from almario.text.secrets.detectors import found
from almario.text.secrets.patterns import MASK, flat
from almario.text.secrets.scorer import (
    FEW,
    FORMS,
    HEAD,
    JUDGES,
    NEAR,
    NEVER,
    NUMBERS,
    PLACES,
    SLOTS,
    STANDING,
    UNLIKELY,
    WEIGHTS,
    Text,
    hash_of,
    places_of,
    readable,
    spellings,
)
from almario.text.tongues import language_of

FOLDER = Path(__file__).parent / "secrets"
# Those who wrote last, each without having seen anything.
WRITERS = ("writer_a", "writer_b", "writer_c", "writer_d")
# How often a frame is filled, a sentence's secret is changed, and a name is told with a value; of other
# files' sentences one in so many is read.
FILLED, OTHERS, PAIRED, ONE_IN = 2, 3, 5, 3
# How often all is read, how many at once, at which pace, and how many inputs are left out at random.
OFTEN, AT_ONCE, PACE, PACE_OF_NETWORK, LEFT_OUT, UNSEEN = 5, 96, 0.08, 4e-3, 0.2, 0.6
# What keeps weights small; and so much a sentence counts.
RIDGE, DECAY, SCALE = 2e-6, 0.03, 0.1
# The odds from which on something is taken for a secret.
LINE = 0.0
LINES = (-1.0, -0.5, LINE, 0.5, 1.0)
# Of so many words the numbers are kept; they are made of so many of the encoder's.
KEPT, MEANT = 24_000, 192
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
            row = json.loads(line)
            one = Sentence(row["text"], tuple(row.get("secret", ())), row["text"], path.stem)
            yield one
            for number in range(OTHERS if one.secrets else any(map(str.isdigit, one.text))):
                other = _with_others(
                    one, row.get("lang") or language_of(row["text"]), random.Random(f"{one.text} {number}")
                )
                yield other
                if len(other.secrets) > 1:
                    yield from (other._replace(known=nth) for nth in range(1, len(other.secrets) + 1))
    for path in sorted([*FOLDER.parent.glob("reader/*.jsonl"), *FOLDER.parent.glob("harm/*.jsonl")]):
        for line in path.read_text("utf-8").splitlines():
            for text in _texts(json.loads(line)):
                if crc32(text.encode()) % ONE_IN == 0:
                    yield Sentence(text, (), text)
    yield from _pairs()
    for path in sorted(FOLDER.glob("frames_*.txt")):
        for frame in path.read_text("utf-8").splitlines():
            for number in range(FILLED):
                yield _filled(frame, random.Random(f"{frame} {number}"))


def _pairs() -> Iterator[Sentence]:
    """Yield the same said of what is secret and of what is not: only its name tells them apart."""
    for language, pairs in json.loads((FOLDER / "pairs.json").read_text("utf-8")).items():
        for kind in ("secret", "innocent"):
            for name, number in product(pairs[kind], range(PAIRED)):
                chosen = random.Random(f"{language} {name} {number}")
                value = chosen.choice(VALUES)
                made = value(chosen) if callable(value) else _like(value, language, chosen)
                text = chosen.choice(pairs["said"]).replace("N", name).replace("V", made)
                text = text.lower() if chosen.random() < 0.3 and made.islower() else text
                yield Sentence(text, (made,) if kind == "secret" else (), f"{language} {name}")


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


def _phrase_of(language: str, sizes: Sequence[int], chosen: random.Random) -> str:
    """Return some words as somebody said them, or any words."""
    size = chosen.choice(sizes)
    if language == "ja" or chosen.random() < 0.4:
        return " ".join(chosen.choice(chosen.choice(_said(language))) for _ in range(size)).lower()
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
        word = chosen.choice(WORDS) if drawn < 0.2 else chosen.choice(chosen.choice(_said(language))).lower()
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
    for name in ("reader/personal", "reader/sensitive", "reader/confidences", "harm/everyday", "harm/pairs"):
        text = (FOLDER.parent / f"{name}.jsonl").read_text("utf-8")
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
    """A sentence as the scorer gets it: what is seen of each word, and whether it is of a secret."""

    sentence: Sentence
    words: list[str]
    # The places of each word's features; none if it is not judged.
    places: list[list[int]]
    forms: list[int]
    ties: list[int]
    labels: list[bool]
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


def seen(sentence: Sentence) -> Seen:
    text, at = sentence.text, flat(sentence.text)[1]
    raw = masked(text)
    spans: list[tuple[int, int]] = []
    for nth, secret in enumerate(sentence.secrets, 1):
        for match in re.finditer(re.escape(secret), text):
            start, end = bisect_left(at, match.start()), bisect_left(at, match.end())
            if nth == sentence.known:
                raw = raw[:start] + MASK * (end - start) + raw[end:]
            elif MASK not in raw[start:end]:
                spans.append((start, end))
    part = Text(readable(raw, text if len(raw) == len(text) else "".join(map(text.__getitem__, at))))
    sights = [*part.sights()]
    places = [sorted({place for sight in each for place in _places(sight)}) for each in sights]
    labels = [
        bool(found)
        and any(
            2 * (min(end, word.end) - max(start, word.start)) > word.end - word.start for start, end in spans
        )
        for word, found in zip(part.words, places, strict=True)
    ]
    # Of a short word the network hears nothing.
    forms = [part.form(place) if len(each) > FEW else -1 for place, each in enumerate(sights)]
    return Seen(sentence, part.lows, places, forms, part.ties(), labels, bool(spans))


_places = cache(places_of)


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
    said = Counter(
        word for row in every for word in dict.fromkeys(re.findall(r"[^\W\d_]{2,24}", row.sentence.text))
    )
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


class Words(NamedTuple):
    """The words of many sentences, one after another, as arrays; sentences begin at *starts*."""

    starts: NDArray[np.int64]
    # The features of all words, and where those of each begin.
    columns: NDArray[np.int32]
    firsts: NDArray[np.int64]
    rows: NDArray[np.int32]
    forms: NDArray[np.int64]
    is_judged: NDArray[np.bool_]
    labels: NDArray[np.float32]
    ties: NDArray[np.int64]
    worth: Floats


def words_of(rows: Sequence[Seen], known: Vocabulary) -> Words:
    places = [each for row in rows for each in row.places]
    worth = np.array([3.0 if row.sentence.text == row.sentence.source else 1.0 for row in rows])
    row_of = cache(known.row)
    return Words(
        np.cumsum([0, *(len(row.words) for row in rows)]),
        np.fromiter((place for each in places for place in each), np.int32),
        np.cumsum([0, *map(len, places)]),
        np.array([row_of(word) for row in rows for word in row.words], np.int32),
        np.array([form for row in rows for form in row.forms]),
        np.array([bool(each) for each in places]),
        np.array([label for row in rows for label in row.labels], np.float32),
        np.array([tie for row in rows for tie in (*row.ties, 0)[: len(row.words)]]),
        (worth / worth.mean()).astype(np.float32),
    )


class Fitted(NamedTuple):
    """What the fit makes: a weight of each place and the base, the network, and what ties neighbours."""

    places: Floats
    meaning: Floats
    judges: Floats
    forms: Floats
    says: Floats
    ties: Floats


def _ranges(starts: NDArray[Any], sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the numbers from each start on, so many as it has, one after another."""
    shift: NDArray[np.int64] = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return np.arange(len(shift)) + shift


def _chained(alone: Floats, ties: Floats, sizes: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
    """Return the odds of each word with its neighbours heard, and what each hears from before and after.

    *alone* has a row for each sentence; *ties* say of each word how it goes on: begins, ends and stays.
    """
    before, after = np.zeros_like(alone), np.zeros_like(alone)
    begins, ends, stays = np.moveaxis(ties, 2, 0)
    for place in range(alone.shape[1] - 1):
        odds = alone[:, place] + before[:, place]
        before[:, place + 1] = np.logaddexp(stays[:, place] + odds, begins[:, place]) - np.logaddexp(
            ends[:, place] + odds, 0
        )
    for place in reversed(range(alone.shape[1] - 1)):
        odds = alone[:, place + 1] + after[:, place + 1]
        heard = np.logaddexp(stays[:, place] + odds, ends[:, place]) - np.logaddexp(
            begins[:, place] + odds, 0
        )
        after[:, place] = np.where(place + 1 < sizes, heard, 0)
    return alone + before + after, before, after


def _slope_of_ties(
    ties: Floats,
    sorts: NDArray[Any],
    heard: tuple[Floats, Floats],
    labels: Floats,
    worth: Floats,
    has_next: NDArray[Any],
) -> Floats:
    """Return the slope of the ties, by how likely the second of two neighbours is, the first, or both."""
    here = np.flatnonzero(has_next)
    one, other, tie = heard[0][here], heard[1][here + 1], sorts[here]
    pairs = np.stack([np.zeros(len(one)), other, one, one + other], 1)
    pairs[:, 1:] += ties[tie]
    pairs = np.exp(pairs - np.logaddexp.reduce(pairs, axis=1, keepdims=True))
    first, second = labels[here], labels[here + 1]
    pairs[:, 1:] -= np.stack([(1 - first) * second, first * (1 - second), first * second], 1)
    slope = np.zeros_like(ties)
    np.add.at(slope, tie, (pairs[:, 1:] * worth[here][:, None]).astype(np.float32))
    return slope


class _Heard(NamedTuple):
    """What the network made of some words: of the encoder's numbers, its own, and those in each slot."""

    read: Floats
    numbers: Floats
    layer: Floats
    # What was not left out; the forms; which word stands in each slot, and which was the most telling.
    kept: Floats
    form: NDArray[Any]
    at: list[NDArray[Any]]
    who: NDArray[Any]


def _slopes_of_network(
    network: Sequence[Floats], heard: _Heard, inner: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the slopes of what words mean, of the judges and of the forms; *inner* is that behind all."""
    _, judges, forms, *_ = network
    linear, pooled = judges[: -2 * NUMBERS], judges[-2 * NUMBERS :].reshape(2, NUMBERS, JUDGES)
    count = len(inner)
    of_forms = np.zeros_like(forms)
    np.add.at(of_forms, heard.form, inner)  # where the form is -1, nothing is heard
    of_most = np.zeros((2, count + 1, JUDGES), np.float32)
    for side in (0, 1):
        np.add.at(of_most[side], (heard.who[side], np.arange(JUDGES)), inner)
    of_most = of_most[:, :count]
    of_numbers = (of_most @ pooled.transpose(0, 2, 1)).sum(0)
    for at, part in zip(heard.at, np.split((inner @ linear.T) * heard.kept, len(NEAR), axis=1), strict=True):
        of_numbers[at[at < count]] += part[at < count]
    of_judges = np.concatenate([heard.layer.T @ inner, *(heard.numbers.T @ of_most)])
    return heard.read.T @ of_numbers, of_judges, of_forms


def fitted(rows: Sequence[Seen], known: Vocabulary) -> Fitted:  # noqa: PLR0915 - a step, from top to bottom
    """Fit the weights of places by Adagrad and the rest by Adam, together."""
    every, chance = words_of(rows, known), np.random.default_rng(0)
    size = len(rows)
    weights, square = np.zeros(PLACES + 1, np.float32), np.full(PLACES + 1, 1e-8, np.float32)
    shapes = ((known.meant.shape[1], NUMBERS), (SLOTS * NUMBERS, JUDGES), (FORMS, JUDGES), (JUDGES,), (2, 3))
    spread = (0.25, (SLOTS * NUMBERS) ** -0.5, 0.1, 0.2, 0.0)
    network = [
        chance.normal(0, each, shape).astype(np.float32) for each, shape in zip(spread, shapes, strict=True)
    ]
    means, squares = [np.zeros_like(each) for each in network], [np.zeros_like(each) for each in network]
    steps, step = OFTEN * -(-size // AT_ONCE), 0
    for _ in range(OFTEN):
        order = chance.permutation(size)
        for start in range(0, size, AT_ONCE):
            chosen, step = order[start : start + AT_ONCE], step + 1
            meaning, judges, forms, says, ties = network
            sizes = every.starts[chosen + 1] - every.starts[chosen]
            flat_words = _ranges(every.starts[chosen], sizes)
            sentence = np.repeat(np.arange(len(chosen)), sizes)
            place = _ranges(np.zeros_like(sizes), sizes)
            left = np.repeat(sizes, sizes) - place - 1

            read = known.meant[every.rows[flat_words]]
            numbers = read @ meaning
            count = len(numbers)
            at = [np.where((place + far >= 0) & (far <= left), np.arange(count) + far, count) for far in NEAR]
            padded = np.concatenate([numbers, np.zeros((1, NUMBERS), np.float32)])
            layer = np.concatenate([padded[each] for each in at], axis=1)
            kept = ((chance.random(layer.shape, np.float32) > LEFT_OUT) / (1 - LEFT_OUT)).astype(np.float32)
            layer = layer * kept
            form, is_judged = every.forms[flat_words], every.is_judged[flat_words]
            linear, pooled = judges[: -2 * NUMBERS], judges[-2 * NUMBERS :].reshape(2, NUMBERS, JUDGES)
            most, who = _most(numbers @ pooled, sentence, place, sizes)
            hidden = np.maximum(layer @ linear + most + forms[form], 0)

            many = every.firsts[flat_words + 1] - every.firsts[flat_words]
            column = every.columns[_ranges(every.firsts[flat_words], many)]
            row = np.repeat(np.arange(count), many)
            is_kept = chance.random(len(column), np.float32) > UNSEEN
            column, row = column[is_kept], row[is_kept]
            alone = np.bincount(row, weights[column], count) / (1 - UNSEEN) + weights[PLACES]
            hidden *= ((form >= 0) & (alone > UNLIKELY))[:, None]
            alone = alone + hidden @ says
            alone = np.where(is_judged, alone, NEVER)

            table = np.full((len(chosen), sizes.max()), NEVER)
            table[sentence, place] = alone
            tied = np.zeros((*table.shape, 3))
            tied[sentence, place] = ties[every.ties[flat_words]]
            odds, before, after = _chained(table, tied, sizes)
            labels, worth = every.labels[flat_words], every.worth[chosen][sentence] / len(chosen)
            wrong = 1 / (1 + np.exp(-np.clip(odds[sentence, place], -30, 30))) - labels
            wrong = (wrong * worth * is_judged * SCALE).astype(np.float32)

            heard = ((table + before)[sentence, place], (table + after)[sentence, place])
            of_ties = _slope_of_ties(ties, every.ties[flat_words], heard, labels, worth * SCALE, left > 0)

            slope = np.bincount(column, wrong[row], PLACES + 1).astype(np.float32) / (1 - UNSEEN)
            slope[:PLACES] += RIDGE * weights[:PLACES]
            slope[PLACES] = wrong.sum()
            square += slope**2
            pace = 1 - step / (steps + 1)
            weights -= PACE * pace * slope / np.sqrt(square)

            inner = wrong[:, None] * says * (hidden > 0)
            slopes = _slopes_of_network(network, _Heard(read, numbers, layer, kept, form, at, who), inner)
            for nth, each in enumerate((*slopes, hidden.T @ wrong, of_ties)):
                means[nth] = 0.9 * means[nth] + 0.1 * each
                squares[nth] = 0.999 * squares[nth] + 0.001 * each**2
                pace_now = PACE_OF_NETWORK * pace / (1 - 0.9**step)
                network[nth] -= pace_now * (
                    means[nth] / (np.sqrt(squares[nth] / (1 - 0.999**step)) + 1e-8) + DECAY * network[nth]
                )
    return Fitted(weights, *network)


def _most(
    heard: Floats, sentence: NDArray[Any], place: NDArray[Any], sizes: NDArray[Any]
) -> tuple[Floats, NDArray[Any]]:
    """Return what each judge hears most of the words before each word and after it, and of which one."""
    count, total, who = heard.shape[1], np.zeros(heard.shape[1:], np.float32), []
    for side, step in ((0, 1), (1, -1)):
        # A word of its own before the first says nothing; then each hears those before it.
        at = place + 1 if step > 0 else sizes[sentence] - place
        table = np.full((len(sizes), sizes.max() + 1, heard.shape[2]), -np.inf, np.float32)
        word = np.full(table.shape[:2], count)
        table[sentence, at], word[sentence, at], table[:, 0] = heard[side], np.arange(count), 0
        most = np.maximum.accumulate(table, axis=1)
        first = np.maximum.accumulate(
            np.where(table == most, np.arange(table.shape[1])[None, :, None], 0), axis=1
        )
        total += most[sentence, at - 1]
        who.append(word[sentence[:, None], first[sentence, at - 1]])
    return total, np.stack(who)


def as_bytes(made: Fitted, known: Vocabulary, line: float = LINE) -> bytes:
    """Return the weights as the scorer reads them."""
    numbers, names = known.meant @ made.meaning, ["", *known.places]
    chosen = sorted(range(1, len(names)), key=lambda place: hash_of(names[place]))
    worth = float(np.abs(numbers[chosen]).max() / 127)
    place_worth = float(np.abs(made.places[:PLACES]).max() / 127)
    # A judge's weights of each slot together.
    judges = made.judges.reshape(SLOTS, NUMBERS, JUDGES).transpose(0, 2, 1)
    return b"".join(
        (
            HEAD.pack(len(chosen), worth, place_worth, float(made.places[PLACES]), line, *made.ties.ravel()),
            np.array([hash_of(names[place]) for place in chosen], "<u4").tobytes(),
            np.round(numbers[chosen] / worth).astype(np.int8).tobytes(),
            np.round(made.places[:PLACES] / place_worth).astype(np.int8).tobytes(),
            made.forms.astype("<f4").tobytes(),
            np.ascontiguousarray(judges).astype("<f4").tobytes(),
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
    return [seen(each) for each in rows.values()]


def is_out(source: str, fifth: int = 0) -> bool:
    return hashlib.sha256(source.encode()).digest()[0] % 5 == fifth


def _is_by(writer: str, one: Sentence) -> bool:
    return one.writer == writer


def checked(every: Sequence[Seen], known: Vocabulary, is_out: Callable[[Sentence], bool]) -> dict[str, Score]:
    """Fit all but what is out, and count what the scorer finds in that, from each of some lines on."""
    rows = [row for row in every if not is_out(row.sentence)]
    out = [row.sentence for row in every if is_out(row.sentence) and not row.sentence.known]
    made, before = fitted(rows, known), scorer.WEIGHTS
    found_from: dict[str, Score] = {}
    with TemporaryDirectory() as folder:
        scorer.WEIGHTS = Path(folder) / "weights"
        for line in LINES:
            scorer.WEIGHTS.write_bytes(as_bytes(made, known, line))
            for each in (scorer._weights, scorer._read, scorer._worth, _spans_of_message):
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
        WEIGHTS.write_bytes(as_bytes(fitted(every, known), known))


if __name__ == "__main__":
    main()

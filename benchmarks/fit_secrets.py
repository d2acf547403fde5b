"""`python -m benchmarks.fit_secrets`: fit the weights of `text/secrets/scorer.py` to `secrets/`.

The same sentences make the same bytes. `--check` writes nothing: a fifth of the sentences is kept out, by a
hash of each, and it prints how many of that fifth's secrets are found and how many innocent ones are touched.
"""

import argparse
import hashlib
import json
import os
import random
import re
import string
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
from numpy.typing import NDArray

from almario.text.redaction import ROUNDS, _merged
from almario.text.secrets.detectors import found
from almario.text.secrets.patterns import MASK, flat
from almario.text.secrets.scorer import PLACES, WEIGHTS, Text, regions

FOLDER = Path(__file__).parent / "secrets"
# How strongly weights are held down, how often they are mended, and how often a frame is filled.
RIDGE, OFTEN, FILLED = 2e-5, 400, 8
# The chance from which on something is taken for a secret.
LINE = 0.34
SLOTS: dict[str, Any] = json.loads((FOLDER / "words.json").read_text("utf-8"))
WORDS: list[str]
_SEEDS: list[str]
_FIRST: list[str]
WORDS, _SEEDS, _FIRST = SLOTS["word"], SLOTS["seeds"], SLOTS["first"]
Floats = NDArray[np.floating[Any]]


class Sentence(NamedTuple):
    text: str
    secrets: tuple[str, ...]
    # What decides whether it is kept out: its frame, if it has one.
    source: str


def sentences() -> Iterator[Sentence]:
    """Yield all sentences: those that are written out, and the frames with something put in."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            yield Sentence(row["text"], tuple(row.get("secret", ())), row["text"])
            if row.get("secret"):
                yield from _others(row["text"], row["secret"])
    for path in sorted([*FOLDER.parent.glob("reader/*.jsonl"), *FOLDER.parent.glob("harm/*.jsonl")]):
        for line in path.read_text("utf-8").splitlines():
            for text in _texts(json.loads(line)):
                yield Sentence(text, (), text)
    for path in sorted(FOLDER.glob("frames_*.txt")):
        for frame in path.read_text("utf-8").splitlines():
            for number in range(FILLED * 3 if "{word}" in frame else FILLED):
                yield _filled(frame, random.Random(f"{frame} {number}"))


def _texts(value: Any) -> Iterator[str]:
    """Yield the sentences in a row of another file, which are innocent unless `secret.jsonl` has them."""
    if isinstance(value, str):
        yield from [value] if " " in value else []
    else:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for each in inner:
            yield from _texts(each)


def _others(text: str, secrets: Sequence[str]) -> Iterator[Sentence]:
    """Yield a sentence with other secrets of the same sort, so that none of them is learned by heart."""
    for number in range(4):
        chosen = random.Random(f"{text} {number}")
        told, made = text, []
        for secret in secrets:
            other = _like(secret, chosen)
            told = told.replace(secret, other)
            made.append(other)
        yield Sentence(told, tuple(made), text)


def _like(secret: str, chosen: random.Random) -> str:
    if " " in secret or not secret.isascii():
        return secret
    if secret.isalpha() and secret.islower():
        return chosen.choice(WORDS)
    if secret.isdigit():
        return "".join(chosen.choice(string.digits) for _ in secret)
    if (
        len(secret) < 16
        and any(map(str.isalpha, secret))
        and any(map(str.isdigit, secret))
        and chosen.random() < 0.5
        and len(secret) > 6
    ):
        return _password(chosen)
    return "".join(
        chosen.choice(string.digits)
        if each.isdigit()
        else chosen.choice(string.ascii_lowercase)
        if each.islower()
        else chosen.choice(string.ascii_uppercase)
        if each.isupper()
        else each
        for each in secret
    )


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
            f"{day} {SLOTS['month'][month - 1]}",
            f"{SLOTS['month'][month - 1]} {day}, {year}",
            f"{day} de {SLOTS['mes'][month - 1]}",
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


SLOTS |= {
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
        str(SLOTS[each]) for each in ("place", "sitio", "lugar", "lieu", "ort", "posto", "card", "svc")
    )
    taken = set(re.findall(r"\w+", told + names.lower()))
    found: dict[str, None] = {}
    for name in ("reader/personal", "reader/sensitive", "reader/confidences", "harm/everyday", "harm/pairs"):
        text = (FOLDER.parent / f"{name}.jsonl").read_text("utf-8")
        found |= dict.fromkeys(re.findall(r"(?<![\w'-])[a-záéíóúñü]{4,12}(?![\w'-])", text))
    return sorted(set(found) - taken)


SLOTS["any"] = _everyday_words()


# How a line of a log or a list begins.
_BEGINNINGS = ("- [<time>] ", "[<date>] ", "- ", "* ", "<date> <time> ", "<date>: ", "ok, ", "## <any>\n")


def _filled(frame: str, chosen: random.Random) -> Sentence:
    secrets: list[str] = []

    def put(match: re.Match[str]) -> str:
        slot = SLOTS[match[0][1:-1]]
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


class Seen(NamedTuple):
    """A sentence as the scorer gets it, with its candidates: where each weighs, whether it is a secret."""

    sentence: Sentence
    places: list[list[int]]
    labels: list[bool | None]
    # Whether its forms alone show all of its secrets.
    is_done: bool


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
    raw = masked(sentence.text)
    secret: set[int] = set()
    for each in sentence.secrets:
        wanted = flat(each)[0]
        place = raw.rfind(wanted)
        while place >= 0:
            secret.update(range(place, place + len(wanted)))
            place = raw.rfind(wanted, 0, place + len(wanted) - 1)
    text, where, labels = raw.decode("latin-1"), [], []
    for begin, end in regions(text):
        part = Text(text[begin:end])
        for one in dict.fromkeys(part.candidates()):
            covered = range(begin + one.start, begin + one.end)
            inside = len(secret.intersection(covered)) / len(covered)
            where.append(sorted({crc32(name.encode("latin-1")) % PLACES for name in part.features(one)}))
            labels.append(True if inside >= 0.75 else False if inside == 0 else None)
    return Seen(sentence, where, labels, bool(sentence.secrets) and not secret)


def fitted(rows: Sequence[Seen]) -> Floats:
    """Return the weights of a logistic regression: each place's, then the base."""
    kept = [
        (places, label, 3.0 if row.sentence.text == row.sentence.source else 1.0)
        for row in rows
        for places, label in zip(row.places, row.labels, strict=True)
        if label is not None
    ]
    sizes = [len(places) for places, *_ in kept]
    column = np.concatenate([np.array(places) for places, *_ in kept])
    row = np.repeat(np.arange(len(kept)), sizes)
    labels = np.array([float(label) for _, label, _ in kept])
    count = np.array([weight for *_, weight in kept])
    count /= count.sum()
    weights = np.zeros(PLACES + 1)
    pace, mean, square = 0.05, np.zeros(PLACES + 1), np.zeros(PLACES + 1)
    for step in range(1, OFTEN + 1):
        odds = np.bincount(row, weights[column], len(kept)) + weights[PLACES]
        chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        wrong = (chance - labels) * count
        slope = np.append(np.bincount(column, wrong[row], PLACES), wrong.sum())
        slope[:PLACES] += RIDGE * weights[:PLACES]
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        now = pace * (1 - step / (OFTEN + 1))
        weights -= now * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-10)
    weights[PLACES] -= np.log(LINE / (1 - LINE))
    return weights


def is_out(source: str, fifth: int = 0) -> bool:
    return hashlib.sha256(source.encode()).digest()[0] % 5 == fifth


def odds_of(row: Seen, weights: Floats) -> list[float]:
    return [float(weights[places].sum() + weights[PLACES]) for places in row.places]


class Score(NamedTuple):
    """Of one fifth: its secrets, those found, its innocent sentences, those touched."""

    secrets: int
    found: int
    innocent: int
    touched: int


def all_seen() -> list[Seen]:
    """Return every sentence once; where two files have one, the first says what it is."""
    return [seen(each) for each in {each.text: each for each in reversed([*sentences()])}.values()]


def checked(every: Sequence[Seen], fifth: int = 0, *, framed: bool = False, show: bool = False) -> Score:
    """Fit all but one fifth, and say how that fifth's sentences fare: the written ones, or the *framed*."""
    weights = fitted([row for row in every if not is_out(row.sentence.source, fifth)])
    count = [0, 0, 0, 0]
    for row in every:
        text, secrets, source = row.sentence
        if not is_out(source, fifth) or (text != source) is not framed:
            continue
        odds = odds_of(row, weights)
        likely = [label for each, label in zip(odds, row.labels, strict=True) if each >= 0]
        hit = row.is_done or True in likely if secrets else bool(likely)
        count[0 if secrets else 2] += 1
        count[1 if secrets else 3] += hit
        if show and hit is not bool(secrets):
            print("missed " if secrets else "touched", repr(text)[:120], [f"{each:.1f}" for each in odds])
    return Score(*count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folds", type=int, default=1, help="of how many fifths in turn")
    parser.add_argument("--show", action="store_true", help="what is missed and touched")
    chosen = parser.parse_args()
    every = all_seen()
    if not chosen.check:
        WEIGHTS.write_bytes(fitted(every).astype("<f2").tobytes())
        return
    for framed in (False, True):
        scores = [checked(every, fifth, framed=framed, show=chosen.show) for fifth in range(chosen.folds)]
        secrets, found_ones, innocent, touched = map(sum, zip(*scores, strict=True))
        print(f"{'framed' if framed else 'written'}: {found_ones} of {secrets} secrets found,", end=" ")
        print(f"{touched} of {innocent} innocent touched")


if __name__ == "__main__":
    main()

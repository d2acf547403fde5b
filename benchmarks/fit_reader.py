"""`python -m benchmarks.fit_reader`: find the weights of `text/reader.py` on the sentences in `reader/`.

Orders are worded in many ways, so the phrases of `phrases.toml` are put together with facts and things. The
same sentences make the same bytes. `--check` writes nothing: it keeps a fifth of the sentences out, by a
hash of each, fits the others, and prints how well that fifth is read. `--writers` keeps out each writer in
turn, and prints how well their orders are heard at the lines below. `--openings` does so for
what a conversation opens with: each sentence is by another hand, and what means the same in other languages
is kept out with it.
"""

import argparse
import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any, NamedTuple

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
from numpy.typing import NDArray

from almario.adapters.embedders.local import LocalEmbedder
from almario.conversation.wishing import Wishes, wanted_in
from almario.domain.opening_kinds import (
    ALOUD,
    ASKING,
    CORRECTION,
    DANGER,
    GROUP_OF,
    OPENINGS,
    REPLIES,
    TELLING,
    TO_DO,
)
from almario.text.fitted import DIMENSIONS, FEW_PLACES, PLACES, places
from almario.text.reader import HEADS, JUDGES, LIKELY, OPENING, WEIGHTS, WISHES, parts_of
from almario.text.tongues import language_of
from almario.text.wishes import off_record_in, wish_in
from benchmarks.everyday_texts import ENGLISH, SPANISH
from benchmarks.fitting import Found, use, write

FOLDER = Path(__file__).parent
# How strongly weights are held down.
RIDGE = 0.3
# The chance from which on a text is taken for what a head looks for, with a vector and without. At those of
# the three wishes, 98 of 100 innocent messages are left alone of people who did not mean to mislead.
LINES = {
    "confidence": (0.5, 0.6),
    "announcing": (0.5, 0.45),
    "small_talk": (0.5, 0.3),
    "personal": (0.45, 0.35),
    "telling": (0.4, 0.25),
    # Without a vector nothing is remembered by a guess.
    "remember": (0.73, 0.95),
    "forget": (0.31, 0.5),
    # Rather one too many is kept than one lost.
    "lasts": (0.4, 0.4),
    "leads": (0.28, 0.7),
}
# The same for an opening, of whatever kind: who asks something else must not be greeted.
ODDS = float(np.log(0.33 / 0.67))
# Danger has its own: to miss it is worse than to name help in vain, but many who speak of blows are in none.
SURER = {"despair": 0.4, "violence": 0.79, "emergency": 0.4}
LINE_OF = np.array(
    [ODDS + np.log(chance / (1 - chance)) for chance in (SURER.get(name, 0.5) for name in GROUP_OF)],
    np.float32,
)
# Openings are kept out in so many parts; sentences that are so near in meaning are kept out together, and
# what nobody labelled as one may be one if it is as near as that. Their vectors count for so much more.
PARTS, FIFTHS, KIN, MAYBE, LOUDER = 4, 5, 0.8, 0.62, 2.0
# So many steps are taken, each with so many of its own, until nothing moves by as much as that.
STEPS, INNER, MOVED = 6, 40, 1e-2
# The same where all heads are fitted together: so many steps of its own, until so little is left.
TOGETHER, NEAR = 15, 1e-3
# Each phrase is put together with so many facts; one of so many sentences with an opening of such a length.
FACTS, LED, SHORT = 2, 2, 60
# The judges of parts see all sentences so often, so many at once; how far they step, what holds their
# weights down, and how much of what they say is left out at each step.
ROUNDS, BATCH, FAR, DECAY, LEFT_OUT = 10, 64, 1e-3, 0.05, 0.4
# How large vectors and sums are made for them.
STRETCH, SUMS, WHOLE = 22.0, 0.3, 8.0
# Writers who are kept out in turn, some of them together.
WRITERS = (
    ("orders_en",),
    ("orders_es",),
    ("orders_x",),
    ("plain_a", "plain_b", "plain_c"),
    ("plain_d", "plain_e"),
    ("plain_f",),
    ("plain_5", "plain_6"),
    ("orders",),
    ("openings",),
)
# Who wrote about the border of danger.
BORDER = "border"
Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


class Row(NamedTuple):
    """A sentence, what it is of its file's labels, and the file."""

    text: str
    label: str
    source: str
    by: str = ""
    # Which opening it is; or two, if it tells something besides; None if nobody said.
    opening: str | None = "none"


def rows() -> list[Row]:
    """Return all sentences, each once."""
    found: dict[str, Row] = {}
    for path in sorted((FOLDER / "reader").glob("*.jsonl")):
        if path.stem in ("dialogues", "lasting", "openings", "replies", "split"):
            continue
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            by, opening = row.get("by", path.stem), row.get("opening", "none") or None
            found.setdefault(row["text"], Row(row["text"], row["label"], path.stem, by, opening))
    opened = list(_opened())
    for row in (*opened, *_led(opened, list(found.values()))):
        found.setdefault(row.text, row)
    for text, label in _phrases():
        found.setdefault(text, Row(text, label, "phrases"))
    for text, label in [*_dialogues("harm"), *_dialogues("reader"), *_everyday()]:
        found.setdefault(text, Row(text, label, "dialogues"))
    return list(found.values())


def _opened() -> Iterator[Row]:
    """Yield what conversations open with: who asks, greets or tells something has no wish.

    Of what is no opening, or corrects something, nobody knows; and some who tell something have a wish. What
    was written about the border of danger is for openings alone.
    """
    lines = (FOLDER / "reader" / "openings.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, lines):
        is_other = row["label"] in ("none", "correction") or row.get("wish") or row["by"] == BORDER
        if not is_other and wanted_in(row["text"]) == Wishes():
            yield Row(row["text"], "none", "openings", "openings", None)


def _led(opened: Sequence[Row], others: Sequence[Row]) -> Iterator[Row]:
    """Yield some sentences after an opening in their language: a wish may follow a remark on the weather."""
    for row in others:
        place = hashlib.sha256(row.text.encode()).digest()
        lead = opened[int.from_bytes(place[1:4], "big") % len(opened)].text
        is_one = place[0] % LED == 0 and row.source == "orders_plain"
        if is_one and len(lead) < SHORT and language_of(lead) == language_of(row.text):
            end = "" if lead[-1] in ".!?…" else "."
            yield row._replace(text=f"{lead}{end} {row.text[:1].upper()}{row.text[1:]}", opening=None)


def openings(every: Sequence[Row]) -> list[Row]:
    """Return what conversations open with, replies, and all else that is neither, as far as it is known."""
    own = [
        Row(row["text"], "", source, row["by"], row["label"])
        for source in ("replies", "openings")
        for row in map(json.loads, (FOLDER / "reader" / f"{source}.jsonl").read_text("utf-8").splitlines())
    ]
    texts = {row.text for row in own}
    own += [Row(text, "", "asked", "", label) for text, label in _asked() if text not in texts]
    return own + [row for row in every if row.opening is not None and row.text not in texts]


# What heads read of what is told: whether it lasts, and whether its first words only lead up to it.
TOLD = ("lasts", "leads")
# Who opens so tells of something that passes, if anything; of so many first words it is known if they lead.
_PASSING = {"mood", "joy", "complaint", "reaction", "greeting", "farewell", "praise", "errand", "alarm"}
_LASTS = {True: "lasts", False: "passes"}
_FIRST_WORDS = 8
# What was written for these heads counts for so much more than what opens a conversation.
LOUD = 2


def told_rows() -> list[Row]:
    """Return what is told, as lasting or passing, and its first words, as leading up to it or begun."""
    found = []
    for row in map(json.loads, (FOLDER / "reader" / "lasting.jsonl").read_text("utf-8").splitlines()):
        text, words, lead = row["text"], row["text"].split(), len(row.get("lead", "").split())
        found += [Row(text, row["label"], "told", text)] * LOUD
        for count in range(1, min(len(words), _FIRST_WORDS)) if row["label"] == "lasts" else ():
            # Of the words within a lead nobody knows.
            if count >= lead or words[count - 1][-1] in ",:":
                first = " ".join(words[:count]).rstrip(",:")
                found += [Row(first, "leads" if count <= lead else "begun", "first", text)] * LOUD
    for row in map(json.loads, (FOLDER / "reader" / "openings.jsonl").read_text("utf-8").splitlines()):
        kinds, text = row["label"].split(), row["text"]
        if "lasts" in row:
            found += [Row(text, _LASTS[row["lasts"]], "told", text)] * LOUD
        elif row["by"] != BORDER and (TELLING in kinds or not _PASSING.isdisjoint(kinds)):
            found.append(Row(text, _LASTS[TELLING in kinds], "told", text))
    return found


def _asked() -> Iterator[tuple[str, str]]:
    """Yield what is asked first, as it stands and with something before or after it."""
    tables = tomllib.loads((FOLDER / "reader" / "openings.toml").read_text("utf-8"))
    for table in tables.values():
        for label in (*OPENINGS, "none"):
            for text in table.get(label, ()):
                yield text, label
                place = hashlib.sha256(text.encode()).digest()
                before, after = table["before"][place[0] % 8], table["after"][place[1] % 9]
                is_led = place[2] % 2 or label in ("sorrow", TELLING)
                yield (before + text if is_led else (text[0].upper() + text[1:] + after)), label


def _dialogues(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the messages that say of themselves whether they are to be kept.

    What was only announced to be a confidence does not: by itself it is any message.
    """
    for line in (FOLDER / folder / "dialogues.jsonl").read_text("utf-8").splitlines():
        before = ""
        for turn in json.loads(line)["turns"]:
            label = turn["label"]
            if before == "announce" and label.startswith("confidence"):
                label = "off" if off_record_in(turn["text"]) else "none"
            if label != "takeback":
                yield turn["text"], "none" if label in ("keep", "confidence-next") else label
            before = turn["label"]


def _everyday() -> Iterator[tuple[str, str]]:
    for line in (FOLDER / "harm" / "everyday.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)["text"], "none"
    yield from ((text, "none") for text in (*ENGLISH, *SPANISH))


def _phrases() -> Iterator[tuple[str, str]]:
    """Yield how orders are worded, each with several facts, every other one with a capital."""
    tables = tomllib.loads((FOLDER / "reader" / "phrases.toml").read_text("utf-8"))
    for table in tables.values():
        among = {"…": table["facts"], "~": table["things"]}
        for label in ("remember", "forget", "confidence", "none"):
            for phrase in table[label]:
                for number in range(FACTS):
                    text = phrase
                    for sign, things in among.items():
                        place = hashlib.sha256(f"{phrase}{number}{sign}".encode()).digest()
                        text = text.replace(sign, things[int.from_bytes(place[:4], "big") % len(things)])
                    yield (text[:1].upper() + text[1:] if number % 2 else text), label


def label_of(head: str, row: Row) -> bool | None:
    """Return whether a sentence is what a head looks for; None if it says nothing about that."""
    is_off, is_told = row.label in _OFF, row.source not in ("sensitive", "coding")
    # Who wrote `orders_*` did not tell announcements apart.
    is_apart = is_off and row.label != "off" and not row.source.startswith("orders_")
    known: dict[str, bool | None] = {
        "announcing": row.label == "announce" if is_apart else None,
        "confidence": is_off if is_told and row.label != "previous" else None,
        "small_talk": row.label == "small_talk" if is_told and row.source != "openings" else None,
        "sensitive": row.label == "sensitive" if row.source == "sensitive" else None,
    }
    if head in TOLD:
        return row.label == head if row.source == ("told" if head == "lasts" else "first") else None
    if head in known:
        return known[head]
    if head in _OF_CODING:
        labels = _OF_CODING[head] if row.source in ("coding", "personal") else {}
        return ({"small_talk": False} | labels).get(row.label)
    if row.label == "previous" and head == "forget":
        return None
    # In talk that was labelled for other heads, only sure orders are known as such.
    is_other = row.source in ("coding", "personal") or (row.source == "dialogues" and row.label == "none")
    wish = wish_in(row.text) if is_other else None
    return head == (wish.verb if wish else row.label)


_OFF = ("confidence", "announce", "off")
# What is said to a coding agent: of the work, of one's life, about the code in sight alone, or about what
# else may matter to it.
_OF_CODING: dict[str, dict[str, bool]] = {
    "personal": {"personal": True, "life": True, "none": False, "work": False, "at_hand": False},
    "telling": {"life": True, "work": True, "at_hand": False, "calling": False},
    "calling": {"calling": True, "life": True, "personal": True, "at_hand": False},
}


def is_out(text: str) -> bool:
    """Return whether a sentence belongs to the fifth that is kept out."""
    return hashlib.sha256(text.encode()).digest()[0] % FIFTHS == 0


@cache
def _places(text: str) -> Ints:
    return np.array(places(text))


class Letters:
    """The letters and words of some texts: a matrix that is nearly empty, kept by texts and by places."""

    def __init__(self, texts: Sequence[str]) -> None:
        found = list(map(_places, texts))
        sizes = np.array([len(each) for each in found])
        self.places = np.concatenate(found)
        self.starts, self.scale = np.cumsum(sizes) - sizes, 1 / np.sqrt(sizes)
        order = np.argsort(self.places, kind="stable")
        self.texts = np.repeat(np.arange(len(texts)), sizes)[order]
        self.used, self.firsts = np.unique(self.places[order], return_index=True)

    def of(self, weights: Floats) -> Floats:
        """Return what each text adds up to."""
        found: Floats = np.add.reduceat(weights[self.places], self.starts) * self.scale
        return found

    def back(self, told: Floats) -> Floats:
        """Return the weights that the texts make, by how much each of them counts."""
        found: Floats = np.zeros(PLACES)
        found[self.used] = np.add.reduceat((told * self.scale)[self.texts], self.firsts)
        return found


def vectors(texts: Sequence[str]) -> Floats:
    embedder = LocalEmbedder()
    return np.concatenate([embedder.embed(texts[start : start + 64]) for start in range(0, len(texts), 64)])


def fitted(letters: Letters, meaning: Floats, labels: Floats) -> Floats:
    """Return how much each sentence counts in a logistic regression: Newton, by conjugate gradients."""

    def alike(told: Floats) -> Floats:
        meant = meaning @ (meaning.T @ told.astype(np.float32))
        found: Floats = letters.of(letters.back(told)) + meant + told.sum()
        return found

    told: Floats = np.zeros(len(labels))
    for _ in range(STEPS):
        odds = np.clip(alike(told), -30, 30)
        chance = 1 / (1 + np.exp(-odds))
        bend = np.maximum(chance * (1 - chance), 1e-6)
        root = np.sqrt(bend)
        step = told / root
        left = root * (odds + (labels - chance) / bend) - root * alike(root * step) - RIDGE * step
        way, size = left.copy(), left @ left
        for _ in range(INNER):
            if size < 1e-6 * len(labels):
                break
            along = root * alike(root * way) + RIDGE * way
            far = size / (way @ along)
            step, left = step + far * way, left - far * along
            way, size = left + (left @ left / size) * way, left @ left
        told, moved = root * step, np.abs(root * step - told).max()
        if moved < MOVED:
            break
    return told


class Head(NamedTuple):
    """The weights of one head, for letters and words alone or beside a vector."""

    letters: Floats
    vector: Floats
    base: float

    def odds(self, letters: Letters, meaning: Floats) -> Floats:
        found: Floats = letters.of(self.letters) + meaning @ self.vector + self.base
        return found


def fit(letters: Letters, meaning: Floats, labels: Floats, line: float) -> Head:
    """Fit one head, so that it is likely from the *line* on; *meaning* may be of no use, all zeros."""
    told = fitted(letters, meaning, labels)
    return Head(letters.back(told), meaning.T @ told, float(told.sum() - np.log(line / (1 - line))))


class Parts(NamedTuple):
    """The vectors of the parts of some texts, one after the other, and of each text how many there are."""

    vectors: Floats
    sizes: Ints

    def of(self, chosen: Ints) -> "Parts":
        ends = np.cumsum(self.sizes)
        rows = [np.arange(ends[one] - self.sizes[one], ends[one]) for one in chosen]
        return Parts(self.vectors[np.concatenate(rows)], self.sizes[chosen])


def parts(texts: Sequence[str], meaning: Floats) -> Parts:
    """Return the vectors of parts; a text of one part is its own."""
    every = [parts_of(text) for text in texts]
    flat, found, at = vectors([part for some in every for part in some]), [], 0
    for some, whole in zip(every, meaning, strict=True):
        found.append(flat[at : at + len(some)] if some else whole[None])
        at += len(some)
    sizes = np.array([len(each) for each in found])
    return Parts(np.concatenate(found).astype(np.float32), sizes)


class Judges(NamedTuple):
    """What each says of a part, and what that says of a text: of nothing, and of each wish."""

    inner: Floats
    start: Floats
    outer: Floats
    base: Floats

    def said(self, seen: Parts, whole: Floats) -> tuple[Floats, Floats, Floats]:
        """Return what the judges say of each part, at most of each text, and together with all else."""
        heard = np.maximum(seen.vectors @ self.inner * STRETCH + self.start, 0)
        starts = np.cumsum(seen.sizes) - seen.sizes
        most = np.maximum.reduceat(heard, starts)
        sums = np.add.reduceat(heard, starts) * (SUMS / np.sqrt(seen.sizes))[:, None]
        return heard, most, np.concatenate([most, sums, WHOLE * whole], 1).astype(np.float32)

    def odds(self, seen: Parts, whole: Floats) -> Floats:
        """Return the odds of each wish against wanting nothing."""
        told = self.said(seen, whole)[2] @ self.outer + self.base
        found: Floats = told[:, 1:] - told[:, :1]
        return found


def judges(seen: Parts, whole: Floats, wants: Ints) -> Judges:
    """Fit the judges, in small steps; *wants* is 0 for nothing, or the number of the wish."""
    chance, count = np.random.default_rng(0), len(WISHES) + 1
    shapes = ((DIMENSIONS, JUDGES), (JUDGES,), (2 * JUDGES + DIMENSIONS, count), (count,))
    scales = (DIMENSIONS**-0.5, 0.0, 0.05, 0.0)
    found = Judges(
        *(
            (chance.standard_normal(shape) * scale).astype(np.float32)
            for shape, scale in zip(shapes, scales, strict=True)
        )
    )
    pace, spread = ([np.zeros_like(each) for each in found] for _ in range(2))
    steps, step = ROUNDS * -(-len(wants) // BATCH), 0
    for _ in range(ROUNDS):
        order = chance.permutation(len(wants))
        for first in range(0, len(order), BATCH):
            chosen = order[first : first + BATCH]
            slopes = _slopes(found, seen.of(chosen), whole[chosen], wants[chosen], chance)
            far, step = FAR * (1 - step / steps), step + 1
            for number, slope in enumerate(slopes):
                pace[number] += 0.1 * (slope - pace[number])
                spread[number] += 0.001 * (slope**2 - spread[number])
                wide = np.sqrt(spread[number] / (1 - 0.999**step)) + 1e-8
                held = DECAY * found[number] if found[number].ndim > 1 else 0
                np.subtract(
                    found[number], far * (pace[number] / (1 - 0.9**step) / wide + held), out=found[number]
                )
    return found


def _slopes(
    found: Judges, seen: Parts, whole: Floats, wants: Ints, chance: np.random.Generator
) -> tuple[Floats, ...]:
    heard, most, told = found.said(seen, whole)
    left = ((chance.random(told.shape) > LEFT_OUT) / (1 - LEFT_OUT)).astype(np.float32)
    told *= left
    odds = told @ found.outer + found.base
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    wrong = odds / odds.sum(axis=1, keepdims=True)
    wrong[np.arange(len(wants)), wants] -= 1
    wrong /= len(wants)
    back = wrong @ found.outer.T * left
    text = np.repeat(np.arange(len(wants)), seen.sizes)
    sums = back[:, JUDGES : 2 * JUDGES] * (SUMS / np.sqrt(seen.sizes)).astype(np.float32)[:, None]
    inner = sums[text] + np.where(heard == most[text], back[:, :JUDGES][text], 0)
    inner = np.where(heard > 0, inner, 0)
    return seen.vectors.T @ inner * STRETCH, inner.sum(axis=0), told.T @ wrong, wrong.sum(axis=0)


def wanted(row: Row) -> int | None:
    """Return the number of the wish that a sentence has, 0 for none; None if nobody knows."""
    labels = [label_of(head, row) for head in WISHES]
    return labels.index(True) + 1 if True in labels else None if None in labels else 0


def report(head: str, odds: Floats, labels: Floats) -> str:
    """Say how many are found at the line, and how many false alarms it takes to find others."""
    found, alarms = (odds[labels == 1] >= 0).mean(), (odds[labels == 0] >= 0).mean()
    those, others = int(labels.sum()), int((1 - labels).sum())
    told = [f"{head:17} of {those:4} found {found:.1%}, of {others:4} not {alarms:.1%}"]
    for share in (0.8, 0.9, 0.95):
        line = np.quantile(odds[labels == 1], 1 - share)
        told.append(f"{share:.0%}: {(odds[labels == 0] >= line).mean():.1%}")
    return "  ".join(told)


def by_writer(every: Sequence[Row], meaning: Floats) -> None:
    """Print what is heard of writers who are kept out, and how many innocents are left alone."""
    known = [(number, want) for number, row in enumerate(every) if (want := wanted(row)) is not None]
    places_of, wants = (np.array(each) for each in zip(*known, strict=True))
    texts, whole = [every[number].text for number in places_of], meaning[places_of]
    seen = parts(texts, whole)
    fold = np.array([next((n for n, w in enumerate(WRITERS) if every[p].by in w), -1) for p in places_of])
    odds = np.zeros((len(texts), len(WISHES)))
    for number in range(len(WRITERS)):
        kept, out = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        odds[out] = judges(seen.of(kept), whole[kept], wants[kept]).odds(seen.of(out), whole[out])
        letters, others = Letters([texts[n] for n in kept]), Letters([texts[n] for n in out])
        for wish in range(len(WISHES)):
            head = fit(letters, whole[kept], (wants[kept] == wish + 1).astype(float), LIKELY)
            odds[out, wish] += head.odds(others, whole[out])
    is_out = fold >= 0
    chances = np.array([LINES[wish][0] for wish in WISHES])
    heard = hears(odds - np.log(chances / (1 - chances)))
    for number, names in enumerate((*WRITERS, ("all",))):
        those = fold == number if number < len(WRITERS) else is_out
        shares = [(heard[those & (wants == want)] == want).mean() for want in range(len(WISHES) + 1)]
        told = (f"{name} {share:.1%}" for name, share in zip(("none", *WISHES), shares, strict=True))
        print(f"{'+'.join(names):16}", *told)


def hears(over: Floats) -> Ints:
    """Return which wish is furthest over its line, 0 for none."""
    found: Ints = np.where(over.max(axis=1) >= 0, over.argmax(axis=1) + 1, 0)
    return found


# Who is in another danger may be in one as well.
EMERGENCY = "emergency"
# Where whoever labelled a sentence knew of openings: only there, what tells and what asks is known as such.
_SAID_SO, _ANYWHERE = ("openings", "asked", "small_talk"), (ASKING, TELLING, TO_DO)
# Who opens so replies to nothing; a courtesy may be a reply as well.
_NO_REPLY = {name for name, group in GROUP_OF.items() if group in ("itself", "feeling", "danger", "other")}


def is_known(name: str, every: Sequence[Row]) -> NDArray[np.bool_]:
    """Say which sentences are known to be an opening or a reply of this name, or not to be."""
    if name in REPLIES:
        others = _NO_REPLY - {CORRECTION}
        return np.array([row.source == "replies" or _first(row) in others for row in every])
    if name in _ANYWHERE:
        return np.array([row.source in _SAID_SO for row in every])
    if name == ALOUD:
        return np.array([row.source in _SAID_SO and row.opening != "none" for row in every])
    if name in DANGER:
        others = {each for each in DANGER if each != name and EMERGENCY in (each, name)}
        return np.array([row.source != "replies" and _first(row) not in others for row in every])
    return np.array([row.source != "replies" for row in every])


def _first(row: Row) -> str:
    return (row.opening or "none").split()[0]


def by_hand(every: Sequence[Row], meaning: Floats, *, is_fifth: bool) -> None:
    """Print how well openings and replies are known of hands kept out, with all that means the same.

    *is_fifth*: only of the fifth that is kept out of every head.
    """
    texts, first, names = [row.text for row in every], np.array(list(map(_first, every))), list(GROUP_OF)
    is_own, replies = (np.array([row.source == each for row in every]) for each in ("openings", "replies"))
    count = FIFTHS if is_fifth else PARTS
    part = np.array([hashlib.sha256(text.encode()).digest()[0] % count for text in texts])
    is_out = part == 0 if is_fifth else part >= 0
    labels, known = of_openings(every)
    for way, seen in seen_both_ways(texts, meaning):
        odds = np.zeros((len(texts), len(names)))
        for number in np.unique(part[is_out]):
            out = np.flatnonzero(part == number)
            near = (meaning @ meaning[out[is_own[out]]].T).max(axis=1) >= KIN
            kept = np.flatnonzero((part != number) & ~(near & ~replies))
            odds[out] = seen[out] @ fit_together(seen[kept], labels[kept], known[kept])
        for some, those in ((OPENINGS, is_out & is_own), (REPLIES, is_out & replies)):
            found = hears((odds - LINE_OF)[:, [names.index(name) for name in some]])
            heard = np.array(["", *some])[found]
            shares = {name: (heard[those & (first == name)] == name).mean() for name in some}
            told = [f"{name} {share:.1%}" for name, share in shares.items()]
            # Others may well tell or ask something.
            none, alarm = ~np.isin(first, some), ~np.isin(heard, ("", *_ANYWHERE))
            for name, group in (("else", those), ("others", is_out & ~(is_own | replies))):
                told.append(f"{name} {(alarm & none & group).sum()} of {(none & group).sum()}")
            print("" if way else "by words:", *told, flush=True)


def bank(heads: int, most: int) -> Found:
    """Return heads that know nothing yet."""
    return Found(np.zeros((most, 2 * heads)), np.zeros(2 * heads), np.zeros((heads, DIMENSIONS)))


def of_openings(every: Sequence[Row]) -> tuple[Floats, Floats]:
    """Return which opening or reply each sentence is, and of which it is known whether it is."""
    labels = [[name in (row.opening or "").split() for name in GROUP_OF] for row in every]
    known = np.stack([is_known(name, every) for name in GROUP_OF], axis=1)
    return np.array(labels, np.float32), known.astype(np.float32)


def seen_both_ways(texts: Sequence[str], meaning: Floats) -> Iterator[tuple[int, Floats]]:
    """Yield letters and words beside a vector, then alone, as a full matrix; its last column is all ones."""
    letters = np.zeros((len(texts), FEW_PLACES), np.float32)
    for row, text in zip(letters, texts, strict=True):
        found = np.unique(_places(text) % FEW_PLACES)
        row[found] = 1 / np.sqrt(len(found))
    ones = np.ones((len(texts), 1), np.float32)
    yield 1, np.hstack([letters, (LOUDER * meaning).astype(np.float32), ones])
    yield 0, np.hstack([letters, ones])


def fit_together(seen: Floats, labels: Floats, known: Floats) -> Floats:
    """Fit the same regression as `fitted` for many heads at once, by weights and not by sentences.

    There are few places and many heads: so it takes a minute, and not a quarter of an hour.
    """
    weights = np.zeros((seen.shape[1], labels.shape[1]), np.float32)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(seen @ weights, -30, 30)))
        bend = np.maximum(chance * (1 - chance), 1e-6) * known
        left = -(seen.T @ (known * (chance - labels)) + RIDGE * weights)
        way, size = left.copy(), (left * left).sum(axis=0)
        least = NEAR * size
        for _ in range(TOGETHER):
            along = seen.T @ (bend * (seen @ way)) + RIDGE * way
            far = size / np.maximum((way * along).sum(axis=0), 1e-12)
            weights += far * way
            left -= far * along
            before, size = size, (left * left).sum(axis=0)
            if (size < least).all():
                break
            way = left + size / np.maximum(before, 1e-20) * way
    return weights


def fit_openings(every: Sequence[Row], meaning: Floats) -> Found:
    """Fit a head for each of the openings."""
    found, heads = bank(OPENING.heads, FEW_PLACES), OPENING.heads
    labels, known = of_openings(every)
    ways = list(seen_both_ways([row.text for row in every], meaning))
    with ThreadPool() as pool:
        fits = pool.map(lambda one: fit_together(one[1], labels, known), ways)
    for (way, _), weights in zip(ways, fits, strict=True):
        columns = slice(way * heads, (way + 1) * heads)
        found.table[:, columns], found.bases[columns] = weights[:FEW_PLACES], weights[-1] - LINE_OF
        if way:
            found.numbers[:] = LOUDER * weights[FEW_PLACES:-1].T
    return found


def fit_kinds(
    kinds: Found, every: Sequence[Row], meaning: Floats, *, heads: Sequence[str], check: bool
) -> None:
    """Fit some heads for what a text is; to *check*, keep out a fifth and print how well that is read."""
    texts = np.array([row.text for row in every], object)
    out = np.array([is_out(row.by if row.source == "first" else row.text) for row in every])

    def fit_one(job: tuple[str, bool]) -> str:
        head, by_words = job
        said = [label_of(head, row) for row in every]
        known = np.array([each is not None for each in said])
        labels = np.array([float(bool(each)) for each in said])
        line, seen = LINES.get(head, (LIKELY, LIKELY))[by_words], meaning[:, : 0 if by_words else None]
        part = known & ~out if check else known
        head_of = fit(Letters(texts[part]), seen[part], labels[part], line)
        number = HEADS.index(head)
        column = number if by_words else number + len(HEADS)
        kinds.table[:, column], kinds.bases[column] = head_of.letters, head_of.base
        if not by_words:
            kinds.numbers[number] = head_of.vector
        kept = known & out
        odds = head_of.odds(Letters(texts[kept]), seen[kept]) if check else labels
        return report(head + "/words" * by_words, odds, labels[kept]) if check else ""

    with ThreadPool() as pool:
        found = pool.imap(fit_one, [(head, by_words) for head in heads for by_words in (False, True)])
        for line in filter(None, found):
            print(line, flush=True)


def fit_judges(kinds: Found, every: Sequence[Row], meaning: Floats) -> bytes:
    """Fit the judges; what they say of the whole is a sum of its numbers, and so added to the heads."""
    wants, texts = [wanted(row) for row in every], [row.text for row in every]
    known_to = np.flatnonzero([want is not None for want in wants])
    chosen, whole = np.array([wants[number] for number in known_to]), meaning[known_to]
    found = judges(parts([texts[number] for number in known_to], whole), whole, chosen)
    outer, base = found.outer[:, 1:] - found.outer[:, :1], found.base[1:] - found.base[0]
    for number, wish in enumerate(WISHES):
        kinds.numbers[HEADS.index(wish)] += WHOLE * outer[2 * JUDGES :, number]
        kinds.bases[len(HEADS) + HEADS.index(wish)] += base[number]
    outer[JUDGES : 2 * JUDGES] *= SUMS
    inner = (found.inner * STRETCH, found.start, outer[: 2 * JUDGES])
    return b"".join(each.astype("<f2").tobytes() for each in inner)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--writers", action="store_true")
    parser.add_argument("--openings", action="store_true")
    given = parser.parse_args()
    every, told = rows(), told_rows()
    opened = openings(every)
    of_text = dict.fromkeys(row.text for row in (*every, *told, *opened))
    known = dict(zip(of_text, vectors(list(of_text)), strict=True))
    meaning, told_of, meant = (np.array([known[row.text] for row in some]) for some in (every, told, opened))
    is_one = [row.source != "replies" and row.opening not in ("none", *_ANYWHERE) for row in opened]
    nearest = (meant @ meant[is_one].T).max(axis=1)
    sure = [
        row.source in (*_SAID_SO, "replies") or row.label != "none" or near < MAYBE
        for row, near in zip(opened, nearest, strict=True)
    ]
    opened, meant = [row for row, is_sure in zip(opened, sure, strict=True) if is_sure], meant[sure]
    if given.openings:
        by_hand(opened, meant, is_fifth=False)
    elif given.writers:
        by_writer(every, meaning)
    else:
        kinds = bank(len(HEADS), PLACES)
        known_to_all = [head for head in HEADS if head not in TOLD]
        fit_kinds(kinds, every, meaning, heads=known_to_all, check=given.check)
        fit_kinds(kinds, told, told_of, heads=TOLD, check=given.check)
        if given.check:
            by_hand(opened, meant, is_fifth=True)
        else:
            inner = fit_judges(kinds, every, meaning)
            use(WEIGHTS, kinds.written(), fit_openings(opened, meant).written(), inner)
            write(WEIGHTS)


if __name__ == "__main__":
    main()

"""`python -m benchmarks.fit_whose`: find the weights of `text/whose.py` on `aspects.jsonl` and `whose.jsonl`.

A line of the first is a text about who tells it, or about somebody else; one of the second is a question, a
fact, and whether that answers it: if not, because it is about another person, about something else, or the
question is about the world. What words name somebody and what two texts have in common is fitted at once, by
gradients. The same rows make the same bytes. `--check` writes nothing: it keeps a fifth of the questions out,
by a hash of each, and prints how well other persons, and the world, are told apart in it.
"""

import argparse
import hashlib
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

from almario.domain.words import fold
from almario.text.whose import (
    PLACES,
    WEIGHTS,
    NamingWord,
    asks_who,
    mentions_in,
    of_others,
    of_the_world,
    parted,
    place_of,
    signs_in,
    signs_of,
    tokens,
)
from benchmarks.changes import Meanings, fitted, read

ROWS = Path(__file__).with_name("whose.jsonl")
# In these aspects of somebody's life, they speak of others all the same.
OF_OTHERS = (
    "boss_colleagues children friends_neighbours parents partner pets siblings wider_family doctor "
    "death_loss gifts"
).split()
# How strongly the weights of letters, of pairs and of the world are held down, how much a pair counts beside
# a text, how much a question about the world beside another; and in how many steps, how long, they are found.
HELD, HELD_OF_PAIRS, HELD_OF_WORLD, OF_PAIR, OF_WORLD = 1.6, 0.1, 0.1, 0.5, 4
STEPS, FAR, NEAR = 500, 0.05, 0.01
# A word for people is so often one of a person; and so near to each other are two for the same.
OFTEN, SAME = 1, 0.8
# The log odds of a word that names nobody; and where the fit begins.
NOBODY = -30.0
BASE, PAIR = -2.5, (2.0, 1.0, -3.0, -3.0, -3.0, -0.5, 0.0)

Row = Mapping[str, Any]


class Groups:
    """Groups of words, each of which may name somebody."""

    def __init__(self, groups: Sequence[Sequence[Sequence[int]]]) -> None:
        self._of = np.repeat(np.arange(len(groups)), [len(each) for each in groups])
        self._places = np.array([places for group in groups for places in group], dtype=np.int64)
        self._count = len(groups)

    def chances(self, weights: Any, base: float) -> Any:
        """Return how likely any word of each group names somebody."""
        self._each = 1 / (1 + np.exp(-weights[self._places].sum(axis=1) - base))
        doubts = np.log1p(-np.clip(self._each, 0, 1 - 1e-6))
        self._doubts = np.exp(np.bincount(self._of, doubts, self._count))
        return 1 - self._doubts

    def slope(self, of_chances: Any) -> tuple[Any, float]:
        """Return by how much a loss grows with each weight and the base, from how it does with chances."""
        each = (of_chances * self._doubts)[self._of] * self._each
        width = self._places.shape[1]
        return np.bincount(self._places.ravel(), np.repeat(each, width), PLACES), each.sum()


class Steps:
    """Steps downhill, longer where the slope is steady (Adam)."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[Any, Any]] = {}

    def taken(self, name: str, value: Any, slope: Any, size: float) -> Any:
        mean, square = self._seen.get(name, (0.0, 0.0))
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        self._seen[name] = mean, square
        return value - size * mean / (np.sqrt(square) + 1e-8)


def fit(rows: Sequence[Row]) -> tuple[Any, float, Any]:
    """Return the weights of letters and words, their base, and the weights of pairs with their base first."""
    lines = [
        line for line in read("aspects.jsonl") if line["whose"] == "other" or line["aspect"] not in OF_OTHERS
    ]
    # A capital at the beginning says nothing.
    spelled = [form for line in lines for form in (line["text"], _capital(line["text"]))]
    texts = Groups([list(map(_places, tokens(text))) for text in spelled])
    others = np.repeat([float(line["whose"] == "other") for line in lines], 2)
    pairs = [row for row in rows if row["why"] != "general"]
    agree = np.array([row["why"] != "person" for row in pairs], float)
    groups, for_persons = _grouped(pairs)
    weights, base, pair, steps = np.zeros(PLACES), BASE, np.array(PAIR), Steps()
    for step in range(STEPS):
        size = FAR if step < 0.7 * STEPS else NEAR
        chances = np.clip(texts.chances(weights, base), 1e-6, 1 - 1e-6)
        slope, slope_of_base = texts.slope((1 - others) / (1 - chances) - others / chances)
        named = [each.chances(weights, base) for each in groups]
        signs = np.stack(signs_of(named[0], named[1], named[2], for_persons), axis=1)
        wrong = OF_PAIR * (1 / (1 + np.exp(-pair[0] - signs @ pair[1:])) - agree)
        for place, each in enumerate(groups):
            # The signs are linear in each chance: from 0 to 1 says how fast they grow.
            ends = ([*named[:place], np.full(len(pairs), end), *named[place + 1 :]] for end in (0.0, 1.0))
            low, high = (
                np.stack(signs_of(some[0], some[1], some[2], for_persons), axis=1) @ pair[1:] for some in ends
            )
            more, more_of_base = each.slope(wrong * (high - low))
            slope, slope_of_base = slope + more, slope_of_base + more_of_base
        of_pair = np.array([wrong.sum(), *(signs.T @ wrong)]) + HELD_OF_PAIRS * np.array([0, *pair[1:]])
        weights = steps.taken("weights", weights, slope + HELD * weights, size)
        base = steps.taken("base", base, slope_of_base, size)
        pair = steps.taken("pair", pair, of_pair, size)
    return weights, float(base), pair


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _places(token: NamingWord) -> list[int]:
    return [place_of(sign) for sign in signs_in(token)]


def _grouped(pairs: Sequence[Row]) -> tuple[list[Groups], Any]:
    """Return the words of pairs that both texts name, and those that only one does; and who asks for whom."""
    groups: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    for_persons = []
    for pair in pairs:
        texts = pair["question"], pair["fact"]
        asked, told = (mentions_in(each, lambda _: NOBODY) for each in texts)
        both, alone, other = parted(asked, told)
        for group, wanted in zip(groups, (both, (alone, ()), ((), other)), strict=True):
            some = zip(map(tokens, texts), wanted, strict=True)
            group.append([_places(each) for every, words in some for each in every if each.word in words])
        for_persons.append(float(asks_who(pair["question"])))
    return list(map(Groups, groups)), np.array(for_persons)


def fit_world(meanings: Meanings, rows: Sequence[Row]) -> tuple[Any, float]:
    """Return the weights of a vector of a question about the world, and their base."""
    known = [line["text"] for line in read("aspects.jsonl") if line["kind"] == "question"]
    general, others = (
        [row["question"] for row in rows if (row["why"] == "general") == is_general]
        for is_general in (True, False)
    )
    texts = general * OF_WORLD + others + known
    labels = np.array([float(place < OF_WORLD * len(general)) for place in range(len(texts))])
    return fitted(meanings.of(texts), labels, HELD_OF_WORLD)


def same_persons(meanings: Meanings, weights: Any, base: float, texts: Sequence[str]) -> list[str]:
    """Return pairs of words that texts use for people, and that mean the same: "mother mum"."""
    forms, counts = dict[str, str](), Counter[str]()
    for each in (token for text in texts for token in tokens(text)):
        if not each.is_capital:
            counts[each.word] += bool(weights[_places(each)].sum() + base >= 0)
    for word in re.findall(r"[^\W\d_]+", "\n".join(texts)):
        forms.setdefault(fold(word), word.lower())
    words = [word for word, count in counts.items() if count >= OFTEN]
    vectors = meanings.of([forms.get(word, word) for word in words])
    near = np.argwhere(np.triu(vectors @ vectors.T, 1) >= SAME)
    return sorted(f"{words[one]} {words[other]}" for one, other in near.tolist())


def is_out(row: Row) -> bool:
    """Return whether a row belongs to the fifth that is kept out."""
    return hashlib.sha256(row["question"].encode()).digest()[0] % 5 == 0


def above(high: Any, low: Any) -> float:
    """Return how often one is above another."""
    return float(np.mean((high[:, None] > low) + 0.5 * (high[:, None] == low)))


def check(meanings: Meanings, rows: Sequence[Row]) -> None:
    """Print how well other persons, and the world, are told apart."""
    for lang in ("en", "es"):
        own = [row for row in rows if row["lang"] == lang]
        by = {
            why: np.array([of_others(row["question"], [row["fact"]])[0] for row in own if row["why"] == why])
            for why in ("yes", "aspect", "past", "person")
        }
        same = np.concatenate([by["yes"], by["aspect"], by["past"]])
        print(
            f"{lang}: of another person {len(by['person'])}, told apart {above(by['person'], same):.3f},"
            f" from 0.5 on {np.mean(by['person'] >= 0.5):.2f};"
            f" of {len(same)} others {np.mean(same >= 0.5):.2f}"
        )
        world = {
            is_general: np.array(
                [
                    of_the_world(each)
                    for each in meanings.of(
                        [row["question"] for row in own if (row["why"] == "general") == is_general]
                    )
                ]
            )
            for is_general in (True, False)
        }
        print(
            f"{lang}: about the world {len(world[True])}, told apart {above(world[True], world[False]):.3f},"
            f" from 0.5 on {np.mean(world[True] >= 0.5):.2f}; of others {np.mean(world[False] >= 0.5):.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="keep a fifth out and measure on it")
    is_check = parser.parse_args().check
    meanings, rows = Meanings(), read(ROWS.name)
    used = [row for row in rows if not (is_check and is_out(row))]
    weights, base, pair = fit(used)
    world, base_of_world = fit_world(meanings, used)
    texts = [line["text"] for line in read("aspects.jsonl")]
    texts += [row[part] for row in used for part in ("question", "fact")]
    same = "\n".join(same_persons(meanings, weights, base, texts))
    every = np.concatenate([weights, [base], pair[1:], pair[:1], world, [base_of_world]])
    kept = WEIGHTS.read_bytes() if is_check else b""
    WEIGHTS.write_bytes(every.astype("<f2").tobytes() + same.encode())
    if is_check:
        try:
            check(meanings, list(filter(is_out, rows)))
        finally:
            WEIGHTS.write_bytes(kept)


if __name__ == "__main__":
    main()

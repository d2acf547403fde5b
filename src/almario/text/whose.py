"""Whose affair a text is, and whether a memory is about whom a question asks for: a guess, which only ranks.

"My sister is allergic to nuts" does not answer "what am I allergic to?", nor "Tom works at the port" "where
does Ana work?". That a word names somebody is told by its letters and the words beside it; what counts then
is whom both texts name, whom only the question does, and whom only the memory. A question may also be about
the world, which nobody tells. `python -m benchmarks.fit_whose` makes the weights.
"""

import math
import struct
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import islice
from operator import mul
from pathlib import Path
from typing import Any
from zlib import crc32

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold
from almario.named_tuples import NamedTuple
from almario.text.reader import DIMENSIONS
from almario.text.tongues import words_of

WEIGHTS = Path(__file__).with_suffix(".weights")
# How many numbers the file has: of letters and words and where these begin, of what two texts have in common
# and where that begins, and of the vector of a question about the world and where that begins. Then it has
# pairs of words for the same person.
PLACES = 1 << 12
SIZES = (PLACES, 1, 6, 1, DIMENSIONS, 1)
# From this chance on a question is taken to be about the world.
GENERAL = 0.4
# Whoever tells more speaks of many.
_LONGEST = 240
# From this chance on, a word seems to name somebody; one with a capital may from this one on.
_SOMEBODY, _MAYBE = 0.3, 0.1
_TOKEN = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*|['’]s\b|\d+|[.,?!;:]")
_LETTERS = regex(r"[^\W\d_]+")
_ENDS = frozenset("^.?!;:")


class NamingWord(NamedTuple):
    """A word that may name somebody, with what stands around it.

    *before* has the word before it and the shape of its own, *begins* the end of the first word of the text;
    *next* is the word right after it, or after a comma.
    """

    word: str
    before: str
    after: str
    begins: str
    next: str
    is_capital: bool


def tokens(text: str) -> Iterator[NamingWord]:
    """Yield the words of a text but the small ones."""
    found = [each[0] for each in _TOKEN.finditer(text)]
    words = ["^", *map(fold, found), "$", "$"]
    begins = words[1][-2:]
    for place, whole in enumerate(found, 1):
        word, before, after = words[place], words[place - 1], words[place + 1]
        if word in SMALL or not word[0].isalpha():
            continue
        is_capital = whole[0].isupper() and len(whole) > 1
        shape = "a" if not is_capital else "^A" if before in _ENDS else "A"
        beyond = words[place + 2] if after == "," else after
        yield NamingWord(word, f"{before}|{shape}", after, begins, beyond, is_capital)


def signs_in(token: NamingWord) -> tuple[str, ...]:
    """Return what tells whether a word names somebody: its letters, and what stands around it."""
    return *_letters(token.word), *_preceding(token.before), f"|{token.after}", f"{token.begins}^"


def _letters(word: str) -> tuple[str, ...]:
    return word, f"..{word[-3:]}", f"..{word[-5:]}", f"{word[:4]}.."


def _preceding(before: str) -> tuple[str, ...]:
    word, _, shape = before.rpartition("|")
    return f"|{shape}", f"{word}|", before


def place_of(sign: str) -> int:
    """Return the place of a sign among the weights."""
    return crc32(sign.encode()) % PLACES


class NamedPeople(NamedTuple):
    """By word of a text, how unlikely it names somebody other than who tells it; and words side by side.

    *names* are those with a capital.
    """

    doubts: Mapping[str, float]
    pairs: frozenset[tuple[str, str]] = frozenset()
    names: frozenset[str] = frozenset()

    def somebody(self, words: Iterable[str], chance: float = _SOMEBODY) -> set[str]:
        """Return those of some words that seem to name somebody."""
        return {word for word in words if self.doubts[word] <= 1 - chance}

    def people(self) -> set[str]:
        """Return all words that seem to name somebody; one with a capital may."""
        return self.somebody(self.doubts) | self.somebody(self.names & self.doubts.keys(), _MAYBE)

    def namesakes(self, known: Set[str]) -> Iterator[tuple[str, str]]:
        """Yield words right beside each other that both name somebody, or are *known* to: "my sister Ana"."""
        people = self.people() | known if self.pairs else known
        for one, other in self.pairs:
            if one in people and other in people:
                yield from ((one, other), (other, one))


def mentions_in(text: str, odds: Callable[[NamingWord], float]) -> NamedPeople:
    """Return whom a text may name, by the log odds of each of its words."""
    doubts, pairs, names = dict[str, float](), [], set()
    for token in tokens(text):
        word = token.word
        doubts[word] = doubts.get(word, 1.0) * _chance(-odds(token))
        pairs.append((word, token.next))
        if token.is_capital:
            names.add(word)
    return NamedPeople(doubts, frozenset(pair for pair in pairs if pair[1] in doubts), frozenset(names))


# The memories of one question come up again with the next.
@lru_cache(4096)
def mentions(text: str) -> NamedPeople:
    """Return whom a text may name."""
    return mentions_in(text, _odds)


def asks_who(question: str) -> bool:
    """Return whether a question asks for a person."""
    return _has(question, "who")


def _has(text: str, sort: str) -> bool:
    return not words_of(sort).isdisjoint(map(fold, _LETTERS.findall(text)))


class SharedWords(NamedTuple):
    """The words of a question and of a memory: those that both name, and those that only one does."""

    both: tuple[Collection[str], Collection[str]]
    asked: Collection[str]
    told: Collection[str]


def parted(asked: NamedPeople, told: NamedPeople, joined: Mapping[str, Collection[str]] = {}) -> SharedWords:
    """Part words; *joined* has other names for some. Of "my brother Kev", "my brother" names all."""
    named = {word: {word, *joined.get(word, ())} & told.doubts.keys() for word in asked.doubts}
    both = {word for word, there in named.items() if there}, set().union(*named.values())
    alone = [asked.doubts.keys() - both[0], told.doubts.keys() - both[1]]
    people = asked.people()
    beside = [
        {word for word, other in of.namesakes(people) if word in some and other in known}
        for of, some, known in zip((asked, told), alone, both, strict=True)
    ]
    if not all(beside):  # "uncle Art" is not "uncle Blas"
        alone = [some - others for some, others in zip(alone, beside, strict=True)]
    return SharedWords(both, *alone)


def signs_of(both: Any, asked: Any, told: Any, for_person: Any) -> tuple[Any, ...]:
    """Return what tells whether two texts are about the same, by how likely each part names somebody."""
    other = (1 - asked) * told  # whom a question for a person does not name answers it
    return (
        both,
        asked * told,
        asked * (1 - told),
        (1 - for_person) * (1 - both) * other,
        (1 - for_person) * both * other,
        for_person * other,
    )


def somebody_in(question: str) -> set[str]:
    """Return the words of a question that seem to name somebody other than who asks."""
    asked = mentions(question)
    return asked.somebody(asked.doubts)


def of_others(
    question: str, texts: Sequence[str], *, also: Iterable[str] = (), own: Collection[str] = ()
) -> list[float]:
    """Return how likely each text is about somebody other than the question; 0 where nothing tells.

    *own* are the names of who asks. Who is "my sister Ana" in one of the texts, or of those *also* known,
    is Ana in all; who only Tom is may be anybody's brother.
    """
    every = [_without(mentions(text) if len(text) <= _LONGEST else _NOBODY, own) for text in texts]
    asked, for_person, weights = _without(mentions(question), own), asks_who(question), _weights()
    beside, people = defaultdict[str, set[str]](set), asked.people()
    for each in (*every, *map(mentions, also)):
        for word, other in each.namesakes(people):
            beside[word].add(other)
    same = {word: {*weights.same.get(word, ()), *beside.get(word, ())} for word in asked.doubts}
    usual = _chance(weights.base_of_pair)
    found = []
    is_own = not asked.somebody(asked.doubts)
    for text, told in zip(texts, every, strict=True):
        if not (told.somebody(told.doubts) if is_own else told.people() or _has(text, "oneself")):
            found.append(0.0)
            continue
        both, alone, rest = parted(asked, told, same)
        roles = asked.somebody(alone)
        names = told.people() & told.names.intersection(rest)
        is_unknown = roles and names >= told.somebody(rest) and roles.isdisjoint(asked.names)
        if is_unknown and names and not any(name in beside or name in weights.same for name in names):
            found.append(0.0)
            continue
        chances = (
            _any((asked.doubts, both[0]), (told.doubts, both[1])),
            _any((asked.doubts, alone)),
            _any((told.doubts, rest)),
        )
        signs = signs_of(*chances, for_person)
        agrees = _chance(weights.base_of_pair + sum(map(mul, weights.pair, signs)))
        found.append(max(0.0, 1 - agrees / usual))
    return found


def of_the_world(vector: Sequence[float]) -> float:
    """Return how likely a question is about the world; *vector* is its own, of the bundled encoder."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    weights = _weights()
    return _chance(weights.base_of_world + float(np.dot(weights.world, vector)))


def _without(mentions: NamedPeople, own: Collection[str]) -> NamedPeople:
    if mentions.doubts.keys().isdisjoint(own):
        return mentions
    return mentions._replace(doubts={word: each for word, each in mentions.doubts.items() if word not in own})


def _any(*some: tuple[Mapping[str, float], Iterable[str]]) -> float:
    """Return how likely any of some words names somebody."""
    return 1 - math.prod(doubts[word] for doubts, words in some for word in words)


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


class WhoseWeights(NamedTuple):
    """What each place of letters and words, each sign of a pair and each number of a vector adds.

    *same* are words that mean the same person.
    """

    places: tuple[float, ...]
    base: float
    pair: tuple[float, ...]
    base_of_pair: float
    world: tuple[float, ...]
    base_of_world: float
    same: Mapping[str, Collection[str]]


@cache
def _weights() -> WhoseWeights:
    kept, numbers = WEIGHTS.read_bytes(), struct.Struct(f"<{sum(SIZES)}e")
    every, same = iter(numbers.unpack_from(kept)), defaultdict[str, set[str]](set)
    for line in kept[numbers.size :].decode().splitlines():
        one, other = line.split()
        same[one].add(other)
        same[other].add(one)
    places, [base], pair, [base_of_pair], world, [base_of_world] = (tuple(islice(every, n)) for n in SIZES)
    return WhoseWeights(places, base, pair, base_of_pair, world, base_of_world, same)


def _odds(token: NamingWord) -> float:
    return _of_word(token.word) + _of_before(token.before) + _of_after(token.after) + _of_begin(token.begins)


@lru_cache(16384)
def _of_word(word: str) -> float:
    return _weights().base + _sum(_letters(word))


@lru_cache(16384)
def _of_before(before: str) -> float:
    return _sum(_preceding(before))


@lru_cache(16384)
def _of_after(after: str) -> float:
    return _sum([f"|{after}"])


@lru_cache(1024)
def _of_begin(begins: str) -> float:
    return _sum([f"{begins}^"])


def _sum(signs: Iterable[str]) -> float:
    places = _weights().places
    return sum(places[place_of(sign)] for sign in signs)


_NOBODY = NamedPeople({})

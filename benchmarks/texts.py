"""Made-up text in the proportions of real text, so that no data set need be shipped.

Half of the passages look like English and half like Spanish: nearly half of
their words are the language's own function words, as often as in prose; the
rest are invented, inflected, and as unevenly used as real ones, so that the
vocabulary grows with the text as it does in books (Zipf's and Heaps' laws).
"""

import random
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

LEMMAS = 30_000
STEEPNESS = 1.4
STOP_SHARE = 0.45
WORDS = 50

# How often each stands in a thousand words of prose, roughly.
_ENGLISH = (
    "the 62 of 29 and 28 to 26 a 23 in 20 that 11 is 10 was 10 it 10 for 9 on 8 with 7 he 7 be 6 I 6 by 5 "
    "as 5 at 5 you 5 are 5 his 4 had 4 not 4 this 4 have 4 from 4 but 4 which 4 she 3 they 3 or 3 an 3 "
    "her 3 were 3 we 3 there 3 been 3 has 2 will 2 one 2 all 2 would 2 can 2 if 2 who 2 more 2 when 2 "
    "what 2 so 2 my 2 about 2"
)
_SPANISH = (
    "de 65 la 41 que 30 el 30 en 27 y 26 a 21 los 17 se 12 del 11 las 11 un 10 por 10 con 9 no 9 una 8 su "
    "7 para 6 es 6 al 6 lo 5 como 5 más 4 o 4 pero 3 sus 3 le 3 ha 3 me 3 si 3 sin 2 sobre 2 este 2 ya 2 "
    "entre 2 cuando 2 todo 2 esta 2 ser 2 son 2 dos 2 también 2 fue 2 había 2 era 2 muy 2 hasta 1 desde 1 "
    "está 1 mi 1 porque 1"
)
_ENDINGS = {"en": ("", "s", "ed", "ing"), "es": ("a", "os", "ar", "ando")}
_ENDING_SUMS = (0.65, 0.85, 0.95, 1.0)
_SYLLABLES = {
    "en": (
        "bar",
        "ten",
        "mor",
        "lin",
        "ste",
        "ran",
        "wick",
        "ho",
        "per",
        "gle",
        "dom",
        "fri",
        "sha",
        "ked",
        "to",
    ),
    "es": ("ca", "me", "lo", "ri", "na", "tor", "pes", "dul", "gui", "ñe", "var", "so", "jim", "bre", "cha"),
}
_OPENINGS = {
    "en": ("what did", "when was the", "where is", "who had the", "how many"),
    "es": ("qué fue", "cuándo era la", "dónde está el", "quién ha", "cómo se"),
}


class Language(NamedTuple):
    """The words of one language, each list with the running sums of how often they are used."""

    code: str
    stop: Sequence[str]
    stop_sums: Sequence[float]
    lemmas: Sequence[str]
    lemma_sums: Sequence[float]


def passages(count: int, *, seed: int = 1, words: int = WORDS) -> list[str]:
    """Return made-up passages of about so many words, English and Spanish in turn."""
    chance = random.Random(seed)
    languages = _languages()
    return [_passage(chance, languages[n % 2], words) for n in range(count)]


def questions(count: int, about: Sequence[str], *, seed: int = 2) -> list[str]:
    """Return questions of 6 to 10 words, some of them stop words, each about one of the passages."""
    chance = random.Random(seed)
    languages = _languages()
    made = []
    for n in range(count):
        language = languages[n % 2]
        told = [
            word.strip(".,").lower() for word in about[chance.randrange(len(about) // 2) * 2 + n % 2].split()
        ]
        content = [word for word in dict.fromkeys(told) if word not in language.stop]
        opening = chance.choice(_OPENINGS[language.code]).split()
        length = chance.randint(6, 10)
        chosen = chance.sample(content, min(len(content), max(3, (length - len(opening)) * 2 // 3)))
        rest = chance.choices(
            language.stop, cum_weights=language.stop_sums, k=length - len(opening) - len(chosen)
        )
        body = [*chosen, *rest]
        chance.shuffle(body)
        made.append(" ".join([*opening, *body]) + "?")
    return made


def stop_words() -> frozenset[str]:
    """Return the function words of both languages."""
    openings = " ".join(text for texts in _OPENINGS.values() for text in texts).split()
    return frozenset(word.lower() for language in _languages() for word in language.stop) | frozenset(
        openings
    )


def _passage(chance: random.Random, language: Language, words: int) -> str:
    length = max(5, round(chance.gauss(words, words / 5)))
    stops = iter(chance.choices(language.stop, cum_weights=language.stop_sums, k=length))
    lemmas = iter(chance.choices(language.lemmas, cum_weights=language.lemma_sums, k=length))
    endings = iter(chance.choices(_ENDINGS[language.code], cum_weights=_ENDING_SUMS, k=length))
    sentences, sentence = [], []
    for left in range(length, 0, -1):
        is_stop = chance.random() < STOP_SHARE
        sentence.append(next(stops) if is_stop else next(lemmas) + next(endings))
        if left == 1 or (len(sentence) > 6 and chance.random() < 0.12):
            text = " ".join(sentence)
            sentences.append(f"{text[0].upper()}{text[1:]}.")
            sentence = []
    return " ".join(sentences)


@cache
def _languages() -> tuple[Language, Language]:
    return _language("en", _ENGLISH), _language("es", _SPANISH)


def _language(code: str, used: str) -> Language:
    chance = random.Random(code)
    parts = used.split()
    lemmas: dict[str, None] = {}
    while len(lemmas) < LEMMAS:
        lemmas["".join(chance.choices(_SYLLABLES[code], k=chance.choice((1, 2, 2, 3, 3, 4))))] = None
    return Language(
        code,
        parts[::2],
        list(accumulate(float(times) for times in parts[1::2])),
        list(lemmas),
        # The function words hold the first ranks.
        list(accumulate((rank + len(parts) // 2) ** -STEEPNESS for rank in range(1, LEMMAS + 1))),
    )

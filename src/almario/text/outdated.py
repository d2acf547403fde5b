"""Whether what somebody tells takes the place of what they told before: a guess, which may only ask.

"I work at a clinic now" does so for "I work in a bakery", and "my sister works at a clinic" does not. What
two texts mean together says most; then, whether the later one is worded as what tells a change, and whether
it is about somebody else. `python -m benchmarks.changes` fits the weights and measures them.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from almario.domain.words import all_forms, fold, names_in
from almario.language import languages
from almario.text.reader import parts_of
from almario.text.tongues import spelled_words, words_of

# Texts that tell a change, and such that tell any fact: by how near a text is to either, it is worded so.
CHANGE, FACT = "change", "fact"
_OF_CHANGE = """
I've changed jobs; she moved to another town; we don't live there any more; I gave that up; I'm no longer a
member; it's on another day now; he has left the company; I sold it and bought another; we broke up; I have
a new one now; it was put off until Friday; that's over now; it used to be so, but not any more; from now on
it's different; I've stopped doing that; they've closed it; it costs more now; he died last month; it turns
out that was wrong; I got better; he cambiado de trabajo; se ha mudado a otra ciudad; ya no vivimos allí; lo
he dejado; ya no soy socio; ahora es otro día; se ha ido de la empresa; lo vendí y compré otro; lo hemos
dejado; ahora tengo uno nuevo; lo han aplazado al viernes; eso ya se acabó; antes era así, pero ya no; a
partir de ahora es distinto; he dejado de hacerlo; lo han cerrado; ahora cuesta más; murió el mes pasado;
resulta que no era así; ya estoy mejor
"""
_OF_FACTS = """
I have two nephews; she plays the piano; my neighbour is a plumber; we live near the river; I love olives;
my dog sleeps a lot; the meeting is on Tuesday at nine; my uncle has a boat; I'm from Wales; he lent me a
book; our garden is small; my friend Ana is a lawyer; I also speak French; we have one of those too; and
another one on Friday as well; my cousin's party is on Sunday; the bins are in the yard; I have an exam next
week; my grandmother is ninety; I need to buy bread; tengo dos sobrinos; ella toca el piano; mi vecino es
fontanero; vivimos cerca del río; me encantan las aceitunas; mi perro duerme mucho; la reunión es el martes
a las nueve; mi tío tiene un barco; soy de Gales; me prestó un libro; nuestro jardín es pequeño; mi amiga
Ana es abogada; también hablo francés; nosotros también tenemos uno; y otro más el viernes; la fiesta de mi
primo es el domingo; los cubos están en el patio; tengo un examen la semana que viene; mi abuela tiene
noventa años; tengo que comprar pan
"""
_TEXTS = {CHANGE: _OF_CHANGE, FACT: _OF_FACTS}
WORDINGS = {name: " ".join(text.split()).split("; ") for name, text in _TEXTS.items()}
# What each of `signs` adds to the odds, and what they begin with.
WEIGHTS, START = (8.46, 5.56, 1.6, -5.21, -10.03), -4.64
# From this chance on it is asked whether the one takes the other's place.
LIKELY = 0.5


def signs(
    new: str, old: str, likeness: Sequence[float], near: Sequence[Mapping[str, float]]
) -> tuple[float, ...]:
    """Return what speaks for and against it.

    *likeness* is that of the whole and of each clause of what is told to what was told before, *near* how
    near each of these is to the `WORDINGS`.
    """
    words = [fold(word) for word in spelled_words(new)]
    is_named = not set(names_in(old)).isdisjoint(words)  # "my cat is called Pepper", "Pepper died"
    is_of_another = _is_of_another(new, old) or (_is_of_another(old, new) and not is_named)
    is_anew = not words_of("anew").isdisjoint(words)
    is_besides = any(f" {each.replace('_', ' ')} " in f" {' '.join(words)} " for each in words_of("besides"))
    best, worded = max(likeness), max(each[CHANGE] - each[FACT] for each in near)
    return best, worded, float(is_anew), float(is_besides), is_of_another * best


def _is_of_another(text: str, other: str) -> bool:
    """Return whether a clause begins with one's own that another text does not name: "my sister"."""
    known, anew = all_forms(other), words_of("anew")  # "my new boss" is the boss
    clauses = [
        [word for each in spelled_words(clause) if (word := fold(each)) not in anew]
        for clause in parts_of(text) or [text]
    ]
    owned = [pair[1] for each in clauses for pair in pairwise(each[:3]) if pair[0] in _own()]
    return any(known.isdisjoint(all_forms(each)) for each in owned)


@cache
def _own() -> frozenset[str]:
    """Return the words for "my" and "our" in every language."""
    return frozenset(
        word
        for each in languages()
        for word in each.orders.get("articles", "").split()
        if word in each.oneself
    )


def chance(found: Sequence[float]) -> float:
    """Return how likely it is, by what `signs` found."""
    odds = START + sum(sign * weight for sign, weight in zip(found, WEIGHTS, strict=True))
    return 1 / (1 + math.exp(-odds))

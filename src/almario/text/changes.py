"""Whether what somebody tells takes the place of what they told before: a guess, which may only ask.

"I work at a clinic now" does so for "I work in a bakery", and "my sister works at a clinic" does not. What two
texts mean together says most; then, whether the later one is worded as what tells a change, and whether it is
about somebody else's. `python -m benchmarks.changes` fits the weights and measures them.
"""

import math
from collections.abc import Mapping, Sequence

from almario.domain.words import all_forms, fold
from almario.text.claims import turned_in
from almario.text.intentions import is_met
from almario.text.tongues import spelled_words, words_of
from almario.text.wishes import listed

# Texts that tell a change, and such that tell any fact: by how near a text is to either, it is worded so.
CHANGE, FACT = "change", "fact"
WORDINGS: Mapping[str, Sequence[str]] = {
    CHANGE: (
        "I've changed jobs",
        "she moved to another town",
        "we don't live there any more",
        "I gave that up",
        "I'm no longer a member",
        "it's on another day now",
        "he has left the company",
        "I sold it and bought another",
        "we broke up",
        "I have a new one now",
        "it was put off until Friday",
        "that's over now",
        "it used to be so, but not any more",
        "from now on it's different",
        "I've stopped doing that",
        "they've closed it",
        "it costs more now",
        "he died last month",
        "it turns out that was wrong",
        "I got better",
        "he cambiado de trabajo",
        "se ha mudado a otra ciudad",
        "ya no vivimos allí",
        "lo he dejado",
        "ya no soy socio",
        "ahora es otro día",
        "se ha ido de la empresa",
        "lo vendí y compré otro",
        "lo hemos dejado",
        "ahora tengo uno nuevo",
        "lo han aplazado al viernes",
        "eso ya se acabó",
        "antes era así, pero ya no",
        "a partir de ahora es distinto",
        "he dejado de hacerlo",
        "lo han cerrado",
        "ahora cuesta más",
        "murió el mes pasado",
        "resulta que no era así",
        "ya estoy mejor",
    ),
    FACT: (
        "I have two nephews",
        "she plays the piano",
        "my neighbour is a plumber",
        "we live near the river",
        "I love olives",
        "my dog sleeps a lot",
        "the meeting is on Tuesday at nine",
        "my uncle has a boat",
        "I'm from Wales",
        "he lent me a book",
        "our garden is small",
        "my friend Ana is a lawyer",
        "I also speak French",
        "we have one of those too",
        "and another one on Friday as well",
        "my cousin's party is on Sunday",
        "the bins are in the yard",
        "I have an exam next week",
        "my grandmother is ninety",
        "I need to buy bread",
        "tengo dos sobrinos",
        "ella toca el piano",
        "mi vecino es fontanero",
        "vivimos cerca del río",
        "me encantan las aceitunas",
        "mi perro duerme mucho",
        "la reunión es el martes a las nueve",
        "mi tío tiene un barco",
        "soy de Gales",
        "me prestó un libro",
        "nuestro jardín es pequeño",
        "mi amiga Ana es abogada",
        "también hablo francés",
        "nosotros también tenemos uno",
        "y otro más el viernes",
        "la fiesta de mi primo es el domingo",
        "los cubos están en el patio",
        "tengo un examen la semana que viene",
        "mi abuela tiene noventa años",
        "tengo que comprar pan",
    ),
}
# What each of `signs` adds to the odds, and what they begin with.
WEIGHTS, START = (1.86, 7.73, 9.7, 1.48, -1.14), -5.35
# From this chance on it is asked whether the one takes the other's place.
LIKELY = 0.5


def signs(new: str, old: str, likeness: Sequence[float], near: Mapping[str, float]) -> tuple[float, ...]:
    """Return what speaks for and against it.

    *likeness* is that of the whole and of each clause of what is told to what was told before, *near* how
    near it is to each of the `WORDINGS`.
    """
    words = [fold(word) for word in spelled_words(new)]
    own, known = words_of("oneself") & listed("articles"), all_forms(old)
    # "My new boss": what is one's own stands among the next two words.
    owned = [" ".join(words[place + 1 : place + 3]) for place, word in enumerate(words) if word in own]
    is_of_another = any(known.isdisjoint(all_forms(each)) for each in owned)
    is_anew = not words_of("anew").isdisjoint(words)
    return likeness[0], max(likeness), near[CHANGE] - near[FACT], float(is_anew), float(is_of_another)


def says_no_more(new: str, old: str) -> bool:
    """Return whether a text has no word but those of another, and denies nothing of it."""
    return is_met(new, old) and not turned_in(new, old)


def chance(found: Sequence[float]) -> float:
    """Return how likely it is, by what `signs` found."""
    odds = START + sum(sign * weight for sign, weight in zip(found, WEIGHTS, strict=True))
    return 1 / (1 + math.exp(-odds))

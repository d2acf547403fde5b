"""How likely it is that somebody says how things are to be done from then on, and not what is so now.

It is a guess, which ranks and nothing else.
"""

from almario.text.addressing import speaks_to_somebody
from almario.text.claims import plain_words
from almario.text.oneself import tells_of_oneself
from almario.text.tongues import words_of

# Among so many words stands the one that makes a rule of an order: "please always".
_FIRST = 2
_ALWAYS, _ORDERED, _BETWEEN_US = 0.3, 0.3, 0.2


def how_lasting(sentence: str) -> float:
    """Return how likely a sentence is to be wanted each time, from 0 to 1.

    It says "always" or "never", first of all and of nobody as an order does, or it speaks of "me" and "you".
    """
    words = plain_words(sentence)
    lasting = words_of("lasting")
    if lasting.isdisjoint(words):
        return 0.0
    place = next(n for n, word in enumerate(words) if word in lasting)
    before = words[:place]
    stated = words_of("articles") | words_of("subjects")
    is_order = (
        place < _FIRST and stated.isdisjoint(before) and stated.isdisjoint(words[place + 1 : place + 2])
    )
    is_between_us = speaks_to_somebody(sentence) or tells_of_oneself(sentence)
    return _ALWAYS + _ORDERED * is_order + _BETWEEN_US * is_between_us

"""The times that a text speaks of: "in March 2023", "hace dos meses", "el jueves que viene".

A name of a month or a weekday and a number are times only if something beside them says so: people are
called April and Domingo, streets 9 de Julio, and 1984 is a book.
"""

import unicodedata
from datetime import date

from almario.text.times.days import Span
from almario.text.times.hints import may_name_a_time

__all__ = ["Span", "begins", "spans", "whole_time"]

_LONGEST = 2000


def spans(text: str, today: date) -> list[Span]:
    """Return the times that a text names, as seen from *today*; of several, any may be meant."""
    text = text[:_LONGEST]
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if not may_name_a_time(text):
        return []
    from almario.text.times.reader import Reader  # noqa: PLC0415 - 30 ms that most questions need not pay

    return list(dict.fromkeys(Reader(text, today).spans()))


def whole_time(text: str, today: date) -> Span | None:
    """Return the time that a text is and says nothing besides, such as "yesterday", "lunes" or "March".

    Of several, the earliest.
    """
    text = text.strip()
    sayings = (text, f"on {text}", f"el {text}", f"in {text}")
    found = (span for said in sayings for span in spans(said, today) if span.words in sayings)
    return next(found, None)


def begins(text: str) -> bool:
    """Say whether a text tells of what holds from some time on: "starts at", "pasa a", "sube"."""
    from almario.text.times.lexicon import tokens  # noqa: PLC0415 - as above

    return any(token.is_a("begins") for token in tokens(text[:_LONGEST]))


def is_yearly(text: str) -> bool:
    """Say whether a text tells of what comes every year, such as a birthday."""
    from almario.text.times.lexicon import tokens  # noqa: PLC0415 - as above

    return any(token.is_a("yearly") for token in tokens(text[:_LONGEST]))

"""The words of each language that carry meaning: one module per language, all of it data.

A language is added by adding a file: what is there is found by its name, and read when first asked for.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple

# What words may say about a time; `times` of a language has some of these as keys. Words are separated by
# spaces and written as they are spelled; those of one phrase are joined by "_".
# `begins` are verbs of what holds from then on; `other` are those that only look like a time or a verb.
# Rows: separated by ";", counted from 1 (weekdays from 0), or beginning with what they stand for.
COUNTED = ("months", "short_months", "weekdays", "short_weekdays", "seasons", "ordinals")
# numbers: "2 dos par"; units: "weeks semanas"; relative: "day-1 ayer"; decades: "1990 noventa";
# holidays: "12-24..12-26 navidad" or, counted from Easter Sunday, "easter-2..easter+1 pascua".
NAMED = ("numbers", "units", "relative", "decades", "holidays")
PLAIN = tuple(
    """the on of for in since until before after around about between from to and last last_after this next
    next_after ago back ahead hence early mid late part every street things decade_sign names verbs day_sign
    month_sign year_sign future plans past future_ends past_ends begins other""".split()
)


class Language(NamedTuple):
    """The words of one language, without accents and in lower case but for those of times."""

    code: str
    # As its stemmer is called.
    name: str
    # Words that ask, and those that stand for whatever happened: "what did we do" asks about nothing else.
    asking: frozenset[str]
    happening: frozenset[str]
    # Words with which a question begins even where its mark is missing, as they are spelled.
    opening: frozenset[str]
    # Words and phrases that ask for what was before; and for a figure: how much, how many, when. A phrase is
    # joined by "_".
    former: frozenset[str]
    amounts: frozenset[str]
    # The words that speak of times, by what they say.
    times: Mapping[str, str]
    # Words with which one goes on with what was said before; a phrase is joined by "_".
    going_on: frozenset[str] = frozenset()
    # Numbers as words, but for those that mean something else too.
    figures: frozenset[str] = frozenset()
    # Words that say little about what a text is about. One that carries meaning in another language stays
    # out ("son", "sea", "era", "sin", "van", "come"): being frequent already makes it light.
    small: frozenset[str] = frozenset()
    # Words that ask for a sort or a number, not words asked about; left out of questions alone.
    sorts: frozenset[str] = frozenset()
    # Forms that no stemmer brings together (went, hizo, children), each with its base.
    irregular: Mapping[str, str] = {}
    # Whether months and weekdays have a capital; where they do not, one that has is a name.
    capitals: bool = False
    # Whether a weekday is a time by itself, as articles are not needed or say that it is every week.
    bare_weekdays: bool = False


def words(text: str) -> frozenset[str]:
    """Return the words of a list written as a text."""
    return frozenset(text.split())


def bases(table: str) -> dict[str, str]:
    """Return each form with its base; a row is a base and its forms, and rows end in ";"."""
    rows = (row.split() for row in table.split(";"))
    return {form: base for base, *forms in rows for form in forms}


@cache
def language(code: str) -> Language:
    """Return the language of a code such as `es`."""
    found: Language = import_module(f"{__name__}.{code}").LANGUAGE
    return found


@cache
def orders(code: str) -> Mapping[str, str]:
    """Return how orders are given in the language of a code."""
    found: Mapping[str, str] = import_module(f"{__name__}.orders.{code}").ORDERS
    return found


@cache
def languages() -> tuple[Language, ...]:
    """Return every language there is, English first, as its words are the likeliest to be meant."""
    from pkgutil import iter_modules  # noqa: PLC0415 - most commands need none

    codes = sorted(module.name for module in iter_modules(__path__) if not module.ispkg)
    return tuple(language(code) for code in sorted(codes, key=lambda code: code not in ("en", "es")))

"""The words of each language that carry meaning: one file per language, `en.toml`, all of it data.

A language is added by adding a file: what is there is found by its name, and read when first asked for. One
that has none has no rules; `common.txt` tells those that have from each other.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from almario.named_tuples import NamedTuple

# What words may say about a time; `times` of a language has some of these as keys. Words are separated by
# spaces and written as they are spelled; those of one phrase are joined by "_".
# `begins` are verbs of what holds from then on, `yearly` what comes every year; `onwards` are those of
# `since` that begin what is to come ("a partir de"); an age follows `turning` when it is reached and `being`
# when it is, and with `born` goes a year of birth;
# Before an hour stand `hour_at`, or a preposition and `hour_the`; minutes are `hour_past` it, `hour_to` it or
# `minus`, and `half_to` is half an hour before it; `hour_sign` makes an hour of a number, `hour_unit` only
# after those; `am` and `pm` say which half of the day;
# after `plural`, as after `every`, a weekday is one of every week ("los lunes");
# `other` are those that only look like a time or a verb.
# Rows: separated by ";", counted from 1 (weekdays from 0), or beginning with what they stand for.
COUNTED = (
    "months", "short_months", "weekdays", "short_weekdays", "plural_weekdays", "seasons", "ordinals", "hours",
)  # fmt: skip
# numbers: "2 dos par"; units: "weeks semanas"; relative: "day-1 ayer"; decades: "1990 noventa";
# holidays: "12-24..12-26 navidad" or, counted from Easter Sunday, "easter-2..easter+1 pascua";
# minutes: "30 media"; noon: "12 mediodía", "0 medianoche".
NAMED = ("numbers", "units", "relative", "decades", "holidays", "minutes", "noon")
PLAIN = tuple("""
    the on of for in since until before after around about between from to and last last_after this next
    next_after ago back ahead hence early mid late part every plural street things decade_sign names verbs
    numbered day_sign month_sign year_sign future plans past future_ends past_ends plans_ends noun_ends begins
    yearly onwards alternate yes no due now turning being born other hour_at hour_the hour_past hour_to
    hour_sign hour_unit minus half half_to am pm evening misspelt
""".split())  # fmt: skip


class Language(NamedTuple):
    """The words of one language, without accents and in lower case but for those of times.

    In its file, the words of a list are parted by spaces, and of `irregular` the rows by ";": each is a base
    and its forms.
    """

    code: str
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
    # Words before a noun: "the", "my".
    articles: frozenset[str] = frozenset()
    # Rows with which one asks to be told something ("tell me what"): parted by ";", where "/" parts words of
    # which any may stand there, the last one perhaps none, and "_" joins those of one phrase.
    requests: str = ""
    # Words with which it is ordered to keep something in mind, or to forget it: a stranger's line that begins
    # so is not quoted to a model.
    ordering: frozenset[str] = frozenset()
    # Words with which one asks for a deed: "could you"; and those after which one supposes: "if".
    pleading: frozenset[str] = frozenset()
    supposing: frozenset[str] = frozenset()
    # Words that make sure that one was heard: "…, ok?".
    tags: frozenset[str] = frozenset()
    # Words that deny, and "without".
    negations: frozenset[str] = frozenset()
    # With this a word ends that is denied: "didn't".
    denied: str = ""
    # Patterns, in which "_" is a space: what turns a sentence round, and a negation too.
    turning: frozenset[str] = frozenset()
    # Patterns of where a clause begins ("but"), and who may be its subject.
    clauses: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    # Units in which things are counted or measured.
    measures: frozenset[str] = frozenset()
    # Words that tell something as new: "now".
    anew: frozenset[str] = frozenset()
    # Words that only say who speaks of whom, or are said out of courtesy.
    courtesy: frozenset[str] = frozenset()
    # Words with which one greets, thanks or laughs: a message of nothing else calls nothing to mind.
    greetings: frozenset[str] = frozenset()
    # Words with which what is remembered is told ("you said"), and those with which it is noted ("works as").
    recalling: frozenset[str] = frozenset()
    noting: frozenset[str] = frozenset()
    # How one says what one is.
    i_am: frozenset[str] = frozenset()
    # Words by which one speaks of oneself, and that seldom mean anything else: "my", but not "us".
    oneself: frozenset[str] = frozenset()
    # Words of which an answer consists that says yes, and one that says no.
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    # Words that speak to somebody, and those for what an agent is or has: no line of a stranger's that has
    # one of these is quoted to a model.
    you: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()
    # Words with which a rule is said to hold where it is told, and nowhere else.
    this_project: frozenset[str] = frozenset()
    # Words with which something is said to hold each time: "always".
    lasting: frozenset[str] = frozenset()
    # Words before an hour: "at 10".
    hours: frozenset[str] = frozenset()
    # Patterns in the headings of a soul under which its limits stand.
    limits: frozenset[str] = frozenset()
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


def rows_in(table: str) -> set[str]:
    """Return the rows of a table, each written out."""
    rows = (row for each in table.split(";") for row in product(*(word.split("/") for word in each.split())))
    return {" ".join(" ".join(row).replace("_", " ").split()) for row in rows} - {""}


_LISTS = frozenset(field for field, kind in Language.__annotations__.items() if kind == frozenset[str])
_FOLDER = Path(__file__).parent


def either(among: Iterable[Language], *fields: str) -> str:
    """Return a pattern of any of the words of some fields, in any of these languages."""
    found = {word for each in among for field in fields for word in getattr(each, field)}
    return "|".join(sorted(found, reverse=True)).replace("_", " ") or "(?!)"


@cache
def language(code: str) -> Language:
    """Return the language of a code such as `es`."""
    import tomllib  # noqa: PLC0415 - 5 ms, and a hook that only hands a message on needs no words

    fields: dict[str, Any] = tomllib.loads((_FOLDER / f"{code}.toml").read_text("utf-8"))
    fields |= {name: frozenset(text.split()) for name, text in fields.items() if name in _LISTS}
    rows = (row.split() for row in fields.pop("irregular", "").split(";") if row.strip())
    irregular = {form: base for base, *forms in rows for form in forms}
    return Language(code=code, irregular=irregular, **fields)


@cache
def codes() -> tuple[str, ...]:
    """Return the code of every language there is, English first: its words are the likeliest to be meant."""
    found = sorted(path.stem for path in _FOLDER.glob("*.toml"))
    return tuple(sorted(found, key=lambda code: code not in ("en", "es")))


@cache
def languages() -> tuple[Language, ...]:
    """Return every language there is, in the same order."""
    return tuple(language(code) for code in codes())


@cache
def at_a_glance() -> dict[str, frozenset[str]]:
    """Return the words that name times, figures and oneself, in every language, without loading those.

    And those that the index knows, of English and Spanish.

    Most texts have none of them, and need no more; `python -m benchmarks.languages glance` collects them.
    """
    lines = (_FOLDER / "glance.txt").read_text("utf-8").splitlines()
    return {sort: frozenset(words) for sort, *words in map(str.split, lines)}


@cache
def common() -> dict[str, frozenset[str]]:
    """Return the commonest words of the languages that are told apart, by code."""
    lines = (_FOLDER / "common.txt").read_text("utf-8").splitlines()
    return {code: frozenset(words) for code, *words in map(str.split, lines) if code != "#"}

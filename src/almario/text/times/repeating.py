"""What comes again and again: "every Monday", "los martes", "on the 5th of each month"."""

import re
from functools import cache

from almario.domain.validity import DAILY
from almario.domain.words import SMALL, fold
from almario.named_tuples import NamedTuple
from almario.text.times.clock import hours
from almario.text.times.grammar import Phrase, pattern_of
from almario.text.times.lexicon import TimeToken
from almario.text.times.wording import Wording, clause_words, tenses_in

# Each form and its pattern, the stricter before the looser.
_FORMS = {
    "year": "every(?:unit_year GLUE)?DATE|DATE comma?GLUE every unit_year",
    "month": "DAY of every unit_month|every unit_month GLUE DAY|every(?:nth|day_sign day)(?!unit|weekday|things)"
             "|every ordinal of GLUE unit_month",
    "week": "(?:on plural_weekday|(?:every|plural)WEEKDAY)(?:(?:comma|and)+(?:every|plural|the|on)*WEEKDAY)*",
    "weekend": "every unit_weekend",
    "always": "every(?:unit_day|part)",
}  # fmt: skip
_PARTS = {
    "GLUE": "(?:of|the|on|in)*",
    "DAY": "day_sign?(?:day|ordinal|number)",
    "DATE": "(?:(?:day|ordinal)of?month|month the?(?:day|ordinal))",
    "WEEKDAY": "(?:weekday|plural_weekday)",
}


class Repeated(NamedTuple):
    """What is said of a time that comes again, *dated* as `domain.validity` writes it."""

    words: str
    dated: str


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{pattern_of(form, _PARTS)})" for name, form in _FORMS.items()))


def repeated_in(text: str, *, is_ordered: bool) -> Repeated | None:
    """Return the one time of a text that comes again; None if there is none that is sure, or it was so once."""
    words = Wording(text)
    found = list(_pattern().finditer(words.signs))
    if len(found) != 1:
        return None
    phrase = words.phrase(found[0])
    others, begin = words.tokens[: phrase.begin] + words.tokens[phrase.end :], phrase.begin
    is_sure = is_ordered or phrase.value("every") or hours(text) or _is_habit(words, phrase, others)
    dated = _dated(phrase)
    if not dated or not is_sure or "past" in tenses_in(others, phrase.languages):
        return None
    while begin and words.tokens[begin - 1].is_a("the", "on"):
        begin -= 1
    return Repeated(text[words.tokens[begin].start : phrase.tokens[-1].end], dated)


def _is_habit(words: Wording, phrase: Phrase, others: list[TimeToken]) -> bool:
    """Return whether somebody does something on Mondays: many a shop is closed on them."""
    first = words.at(phrase.end)
    leads = not phrase.begin and first is not None and fold(first.text) not in SMALL and first.text.isalpha()
    _, subjects = clause_words(phrase.languages)
    return leads or any(each.is_a("plans", "future") or fold(each.text) in subjects for each in others)


def _dated(phrase: Phrase) -> str:
    if phrase.reading == "week":
        days = {*phrase.every("weekday"), *phrase.every("plural_weekday")}
        return f"XXXX-WXX-{','.join(str(day + 1) for day in sorted(days))}"
    if phrase.reading in ("weekend", "always"):
        return "XXXX-WXX-6" if phrase.reading == "weekend" else DAILY
    day = phrase.value("day") or phrase.value("ordinal") or phrase.value("number")
    month = phrase.value("month")
    return f"XXXX-{month:02}-{day:02}" if month else f"XXXX-XX-{day:02}" if 1 <= day <= 31 else ""

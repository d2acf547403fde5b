"""How the times of a text are read: phrases that may name one, and the words around them."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache

from almario.domain.validity import Validity, between
from almario.domain.words import SMALL, fold
from almario.language import languages
from almario.text.times.clock import hours
from almario.text.times.grammar import (
    DAYS,
    FROM_TODAY,
    MONTHS,
    PARTS,
    SLACK,
    Phrase,
    TimeSpan,
    grammar,
    marked,
    moved,
    pattern_of,
    shifted,
    the_unit,
)
from almario.text.times.readings import ROUNDED, Sight, times, times_between
from almario.text.times.wording import GLUE, Around, Wording, tenses_in
from almario.text.tongues import words_of

# What may have been or be to come.
_TENSED = frozenset("signed days day_month slice quarter weekday holiday season month slashed day".split())
# What has a name of its own, so that "this" one may have been or be to come.
_OWN_NAME = ("weekday", "month", "season", "holiday")
# What stands before a time that something is due at, or is to come then.
_MOVING = ("before", "after", "due", *PARTS)
# How many of what each unit is, in what comes every so many.
_EVERY = {"day": (1, "D"), "week": (1, "W"), "fortnight": (2, "W"), "month": (1, "M"), "year": (1, "Y")}
# What may begin or end a range.
_RANGED = frozenset("month day_month date year season holiday weekday relative unit day signed".split())


class Reader:
    """Reads the times of one text, phrase by phrase."""

    def __init__(self, text: str, today: date, *, is_fact: bool = False) -> None:
        """In a fact, what may have been or be to come is the next."""
        self._text = text
        self._is_fact = is_fact
        self._today = today
        self._words = Wording(text, is_fact=is_fact)
        self._no_days: list[str] = []

    def spans(self) -> Iterator[TimeSpan]:
        if self._is_fact and (often := _every_so_often().search(self._words.signs)):
            return self._from_a_start(self._words.phrase(often))
        return self._named()

    def no_such_day(self) -> str:
        """Return the first day of the text that no year has."""
        return next(iter(self._no_days), "") if not list(self.spans()) else ""

    def _from_a_start(self, often: Phrase) -> Iterator[TimeSpan]:
        """Every two weeks starting Monday; without a day to begin on, nobody knows which it is."""
        is_led = any(token.is_a("begins", "next") for token in self._words.tokens)
        unit, count = often.value("unit"), often.value("number") or often.value("ordinal") or 2
        count = ROUNDED.get(count, count) if unit == "day" and "en" not in often.languages else count
        places = self._words.tokens[often.begin : often.end]
        # "Every two weeks from Monday" names no day in two weeks.
        for span in list(self._named(often.end)) or self._named():
            is_start = span.dated.endswith("/..") or (is_led and span.dated == str(span.first))
            if is_start and span.first >= self._today and unit in _EVERY:
                size, letter = _EVERY[unit]
                words = self._text[places[0].start : places[-1].end]
                again = f"R/{span.first}/P{count * size}{letter}"
                yield span._replace(words=words, last=span.first, dated=again, reading="again", tense="")

    def _named(self, place: int = 0) -> Iterator[TimeSpan]:
        before: Phrase | None = None
        while found := grammar().search(self._words.signs, place):
            phrase = self._words.phrase(found)
            place, read = self._read(phrase, before)
            before = phrase if read else None
            yield from read

    def _read(self, phrase: Phrase, before: Phrase | None) -> tuple[int, list[TimeSpan]]:
        if phrase.reading == "monthly":  # or only the first Monday of this month
            phrase = phrase._replace(reading="again" if self._comes_again(phrase) else "slice")
        if phrase.reading == "further" and phrase.value("ahead") and phrase.value("number") not in ROUNDED:
            # "On Sunday in 58 minutes", "today within 2".
            reading = "weekday" if phrase.tokens[0].is_a("weekday") else "relative"
            phrase = phrase._replace(end=phrase.begin + 1, tokens=phrase.tokens[:1], reading=reading)
        if self._is_name(phrase):
            return phrase.end, []
        around = self._words.around(phrase)
        is_run = "the" in around.glue and ("in" in around.marks or "for" in around.opens)
        if phrase.reading == "unit" and phrase.tokens[0].is_a("last") and is_run:
            phrase = phrase._replace(reading="run")  # "in the last month" is up to today
        other, check = self._other_end(phrase, around), _CHECKS.get(phrase.reading)
        is_sure = not check or other or self._follows(phrase, before)
        if not is_sure and check and not check(phrase, around, self._words):
            return phrase.begin + 1, []  # a name or a number of which nothing makes a time
        # "This Monday", "this summer" may have been as well.
        has_aside = phrase.aside and (phrase.reading not in _OWN_NAME or phrase.aside != "this")
        has_tense = phrase.reading in _TENSED and not has_aside and phrase.value("year") is None
        is_told = has_tense or self._is_fact
        told = self._words.tense(phrase, around) if is_told else ""
        spoken = told if has_tense else "past"
        sight = Sight(self._today, "next" if self._is_fact and spoken == "either" else spoken)
        if phrase.value("weekday") is not None and phrase.reading == "again":
            starts = (span.first for span in self._named(phrase.end) if span.dated.endswith("/.."))
            sight = sight._replace(today=max(self._today, next(starts, self._today)))
        # "Desde el 3 al 7" ends on the 7th.
        is_range = other or (phrase.reading == "days" and "from" in around.opens)
        marks, end = [] if is_range else around.marks, other.end if other else phrase.end
        named = times_between(phrase, other, sight) if other else times(phrase, sight)
        if not named and phrase.reading in ("date", "day_month"):
            self._no_days.append(self._text[phrase.tokens[0].start : phrase.tokens[-1].end])
        found = [(time, span) for time in named if (span := marked(time, marks, self._today, around.away))]
        words = self._text[self._words.tokens[around.begin].start : self._words.tokens[end - 1].end]
        # "From 20 April" alone is since then; "del 20 de abril" is not.
        opening, left = self._words.tokens[around.begin], self._words.at(around.begin - 1)
        is_from = opening.is_a("from") and not opening.is_a("of") and phrase.reading != "days"
        # "Starting next week".
        is_start = left and left.is_a("begins") and left.text.endswith(("ing", "ndo"))
        if not other and (is_from or is_start):
            marks = [*marks, "since"]
        is_open = has_tense and (other is None or other.value("year") is None)
        tense = ("either" if spoken == "nearest" else spoken) if is_open else ""
        tense = "either" if self._may_be_morning(phrase) else tense
        is_due = self._is_fact and told != "past" and bool(marks) and {*marks} <= {*_MOVING}
        # Between two holidays are days as sure as those of a month.
        reading = "days" if other and phrase.reading == "holiday" else phrase.reading
        has_been = told == "past"
        made: list[TimeSpan] = []
        for time, span in found:
            dated = self._due(time, span, phrase, around, told) if is_due else _dated(time, phrase, marks)
            made.append(TimeSpan(*span[:2], words, span.relative, dated, tense, reading, has_been))
        return end, made

    def _due(self, time: TimeSpan, span: TimeSpan, phrase: Phrase, around: Around, tense: str) -> str:
        """Return a time ahead, moved by words before it: by Friday, before the 20th, at the end of May."""
        unit, marks = phrase.value("unit"), around.marks
        if around.away:
            return str(between(span.first, span.last))
        if "after" in marks:
            return f"{span.first}/.." if tense == "future" else ""
        if phrase.reading not in ("whole", "unit") and not {"before", "due"} & {*marks}:
            return _dated(time, phrase, marks)
        if phrase.reading == "whole" and span.last < self._today:
            time = the_unit(moved(self._today, unit, 1), unit)
        is_long = "mid" in marks or (time.last - time.first).days > SLACK["quarter"]
        last = time.last if is_long or "late" in marks else time.first
        return str(between(last if "late" in marks else time.first, last))

    def _may_be_morning(self, phrase: Phrase) -> bool:
        """Whether "mañana" may be no tomorrow: "el turno de mañana", "mañana y tarde"."""
        if phrase.reading != "relative" or not phrase.tokens[0].is_a("part"):
            return False
        left, right, next_ = (self._words.at(each) for each in (phrase.begin - 1, phrase.end, phrase.end + 1))
        is_listed = right and right.is_a("and") and next_ and next_.is_a("part")
        return bool(is_listed or (left and left.is_a("of")))

    def _comes_again(self, phrase: Phrase) -> bool:
        """Whether somebody does something on Mondays: many a shop is closed on them, and many hate them."""
        words, around = self._words, self._words.around(phrase)
        is_one = phrase.reading == "monthly" and "future" in tenses_in(words.tokens, phrase.languages)
        if not self._is_fact or is_one or words.tense(phrase, around) == "past":
            return False
        left, right = words.left_of(phrase.begin), words.at(phrase.end)
        leads = left < 0 and not (right and fold(right.text) in SMALL)
        others, subjects = words.tokens[: phrase.begin] + words.tokens[phrase.end :], words_of("subjects")
        is_done = any(each.is_a("plans", "future") or fold(each.text) in subjects for each in others)
        is_on = "on" in around.glue or not phrase.tokens[0].is_a("weekday")
        is_listed = len(phrase.every("weekday")) > 1 and not any(each.is_a("being") for each in others)
        is_sure = any(phrase.value(kind) for kind in ("every", "unit_month", "alternate", "yes"))
        is_timed = bool(is_on and hours(self._text)) or (phrase.value("plural") and words.is_timed(phrase))
        return is_sure or is_timed or (is_on and (leads or is_done or is_listed))

    def _is_name(self, phrase: Phrase) -> bool:
        """Whether it is a street or a person, or may be no more than a habit."""
        if phrase.reading == "again":
            return not self._comes_again(phrase)
        left, right = self._words.at(self._words.left_of(phrase.begin)), self._words.at(phrase.end)
        beside, word = self._words.at(phrase.begin - 1), phrase.tokens[0]
        # "Flight 20", but "flight on the 20th".
        is_parted = beside and beside is not left and beside.is_a("on") and not beside.is_a("of")
        # No street is called "tomorrow", "next week" or "viernes".
        is_day = phrase.reading in FROM_TODAY or (phrase.value("weekday") is not None and word.text.islower())
        is_street = left and left.is_a("street") and not is_day and not is_parted
        if is_street or (left and left.is_a("every")):
            return True
        if right and right.is_a("street") and right.text[0].isupper() and phrase.reading != "date":
            return True
        if len(phrase.tokens) > 1 or not self._words.has_capital(phrase.begin):
            return False
        if word.is_a("relative"):
            return word.end - word.start == len(word.text)
        has_article = word.is_a("weekday") and self._words.tokens[phrase.begin - 1].is_a("on")
        return word.is_a("month", "weekday") and not _with("capitals") & phrase.languages and not has_article

    def _other_end(self, phrase: Phrase, around: Around) -> Phrase | None:
        link = self._words.at(phrase.end)
        if not link or phrase.reading not in _RANGED or not link.is_a("and", "to", "dash", "until"):
            return None
        if link.is_a("and") and "between" not in around.opens:
            return None
        if phrase.reading in ("weekday", "day", "year"):
            if not around.opens & {"between", "from", "since"} and not {"since", "in"} & {*around.marks}:
                return None
            # "De lunes a viernes" is every week, and "de 3 a 5" a number of things.
            is_sure = phrase.reading == "year" or phrase.tokens[-1].is_a("nth") or "on" in around.glue
            if not is_sure and not (phrase.reading == "weekday" and "en" in phrase.languages):
                return None
        place = phrase.end + 1
        while (token := self._words.at(place)) and token.is_a(*GLUE):
            place += 1
        found = grammar().match(self._words.signs, place)
        if not found or found.lastgroup not in _RANGED:
            return None
        # "El viernes a las 8" is an hour.
        is_hour = found.lastgroup == "day" and phrase.reading != "day"
        return None if is_hour else self._words.phrase(found)

    def _follows(self, phrase: Phrase, before: Phrase | None) -> bool:
        """Whether it is told together with a time of the same sort: "in 2024 and 2025"."""
        place = self._words.left_of(phrase.begin)
        is_next = before is not None and before.reading == phrase.reading and place == before.end
        return is_next and self._words.tokens[place].is_a("and", "comma")


def _dated(time: TimeSpan, phrase: Phrase, marks: Sequence[str]) -> str:
    """Return a time as it is written down; it stays as partial as it was said."""
    unit = phrase.value("unit")
    marks = ["since", *marks] if phrase.reading == "run" and phrase.tokens[0].is_a("since") else marks
    if time.dated or {"before", "after"} & {*marks} or (phrase.reading == "run" and "since" not in marks):
        return time.dated
    if phrase.reading == "run":
        named = _about(time.first, unit)
    elif phrase.reading in ("ago", "ahead") and SLACK[unit]:
        named = _about(shifted(time.first, (time.last - time.first).days // 2), unit)
    else:
        whole = next((marked(time, [mark], time.first) for mark in marks if mark in DAYS), None) or time
        named = between(whole.first, whole.last)
    if "since" in marks:
        named = named._replace(last="")
    elif "until" in marks or "due" in marks:
        named = named._replace(first="")
    return str(named._replace(about=named.about or "around" in marks))


def _about(day: date, unit: str) -> Validity:
    """Return a time that was counted in weeks, months or years from today."""
    written = "2026-12-03" if unit in DAYS else "2026-12" if MONTHS[unit] < MONTHS["year"] else "2026"
    part = day.isoformat()[: len(written)]
    return Validity(part, part, about=unit != "day")


def _is_weekday(phrase: Phrase, around: Around, words: Wording) -> bool:
    word = phrase.tokens[-1]
    if len(phrase.tokens) > 1:
        return not (word.is_a("short") and phrase.aside == "this")
    if word.is_a("short"):
        is_led = "on" in around.glue or (words.is_timed(phrase) and not (phrase.begin and word.is_a("past")))
        return is_led and "the" not in around.glue
    left, is_english = words.at(phrase.begin - 1), phrase.languages == {"en"}
    is_from = is_english and bool("from" in around.opens or (left and left.is_a("to")))
    if is_from or "on" in around.glue or "for" in around.opens or any(mark != "in" for mark in around.marks):
        return True
    is_alone = words.is_timed(phrase) or words.notes(phrase)
    if around.marks or is_alone or not is_english:
        return not around.marks and (is_alone or phrase.languages <= _with("bare_weekdays"))
    # In English it stands alone now and then: "see you Thursday", "Thursday we met", "she leaves Sunday".
    tense, right = words.tense(phrase, around), words.at(phrase.end)
    is_led = right is not None and fold(right.text) in words_of("subjects")
    is_done = words.is_fact and left is not None and left.text.islower() and fold(left.text) not in SMALL
    is_third = (
        is_done
        and left
        and left.text.endswith("s")
        and (not right or right.is_a("and", "comma", "stop", "dot"))
    )
    return tense == "future" or bool(is_third) or (tense == "past" and (is_led or is_done))


def _is_day(phrase: Phrase, around: Around, words: Wording) -> bool:
    """Whether a number is a day of a month: "on the 7th", "el 7"."""
    right, beyond = words.at(phrase.end), words.at(phrase.end + 1)
    left = words.at(words.left_of(phrase.begin))
    is_list = right and right.is_a("comma") and beyond and beyond.is_a("day") and not words.is_timed(phrase)
    if is_list or (left and left.is_a("numbered")) or (right and right.is_a("of", "dash")):
        return False
    if len(phrase.tokens) > 1:
        return True
    is_led = "on" in around.glue and "in" not in around.marks
    if phrase.tokens[0].is_a("nth"):
        return is_led or any(mark != "in" for mark in around.marks)
    return is_led and around.languages != {"en"}


def _is_month(phrase: Phrase, around: Around, words: Wording) -> bool:
    month = next(token for token in phrase.tokens if token.is_a("month"))
    is_verb = month.is_a("verbs") and month.text.islower()
    if len(phrase.tokens) > 1:
        return not is_verb or phrase.aside != "this"
    if month.is_a("short"):
        return "in" in around.marks and "the" not in around.glue
    is_somebody = month.is_a("names") and not month.text.islower()
    is_weak = "of" in around.glue or bool(around.opens)
    return bool(around.marks) or (is_weak and not is_somebody and not is_verb)


def _is_season(phrase: Phrase, around: Around, words: Wording) -> bool:
    if len(phrase.tokens) > 1 or around.marks or around.opens:
        return True
    # "The summer was long", but not "I like the summer" nor "the fall of Rome".
    right = words.at(phrase.end)
    is_one = "the" in around.glue and not (right and right.is_a("of"))
    return is_one and words.tense(phrase, around) != "either"


def _is_relative(phrase: Phrase, around: Around, words: Wording) -> bool:
    """Whether "mañana" is tomorrow, not "la mañana"."""
    left = words.at(phrase.begin - 1)
    if phrase.tokens[0].is_a("last"):  # "pasado tengo médico", "mañana o pasado"
        is_led = not left or left.is_a("and", "comma", "stop")
        return is_led and "plans" in tenses_in(words.tokens[phrase.end :], frozenset({"es"}))
    return not (phrase.tokens[0].is_a("part") and left and left.is_a("the", "on", "number", "relative"))


@cache
def _every_so_often() -> re.Pattern[str]:
    every = "(?<!weekday)(?<!weekday comma)every(?:number|ordinal|alternate)unit"
    return re.compile(pattern_of(f"{every}(?!(?:on|plural)*weekday)"))


@cache
def _with(field: str) -> frozenset[str]:
    """Return the languages that have `capitals`, or `bare_weekdays`."""
    return frozenset(language.code for language in languages() if getattr(language, field))


_CHECKS: dict[str, Callable[[Phrase, Around, Wording], bool]] = {
    "weekday": _is_weekday, "day": _is_day, "month": _is_month, "season": _is_season,
    "relative": _is_relative,
    "weekend": lambda phrase, around, _: not phrase.tokens[0].is_a("many") and bool(
        around.marks or around.glue & {"the", "on"} or phrase.languages <= _with("bare_weekdays")
    ),
    "year": lambda phrase, around, _: bool(around.marks) or len(phrase.tokens) > 1 or (
        ("of" in around.glue or "for" in around.opens) and 1900 <= phrase.value("year") < 2100
    ),
    "holiday": lambda phrase, around, _: bool(
        len(phrase.tokens) > 1 or not phrase.tokens[0].is_a("names") or around.marks or around.opens
    ),
    # "El quince de mayo", but not "one of April's friends".
    "day_month": lambda phrase, *_: bool(phrase.value("day") or phrase.value("ordinal"))
    or 1 < phrase.value("number") <= 31,
    "whole": lambda _, around, __: any(mark in PARTS for mark in around.marks),
    "slashed": lambda _, around, __: bool({*around.marks} - {"in"} or around.opens or "on" in around.glue),
    "decade": lambda phrase, around, _: len(phrase.tokens) > 1 or bool(around.glue & {"the", "decade_sign"}),
    # "Last a week" is how long it will take, and "in a week I lost a kilo" how long it took.
    "run": lambda phrase, *_: phrase.value("number") != 1 or bool(phrase.value("digits")),
    "ahead": lambda phrase, around, words: words.tense(phrase, around) != "past",
    "further": lambda phrase, around, words: words.tense(phrase, around) != "past",
    # "The next day" is told from another.
    "unit": lambda phrase, *_: bool(phrase.value("unit") != "day"),
}  # fmt: skip

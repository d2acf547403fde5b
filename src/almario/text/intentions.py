"""Intentions in words: "remind me of the papers when I next talk about the boat"; and names that are told.

Only a form that can be nothing else counts: an order to remind, and a situation that is no date. A date is a
plan, and what is said otherwise a model may understand. The words are in `intentions` of each language.
"""

import re
from datetime import date, datetime
from functools import cache

from almario.domain.plain_text import regex
from almario.domain.validity import read
from almario.domain.words import SMALL, fold, forms_of, sentences_in
from almario.language import at_a_glance, codes, language
from almario.named_tuples import NamedTuple
from almario.text.claims import day_of
from almario.text.times.clock import hours
from almario.text.times.grammar import FROM_TODAY
from almario.text.times.lexicon import tokens
from almario.text.times.wording import tenses_in
from almario.text.timewords import no_such_day, says, spans
from almario.text.tongues import likelier_in, reminding

# Each is made for every language that has what it needs in `intentions`. An order to remind is no question,
# and a time may stand before it; with a situation, either stands first.
_REMINDER = (
    r"(?P<time>[^.;:!?]{{,40}}?[ ,]+)??{order}"
    r"(?:(?P<sure>{sure})(?! (?:{asking})\b)|(?P<loose>{loose})|(?! (?:{asking})\b))[ :]+(?P<what>.+)"
)
# What stands between a time and what is to be done then.
_JOINT = r"(?:{joint})\b\W*"
_ORDER = r"{order}(?:{sure}|{loose})(?! (?:{asking})\b)"
_MOMENT = r"(?:(?:{next})|(?:{when})(?= {talking}\b)) (?:{talking} )?"
_SITUATIONS = (
    rf"{_ORDER} (?P<what>.+?),? {_MOMENT}(?P<when>.+)",
    rf"{_MOMENT}(?P<when>[^,]+),? {_ORDER} (?P<what>.+)",
)
# An hour of today; what is done every day at an hour; that something planned has another day; and what says
# one's name, and nothing else.
_LATER, _HABIT, MOVED = r"\b(?:{later})\b", r"\b(?:{habit})\b", r"\b(?:{moved})\b"
_CALLED = r"(?:(?:{greets})[\s,!.]+)?(?:{called}) (?P<who>[^,.;:!?]+)[.!]*"
_FIELD = regex(r"{(\w+)}")
_LONGEST_NAME = 3
# What names one week of many.
_ONE_OF_MANY = ("this", "last", "next", "next_after", "last_after")


@cache
def patterns(form: str) -> "list[tuple[str, re.Pattern[str]]]":
    """Return a form in every language that has the words for it, each with the key of a name there."""
    having = frozenset.intersection(*(at_a_glance()[f"having:{field}"] for field in _FIELD.findall(form)))
    tables = [language(code).intentions for code in codes() if code in having]
    return [(each["name"], re.compile(form.format_map(each), re.IGNORECASE)) for each in tables]


def found_in(form: str, text: str) -> "re.Match[str] | None":
    return next(filter(None, (pattern.search(text) for _, pattern in patterns(form))), None)


class Intention(NamedTuple):
    """What is to come up, and the situation in which it is; *sentence* is all of it, as it was said."""

    what: str
    situation: str
    sentence: str


def intention_in(text: str, today: date) -> Intention | None:
    """Return the first intention of a text; None if it has none that is sure."""
    for one in sentences_in(text) if reminding().search(text) else ():
        sentence = one.strip(" .!¡?¿")
        found = next(filter(None, (found_in(rf"\A{form}\Z", sentence) for form in _SITUATIONS)), None)
        if found and not spans(found["when"], today):
            what, situation = found["what"].strip(" ,."), found["when"].strip(" ,.")
            if forms_of(situation) and forms_of(what):
                return Intention(what, situation, sentence)
    return None


def is_met(situation: str, message: str) -> bool:
    """Return whether a message has every word that names a situation, or a form of it."""
    message_forms = {form for forms in forms_of(message) for form in forms}
    wanted = forms_of(situation)
    return bool(wanted) and all(not message_forms.isdisjoint(forms) for forms in wanted)


class Reminder(NamedTuple):
    """What somebody wants to be reminded of, as one reads it, and the day if that is known; or nothing."""

    what: str = ""
    day: str = ""


def reminder_in(text: str, now: datetime) -> Reminder:
    """Return what a message orders to be reminded of, if it says so in so many words.

    "At 22:30 to lock the door" is "Lock the door at 22:30". What names the day from today goes: another day
    it would be wrong.
    """
    text, today = text.strip(" ¿¡?.!"), now.date()
    found, days = found_in(rf"\A{_REMINDER}\Z", text), spans(text, today, is_fact=True)
    clock, again = hours(text), [each.dated for each in days if each.reading == "again"]
    lead = (found["time"] or "").strip(" ,") if found else ""
    if not found or (lead and lead not in _times_in(lead, today)):
        return Reminder()
    ends = [time.named if (time := read(span.dated)) else (span.first, span.last) for span in days]
    named = {day for each in ends for day in each}
    if not days and (clock or found_in(_LATER, text)):
        named = {clock[0].next_day(now) if clock else today}
    day = named.pop().isoformat() if len(named) == 1 and min(named) >= today else ""
    day = again[0] if len(again) == len(days) == 1 else day
    if found["sure"] is None and not (clock or again if found["loose"] else days or day):
        return Reminder()
    times, what = [lead], found["what"]
    while first := next((each for each in _times_in(what, today) if what.startswith(each)), ""):
        times.append(first)
        what = what[len(first) :].lstrip(" ,")
    if joint := found_in(rf"\A\W*{_JOINT}", what) if any(times) else None:
        what = what[joint.end() :]
    elif found["sure"] is None and found["loose"] is None and found_in(rf" {_JOINT}", what):
        return Reminder(text, day)  # "every fortnight to take out the bins" reads worse than what was said
    told = " ".join(" ".join([what, *times]).split())
    told = undated(told, today) if day else told
    return Reminder(told[:1].upper() + told[1:], day)


def day_of_hour(text: str, now: datetime) -> str:
    """Return the next day with the hour that a text names without a day; nothing of what is a habit."""
    clock, today = hours(text), now.date()
    after = text.partition(clock[0].words)[2] if clock else ""
    if after.startswith(" ") and after.lstrip()[:1].isupper():
        return ""  # "at 22 High Street"
    is_sure = len(clock) == 1 and not spans(text, today, is_fact=True) and not says(text, "begins")
    codes = frozenset({likelier_in(text, "en", ("en", "es"))})
    # "30 February at ten", "Tuesday is choir, 7pm"
    is_other_day = no_such_day(text, today) or any("weekday" in day_of(fold(each)) for each in text.split())
    if not is_sure or is_other_day or found_in(_HABIT, text) or "past" in tenses_in(tokens(text), codes):
        return ""
    return clock[0].next_day(now).isoformat()


def _times_in(text: str, today: date) -> list[str]:
    """Return the words of a text that name a day or an hour, with what stands before."""
    before = rf"(?:(?:{words_before_a_day()}|the) )*"
    found = [before + re.escape(each) for each in _time_words(text, today)]
    return [each[0] for each in (*(re.search(one, text) for one in found), found_in(_LATER, text)) if each]


def _time_words(text: str, today: date) -> list[str]:
    return [each.words for each in spans(text, today, is_fact=True)] + [each.words for each in hours(text)]


@cache
def words_before_a_day() -> str:
    """Return a pattern of the words that stand before a day: "on", "el"."""
    return "|".join(sorted(word for code in codes() for word in language(code).times.get("on", "").split()))


def named_in(text: str) -> tuple[str, str]:
    """Return a name that a message says, and nothing else, with its key; of another message, no key."""
    for key, pattern in patterns(_CALLED):
        found = pattern.fullmatch(text.strip())
        # "Often" and "misspelled everywhere" are no names.
        is_small = found and (text.isupper() or any(word[0].islower() for word in found["who"].split()))
        if found and is_name(found["who"]) and not is_small:
            return key, found["who"]
    return "", text


def name_keys() -> tuple[str, ...]:
    """Return the keys under which the owner's name is kept."""
    return tuple(dict.fromkeys(key for key, _ in patterns("{name}")))


def is_name(text: str) -> bool:
    """Return whether a text may be a name alone."""
    words = fold(text).split()
    return 0 < len(words) <= _LONGEST_NAME and SMALL.isdisjoint(words)


def subject_of(plan: str, today: date) -> str:
    """Return the words that say what is planned: not when, nor that this has changed."""
    for words in _time_words(plan, today):
        plan = plan.replace(words, " ")
    for _, pattern in patterns(MOVED):
        plan = pattern.sub(" ", plan)
    return " ".join(word for word in plan.split() if forms_of(word) and any(map(str.isalpha, word)))


def on_other_weekdays(series: str, message: str, today: date) -> str:
    """Return what comes again on the weekday that a message names instead; nothing if that tells more.

    "No, Thursday" after "yoga every Tuesday" leaves it weekly; "no, this Thursday" is of one week.
    """
    words, said = tokens(series), tokens(message)
    days = [place for place, word in enumerate(words) if word.is_a("weekday")]
    old = {words[place].sense.values["weekday"] for place in days}
    new = {each.sense.values["weekday"]: each for each in said if each.is_a("weekday")}
    others = {each for each in subject_of(message, today).split() if not tokens(each)[0].is_a("weekday")}
    is_once = "?" in message or any(each.is_a(*_ONE_OF_MANY) for each in said)
    if is_once or others or len(days) != 1 or len(new.keys() - old) != 1:
        return ""
    mine, theirs = (
        [span for span in spans(each, today, is_fact=True) if span.reading == "again"]
        for each in (series, message)
    )
    if mine and theirs and not theirs[0].dated.startswith("XXXX-W"):  # "every other Thursday"
        return series.replace(mine[0].words, theirs[0].words)
    word, left, name = words[days[0]], words[days[0] - 1], new[(new.keys() - old).pop()]
    is_many = word.is_a("plural") or (left.is_a("plural", "every") and left.text.endswith("s"))
    day = name.text.lower().removesuffix("s" if name.is_a("plural") else "")
    day += "s" * (is_many and not day.endswith("s"))
    return f"{series[: word.start]}{day.title() if word.text[0].isupper() else day}{series[word.end :]}"


def undated(text: str, today: date) -> str:
    """Return a text without the words that name another day tomorrow, for where the day stands beside it."""
    named = (span for span in spans(text, today) if span.reading in FROM_TODAY)
    for words in (span.words for span in named if span.tense != "either"):  # "turno de mañana" is a shift
        text = re.sub(rf"(?:,? ?\b(?:{words_before_a_day()}))? ?\b{re.escape(words)}\b", "", text)
    return " ".join(text.split()).strip(" ,")

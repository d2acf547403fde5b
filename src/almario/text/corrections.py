"""What a message puts right: the day or the hour of a plan, that it is off, or one word for another.

That is read by the words of `intentions` of each language. Which memory is meant, and whether it is to be
replaced, is for the owner to say.
"""

import re
from datetime import date

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, forms_of, names_in, sentences_in
from almario.named_tuples import NamedTuple
from almario.text.claims import day_of
from almario.text.intentions import MOVED, found_in, is_met, patterns, subject_of, words_before_a_day
from almario.text.times.clock import hours
from almario.text.times.grammar import TimeSpan
from almario.text.timewords import spans
from almario.text.tongues import likelier_in

# What says that something was wrong or is off; what makes that unsure; one word for another.
_WRONG, _OVER = r"\A(?:(?:{wrong})(?:[\s,:;.!–—-]+|\Z))+", r"(?:(?<!\w)|(?=['’]s ))(?:{over})(?!\w)"
_UNSURE, _SWAPPED = r"\b(?:{unsure})\b", r"\A(?:{swapped})\Z"
_BEFORE_A_DAY, _BEFORE_DAYS = {"en": "on", "es": "el"}, {"en": "on", "es": "los"}
_WORD, _DIGITS = regex(r"[^\W\d_]+"), regex(r"\d+")
# "*Maeve" spells a word anew.
_STAR = regex(r"\A\*(?=\w)|(?<=\w)\*\Z")
# So many words may be put in the place of others.
_LONGEST = 5
# So alike is a word that is spelled anew to what it was, and one of several names to what is meant by it.
_SPELLED, _ALIKE = 0.75, 0.5


class Correction(NamedTuple):
    """What a message puts right, *text* without saying so; without a *subject*, what was said just before.

    The words that are *wrong* are to be those that are *right*: if they are not named, what is spelled about
    so. Or it *is_over*; or it has another time.
    """

    text: str
    subject: str = ""
    wrong: str = ""
    right: str = ""
    is_over: bool = False
    # The day that it names, as `domain.validity` writes it.
    day: str = ""

    def is_of(self, text: str, stated_on: date) -> bool:
        """Return whether a text that was stated on a day may be what is put right."""
        wrong = self.wrong or (self.right and _alike(self.right, text))
        # A bare word may be another name altogether.
        has_wrong = _pattern(wrong).search(text) is not None if wrong else self.right in ("", self.text)
        return has_wrong and (not self.subject or is_met(self.subject, subject_of(text, stated_on)))

    def applied_to(self, text: str, stated_on: date) -> str:
        """Return a text put right; nothing if it does not say what is to be changed."""
        wrong = self.wrong or (self.right and _alike(self.right, text))
        if wrong and (found := _pattern(wrong).search(text)):
            right, rest = self.right.split(), text[found.end() :]
            right = right if self.wrong or found[0].islower() else [self.right.title()]
            # "The third floor, not the second" leaves one floor.
            same = [count for count in range(1, len(right)) if right[-count:] == rest.split()[:count]]
            kept = right[: -max(same)] if same else right
            return f"{text[: found.start()]}{' '.join(kept)}{rest}"
        is_timed = self.subject or _days(self.text, stated_on) or hours(self.text)
        for times in (_days, _hours) if is_timed else (_numbers, _names, _months):
            before, after = times(text, stated_on), times(self.text, stated_on)
            if times is _names and len(before) > 1 and len(after) == 1:
                alike = _alike(next(iter(after)), " ".join(before), _ALIKE)
                before = {alike: False} if alike else before
            if after and (len(before) != 1 or len(after) != 1):
                return ""
            for (old, is_old_near), (new, is_near) in zip(before.items(), after.items(), strict=False):
                on = ""  # which "tomorrow" does not have
                if is_old_near and not is_near:
                    on = f"{_BEFORE_A_DAY[likelier_in(f'{text} {self.text}', 'en', ('en', 'es'))]} "
                before_it = rf"(?:\b(?:{words_before_a_day()}) )?" if is_near else ""
                if found := re.search(before_it + re.escape(old), text):
                    text = f"{text[: found.start()]}{on}{new}{text[found.end() :]}"
        return text


def is_in_doubt(text: str) -> bool:
    """Return whether a text says that something may be off, or is not: "if it rains, the match is off"."""
    return found_in(_OVER, text) is not None and found_in(_UNSURE, text) is not None


def corrections_in(text: str, today: date) -> list[Correction]:
    """Return what a message may put right: as a whole, by a sentence, or by a clause of it."""
    clauses = [text, *sentences_in(text), *(each for one in sentences_in(text) for each in one.split(", "))]
    found = (correction_in(each, today) for each in dict.fromkeys(clauses))
    return [each for each in found if each]


def correction_in(text: str, today: date) -> Correction | None:
    """Return what a message puts right; None if it does not."""
    sentence = text.strip(" .!¡\n")
    openings = filter(None, (pattern.match(sentence) for _, pattern in patterns(_WRONG)))
    rest = _STAR.sub("", sentence[max((each.end() for each in openings), default=0) :])
    if "?" in sentence or "¿" in sentence or not rest:
        return None
    is_opened = rest != sentence
    if (is_opened or found_in(MOVED, rest)) and not _spans(rest, today):  # "no, it's Friday"
        days = [each for each in _WORD.findall(rest) if day_of(fold(each)).startswith("weekday")]
        named = [
            re.sub(rf"\b{each}\b", f"{on} {each}", rest) for each in days for on in _BEFORE_A_DAY.values()
        ]
        rest = next((each for each in named if spans(each, today, is_fact=True)), rest)
    swaps = (_swapped(found) for _, pattern in patterns(_SWAPPED) if (found := pattern.match(rest)))
    if swap := next(filter(None, swaps), None):
        return swap._replace(text=rest, day=_day(swap.right, today, is_ahead=True))
    if (instead := found_in(_SWAPPED, rest)) and instead["new3"]:
        rest = instead["new3"]
    over, is_marked = found_in(_OVER, rest), is_opened or found_in(MOVED, rest) is not None
    about = f"{rest[: over.start()]} {rest[over.end() :]}" if over else rest
    subject = " ".join(each for each in subject_of(about, today).split() if not day_of(fold(each.strip(","))))
    day = _day(rest, today, is_ahead=is_marked or over is not None)
    is_timed = over is None and bool(day or hours(rest)) and (bool(subject) or is_marked)
    is_brief = is_opened and over is None and len(rest.split()) <= _LONGEST
    names = [each for each in _names(sentence, today) if each in rest]
    is_spelled = _STAR.search(sentence) is not None and rest.isalpha() and not day_of(fold(rest))
    is_piece = is_spelled or (is_brief and bool(_numbers(rest, today) or names or _months(rest, today)))
    if is_piece and not day:
        return Correction(rest, right=rest if is_spelled else "")  # "no, it's number 41"
    if not found_in(_UNSURE, about) and (is_timed or (over and (subject or day))):
        return Correction(rest, subject, is_over=over is not None, day=day)
    # "Sorry, it's Marianna with an a".
    return Correction(rest, right=names[0]) if is_opened and not over and len(names) == 1 else None


def _swapped(found: "re.Match[str]") -> Correction | None:
    """Return which words "York, not Leeds" puts in the place of which; "he lives in York" says of whom."""
    given = [each.strip(" ,") for each in found.groups() if each]
    right, wrong = given if found["new1"] or found["new3"] else reversed(given)
    if not wrong or not forms_of(right):  # "I'm not coming"
        return None
    first, words, many = wrong.split()[0], right.split(), len(wrong.split())
    # "Ana lives in York, not Leeds" is about where Ana lives.
    place = len(words) - many if len(words) > many + 1 else 0
    if fold(first) in SMALL and first in words:
        place = len(words) - 1 - words[::-1].index(first)
    elif len(words) == many + 1 and fold(words[0]) in SMALL:  # "at 9, not 8"
        place = 1
    head, words = words[:place], words[place:]
    if not 0 < len(words) <= min(many + 1, _LONGEST) or many > _LONGEST:
        return None
    subject = " ".join(word for word in head if forms_of(word))
    return Correction("", subject, wrong, " ".join(words))


def _day(text: str, today: date, *, is_ahead: bool) -> str:
    """Return the one day that a text names; one that *is_ahead* whatever has moved it there."""
    found = _spans(text, today)
    for on in _BEFORE_A_DAY.values() if is_ahead else ():
        found = [(spans(f"{on} {span.words}", today, is_fact=True) or [span])[0] for span in found]
    days = {span.dated for span in found}
    return days.pop() if len(days) == 1 else ""


def _days(text: str, seen_from: date) -> dict[str, bool]:
    """Return the words that name days, and whether they do so by themselves, as "tomorrow" does."""
    return {span.words.rstrip("."): span.reading == "relative" for span in _spans(text, seen_from)}


def _spans(text: str, seen_from: date) -> list[TimeSpan]:
    """Return the days that a text names; "changed to Thursdays" does so as "on Thursdays" would."""
    if found := spans(text, seen_from, is_fact=True):
        return found
    before = _BEFORE_DAYS[likelier_in(text, "en", ("en", "es"))]
    named = [f"{before} {word}" for word in _WORD.findall(text) if day_of(fold(word)).startswith("weekday")]
    found = [span._replace(words=each) for each in named for span in spans(each, seen_from, is_fact=True)]
    return [each for each in found if each.reading == "again"]


def _numbers(text: str, _: date) -> dict[str, bool]:
    return dict.fromkeys(_DIGITS.findall(text), False)


def _months(text: str, _: date) -> dict[str, bool]:
    return {word: False for word in _WORD.findall(text) if day_of(fold(word)).startswith("month")}


def _alike(word: str, text: str, least: float = _SPELLED) -> str:
    """Return the word of a text that is spelled most like another, and otherwise; none, if none is alike."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - few messages put a name right

    plain = fold(word)
    ratios = {each: SequenceMatcher(None, plain, fold(each)).ratio() for each in _WORD.findall(text)}
    best = max(ratios, key=ratios.__getitem__, default="")
    return best if least <= ratios.get(best, 0) and best != word else ""


def _pattern(words: str) -> "re.Pattern[str]":
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)


def _names(text: str, _: date) -> dict[str, bool]:
    # What opens a sentence may be one, too, if nothing else is.
    named = {name for name in names_in(text) or names_in(f"x {text}") if not day_of(name)} - SMALL
    return {word: False for word in _WORD.findall(text) if word[0].isupper() and fold(word) in named}


def _hours(text: str, _: date) -> dict[str, bool]:
    return {hour.words: False for hour in hours(text)}

"""A text as words that may speak of times, and what stands around a time in it."""

import re
from functools import cache

from almario.domain.words import SMALL, fold
from almario.language import languages
from almario.named_tuples import NamedTuple
from almario.text.times.grammar import PARTS, Phrase, pattern_of
from almario.text.times.lexicon import TimeToken, everywhere, tokens
from almario.text.tongues import words_of

_ENDS = ("stop", "dot")
_TENSES = {"future", "past", "plans"}
# What says nothing of when, so that a verb's ending may.
_NO_TENSE = {"begins", "yearly", "turning", "being", "born", "street"}
# A note that begins with a weekday has so many words at most.
_NOTE = 5
GLUE = ("the", "on", "of")
_MARKS = ("since", "until", "due", "before", "after", "around", *PARTS, "in")


class Around(NamedTuple):
    """The words before a time that say which of its days are meant (since, until, at the end of, …)."""

    begin: int
    marks: list[str]
    glue: set[str]
    # What may begin a range.
    opens: set[str]
    languages: frozenset[str]
    # How many of which unit before or after it.
    away: tuple[str, int] | None = None
    # Which one a fact means from which on something may be to come: "a partir de", "desde" a day.
    onwards: str = ""


class Wording:
    """The words of a text."""

    def __init__(self, text: str, *, is_fact: bool = False) -> None:
        self.is_fact = is_fact
        self.tokens = tokens(text)
        self.signs = "".join([token.sense.sign for token in self.tokens])
        self._is_shouted = text.isupper()

    def phrase(self, found: re.Match[str]) -> Phrase:
        words = self.tokens[found.start() : found.end()]
        codes = everywhere()
        for token in words:
            for kind in ("month", "after_day", "weekday", "season", "unit", "holiday", "relative", "number"):
                if kind in token.sense.values:
                    codes = codes & token.sense.languages[kind] or codes
        left = self.at(self.left_of(found.start()))
        is_between = bool(left and left.is_a("between"))
        return Phrase(*found.span(), found.lastgroup or "", words, codes, is_between)

    def at(self, place: int) -> TimeToken | None:
        return self.tokens[place] if 0 <= place < len(self.tokens) else None

    def left_of(self, place: int) -> int:
        """Return the place of the word before articles and such."""
        place -= 1
        while place >= 0 and self.tokens[place].is_a(*GLUE):
            place -= 1
        return place

    def has_capital(self, place: int) -> bool:
        """Whether a word has a capital that no sentence begins with."""
        if self._is_shouted or not place or not self.tokens[place].text[0].isupper():
            return False
        before = self.tokens[place - 1]
        return not before.is_a("dash", *_ENDS) and before.text not in "¿¡\"'(«“‘*#"

    def is_timed(self, phrase: Phrase) -> bool:
        """Whether an hour or a part of the day follows a time: "Friday at five", "Tuesday night"."""
        right = self.at(phrase.end)
        return bool((right and right.text == "at") or _hour_after().match(self.signs, phrase.end))

    def notes(self, phrase: Phrase) -> bool:
        """Whether a text is a note that begins or ends with a time: "MOT monday"; not "is called Friday"."""
        words = [fold(token.text) for token in self.tokens]
        if any(token.is_a("being") for token in self.tokens) or not words_of("subjects").isdisjoint(words):
            return False
        beside = words[: phrase.begin][-1:] + words[phrase.end :][:1]
        may_begin = phrase.begin or (phrase.tokens[0].text.islower() and len(words) <= _NOTE)
        return bool(may_begin and len(beside) == 1 and beside[0].isalpha() and beside[0] not in SMALL)

    def around(self, phrase: Phrase) -> Around:
        marks: list[str] = []
        glue: set[str] = set()
        opens: set[str] = set()
        begin, place, codes = phrase.begin, phrase.begin - 1, phrase.languages
        away: tuple[str, int] | None = None
        onwards, is_day = "", phrase.reading in ("day_month", "date", "day")
        while (token := self.at(place)) and token.sense.values:
            known = {kind for kind in token.sense.values if token.sense.languages[kind] & codes}
            mark = next((kind for kind in _MARKS if kind in known), "")
            if not marks and (found := known & {"between", "from", "for"}):
                opens |= found | (known & {"since"})
                begin = place
            if mark in PARTS and (marks or is_day or phrase.reading in ("weekday", "relative")):
                break
            if mark:
                marks.append(mark)
                glue |= known & {"on"}  # "na segunda"
                begin = place
                codes = codes & token.sense.languages[mark]
                if mark == "since" and "onwards" in known:
                    onwards = "next"
                elif mark == "since" and "from" in known and phrase.reading == "day_month":
                    onwards = "nearest"
                if mark in ("before", "after") and (far := self._away(place)):
                    begin, away = far[2], far[:2]
                    break
            elif is_day and known & {"unit_week", "unit_weekend"} and "of" in glue and not marks:
                marks.append(token.sense.values["unit"])
                begin = place
            elif glued := known & {*GLUE, "dash", "decade_sign"}:
                glue |= glued
                if "on" in glued:
                    codes = codes & token.sense.languages["on"]
            else:
                break
            place -= 1
        return Around(begin, marks, glue, opens, codes, away, onwards)

    def _away(self, place: int) -> tuple[str, int, int] | None:
        """Return how far before or after: "two days before", "el día después"; and where that begins."""
        unit, number = self.at(place - 1), self.at(place - 2)
        if not unit or not unit.is_a("unit"):
            return None
        count = number.sense.values.get("number") if number else None
        return unit.sense.values["unit"], count or 1, place - (2 if count else 1)

    def tense(self, phrase: Phrase, around: Around) -> str:
        """Return what the sentence speaks of: `past`, `future`, or `either` if nothing tells.

        In a fact, what was booked for May is to come, and "from" may be from now on: the `nearest` is meant.
        """
        codes = around.languages or phrase.languages
        before, after = self.beside(phrase, around)
        tenses = tenses_in(before + after, codes)
        if self.is_fact and not around.marks and before and before[-1].is_a("to"):
            return "future"  # "the dentist moved to Tuesday"
        is_due = "due" in around.marks and "past" not in tenses
        if "future" in tenses or (self.is_fact and ("for" in around.opens or is_due)):
            return "future"
        onwards = around.onwards if self.is_fact else ""
        if onwards == "nearest" and "past" not in tenses:
            return "nearest"
        if {"past", "plans"} <= tenses and "for" in around.opens:
            return "future"  # "what did I plan for May"
        if "past" in tenses or ("since" in around.marks and not onwards):
            return "past"
        # "I want the photos of May" tells no more than "the photos of May".
        is_planned = "plans" in tenses and (around.marks or "of" not in around.glue or "on" in around.glue)
        return "future" if is_planned or "for" in around.opens else "either"

    def beside(self, phrase: Phrase, around: Around) -> tuple[list[TimeToken], list[TimeToken]]:
        """Return the words of its clause before and after a time."""
        first, last = self._clause(phrase, around)
        return self.tokens[first : phrase.begin], self.tokens[phrase.end : last]

    def _clause(self, phrase: Phrase, around: Around) -> tuple[int, int]:
        """Return from where to where a sentence speaks of a time: all of it, or a clause that says enough.

        Such a clause begins with somebody or with the time: "he is called Bruno, and on Friday we fetch him".
        """
        ends = [place for place, token in enumerate(self.tokens) if token.is_a(*_ENDS)]
        first = max((place + 1 for place in ends if place < phrase.begin), default=0)
        last = min((place for place in ends if place >= phrase.end), default=len(self.tokens))
        words, subjects = [fold(token.text) for token in self.tokens], words_of("subjects")
        rest = {*words[phrase.end : last]}
        says_enough = not subjects.isdisjoint(rest) or len(rest - SMALL - {","}) > 1
        for start in range(around.begin, first, -1):
            is_led = says_enough and SMALL.issuperset(words[start : around.begin])
            if self.tokens[start - 1].is_a("comma", "and") and (is_led or words[start] in subjects):
                return start, last
        return first, last


def tenses_in(words: list[TimeToken], codes: frozenset[str]) -> set[str]:
    """Return what words speak of: `past`, `future`, `plans`."""
    future, past, plans, nouns = _verb_ends(codes)
    tenses = set()
    for place, (_, _, text, sense) in enumerate(words):
        known = {kind for kind in sense.values if sense.languages[kind] & codes}
        # "Moved to Leith", "Empecé un curso", but not "Alfred is back" nor "Lucía llega".
        leads = (
            not place and len(words) > 1 and (known or words[1].is_a("the", "to", "in", "of", "on", "from"))
        )
        # "La gestoría" is no past.
        is_noun = place and text.endswith(nouns) and words[place - 1].text.lower() in _articles()
        may_be_verb = not is_noun and (text.islower() or (leads and text[1:].islower()))
        if known - _NO_TENSE:
            tenses |= _TENSES & known
        elif text.endswith(future) and may_be_verb:
            tenses.add("future")
        elif text.endswith(past) and len(text) > 2 and may_be_verb:
            # "We are invited" is no past.
            tenses |= set() if place and words[place - 1].is_a("being") else {"past"}
        elif place and text.endswith(plans) and words[place - 1].is_a("being"):
            tenses.add("plans")  # "I'm picking her up"
    return tenses


@cache
def _hour_after() -> re.Pattern[str]:
    hour = "(?:hour_at|to hour_the)(?:hour|digits|clock)|half(?:hour|digits)|digits(?:am|pm|hour_unit)"
    return re.compile(pattern_of(f"comma?(?:am|pm|clock|between number|{hour})"))


@cache
def _verb_ends(codes: frozenset[str]) -> list[tuple[str, ...]]:
    known = [language for language in languages() if language.code in codes and codes != everywhere()]
    return [
        tuple(" ".join(language.times.get(kind, "") for language in known).split())
        for kind in ("future_ends", "past_ends", "plans_ends", "noun_ends")
    ]


@cache
def _articles() -> frozenset[str]:
    return frozenset(word for each in languages() for word in each.articles)

"""What of a message is told: without greetings, leads and questions, and whether it lasts."""

from collections.abc import Sequence
from datetime import date, datetime

from almario.domain.opening_kinds import BEYOND, GROUP_OF, TELLING, TO_DO, WORK
from almario.domain.plain_text import regex
from almario.domain.words import fold, sentences_in
from almario.memory.embedding import Embedding
from almario.text.answers import is_piece, without_bare_order
from almario.text.intentions import MOVED, day_of_hour, found_in
from almario.text.reader import LIKELY, parts_of
from almario.text.times.clock import hours
from almario.text.times.grammar import TimeSpan
from almario.text.timewords import spans
from almario.text.tongues import spelled_words, words_of
from almario.text.wishes import listed, may_ask_to_forget

# What is said around what is told.
_POLITE = ("greeting", "farewell", "thanks", "apology")
# So many words may lead up to what is told; a name or a number is told already.
_LONGEST_LEAD, _NAMES, _DIGIT = 6, regex(r"\d|(?<=\s)[A-Z](?!['’\s])"), regex(r"\d")
_GAP = regex(r"([,:]?)\s+(?=(\w+)\W+\w)")
# After what is told, something else is left out from this chance on.
_SURE = 0.9
# What may be to be done and has so many commas is a list: "shopping: milk, eggs, cat food".
_LISTED = 2
# So many words ask for something else than was told before them.
_ASKED = 3


def stated_in(message: str, opening: str, now: datetime, reader: Embedding) -> tuple[str, bool]:
    """Return what a message of that *opening* tells, and whether any of it is still so another day.

    Then all of it is kept: "it's losartan now. 25."
    """
    sentences = [each for one in sentences_in(message) if (each := _stated(one, reader))]
    return " ".join(sentences), any(_lasts(each, opening, now, reader) for each in sentences)


def _lasts(stated: str, about: str, now: datetime, reader: Embedding) -> bool:
    """Return whether something is told that is still so another day, or is of a day to come.

    If the message is *about* the agent, only what is clearly told counts.
    """
    today = now.date()
    is_timed = hours(stated) and (day_in(stated, now) or spans(stated, today))
    own = reader.opening(stated) or (about if GROUP_OF.get(about) == "itself" else "")
    if is_timed or (own not in (TELLING, "") and GROUP_OF[own] != "feeling"):
        is_list = own == TO_DO and stated.count(",") >= _LISTED
        return bool(is_timed) or is_list or reader.is_to_do(stated)
    is_ahead = any(each.first > today for each in spans(stated, today, is_fact=True))
    return is_ahead or reader.read(stated).lasts >= LIKELY


def _begun(sentence: str, reader: Embedding) -> str:
    """Return a sentence from where it begins to tell, without "oh and btw" or "well, since you ask,"."""
    first = words_of("subjects") | words_of("i_am") | listed("articles")
    leads = [
        sentence[: gap.start()]
        for gap in list(_GAP.finditer(sentence))[:_LONGEST_LEAD]
        if gap[1] or fold(gap[2]) in first
    ]
    # "Lo he cambiado" and "not really" say more than that something comes.
    empty = [
        each
        for each in leads
        if not _NAMES.search(each) and words_of("negations").isdisjoint(words := fold(each).split())
        if words and (words[-1] not in first or sentence[len(each)] in ",:")
    ]
    chances = {each: reader.read(each).leads for each in empty}
    longest = max((each for each in chances if chances[each] >= LIKELY), key=len, default="")
    return sentence[len(longest) :].lstrip(" ,:" if longest else " ,")  # ":(" is no lead


def _stated(sentence: str, reader: Embedding) -> str:
    """Return what of a sentence is told: what is asked before or after it is answered, and not kept."""
    sentence = without_bare_order(sentence)
    parts = parts_of(sentence)
    work, colon, _ = sentence.partition(":")
    is_work = colon and reader.opening(work, among=(BEYOND, *WORK)) and reader.opening(sentence) != TO_DO
    if is_piece(sentence) or is_work or any(map(may_ask_to_forget, parts or [sentence])):
        return ""  # what comes after "translate:" is material, and who may want something forgotten is asked
    if "?" in sentence and reader.asks(sentence):
        # "I'm allergic to nuts, what can I eat?" tells before it asks.
        first, asked = parts[0] if parts else "", " ".join(parts[1:])
        tells = bool(reader.opening(first, among=(TELLING,))) and not reader.asks(first)
        return _begun(first, reader) if tells and len(asked.split()) >= _ASKED else ""  # "isn't she?"
    if not parts or "?" in sentence:
        is_told = not reader.asks(sentence) and reader.opening(sentence) not in _POLITE
        return _begun(sentence, reader) if is_told else ""
    is_jotted = reader.is_to_do(sentence)
    told = _edges(
        [not _is_aside(each, place, reader, is_jotted=is_jotted) for place, each in enumerate(parts)]
    )
    if not told:
        return ""
    start = sentence.find(parts[told.start]) if told.start else 0
    end = sentence.find(parts[told.stop], start) if told.stop < len(parts) else None
    others = words_of("subjects") - words_of("oneself") - words_of("you")
    is_numbered = _DIGIT.search(sentence[:start]) and not reader.is_beside(parts[0])
    if is_numbered or not others.isdisjoint(spelled_words(sentence[start:])[:1]):
        start = 0  # "Hi, 34, hairdresser", "a card for my aunt, she's turning 70"
    return _begun(sentence[start:end].rstrip(" ,"), reader)


def _is_aside(part: str, place: int, reader: Embedding, *, is_jotted: bool) -> bool:
    """Return whether a part of a sentence tells nothing; one that goes on with a name or number does."""
    if hours(part) or (place and _NAMES.search(f" {part}")):
        return False  # "our son Sam, who is 6"
    # "…, at night" may read as a farewell: of what is told, rather too much is kept.
    chance = _SURE if place else LIKELY
    is_other = not is_jotted and reader.is_beside(part, chance=chance)  # "milk, call Ana" is all to be done
    return is_other or reader.opening(part, chance=chance) in _POLITE


def day_in(text: str, now: datetime) -> str:
    """Return the day of what is told, if its words do not say that by themselves."""
    today = now.date()
    spans_of_it = spans(text, today, is_fact=True)
    days = [each.first for each in spans_of_it if each.first == each.last and each.reading != "again"]
    if days == [today] and hours(text):
        return str(today)  # "dinner tonight at 8" is no state that begins today
    # What moved is ahead, though that is told in the past: "the dentist moved to Thursday".
    ahead = [span.dated for each in spans_of_it for span in _ahead(each.words, today)]
    is_moved = days and days[0] < today and found_in(MOVED, text) and ahead
    return ahead[0] if is_moved else day_of_hour(text, now)


def _ahead(words: str, today: date) -> list[TimeSpan]:
    named = (spans(f"{on} {words}", today, is_fact=True) for on in ("on", "el"))
    return next(filter(None, named), [])


def _edges(flags: Sequence[bool]) -> slice | None:
    """Return the places from the first that holds to the last; None if none does."""
    places = [place for place, flag in enumerate(flags) if flag]
    return slice(places[0], places[-1] + 1) if places else None

"""How much of a text its sources say, by words or by meaning: a number for whoever reads it.

For what the owner said alone it decides nothing but whether that is told as a guess. Where strangers were
heard it is the gate: what the owner's own words do not say is not the owner's word. Meaning stands in for
other words, not for a name or a number that nobody has said, and not for what was denied.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date

from almario.domain.memories import UNTRUSTED, Origin, lowest
from almario.domain.plain_text import regex
from almario.domain.words import sentences_in
from almario.language import Language, codes, either, language, languages
from almario.memory.rules.admission import SUPPORTED
from almario.named_tuples import NamedTuple
from almario.text.claims import Claims, claim_terms, claims_of, day_of, in_order, numbers_in, plain_words
from almario.text.timewords import undated
from almario.text.tongues import language_of, words_of

# The share of a text its sources must contain; with less, it is a guess.
LEAST = SUPPORTED
# What is told in other words, by its nature: a summary, what was noticed.
LEAST_IN_OTHER_WORDS, LEAST_OF_THOSE_AMONG_STRANGERS = 0.4, 0.6
# The cosine of a text and a sentence that has nothing to do with it, and of one that says it: in the space of
# the bundled model, 97 of 100 of the former are below, and half of the latter are above.
UNRELATED, _SAME, _SAME_ALONE = 0.3, 0.7, 0.62
# What is told with a word that is not is worth no more than a guess.
_MOST_OF_A_GUESS = 0.4
# However well it is said, what was only supposed counts no more than that.
SUPPOSED = 0.4
# A question asks whether something is so if that is more of its words.
_ASKED = 0.75
_ANY_DAY = date(2000, 1, 1)
_BEFORE_A_QUESTION, _ASKING = regex(r"(?=¿)"), regex(r"[?？]\s*$|^\s*¿")
# One word can be shared by chance.
_ENOUGH = 2
# What follows a sentence of a summary of which only a part was said.
DOUBT = "(?)"
LIST_ITEM = regex(r"(?:[-*•]|\d+[.)])\s+\S")
_SEMICOLON = regex(r"(?<=;)\s+")
# A longer text is no fact that somebody asked to be remembered, and a longer message was pasted.
_LONGEST, _LONGEST_MESSAGE = 2000, 20_000


class Ground(NamedTuple):
    """How many *words* a text has, how many of them are *stated*, and how many *denied* there.

    A name or a number counts for two. *invented* are those of which nobody speaks, *turned* those of which
    the contrary is told; *dates* are among what is told, and say little by themselves: anybody speaks of May.
    """

    stated: int = 0
    words: int = 0
    denied: int = 0
    invented: int = 0
    turned: int = 0
    dates: int = 0

    @property
    def share(self) -> float:
        """How much of it is told, from 0 to 1; what says the contrary counts against it."""
        return max(0, self.stated - self.denied) / self.words if self.words else 0.0

    @property
    def touched(self) -> int:
        """How much of it is spoken of at all."""
        return self.stated + self.denied

    def bears(self, least: float) -> bool:
        """Return whether that much is told, by more than a word of many, and nothing comes from nowhere."""
        return self._is_enough and not self.invented + self.turned and self.share >= least

    def support(self, nearness: float = 0.0, *, alone: bool = False) -> float:
        """Say how much of it is said, by words or by its *nearness* in meaning, from 0 to 1.

        *alone*, where nobody else was heard who could have said it, half of it is enough, and a name that
        was not said makes it no guess.
        """
        made_up = self.invented + self.turned
        is_half_enough = alone and made_up < self.stated > min(_ENOUGH, self.words - 1)
        by_words = self.share * (2 if is_half_enough else 1)
        by_meaning = (nearness - UNRELATED) / ((_SAME_ALONE if alone else _SAME) - UNRELATED)
        if not self._is_enough or (made_up and not is_half_enough):
            by_words = min(by_words, _MOST_OF_A_GUESS)
        if made_up or self.denied >= max(1, self.stated):
            by_meaning = 0.0
        return max(0.0, min(1.0, max(by_words, by_meaning)))

    @property
    def _is_enough(self) -> bool:
        return self.stated > 0 and self.stated - self.dates >= min(_ENOUGH, self.words - self.dates)


def ground(
    text: str, sources: Iterable[str], around: Iterable[str] = (), known: Collection[str] = (), held: str = ""
) -> Ground:
    """Measure how much of a text its sources tell together.

    Names that stand *around* them, or are *known*, are no invention and count neither way; nor do other
    words around them, as far as the sources themselves have as much to say; those that *held* before need
    not be said again, if something else is said and nothing invented. Dates are worked out, and need not be
    there as they are.
    """
    claims = claims_of(text[:_LONGEST_MESSAGE])
    stated, near, before = (
        claim_terms(tuple(each[:_LONGEST_MESSAGE] for each in texts)) for texts in (sources, around, [held])
    )
    count = Counter[str]()
    for word in claims.words:
        is_exact, is_date = claims.is_exact(word), claims.is_date(word)
        worth = 1 + (is_exact and len(word.text) > 1)
        found = stated.sense(word, exact=is_exact)
        if found is None:
            is_near = near.sense(word, exact=is_exact) is not None
            is_known = is_exact and (is_near or word.text in known)
            if is_date or is_known or word.text in words_of("noting"):
                continue
            is_held = claims.sense(word) & (before.sense(word, exact=is_exact) or frozenset())
            count["around"] += worth * is_near
            count["held"] += worth * bool(is_held)
            count["invented"] += is_exact
        # What does not happen since May is said of May.
        elif claims.sense(word) & found or (is_date and False in found):
            worth = 1 if is_date else worth
            count["stated"] += worth
            count["dates"] += is_date and not day_of(word.text).startswith("weekday")
        else:
            count["denied"] += worth
            count["turned"] += is_exact
        count["words"] += worth
    is_told = count["stated"] and not count["invented"] + count["turned"] + count["denied"]
    most = count["stated"] + count.pop("held", 0) * bool(is_told)
    count["words"] -= min(count.pop("around", 0), most)
    return Ground(**count)


def stands_in(fact: str, message: str) -> bool:
    """Return whether all that a fact says stands in one sentence of a message, in whatever person.

    Every content word by its stem, names and numbers exactly and in their
    order, and denied where it is denied and nowhere else. Only one sentence
    counts at a time, so that the owner's words cannot be put together to say
    what was never said.
    """
    claims = claims_of(fact) if len(fact) <= _LONGEST else None
    if claims is None or not claims.words:
        return False
    return any(_is_in(claims, sentence) for sentence in sentences_in(message[:_LONGEST_MESSAGE]))


def _is_in(claims: Claims, sentence: str) -> bool:
    stated = claim_terms((sentence,))
    # A fact that begins with a name is known by the message, where it stands inside.
    names = (claims.first, *claims.names) if claims.first in claims_of(sentence).names else claims.names
    for word in claims.words:
        found = stated.sense(word, exact=word.text in names)
        if found is None or not claims.sense(word) & found:
            return False
    return in_order(names, plain_words(sentence)) and in_order(claims.numbers, numbers_in(sentence))


def is_only_supposed(text: str, sources: Iterable[str]) -> bool:
    """Return whether a text rests on nothing but a question whether it is so, or an *if* it leaves out."""
    parts = [
        part
        for source in sources
        for sentence in sentences_in(source[:_LONGEST_MESSAGE])
        for part in _BEFORE_A_QUESTION.split(sentence)
    ]
    told = [_told_of(text, part) for part in parts]
    if told == parts or _has(languages(), "supposing", text):
        return False
    return ground(text, parts).bears(LEAST) and not ground(text, told).bears(LEAST)


def _told_of(text: str, part: str) -> str:
    """Return what a part of a message tells of a text, and does not only ask or suppose.

    A question that says more takes it for granted: "what do I get my wife Laura?". A plea is no question.
    """
    spoken = [language(code) for code in codes() if code == language_of(part)]
    is_question = _ASKING.search(part) and not _has(spoken, "pleading", part)
    if is_question and ground(undated(part, _ANY_DAY), [text]).share > _ASKED:
        return ""
    supposed = _has(spoken, "supposing", part)
    before = part[: supposed.start()] if supposed else part
    return before if claims_of(before).words else ""


def _has(spoken: Collection[Language], field: str, text: str) -> re.Match[str] | None:
    """Return where a text has a word of a field; "si," says yes."""
    return re.search(rf"\b(?:{either(spoken, field)})\b(?!,)", text, re.IGNORECASE)


def rests_on(text: str, sources: Sequence[str]) -> bool:
    """Return whether one of the sources says a text, or most of it."""
    return any(stands_in(text, each) or ground(text, [each]).bears(LEAST) for each in sources)


def origin_of_words(text: str, *, message: str, at_most: Origin) -> Origin:
    """Return the origin of what a model writes down: the owner's if the owner's *message* says it.

    Where strangers are among what the model was *at_most*, every word must be
    there. Else it is the model's own conclusion, and no better than the
    lowest of what it was told.
    """
    is_owners = stands_in(text, message)
    if not is_owners and at_most != UNTRUSTED and len(text) <= _LONGEST:
        is_owners = ground(text, [message]).bears(LEAST)
    return "owner" if is_owners else lowest("agent", at_most)


def borne_out(
    text: str, sources: Sequence[str], *, least: float, known: Collection[str] = (), doubted: bool = False
) -> str:
    """Return what the sources bear out of a text in other words: whole sentences, and whole lists.

    Of what they bear out a part only, all stays with a mark if it may be *doubted*, else nothing.
    """

    def is_held(text: str) -> bool:
        return ground(text, sources, known=known).bears(least)

    def kept(parts: Sequence[str], whole: str) -> str:
        held = list(map(is_held, parts))
        if all(held):
            return whole
        return f"{whole} {DOUBT}" if doubted and any(held) else ""

    found = []
    for block in _blocks(text):
        if len(block) > 1:
            begins = 1 if LIST_ITEM.match(block[0]) else 2  # what leads to a list is said with its first item
            found.append(kept([" ".join(block[:begins]), *block[begins:]], "\n".join(block)))
        else:
            whole = _whole_sentences(block[0])
            sentences = (kept([each] if is_held(each) else _SEMICOLON.split(each), each) for each in whole)
            found.append(" ".join(filter(None, sentences)))
    return "\n".join(filter(None, found))


def _blocks(text: str) -> list[list[str]]:
    """Return the lines of a text; those of a list together, with the line that leads to it."""
    blocks: list[list[str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if (
            blocks
            and LIST_ITEM.match(line)
            and (LIST_ITEM.match(blocks[-1][-1]) or blocks[-1][-1][-1] == ":")
        ):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _whole_sentences(line: str) -> list[str]:
    """Return the sentences of a line; one goes on after a semicolon."""
    found: list[str] = []
    for each in sentences_in(line):
        if found and found[-1].endswith(";"):
            found[-1] += f" {each.strip()}"
        else:
            found.append(each.strip())
    return found

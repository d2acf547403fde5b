"""A message as it is listened to: its sentences and clauses, folded, without what others said.

It is listened to as if it were spelled as in a letter; where something was written is known all the same.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, index_terms
from almario.language import either, language, languages
from almario.named_tuples import NamedTuple
from almario.text.content import plain_words, terms_of, written_out
from almario.text.spelling import Spelling, spelled
from almario.text.tongues import rules_for, words_of

# Stands for each sign of a quotation and of code: these are other people's words.
NOT_SAID = "\ufffc"
OTHERS = regex(
    r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|『[^『』]*』|"
    r"(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){2,300}'(?!\w)|^[ \t]*>[^\n]*",
    re.S | re.M,
)
# So much of a message is listened to at its beginning and at its end; what is between was pasted.
_REACH = 20_000
_SPACES = regex(r"[\t\r\v\f]")
_MAY_BE_OTHERS = regex(r"[`\"“„«「『'>]")
_END = regex(r"[.!?…]+[\"'»”)\]]*(?=[ \n]|$)|[。！？]+[」』）]*|\n+|¿+")
_LAST_WORD = regex(r"(?<![a-z0-9])[a-z]{1,5}$")
_LONGEST_SHORT = 6
# Where a clause begins whatever the language; each has its own words for "and" and "but" besides.
_CLAUSE = regex(r"[,;:(]+[\s.]*|\s[-–—]+\s+|[–—]\s*|\.{2,}\s*|…\s*")
# In a sentence with more clauses than that, an order is none of its last.
_MOST_CLAUSES = 12


class Sentence(NamedTuple):
    """Where a sentence begins and ends, with its signs, and whether it asks."""

    start: int
    end: int
    asks: bool


class Heard(NamedTuple):
    """A message as *written*, and as listened to: in lower case, without accents and quotations."""

    written: str
    spelling: Spelling

    @property
    def plain(self) -> str:
        return self.spelling.text

    def as_written(self, start: int, end: int) -> str:
        """Return what is written between two places of the plain text."""
        return self.written[self.spelling.place(start) : self.spelling.place(end)]

    def has(self, signs: Iterable[str]) -> list[str]:
        """Return which of some signs are in what is listened to."""
        near = self.plain if len(self.plain) <= 2 * _REACH else self.plain[:_REACH] + self.plain[-_REACH:]
        return [sign for sign in signs if sign in near]

    def sentences(self) -> Iterator[Sentence]:
        """Yield each sentence; one that asks begins at its "¿", if it has one."""
        start = 0
        for end in _END.finditer(self.plain):
            sign = end[0]
            stop = end.start() if sign[0] == "¿" else end.end()
            if self._goes_on(start, end.start(), end.end(), sign):
                continue
            if stop > start:
                yield Sentence(start, stop, self._asks(start, sign))
            start = stop
        if start < len(self.plain):
            yield Sentence(start, len(self.plain), self._asks(start, ""))

    def _asks(self, start: int, sign: str) -> bool:
        return "?" in sign or "？" in sign or self.plain[start] == "¿"

    def _goes_on(self, start: int, stop: int, after: int, sign: str) -> bool:
        """Say whether a sign ends no sentence: that of an abbreviation, an initial or a day, or a pause."""
        following = self.as_written(after, after + 2).strip(" ")[:1]
        if sign[:1] not in ".…" or sign[0] == "\n" or not following or following == "\n":
            return False
        if sign[:2] in ("..", "…"):
            return following.islower()
        before = self.plain[max(start, stop - _LONGEST_SHORT) : stop]
        if before[-1:].isdigit():
            return following.islower() or self.plain.startswith(_months(), after + 1)
        last = _LAST_WORD.search(before)
        return last is not None and (last[0] in _short() or len(last[0]) == 1)

    def clauses(self, sentence: Sentence, joins: re.Pattern[str]) -> Iterator[int]:
        """Yield where the clauses of a sentence begin: after its signs and after "and" or "but"."""
        yield sentence.start
        found = {each.end() for each in _CLAUSE.finditer(self.plain, sentence.start, sentence.end)}
        found |= {each.end() for each in joins.finditer(self.plain, sentence.start, sentence.end)}
        yield from sorted(found - {sentence.start, sentence.end})[:_MOST_CLAUSES]


# One message is read for all its wishes in turn.
@lru_cache(maxsize=1)
def listen(message: str) -> Heard:
    """Return a message as it is listened to."""
    written = unicodedata.normalize("NFC", message).strip()
    between = len(written) - 2 * _REACH
    if between <= 0:
        return Heard(written, spelled(folded(written)))
    near = folded(written[:_REACH]) + NOT_SAID * between + folded(written[-_REACH:])
    return Heard(written, spelled(near))


def folded(written: str) -> str:
    """Return a text in lower case, without accents and with no word of others; it is as long as before."""
    is_plain = written.isascii() and not _SPACES.search(written)
    plain = (written if is_plain else written.translate(_letters())).lower()
    if not _MAY_BE_OTHERS.search(plain):
        return plain
    return OTHERS.sub(lambda found: NOT_SAID * len(found[0]), plain)


@cache
def _letters() -> dict[int, str]:
    """Return what stands for each sign that is written in more ways than one."""
    marked = {code: unicodedata.normalize("NFD", chr(code))[0] for code in range(0xC0, 0x250)}
    found = {code: base for code, base in marked.items() if base.isascii()}
    found |= {ord(sign): "'" for sign in "’‘ʼ´"}
    found |= {ord(sign): " " for sign in "\t\r\v\f\xa0\u2009\u202f\u3000"}
    return found | {ord("、"): ",", ord("，"): ",", ord("："): ":", ord("；"): ";"}


@cache
def _short() -> frozenset[str]:
    """Return what is written with a full stop in any language: "dr", "sra"."""
    return frozenset(" ".join(each.orders.get("short", "") for each in languages()).split())


@cache
def _months() -> tuple[str, ...]:
    """Return the months with a capital, which may stand after the number of a day: "am 3. Mai"."""
    rows = " ".join(each.times.get("months", "") for each in languages() if each.capitals)
    return tuple(rows.translate(_letters()).replace(";", "").split())


# "Hablame" is a form of hablar, and no stemmer knows it without its accent.
_WITH_PRONOUN = regex(r"(?<=\w{4}[aei])(?:me|te|se|l[aeo]s?|nos)$")
EITHER = frozenset((False, True))
# A sentence ends with its sign, but for that of "Dr." and "St.".
_SENTENCES = regex(r"(?<=[.!?…;])(?<!\b[A-Z][a-z]\.)\s+|(?<=[。！？])|\n+")
_PAUSE = r"[,:](?=\s)|\s[-–—]\s"


class _Rules(NamedTuple):
    """How some languages part clauses and deny.

    "And" begins a clause where somebody else is spoken of ("I don't smoke and my
    sister runs") or something else is asked for ("stop shouting and keep it
    short"), but not in "I don't drink and smoke", for which Spanish has "ni".
    """

    clauses: re.Pattern[str]
    besides: re.Pattern[str]
    subjects: re.Pattern[str]
    turning: re.Pattern[str]
    negations: frozenset[str]


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text, each of which says something by itself."""
    return [sentence for sentence in _SENTENCES.split(text) if sentence.strip()]


@lru_cache(4096)
def denials(text: str) -> Mapping[str, frozenset[bool]]:
    """Return for each word of a text whether it is denied; one can be said here and denied there."""
    found: dict[str, frozenset[bool]] = defaultdict(frozenset)
    for sentence in sentences_in(written_out(text)):
        rules = _rules(rules_for(sentence))
        words = set(plain_words(sentence))
        if words & rules.negations and words <= SMALL | rules.negations:  # "Lists again. Don't."
            found |= dict.fromkeys(found, EITHER)
        for clause in _clauses(sentence, rules):
            for word, is_denied in _denials(clause, rules):
                found[word] |= {is_denied}
    return dict(found)


@lru_cache(4096)
def told_terms(text: str) -> Mapping[str, frozenset[bool]]:
    """Return the terms by which the words of a text are known, and for each whether it is denied."""
    own: dict[str, frozenset[bool]] = defaultdict(frozenset)
    for word, denied in denials(text).items():
        for term in (*index_terms(word), *index_terms(_WITH_PRONOUN.sub("", word))):
            own[term] |= denied
    return dict.fromkeys(terms_of(text), EITHER) | own


@cache
def _rules(codes: tuple[str, ...]) -> _Rules:
    among = [language(code) for code in codes]

    def whole(*fields: str) -> str:
        return rf"\b(?:{either(among, *fields)})(?!\w)"

    return _Rules(
        re.compile(f"{_PAUSE}|{whole('clauses')}", re.IGNORECASE),
        re.compile(whole("besides"), re.IGNORECASE),
        re.compile(whole("subjects"), re.IGNORECASE),
        re.compile(whole("without", "turning")),
        frozenset().union(*(each.negations for each in among)),
    )


def senses(text: str) -> frozenset[bool]:
    """Return whether a text denies all it speaks of, nothing of it, or some."""
    light = SMALL | words_of("negations")
    words = {word: denied for word, denied in denials(text).items() if word not in light}
    return frozenset[bool]().union(*words.values())


def _clauses(sentence: str, rules: _Rules) -> Iterator[str]:
    for clause in rules.clauses.split(sentence):
        first = rules.besides.split(clause, maxsplit=1)[0]
        yield from [clause] if rules.subjects.search(first) else rules.besides.split(clause)


def _denials(clause: str, rules: _Rules) -> Iterator[tuple[str, bool]]:
    """Yield the words of a clause, each with whether it is denied."""
    words = plain_words(clause)
    denying = rules.negations
    turning = {match.start() for match in rules.turning.finditer(" ".join(words))}
    last = max((place for place, word in enumerate(words) if word in denying), default=len(words))
    is_denied = last < len(words) and all(word in SMALL or word in denying for word in words[last + 1 :])
    is_turned, at = False, 0
    for word in words:
        yield word, is_denied != is_turned
        is_turned ^= at in turning
        is_denied |= word in denying
        at += len(word) + 1


# So many words in quotation marks are still the writer's own.
_FEW = 3
_WORD = regex(r"\w+")
# "Ana: see you there", as chats are copied; a sentence with a colon in it has more words before that.
_SAID_BY = regex(r"^[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*)?[^\W\d_][\w .'-]{0,24}:[ \t]+\S.*$", re.MULTILINE)
_COPIED = 2
# "The villain says: —Creature, …"
_DIALOGUE = regex(r"(?:^|:)[ \t]*[—―][ \t]?\w[^\n]*", re.MULTILINE)


class Parted(NamedTuple):
    """What a message says in its writer's *own* words, and what it quotes of *others*."""

    own: str
    others: str


def parted(message: str) -> Parted:
    """Part a message; each part keeps the order of its words."""
    spans = [each.span() for each in OTHERS.finditer(message) if len(_WORD.findall(each[0])) > _FEW]
    spans += [each.span() for each in _DIALOGUE.finditer(message)]
    copied = [each.span() for each in _SAID_BY.finditer(message)]
    spans += copied if len(copied) >= _COPIED else []
    if not spans:
        return Parted(message, "")
    own: list[str] = []
    others: list[str] = []
    place = 0
    for start, end in sorted(spans):
        if start >= place:
            own.append(message[place:start].strip())
            others.append(message[start:end])
            place = end
    own.append(message[place:].strip())
    # What stood between is parted from what follows: nobody said these words in one breath.
    return Parted("\n".join(filter(None, own)), "\n".join(others))

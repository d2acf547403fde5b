"""What a text says clause by clause, and what in it others said."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, index_terms
from almario.language import either, language
from almario.named_tuples import NamedTuple
from almario.text.content import plain_words, terms_of, written_out
from almario.text.tongues import rules_for, words_of

# Stands for each sign of a quotation and of code: these are other people's words.
NOT_SAID = "\ufffc"
OTHERS = regex(
    r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|『[^『』]*』|"
    r"(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){2,300}'(?!\w)|^[ \t]*>[^\n]*",
    re.S | re.M,
)
_SPACES = regex(r"[\t\r\v\f]")
_MAY_BE_OTHERS = regex(r"[`\"“„«「『'>]")


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

"""Whether two texts say the same: compared by words alone, so that it can be foretold.

They do only if they share nearly all their words and differ in none that
carries a meaning of its own: a number, a date, a name, a unit, a negation.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from almario.domain.memories import Memory, same_key
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, Word, fold, forms_of
from almario.language import languages
from almario.text.tongues import words_of

# How much of their words two texts share at least to be called near-duplicates.
NEAR = 0.8
# So many words that carry meaning make a sentence of which one can be another.
_SENTENCE = 3
# Who turns so much of what two texts say denies it.
_DENIED = 0.3
# In shorter words a final s is no plural.
_SHORT = 3
_WORD = regex(r"[^\W_]+(?:[.,'’:/-][^\W_]+)*|[%€$£°]|[+-](?=\d)")
_MONEY = frozenset("%€$£°")


def are_near(one: str, other: str) -> bool:
    """Say whether two texts say the same in nearly the same words."""
    words, more = _words(one), _words(other)
    if not words or not more or _similarity(words, more) < NEAR:
        return False
    return not _differ_in_meaning(words, more)


def is_negative(text: str) -> bool:
    """Say whether a text denies something."""
    return _is_negative(_words(text))


def swallows(kept: str, lost: str, dated: str = "") -> bool:
    """Say whether a text leaves out a number, date, name or unit of another, or denies what that one says.

    What is *dated* besides need not be in its words.
    """
    words, more = _words(kept), _words(lost)
    if _begin_otherwise(words, more) or is_denied(kept, lost):
        return True
    # Who lent to whom is all in the order; when and how much is not.
    there = iter([_meant(word) for word in words])
    names, figures = _particulars(more)
    left = figures - _particulars(words)[1]
    return not all(name in there for name in names) or bool(left.keys() - _figures_of(dated))


def differ(kept: Memory, lost: Memory) -> bool:
    """Say whether two memories tell of two things, whatever a model says, or one leaves out something.

    Nearly the same sentence with another word in it is another thing: the mother is not the father.
    """
    # What takes a memory's place takes over its time.
    dated = lost.dated if kept.dated in ("", lost.dated) else ""
    if swallows(kept.value, lost.value, dated) or is_one_but_for_a_word(kept.value, lost.value):
        return True
    is_in_other_words = not says_all_of(kept, lost) and not says_all_of(lost, kept)
    if is_in_other_words and _is_told_as_new(kept.value) != _is_told_as_new(lost.value):
        return True
    is_other_key = same_key(kept.key) != same_key(lost.key)
    return bool(kept.key and lost.key) and is_other_key and are_near(kept.value, lost.value)


def says_all_of(kept: Memory, lost: Memory) -> bool:
    """Say whether every word of a memory that says something is in another, or in its key."""
    return _has_words_of(f"{kept.key} {kept.value}", lost.value)


def adds_to(memory: Memory, other: Memory) -> bool:
    """Say whether a memory says more than a word that another does not."""
    return _missing_in(f"{other.key} {other.value}", memory.value) > 1


def _has_words_of(text: str, other: str) -> bool:
    return not _missing_in(text, other)


def _missing_in(text: str, other: str) -> int:
    there = {form for forms in forms_of(text) for form in forms}
    return sum(there.isdisjoint(forms) for forms in forms_of(other))


def _is_told_as_new(text: str) -> bool:
    return not words_of("anew").isdisjoint(map(str.casefold, _words(text)))


def is_one_but_for_a_word(one: str, other: str) -> bool:
    """Say whether two texts are nearly one, but for a word that stands in the place of another."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - 26 ms that only writing needs

    words, more = (_without_light(_words(text)) for text in (one, other))
    is_one = [step.tag for step in Levenshtein.editops(words, more)] == ["replace"]
    # "Vivo en Lima" and "vive en Lima" have the same words.
    return is_one and not (_has_words_of(one, other) and _has_words_of(other, one))


def is_other_value(one: str, other: str) -> bool:
    """Say whether two texts are one sentence but for an amount, such as a weight, a dose or a price."""
    if not all(any(map(str.isdigit, text)) for text in (one, other)):
        return False
    words, more = (_without_light(_words(text)) for text in (one, other))
    if len(words) != len(more) or len(words) < _SENTENCE:
        return False
    apart = [place for place, pair in enumerate(zip(words, more, strict=True)) if pair[0] != pair[1]]
    return len(apart) == 1 and all(_is_amount(text, apart[0]) for text in (words, more))


def _is_amount(words: Sequence[str], place: int) -> bool:
    beside = {*words[max(0, place - 1) : place], *words[place + 1 : place + 2]}
    return words[place][0].isdigit() and bool(beside & (words_of("standing") | _MONEY))


def is_denied(one: str, other: str) -> bool:
    """Say whether one of two texts denies what the other says in the same words.

    "Is a coeliac" and "cannot eat gluten" deny nothing of each other.
    """
    from almario.text.clauses import told_terms  # noqa: PLC0415 - few texts are as near as that
    from almario.text.content import content_of  # noqa: PLC0415 - as above

    said, more = told_terms(one), told_terms(other)
    words = {word.text: word for text in (one, other) for word in content_of(text).words}
    turned = [word for word in words.values() if _is_turned(word, said, more)]
    return bool(turned) and len(turned) >= _DENIED * len(words)


def _is_turned(word: Word, said: Mapping[str, frozenset[bool]], more: Mapping[str, frozenset[bool]]) -> bool:
    both = [term for term, _ in word.terms if term in said and term in more]
    return bool(both) and not any(said[term] & more[term] for term in both)


def _without_light(words: Sequence[str]) -> list[str]:
    return [
        plain
        for word in words
        if (plain := _plain(word)) not in words_of("light") and fold(word) not in SMALL
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


def _similarity(words: Sequence[str], more: Sequence[str]) -> float:
    from rapidfuzz.distance import Indel  # noqa: PLC0415 - 26 ms that only writing needs

    return float(Indel.normalized_similarity([_plain(w) for w in words], [_plain(w) for w in more]))


def _differ_in_meaning(words: Sequence[str], more: Sequence[str]) -> bool:
    """Say whether two texts differ in more than light words, or name things in another order."""
    only = (*_only_in(words, more), *_only_in(more, words))
    return any(word.casefold() not in words_of("light") for word in only) or _names(words) != _names(more)


def _names(words: Sequence[str]) -> list[str]:
    """Return the names and numbers in order: who lent to whom is all in the order."""
    inner = [word for place, word in enumerate(words) if word[0].isdigit() or (place and word[0].isupper())]
    return [_plain(word) for word in inner]


def _particulars(words: Sequence[str]) -> tuple[list[str], Counter[str]]:
    """Return what a text turns on: the names in order, and its numbers, dates and units."""
    names: list[str] = []
    figures: Counter[str] = Counter()
    before = ""
    for place, word in enumerate(words):
        plain = _meant(word)
        is_unit = bool({plain, plain + "s"} & words_of("measures")) and before[:1].isdigit()
        if is_unit:
            figures[f"{before} {plain}"] += 1
        elif plain in _MONEY or any(sign.isdigit() for sign in plain):
            figures[plain] += 1
        elif place and word[0].isupper():
            names.append(plain)
        before = plain
    return names, figures


def _figures_of(dated: str) -> set[str]:
    """Return the year, the month and the day of a time as `_particulars` has them."""
    found: set[str] = set()
    for part in dated.strip("~").split("/"):
        year, *rest = part.split("-")
        found |= {
            year,
            *(str(int(number)) for number in rest[1:]),
            *(f"month{int(rest[0]) - 1}" for _ in rest[:1]),
        }
    return found - {"..", ""}


def _meant(word: str) -> str:
    """Return a word as it is compared, a month, a weekday or a number the same in every language."""
    plain = _plain(word)
    return _figures().get(plain, plain)


@cache
def _figures() -> dict[str, str]:
    """Return what months, weekdays and the words for numbers stand for, in every language."""
    found: dict[str, str] = {}
    for times in (language.times for language in languages()):
        for sign, name in (("month", "months"), ("weekday", "weekdays")):
            for number, row in enumerate(times.get(name, "").split(";")):
                found |= {_plain(word): f"{sign}{number}" for word in row.split()}
        rows = [row.split() for row in times.get("numbers", "").split(";")]
        found |= {_plain(row[1]): row[0] for row in rows if len(row) > 1 and row[0] != "1"}
    return found


def _is_negative(words: Sequence[str]) -> bool:
    plain = [_plain(word) for word in words]
    if not any(map(_may_deny, plain)):  # to tell the language takes longer
        return False
    from almario.text.content import negations_in  # noqa: PLC0415 - as above

    denying = negations_in(" ".join(words)) | words_of("denying")
    return any({word, word + "s"} & denying or word.endswith(("n't", "n’t")) for word in plain)


def _may_deny(word: str) -> bool:
    """Say whether a word denies in some language."""
    denying = words_of("negations"), words_of("without"), words_of("denying")
    return word.endswith(("n't", "n’t")) or any(word in each or f"{word}s" in each for each in denying)


def _begin_otherwise(words: Sequence[str], more: Sequence[str]) -> bool:
    """Say whether two texts are one but for their first word, which may be a name."""
    if (
        not words
        or not more
        or _plain(words[0]) in map(_plain, more)
        or _plain(more[0]) in map(_plain, words)
        or _begin_alike(words[0], more[0])
    ):
        return False
    return words[0][0].isupper() and more[0][0].isupper() and _similarity(words[1:], more[1:]) >= NEAR


def _begin_alike(one: str, other: str) -> bool:
    """Say whether two first words are forms of one, or say nothing by themselves: "I'm" and "Is"."""
    forms, more = (set().union(*forms_of(word)) for word in (one, other))
    return bool(forms & more) or not (forms or more)


def _only_in(words: Sequence[str], more: Sequence[str]) -> list[str]:
    there = [_plain(word) for word in more]
    found = []
    for word in words:
        if _plain(word) in there:
            there.remove(_plain(word))
        else:
            found.append(word)
    return found


@lru_cache(8192)
def _plain(word: str) -> str:
    """Fold case, accents and the s of a plural; ñ stays, and the last vowel's accent, which is a tense."""
    lower = word.casefold()
    kept = lower.replace("ñ", "\0")
    plain = "".join(c for c in unicodedata.normalize("NFD", kept) if not unicodedata.combining(c))
    plain = plain.replace("\0", "ñ")
    if lower[-1] in "áéó":
        return plain[:-1] + lower[-1]
    return plain[:-1] if len(plain) > _SHORT and plain[-1] == "s" else plain

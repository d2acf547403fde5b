"""Rivals: memories that say the same thing but for its value, of which the newest probably holds.

That is a guess, so it marks and ranks: the older is told as what was said earlier, after the newer, and
nothing is left out. Two texts under one key are rivals if both give the same sort of particular (a number, a
name, a month, a weekday) but not the same, or the later one says "now", and speak of the same thing: in some
word besides the key and who it is about, in the word of the key if the later one says "now", or as one
sentence but for an amount.
Exceptions: a key that holds two facts from one day may hold several things; what the owner asked to have
remembered does not give way to what was merely learned; the same sentence of somebody else, with another
number, is another thing; what was learned in one project says nothing of another; what is still to begin
replaces nothing yet; and what had ended before, nothing at all.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache

from almario.domain.audiences import apart_in
from almario.domain.memories import MIRRORED, ORIGINS, Memory, has_ended, same_key
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, index_terms
from almario.text.claims import day_of, names_of, numbers_in
from almario.text.tongues import words_of

# In a text of so few words the first is no beginning of a sentence: with a capital it is a name.
_FEW = 2
_WORD = regex(r"[^\W_]+(?:[.,:/-][^\W_]+)*%?")


def replaced(
    memories: Iterable[Memory],
    now: datetime,
    *,
    are_apart: Callable[[str, str], bool],
    of: Container[str] | None = None,
) -> dict[str, Memory]:
    """Return for each of the memories that tell an earlier value, by its id, the one that tells the next.

    With *of*, only for those with these ids. *are_apart* says of two ids whether somebody has compared them
    and found that they differ.
    """
    now = now.astimezone(UTC)  # as memories have it: instants of one zone are quickly compared
    keys = defaultdict[str, list[Memory]](list)
    for memory in memories:
        if memory.kind in MIRRORED and memory.key and memory.valid_from <= now:
            keys[same_key(memory.key)].append(memory)
    groups = defaultdict[tuple[str, str], list[Memory]](list)
    for key, of_key in keys.items():
        if len(of_key) > 1 and (of is None or any(memory.id in of for memory in of_key)):
            for memory in of_key:
                groups[key, apart_in(memory)].append(memory)
    found: dict[str, Memory] = {}
    for group in groups.values():
        days = {since(memory).date() for memory in group}
        if len(group) > 1 and len(days) == len(group):
            group.sort(key=since)
            for place, older in enumerate(group, 1):
                if of is not None and older.id not in of:
                    continue
                later = (
                    each
                    for each in group[place:]
                    if _still_concerns(each, older, now) and _replaces(each, older)
                )
                newer = next((each for each in later if not are_apart(each.id, older.id)), None)
                found |= {older.id: newer} if newer else {}
    return found


def since(memory: Memory) -> datetime:
    """Return since when a memory is known and holds: what was told last is newest, whenever it began."""
    return max(memory.at, memory.valid_from) if memory.dated else memory.valid_from


def is_lesser_word(newer: Memory, older: Memory) -> bool:
    """Return whether what is newer has less weight: it was not asked for, or is of somebody trusted less."""
    is_weaker = older.source == "explicit" and newer.source != "explicit"
    return is_weaker or ORIGINS.index(newer.origin) > ORIGINS.index(older.origin)


def names(question: str, older: str, newer: str) -> bool:
    """Return whether a question names a particular that only the older of two texts gives."""
    words = _words(question)
    own = set[str]().union(*_particulars(older).values())
    # A sentence may begin with a name; then the question writes it as one.
    own |= {fold(word) for word in _words(older)[:1] if word in words[1:]}
    return bool(own) and not (own - set(map(fold, _words(newer)))).isdisjoint(map(fold, words))


def _still_concerns(newer: Memory, older: Memory, now: datetime) -> bool:
    """Return whether the older held when the newer was told, and does not hold again since that has ended."""
    return not has_ended(older, newer.at) and (has_ended(older, now) or not has_ended(newer, now))


def _replaces(newer: Memory, older: Memory) -> bool:
    if is_lesser_word(newer, older):
        return False
    is_other = _differ(newer.value, older.value) or _says_now(newer.value)
    return is_other and _are_about_the_same(newer.value, older.value, newer.key)


@lru_cache(1024)
def _words(text: str) -> list[str]:
    return _WORD.findall(text)


@lru_cache(1024)
def _says_now(text: str) -> bool:
    return not words_of("anew").isdisjoint(map(str.casefold, _words(text)))


@lru_cache(1024)
def _are_about_the_same(one: str, other: str, key: str) -> bool:
    """Return whether two texts share a word that says what they are about, or are one but for an amount.

    What stands first may be whom they are about, and of one person there is much to say.
    """
    words, more = _words(one), _words(other)
    if max(len(words), len(more)) <= _FEW:
        return True
    is_one_sentence = _frame(one) == _frame(other) and bool(_particulars(one)["number"])
    if is_one_sentence:
        return True
    about = {*SMALL, *index_terms(words[0]), *index_terms(more[0])}
    if not _says_now(one):
        about.update(index_terms(key))
    shared = set(index_terms(one)) & set(index_terms(other)) - about
    return any(not _says_little(term.rpartition(":")[2]) for term in shared)


def _says_little(term: str) -> bool:
    """Return whether a word is a measure or a time, or merely says that something is told."""
    light = words_of("measures") | words_of("noting")
    return bool(day_of(term) or {term, term.removesuffix("s"), f"{term}o"} & light)


@lru_cache(1024)
def _differ(one: str, other: str) -> bool:
    new, old = _particulars(one), _particulars(other)
    apart = {sort for sort in new.keys() & old.keys() if new[sort] - old[sort] and old[sort] - new[sort]}
    is_of_another = "name" in apart and len(apart) > 1 and _frame(one) == _frame(other)
    return bool(apart) and not is_of_another


def _frame(text: str) -> list[str]:
    gone = set[str]().union(*_particulars(text).values())
    return [plain for word in _words(text) if (plain := fold(word)) not in gone and word.islower()]


@lru_cache(1024)
def _particulars(text: str) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    words = _words(text)
    first = [fold(word) for word in words[:1] if len(words) <= _FEW and word[0].isupper()]
    found["number"].update(numbers_in(text))
    found["name"].update(names_of(text), (name for name in first if not day_of(name)))
    for word in filter(day_of, map(fold, words)):
        found[day_of(word).split()[0]].add(word)
    return found

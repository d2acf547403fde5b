"""What must not be in a question to strangers: names and numbers that memory has of the owner's life."""

from collections.abc import Callable, Iterable

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, names_in
from almario.memory.facade import Memories
from almario.ports import Store
from almario.text.claims import NUMBER, plain_words

# Says which private word a text has in it; empty if it has none.
Private = Callable[[str], str]

_WORDS = regex(r"[^\W_]+")
# A value of so few words that all begin with a capital is a name.
_NAME = 3
# So many digits tell one number from any other; a year is anybody's.
_DIGITS, _YEARS = 3, range(1900, 2101)


def private(vault: Store, memory: Memories) -> Private:
    """Return what finds a private word in a text."""
    values = [each.value for each in memory.list() if each.origin != "untrusted"]
    values += [each.text for each in memory.withheld()]
    user = vault.read("USER.md").text
    beginning = [f", {value}" if _is_name(value) else value for value in values]
    names = _names_in([*beginning, user])
    numbers = frozenset(_numbers([*values, user]))

    def found(text: str) -> str:
        words = (word for word in plain_words(text) if word in names)
        return next(words, "") or next((each for each in _numbers([text]) if each in numbers), "")

    return found


def _names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that texts write with a capital inside a sentence and never without one."""
    # What follows a colon is as often a name as the beginning of a sentence.
    there = [text.replace(":", ",") for text in texts]
    small = {fold(word) for text in there for word in _WORDS.findall(text) if word[0].islower()}
    return frozenset({name for text in there for name in names_in(text)} - small - SMALL)


def _is_name(value: str) -> bool:
    words = value.split()
    return len(words) <= _NAME and all(word[0].isupper() for word in words)


def _numbers(texts: Iterable[str]) -> Iterable[str]:
    """Yield the numbers that are long enough to be somebody's, without the signs within them."""
    for text in texts:
        for number in NUMBER.findall(text):
            digits = "".join(filter(str.isdigit, number))
            if len(digits) >= _DIGITS and not (len(digits) == 4 and int(digits) in _YEARS):
                yield digits

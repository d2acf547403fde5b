"""What must not be in a question to strangers: names and numbers that memory has of the owner's life."""

from collections.abc import Callable, Iterable

from almario.becoming.rules.motivations import known_names
from almario.memory.facade import Memories
from almario.ports import Store
from almario.text.claims import NUMBER, plain_words

# Says which private word a text has in it; empty if it has none.
Private = Callable[[str], str]

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
    names = known_names([*beginning, user])
    numbers = frozenset(_numbers([*values, user]))

    def found(text: str) -> str:
        words = (word for word in plain_words(text) if word in names)
        return next(words, "") or next((each for each in _numbers([text]) if each in numbers), "")

    return found


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

"""Names of people in texts: a guess by where a name stands, and by how near it is to names of people.

It says whose pages there are, and ranks; nothing is hidden or lost by it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, names_in
from almario.language import languages
from almario.named_tuples import NamedTuple
from almario.text.claims import day_of

# Names to compare with: of people from many places, and of what else has a name.
_PEOPLE = (
    "María John Priya Ahmed Yuki Lucía Tom Olga Kwame Sophie Diego Hans Fatima Pedro Ingrid Wei Carmen Luca "
    "Amelia Tomás Nadia Joaquín Beatriz Omar"
).split()
_THINGS = (
    "Lisbon Madrid Leeds Tokyo Texas Google Toyota Monday Christmas Python Spanish Netflix Hospital IKEA "
    "Yorkshire Amazon Windows España Iberia Marathon Avenida Universidad Ryanair Ibuprofen"
).split()

_SORTS = {"people": _PEOPLE, "things": _THINGS}
# What stands beside a name says more than the name: "my sister Ines", "Bruno the dog", "the city of Leeds".
_BESIDE = {
    "people": (
        "mother brother daughter husband grandma friend colleague boss neighbour doctor hermana madre hijo "
        "amigo jefa vecino profesora tía freund Schwester frère collègue"
    ).split(),
    "animals": "dog cat puppy hamster parrot horse perro gata caballo loro Hund chat".split(),
    "things": "city street company school app car hospital film band ciudad calle empresa coche".split(),
}
_SURELY = 0.12
# Says how near texts are in meaning to groups of others; nothing where nothing can tell.
Nearness = Callable[[Sequence[str], Mapping[str, Sequence[str]]], Sequence[Mapping[str, float]]]

# From this sum of likeness and place on, a name is told as somebody's.
_LEAST = 0.1
# What a place in a sentence adds: after "in" or "the", after a noun ("her sister Kath"), before "'s", at its
# start; and what a noun for people adds, or one for animals.
_PLACED, _AFTER_NOUN, _OWNING, _FIRST, _A_PERSON, _AN_ANIMAL = -0.16, 0.05, 0.08, 0.02, 0.2, -1.0
# Where nothing tells how near a name is to others.
_UNKNOWN = 0.05
# So many names are looked at, the most frequent ones first.
_MOST = 64
_BEFORE_PLACES = frozenset(
    "in at near from via the en desde el la los las del à au aux le les du im am aus der die das em no na do "
    "da".split()
)
_OWN = ("'s", "’s")
# "Luis, my brother", "Bruno the dog"; "Marta and Jon", "Inés, lives in Porto".
_APPOSED = regex(r",? (?!and\b|y\b)[^\W\d_]{2,4} ([^\W\d_]+)")
_GOES_ON = regex(r",| (?:and|y|e|und|et|&) (?=[^\W\d_])")
_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class NamedPerson(NamedTuple):
    """A name that texts give to somebody, and which of the texts, by their places in the list."""

    name: str
    texts: tuple[int, ...]


def people_in(
    texts: Sequence[str], nearness: Nearness | None = None, *, not_these: Collection[str] = ()
) -> list[NamedPerson]:
    """Return whom texts speak of, the most frequent first; *not_these* are nobody else's names."""
    where: defaultdict[str, list[int]] = defaultdict(list)
    signs: defaultdict[str, list[float]] = defaultdict(list)
    firsts: defaultdict[str, list[int]] = defaultdict(list)
    beside: defaultdict[str, set[str]] = defaultdict(set)
    for place, text in enumerate(texts):
        for name, sign, words in _names(text):
            where[name].append(place)
            signs[name].append(sign)
            beside[name].update(words)
        for line in text.split("\n"):
            if not (first := _first(line)):
                continue
            firsts[first].append(place)
            beside[first].update(words := _apposed(line, len(first)))
            if line.startswith(_OWN, len(first)):
                signs[first].append(_OWNING)
            elif words or _GOES_ON.match(line, len(first)):
                signs[first].append(_AFTER_NOUN)
    for name in signs:  # a capital at the beginning says nothing by itself
        where[name] += firsts[name]
        signs[name] += [_FIRST] if firsts[name] else []
    unwanted = {fold(each) for each in not_these}
    common = [
        name for name, _ in Counter({name: len(set(each)) for name, each in where.items()}).most_common()
    ]
    wanted = [name for name in common if fold(name) not in unwanted][:_MOST]
    near = nearness(wanted, _SORTS) if nearness and wanted else [{}] * len(wanted)
    words = sorted({word for name in wanted for word in beside[name]})
    read = nearness(words, _BESIDE) if nearness and words else [{}] * len(words)
    says = dict(zip(words, map(_said_by, read), strict=True))
    are = [
        name
        for name, scores in zip(wanted, near, strict=True)
        if _likeness(scores) + _by_place(signs[name]) + sum({says[each] for each in beside[name]}) >= _LEAST
    ]
    return _as_one(are, where)


def _said_by(scores: Mapping[str, float]) -> float:
    """Return what a word beside a name says for a person."""
    best, *others = sorted(scores, key=scores.__getitem__, reverse=True) or [""]
    is_sure = others and scores[best] - scores[others[0]] >= _SURELY
    return {"people": _A_PERSON, "animals": _AN_ANIMAL}.get(best, _PLACED) if is_sure else 0.0


def _likeness(scores: Mapping[str, float]) -> float:
    return scores["people"] - scores["things"] if scores else _UNKNOWN


def _by_place(signs: Sequence[float]) -> float:
    against = signs.count(_PLACED) / len(signs)
    return sum(each for each in set(signs) if each > 0) + against * _PLACED


def _as_one(names: Sequence[str], where: Mapping[str, Sequence[int]]) -> list[NamedPerson]:
    """Join a name with the one longer name that begins with it: Luz is Luz Marina, and Ines is Inés."""
    spelled: dict[str, str] = {}
    for name in names:
        spelled.setdefault(fold(name), name)
    longer = {name: [each for each in spelled if each.startswith(f"{fold(name)} ")] for name in names}
    called = {name: spelled[more[0] if len(more) == 1 else fold(name)] for name, more in longer.items()}
    found: defaultdict[str, set[int]] = defaultdict(set)
    for name in names:
        found[called[name]].update(where[name])
    ranked = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return [NamedPerson(name, tuple(sorted(places))) for name, places in ranked]


def is_named(name: str, text: str) -> bool:
    """Return whether a text names somebody, in whatever case: by the whole name, or the first word of it."""
    words, wanted = _WORD.findall(fold(text)), _WORD.findall(fold(name))
    return bool(wanted) and (wanted[0] in words)


def _names(text: str) -> Iterator[tuple[str, float, list[str]]]:
    """Yield the names inside the sentences of a text, what their places say, and the words beside them."""
    inside = set(names_in(text))
    start = end = -1
    for word in [*_WORD.finditer(text), None]:
        is_name = word is not None and word[0][0].isupper() and fold(word[0]) in inside
        if word and is_name and start >= 0 and text[end : word.start()] in (" ", ". "):
            end = word.end()
            continue
        if start >= 0 and not any(day_of(fold(each)) for each in _WORD.findall(text[start:end])):
            yield text[start:end], *_signs(text, start, end)
        start, end = word.span() if word and is_name else (-1, -1)


def _signs(text: str, start: int, end: int) -> tuple[float, list[str]]:
    if text.startswith(_OWN, end):
        return _OWNING, []
    before = _WORD.findall(text[max(0, start - 24) : start])
    last = fold(before[-1]) if before and text[:start].endswith(" ") else ""
    beside = _apposed(text, end)
    if last in _BEFORE_PLACES:
        return _PLACED, beside
    is_noun = last and last not in SMALL and before[-1].islower()
    return (_AFTER_NOUN, [*beside, before[-1]]) if is_noun else (0.0, beside)


def _apposed(text: str, end: int) -> list[str]:
    """Return the noun after a name that ends there, if one is: "Luis, my brother"."""
    after = _APPOSED.match(text, end)
    return [after[1]] if after and fold(after[1]) not in SMALL else []


def _first(text: str) -> str:
    """Return the word that a line begins with, if it may be a name."""
    word = _WORD.match(text)
    if not word or not word[0][0].isupper() or len(word[0]) < 2:
        return ""
    low = fold(word[0])
    return "" if low in SMALL or low in _calls() or day_of(low) else word[0]


@cache
def _calls() -> frozenset[str]:
    """Return what people begin with to be heard: "Oye, …", "Listen, …"."""
    return frozenset(fold(each.strip()) for known in languages() for each in known.orders["lead"].split(";"))

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
# Says how near texts are in meaning to groups of others; nothing where nothing can tell.
Nearness = Callable[[Sequence[str], Mapping[str, Sequence[str]]], Sequence[Mapping[str, float]]]

# From this sum of likeness and place on, a name is told as somebody's.
_LEAST = 0.1
# What a place in a sentence adds: after "in" or "the", after a noun ("her sister Kath"), at its beginning.
_PLACED, _AFTER_NOUN, _FIRST = -0.16, 0.05, 0.02
# Where nothing tells how near a name is to others.
_UNKNOWN = 0.05
# So many names are looked at, the most frequent ones first.
_MOST = 64
_BEFORE_PLACES = frozenset(
    "in at near from via the en desde el la los las del à au aux le les du im am aus der die das em no na do "
    "da".split()
)
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
    for place, text in enumerate(texts):
        for name, sign in _names(text):
            where[name].append(place)
            signs[name].append(sign)
        for first in map(_first, text.split("\n")):
            firsts[first].append(place)
    for name in signs:  # a capital at the beginning says nothing by itself
        where[name] += firsts[name]
        signs[name] += [_FIRST] if firsts[name] else []
    unwanted = {fold(each) for each in not_these}
    common = [
        name for name, _ in Counter({name: len(set(each)) for name, each in where.items()}).most_common()
    ]
    wanted = [name for name in common if fold(name) not in unwanted][:_MOST]
    near = nearness(wanted, _SORTS) if nearness and wanted else [{}] * len(wanted)
    are = [
        name
        for name, scores in zip(wanted, near, strict=True)
        if _likeness(scores) + _by_place(signs[name]) >= _LEAST
    ]
    return _as_one(are, where)


def _likeness(scores: Mapping[str, float]) -> float:
    return scores["people"] - scores["things"] if scores else _UNKNOWN


def _by_place(signs: Sequence[float]) -> float:
    against = signs.count(_PLACED) / len(signs)
    return sum(each for each in set(signs) if each > 0) + against * _PLACED


def _as_one(names: Sequence[str], where: Mapping[str, Sequence[int]]) -> list[NamedPerson]:
    """Join a name with the one longer name that begins with it: Luz is Luz Marina."""
    longer = {name: [each for each in names if each.startswith(f"{name} ")] for name in names}
    called = {name: more[0] if len(more) == 1 else name for name, more in longer.items()}
    found: defaultdict[str, set[int]] = defaultdict(set)
    for name in names:
        found[called[name]].update(where[name])
    ranked = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return [NamedPerson(name, tuple(sorted(places))) for name, places in ranked]


def is_named(name: str, text: str) -> bool:
    """Return whether a text names somebody, in whatever case: by the whole name, or the first word of it."""
    words, wanted = _WORD.findall(fold(text)), _WORD.findall(fold(name))
    return bool(wanted) and (wanted[0] in words)


def _names(text: str) -> Iterator[tuple[str, float]]:
    """Yield the names inside the sentences of a text, and what their places say for a person."""
    inside = set(names_in(text))
    start = end = -1
    for word in [*_WORD.finditer(text), None]:
        is_name = word is not None and word[0][0].isupper() and fold(word[0]) in inside
        if word and is_name and start >= 0 and text[end : word.start()] in (" ", ". "):
            end = word.end()
            continue
        if start >= 0 and not any(day_of(fold(each)) for each in _WORD.findall(text[start:end])):
            yield text[start:end], _sign(text, start)
        start, end = word.span() if word and is_name else (-1, -1)


def _sign(text: str, start: int) -> float:
    before = _WORD.findall(text[max(0, start - 24) : start])
    last = fold(before[-1]) if before and text[:start].endswith(" ") else ""
    if last in _BEFORE_PLACES:
        return _PLACED
    return _AFTER_NOUN if last and last not in SMALL and before[-1].islower() else 0.0


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

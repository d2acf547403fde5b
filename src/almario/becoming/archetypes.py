"""Characters that come along, in English and Spanish, alone or mixed: a soul without any model."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from almario.becoming.drafts import Brief, SoulDraft, clean, drafted
from almario.domain.messages import LANGUAGES
from almario.domain.model import STARTER_NAME
from almario.domain.plain_text import nearest
from almario.domain.words import fold
from almario.errors import SoulError
from almario.named_tuples import NamedTuple

T = TypeVar("T")

_FOLDER = Path(__file__).parent / "archetypes"
# How many of each a mixture has; a soul that is everything is nobody.
_MOST = {"traits": 4, "style": 6, "boundaries": 4, "drives": 4, "focus": 2, "questions": 3}
_MOST_GOALS = 3
# A longer description is more than a vibe, and needs somebody who understands it.
LONGEST_VIBE = 160


class Archetype(NamedTuple):
    """A character: its *id* is the same in every language, its *title* is not."""

    id: str
    title: str
    line: str
    draft: SoulDraft


def archetypes(language: str) -> list[Archetype]:
    """Return the characters in a language, by id."""
    return [_read(path.stem, language) for path in sorted((_FOLDER / language).glob("*.toml"))]


def archetype(name: str, language: str) -> Archetype:
    """Return the character with that id, or that title in any language."""
    names: dict[str, str] = {}
    for spoken in LANGUAGES:
        for each in archetypes(spoken):
            names |= {fold(each.id): each.id, fold(each.title): each.id}
    if found := names.get(fold(name.strip())):
        return _read(found, language)
    if close := nearest(fold(name), names):
        raise SoulError('there is no archetype "{name}"; did you mean "{close}"?', name=name, close=close)
    sentence = 'there is no archetype "{name}"; "almario genesis --archetypes" lists them'
    raise SoulError(sentence, name=name)


def mix(names: Sequence[str], language: str) -> SoulDraft:
    """Return one character made of several: of each kind some lines of each, more of one named again.

    Nothing is said twice.
    """
    if not names:
        raise SoulError('name at least one archetype; "almario genesis --archetypes" lists them')
    shares = Counter(archetype(name, language) for name in names)
    parts = [each.draft for each in shares]
    dealt: dict[str, Any] = {}
    for kind, most in _MOST.items():
        lines = _in_turn([getattr(part, kind) for part in parts], list(shares.values()))
        dealt[kind] = tuple(dict.fromkeys(lines))[:most]
    goals = dict.fromkeys(_in_turn([part.goals for part in parts], list(shares.values())))
    vibe = "; ".join(part.vibe.partition(";")[0] for part in parts) if len(parts) > 1 else parts[0].vibe
    return parts[0]._replace(vibe=vibe, goals=tuple(goals)[:_MOST_GOALS], **dealt)


def drawn(brief: Brief) -> SoulDraft:
    """Return the soul that a brief's archetypes make, and what else it says; its description is the vibe."""
    mixed = mix(brief.archetypes, brief.language)
    return mixed._replace(
        name=clean(brief.name) or STARTER_NAME,
        emoji=clean(brief.emoji) or mixed.emoji,
        role=clean(brief.role) or mixed.role,
        vibe=clean(brief.description) or mixed.vibe,
    )


def _in_turn(lists: Sequence[Sequence[T]], weights: Sequence[int]) -> Iterator[T]:
    """Yield all items, each list's in its order: next is who has had least for its weight."""
    taken = [0] * len(lists)
    while left := [place for place, each in enumerate(lists) if taken[place] < len(each)]:
        place = min(left, key=lambda one: ((taken[one] + 1) / weights[one], one))
        yield lists[place][taken[place]]
        taken[place] += 1


@cache
def _read(name: str, language: str) -> Archetype:
    said = tomllib.loads((_FOLDER / language / f"{name}.toml").read_text(encoding="utf-8"))
    return Archetype(name, said["title"], said["line"], drafted({**said, "language": language}))

"""Characters that come along, in English and Spanish: a soul without any model."""

import tomllib
from functools import cache
from pathlib import Path

from almario.becoming.drafts import Brief, SoulDraft, clean, drafted
from almario.becoming.starter import check_language
from almario.domain.messages import LANGUAGES
from almario.domain.model import STARTER_NAME
from almario.domain.plain_text import nearest
from almario.domain.words import fold
from almario.errors import SoulError
from almario.named_tuples import NamedTuple

_FOLDER = Path(__file__).parent / "archetypes"
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
    check_language(language)
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


def drawn(brief: Brief) -> SoulDraft:
    """Return the soul of a brief's archetype, with what else it says; its description is the vibe."""
    own = archetype(brief.archetype, brief.language).draft
    return own._replace(
        name=clean(brief.name) or STARTER_NAME,
        emoji=clean(brief.emoji) or own.emoji,
        role=clean(brief.role) or own.role,
        vibe=clean(brief.description) or own.vibe,
    )


@cache
def _read(name: str, language: str) -> Archetype:
    fields = tomllib.loads((_FOLDER / language / f"{name}.toml").read_text(encoding="utf-8"))
    return Archetype(name, fields["title"], fields["line"], drafted({**fields, "language": language}))

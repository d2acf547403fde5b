"""A soul in its parts, before it is files: what is wished for, what is drafted, and what is made of it."""

from collections.abc import Iterable, Mapping
from typing import Any

from almario.becoming.rules.goal_changes import add_goal
from almario.becoming.rules.motivations import DRIVES, FOCUS, QUESTIONS
from almario.becoming.starter import starter_files
from almario.domain.documents.goal_list import ACTIVE, PRIORITIES
from almario.domain.documents.headings import section_body, with_section
from almario.domain.documents.identity import with_fields
from almario.domain.model import Persona
from almario.domain.plain_text import in_one_line, regex
from almario.domain.words import fold
from almario.named_tuples import NamedTuple

FOUNDATION, STYLE, BOUNDARIES = "Personality Foundation", "Communication Style", "Boundaries"
# The parts that are lists of lines; each trait is a paragraph.
LISTS = ("traits", "style", "boundaries", "drives", "focus", "questions")
ROLE = {"en": "role", "es": "rol"}
# What would be a heading, a bullet, a quotation, a comment or a fence.
_MARKS = regex(r"^(?:[#>]+\s*|(?:[-*+–—•]|\d{1,2}[.)]|\[[ xX]\])\s+)+|<!--|-->|```|~~~")
_WORD = regex(r"\w+")


class Brief(NamedTuple):
    """What somebody wishes a new soul to be; what is empty is left open. An *archetype* needs no model.

    A model writes it in any *language*; archetypes are in those of Almario.
    """

    name: str = ""
    role: str = ""
    description: str = ""
    language: str = ""
    emoji: str = ""
    owner: str = ""
    archetype: str = ""


class FirstGoal(NamedTuple):
    """A goal that an agent begins with."""

    text: str
    priority: str = "medium"


class SoulDraft(NamedTuple):
    """A soul in its parts: each trait is a paragraph, each of the others a line.

    *language* is that of its headings, and *written* that of its texts, if it is another.
    """

    language: str
    name: str = ""
    emoji: str = ""
    role: str = ""
    vibe: str = ""
    traits: tuple[str, ...] = ()
    style: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    goals: tuple[FirstGoal, ...] = ()
    written: str = ""


def files_of(draft: SoulDraft, owner: str = "") -> dict[str, str]:
    """Return the files of the soul, by name: the starter's form, filled in."""
    persona = Persona(draft.language, draft.name, draft.emoji, draft.vibe, owner)
    texts = starter_files(persona)
    if draft.role:
        texts["IDENTITY.md"] = with_fields(texts["IDENTITY.md"], {ROLE[draft.language]: draft.role})
    boundaries = [*draft.boundaries, *house_boundaries(draft.language)]
    soul = with_section(texts["SOUL.md"], FOUNDATION, "\n\n".join(draft.traits))
    soul = with_section(soul, STYLE, _bullets(draft.style))
    texts["SOUL.md"] = with_section(soul, BOUNDARIES, _bullets(_once(boundaries)))
    for title, lines in ((DRIVES, draft.drives), (FOCUS, draft.focus), (QUESTIONS, draft.questions)):
        texts["MOTIVATIONS.md"] = with_section(texts["MOTIVATIONS.md"], title, _bullets(lines))
    goals = (f"- [ ] {PRIORITIES[goal.priority]} {goal.text}" for goal in draft.goals)
    texts["GOALS.md"] = with_section(texts["GOALS.md"], ACTIVE, "\n".join(goals))
    return texts


def drafted(parts: Mapping[str, Any]) -> SoulDraft:
    """Return a draft of its parts by their names, each fit for its place; ValueError if one is not.

    What is only signs is nothing, and what is said twice stands there once.
    """
    priorities = {clean(goal["text"]): goal["priority"] for goal in parts.get("goals", ())}
    if parts["language"] not in ROLE or not set(priorities.values()) <= set(PRIORITIES):
        raise ValueError("a language or a priority")
    lines: dict[str, Any] = {
        name: clean(parts.get(name, "")) for name in ("name", "emoji", "role", "written")
    }
    lines |= {name: _distinct(parts.get(name, ())) for name in LISTS}
    return SoulDraft(
        parts["language"],
        vibe="".join(_distinct([parts.get("vibe", "")])),
        goals=tuple(FirstGoal(text, priorities[text]) for text in _distinct(priorities)),
        **lines,
    )


def house_boundaries(language: str) -> list[str]:
    """Return the boundaries that every soul of this house has."""
    body = section_body(starter_files(Persona(language))["SOUL.md"], BOUNDARIES)
    return [line.removeprefix("- ") for line in body.strip().splitlines()]


def with_goals(text: str, goals: Iterable[FirstGoal]) -> str:
    """Return GOALS.md with these goals after those it has, unless it has them."""
    for goal in goals:
        if goal.text not in text:
            text = add_goal(text, goal.text, priority=goal.priority)
    return text


def clean(text: str) -> str:
    """Return a text as it can stand in a line of a soul file without being anything else there."""
    shown = in_one_line(text)
    # Taking one mark away can make another of what stood around it.
    while (plain := _MARKS.sub("", shown).strip()) != shown:
        shown = plain
    return shown


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(_once(map(clean, texts)))


def _once(texts: Iterable[str]) -> list[str]:
    """Return each text once, by its words; of two that differ in their signs the later one."""
    by_words = {tuple(_WORD.findall(fold(text))): text for text in texts}
    return [text for words, text in by_words.items() if words]


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)

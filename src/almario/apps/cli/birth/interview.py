"""The interview at the terminal: a few questions, whose answers are a brief for a new soul."""

from collections.abc import Mapping, Sequence

import click

from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_line, print_table
from almario.domain.model import STARTER_NAME
from almario.wiring.birth import Archetype, Brief, archetype

_TONES = {"warm": "warm", "dry": "dry", "plain": "plain and matter-of-fact"}
_LENGTHS = {"short": "short ones", "full": "long ones, with the reasons"}
# More characters than this in one are none.
_MOST_SIDES = 3


def interview(given: Brief, sides: Sequence[Archetype]) -> Brief:
    """Ask for what was not given; Enter leaves it open, or takes what stands in brackets."""
    return given._replace(
        name=given.name or click.prompt(_("What is it called?"), default=STARTER_NAME),
        role=given.role or _asked(_("What will it be for you, in a few words?")),
        archetypes=given.archetypes or _sides(sides),
        tone=given.tone or _one_of(_("How should it speak?"), {each: _(_TONES[each]) for each in _TONES}),
        length=given.length
        or _one_of(_("Which answers do you prefer?"), {each: _(_LENGTHS[each]) for each in _LENGTHS}),
        never=given.never or _asked(_("What must it never do?")),
        first=given.first or _asked(_("What should it help you with first?")),
        owner=given.owner or _asked(_("And what is your name?")),
    )


def for_model(brief: Brief) -> Brief:
    """Return a brief whose archetypes are told to a model, in words, in the place of being mixed."""
    lines = [archetype(name, brief.language).line for name in brief.archetypes]
    said = " ".join(part for part in (brief.description, *lines) if part)
    return brief._replace(archetypes=(), description=said)


def _sides(sides: Sequence[Archetype]) -> tuple[str, ...]:
    print_line(_("What should it be good at? Up to three, such as 1,4; the first counts most."))
    rows = [
        [f"  {number}", click.style(each.title, bold=True), each.line] for number, each in enumerate(sides, 1)
    ]
    print_table(rows, heads=["", "", ""])
    while True:
        answer = str(click.prompt(">", default="1", prompt_suffix=" "))
        picked = [word for word in answer.replace(",", " ").split() if word.isdecimal()]
        numbers = list(dict.fromkeys(int(word) for word in picked))
        if 0 < len(numbers) <= _MOST_SIDES and all(0 < number <= len(sides) for number in numbers):
            return tuple(sides[number - 1].id for number in numbers)
        click.echo(_("Up to three numbers from 1 to {most}.", most=len(sides)))


def _one_of(question: str, choices: Mapping[str, str]) -> str:
    """Ask for one of a few, each said in words; Enter leaves it open."""
    shown = ", ".join(f"{number} {words}" for number, words in enumerate(choices.values(), 1))
    while True:
        answer = _asked(f"{question} {shown}")
        if not answer:
            return ""
        if answer.isdecimal() and 0 < int(answer) <= len(choices):
            return list(choices)[int(answer) - 1]
        click.echo(_("A number from 1 to {most}, or Enter.", most=len(choices)))


def _asked(question: str) -> str:
    suffix = " " if question.endswith("?") else ": "
    return str(click.prompt(question, default="", show_default=False, prompt_suffix=suffix)).strip()

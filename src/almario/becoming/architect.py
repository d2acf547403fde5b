"""The architect: from findings to what should change, as edits that keep the rules."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from almario.becoming.blueprint import (
    SLACK,
    asked_again,
    design_question,
    drives_question,
    new_words,
    pages_question,
)
from almario.becoming.goals import FILE as GOALS
from almario.becoming.rules.consent import IDENTITY, MOTIVATIONS, SOUL
from almario.becoming.rules.goal_changes import add_goal
from almario.becoming.rules.items import plain_text
from almario.becoming.rules.linting import BOUNDARIES, FOUNDATION, STYLE
from almario.becoming.rules.motivations import DRIVES, FOCUS, QUESTIONS
from almario.becoming.rules.reflections import Material
from almario.becoming.starter import starter_files
from almario.becoming.vetting import MOST_EDITS, STRANGERS, Vetted, Vetting, grounds_of, pages_of
from almario.domain.documents.goal_list import ACTIVE, PRIORITIES, GoalUpdate
from almario.domain.documents.headings import section_body, with_section
from almario.domain.documents.identity import with_fields
from almario.domain.messages import Sentence, Words, say, sentence_of
from almario.domain.model import Persona
from almario.domain.plain_text import in_one_line, regex
from almario.domain.soul_events import Design, Finding, Refused, SectionEdit
from almario.domain.talk import Ask
from almario.domain.words import fold
from almario.errors import BadReply
from almario.named_tuples import NamedTuple
from almario.ports import LLM
from almario.structured_reply import ask_for, ask_in

# What is refused is kept for the owner to read, but not at whatever length.
_SHOWN = 3000
_TITLE_SHOWN = 80


class Architect:
    """Designs what a reflection wants changed; a design that breaks a rule is returned once."""

    def __init__(self, llm: LLM, *, language: str = "en", redact: Callable[[str], str] = str) -> None:
        self._llm = llm
        self._language = language
        self._redact = redact

    def design(self, material: Material, findings: Sequence[Finding], explored: Sequence[Finding]) -> Design:
        """Return the edits, goals and journal entry; *explored* is from strangers and is asked about apart.

        BadReply or LLMUnavailable if there is none.
        """
        vetting = Vetting(material, grounds_of(material, findings), self._redact, noticed=findings)
        ask = design_question(material, findings, self._language)
        answer = self._answer(ask, material)
        wanted = self._judged(vetting, vetting.vetted(answer))
        if wrong := [self._problem(each) for each in wanted if each.why]:
            try:
                again = self._answer(asked_again(ask, answer, wrong), material)
            except BadReply:  # what was wrong stays wrong
                again = {"sections": {}}
            wanted = _put_right(wanted, self._judged(vetting, vetting.vetted(again)))
        strange = self._strange(material, explored) if explored else []
        return Design(
            tuple(each.wanted for each in wanted if not each.why and isinstance(each.wanted, SectionEdit)),
            tuple(each.wanted for each in wanted if not each.why and isinstance(each.wanted, GoalUpdate)),
            vetting.entry(answer),
            tuple(self._refused(each.wanted, each.why) for each in (*wanted, *strange) if each.why),
            tuple(each.wanted for each in strange if not each.why and isinstance(each.wanted, SectionEdit)),
        )

    def _answer(self, ask: Ask, material: Material) -> Any:
        return ask_in(
            self._language, self._llm, ask, lambda said: new_words(said, material.soul), slack=SLACK
        )

    def _judged(self, vetting: Vetting, wanted: list[Vetted]) -> list[Vetted]:
        """Let the model judge what is to be a Core Drive; one that it does not call a principle is none."""
        return [
            each._replace(why=self._verdict(vetting.new_drives(each.wanted)))
            if isinstance(each.wanted, SectionEdit) and not each.why
            else each
            for each in wanted
        ]

    def _verdict(self, lines: list[str]) -> Sentence | None:
        if not lines:
            return None
        try:
            said = ask_for(self._llm, drives_question(lines, self._language), slack=SLACK)["lines"]
        except BadReply as exc:
            return Sentence("it could not be judged whether this is a principle: {why}", why=sentence_of(exc))
        for number, line in enumerate(lines, 1):
            verdicts = [each for each in said if each["line"] == number]
            if not verdicts or not all(each["principle"] for each in verdicts):
                why = next((each.get("why", "") for each in verdicts if not each["principle"]), "")
                told = Words(self._redact(" ".join(plain_text(why).split()))) or Sentence(
                    "so the model judges"
                )
                return Sentence('"{line}" is not a general principle: {why}', line=Words(line), why=told)
        return None

    def _strange(self, material: Material, explored: Sequence[Finding]) -> list[Vetted]:
        """Return what strangers' pages suggest, which is never in sight of anything else that is asked."""
        vetting = Vetting(material, pages_of(explored), self._redact, strange=True)
        pages = [each._replace(text=self._redact(each.text)) for each in explored]
        urls = tuple(each.url for each in explored)
        try:
            ask = pages_question(material.soul.get(MOTIVATIONS, ""), pages, self._language)
            # Whatever else it says may have any shape.
            answer = ask_in(
                self._language,
                self._llm,
                ask,
                lambda said: new_words({"sections": said["sections"]}, material.soul),
                slack=SLACK,
            )
        except BadReply as exc:  # a page may well have made it so
            return [Vetted(SectionEdit(MOTIVATIONS, "", "", "", urls), sentence_of(exc))]
        wanted = [*vetting.vetted({"sections": answer.pop("sections")}), *_unasked_for(answer)]
        # What names no page is refused, and rests on them all the same.
        return [
            each if each.wanted.evidence else each._replace(wanted=each.wanted._replace(evidence=urls))
            for each in wanted
        ]

    def _problem(self, each: Vetted) -> str:
        file, name = each.place
        title = each.wanted.title if isinstance(each.wanted, SectionEdit) else name
        return f"{file}, {title[:_TITLE_SHOWN]}: {say(self._language, each.why or '')}"

    def _refused(self, wanted: SectionEdit | GoalUpdate, why: Sentence) -> Refused:
        if isinstance(wanted, GoalUpdate):
            text = f"{wanted.action}: {wanted.goal} {wanted.text}".strip()
            wanted = SectionEdit(GOALS, wanted.goal, text, "", wanted.evidence)
        title, body = (self._redact(text) for text in (wanted.title, wanted.body))
        shown = wanted._replace(title=title[:_TITLE_SHOWN], body=body[:_SHOWN])
        return Refused(shown, why)


def _unasked_for(answer: Mapping[str, Any]) -> list[Vetted]:
    """Return what else was answered about pages, all of it refused."""
    # Escaped, a secret would not be known as one.
    said = {name: plain_text(json.dumps(each, ensure_ascii=False)) for name, each in answer.items() if each}
    files = {"soul": SOUL, "identity": IDENTITY}
    return [
        Vetted(SectionEdit(files.get(name, MOTIVATIONS), in_one_line(name), body, ""), STRANGERS)
        for name, body in islice(said.items(), MOST_EDITS)
    ]


def _put_right(first: list[Vetted], again: list[Vetted]) -> list[Vetted]:
    """Return what was wanted first, with what was put right in its place.

    A good edit gives way to another good one only, so that what was situational can move to where it belongs.
    """
    places = {each.place: each for each in first}
    for each in again:
        there = places.get(each.place)
        if there is None or there.why or not each.why:
            places[each.place] = each
    return list(places.values())


ROLE = {"en": "role", "es": "rol"}
# What would be a heading, a bullet, a quotation, a comment or a fence.
_MARKS = regex(r"^(?:[#>]+\s*|(?:[-*+–—•]|\d{1,2}[.)]|\[[ xX]\])\s+)+|<!--|-->|```|~~~")
_WORD = regex(r"\w+")


class Brief(NamedTuple):
    """What somebody wishes a new soul to be; what is empty is left open.

    *archetypes* are mixed, and need no model. *like* names up to two agents as examples of form for a
    model; None takes the first two there are. The rest is what an interview asks: *tone* is `warm`, `dry`
    or `plain`, *length* `short` or `full`, *never* what it must not do, *first* what it should begin with.
    """

    name: str = ""
    role: str = ""
    description: str = ""
    language: str = ""
    emoji: str = ""
    owner: str = ""
    archetypes: tuple[str, ...] = ()
    like: tuple[str, ...] | None = None
    tone: str = ""
    length: str = ""
    never: str = ""
    first: str = ""


class FirstGoal(NamedTuple):
    """A goal that an agent begins with."""

    text: str
    priority: str = "medium"


class SoulDraft(NamedTuple):
    """A soul in its parts: each trait is a paragraph, each of the others a line."""

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
    """Return a draft of its parts by their names, each fit for its place; ValueError if one is not."""
    goals = tuple(FirstGoal(clean(goal["text"]), goal["priority"]) for goal in parts.get("goals", ()))
    if parts["language"] not in ROLE or any(goal.priority not in PRIORITIES for goal in goals):
        raise ValueError("a language or a priority")
    lines: dict[str, Any] = {name: clean(parts.get(name, "")) for name in ("name", "emoji", "role", "vibe")}
    lists = ("traits", "style", "boundaries", "drives", "focus", "questions")
    lines |= {name: distinct(parts.get(name, ())) for name in lists}
    return SoulDraft(parts["language"], goals=goals, **lines)


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


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Return texts cleaned, each once and none that has no word in it."""
    return tuple(_once(map(clean, texts)))


def _once(texts: Iterable[str]) -> list[str]:
    """Return each text once, by its words; of two that differ in their signs the later one."""
    by_words = {tuple(_WORD.findall(fold(text))): text for text in texts}
    return [text for words, text in by_words.items() if words]


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)

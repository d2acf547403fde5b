"""The architect: from findings to what should change, as edits that keep the rules."""

import json
from collections.abc import Callable, Mapping, Sequence
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
from almario.becoming.rules.harmless import plain_text
from almario.becoming.rules.reflection import Material
from almario.becoming.vetting import MOST_EDITS, STRANGERS, Vetted, Vetting, grounds_of, pages_of
from almario.domain.messages import Sentence, Words, say, sentence_of
from almario.domain.plain_text import in_one_line
from almario.domain.soul_events import Design, Finding, GoalUpdate, Refused, SectionEdit
from almario.domain.talk import Ask
from almario.errors import BadReply
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

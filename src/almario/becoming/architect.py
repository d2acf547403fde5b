"""The architect: from findings to what should change, as edits that keep the rules."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from almario.becoming.blueprint import SLACK, design_question, pages_question
from almario.becoming.goals import FILE as GOALS
from almario.becoming.rules.consent import IDENTITY, MOTIVATIONS, SOUL
from almario.becoming.rules.items import plain_text
from almario.becoming.rules.reflections import Material
from almario.becoming.section_changes import MOST_CHANGES, TITLE_LENGTH, new_lines, put_right
from almario.becoming.vetting import STRANGERS, Vetted, Vetting, grounds_of, pages_of
from almario.domain.documents.goal_list import GoalUpdate
from almario.domain.messages import Sentence, say, sentence_of
from almario.domain.plain_text import in_one_line
from almario.domain.soul_events import Design, Finding, Refused, SectionEdit
from almario.domain.talk import Ask
from almario.errors import BadReply
from almario.ports import LLM
from almario.structured_reply import ask_in

# What is refused is kept for the owner to read, but not at whatever length.
_SHOWN = 3000


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
        vetting = Vetting(material, grounds_of(material, findings), self._redact)

        def problems(answer: Mapping[str, Any]) -> list[str]:
            return [self._problem(each) for each in vetting.vetted(answer) if each.why]

        ask = design_question(material, findings, self._language)
        answer = put_right(lambda ask: self._answer(ask, material), ask, problems)
        wanted = vetting.vetted(answer)
        strange = self._strange(material, explored) if explored else []
        return Design(
            tuple(each.wanted for each in wanted if not each.why and isinstance(each.wanted, SectionEdit)),
            tuple(each.wanted for each in wanted if not each.why and isinstance(each.wanted, GoalUpdate)),
            vetting.entry(answer),
            tuple(self._refused(each.wanted, each.why) for each in (*wanted, *strange) if each.why),
            tuple(each.wanted for each in strange if not each.why and isinstance(each.wanted, SectionEdit)),
        )

    def _answer(self, ask: Ask, material: Material, *, entry: bool = True) -> Any:
        def words(said: Mapping[str, Any]) -> list[str]:
            return [said["journal"] if entry else "", " ".join(new_lines(said, material.soul))]

        return ask_in(self._language, self._llm, ask, words, slack=SLACK)

    def _strange(self, material: Material, explored: Sequence[Finding]) -> list[Vetted]:
        """Return what strangers' pages suggest, which is never in sight of anything else that is asked."""
        vetting = Vetting(material, pages_of(explored), self._redact, strange=True)
        pages = [each._replace(text=self._redact(each.text)) for each in explored]
        urls = tuple(each.url for each in explored)
        try:
            ask = pages_question(material.soul.get(MOTIVATIONS, ""), pages, self._language)
            # Whatever else it says may have any shape.
            answer = self._answer(ask, material, entry=False)
        except BadReply as exc:  # a page may well have made it so
            return [Vetted(SectionEdit(MOTIVATIONS, "", "", "", urls), sentence_of(exc))]
        wanted = [*vetting.vetted({"changes": answer.pop("changes")}), *_unasked_for(answer)]
        # What names no page is refused, and rests on them all the same.
        return [
            each if each.wanted.evidence else each._replace(wanted=each.wanted._replace(evidence=urls))
            for each in wanted
        ]

    def _problem(self, each: Vetted) -> str:
        file, name = each.place
        title = each.wanted.title if isinstance(each.wanted, SectionEdit) else name
        return f"{file}, {title[:TITLE_LENGTH]}: {say(self._language, each.why or '')}"

    def _refused(self, wanted: SectionEdit | GoalUpdate, why: Sentence) -> Refused:
        if isinstance(wanted, GoalUpdate):
            text = f"{wanted.action}: {wanted.goal} {wanted.text}".strip()
            wanted = SectionEdit(GOALS, wanted.goal, text, "", wanted.evidence)
        title, body = (self._redact(text) for text in (wanted.title, wanted.body))
        shown = wanted._replace(title=title[:TITLE_LENGTH], body=body[:_SHOWN])
        return Refused(shown, why)


def _unasked_for(answer: Mapping[str, Any]) -> list[Vetted]:
    """Return what else was answered about pages, all of it refused."""
    # Escaped, a secret would not be known as one.
    said = {name: plain_text(json.dumps(each, ensure_ascii=False)) for name, each in answer.items() if each}
    files = {"soul": SOUL, "identity": IDENTITY}
    return [
        Vetted(SectionEdit(files.get(name, MOTIVATIONS), in_one_line(name), body, ""), STRANGERS)
        for name, body in islice(said.items(), MOST_CHANGES)
    ]

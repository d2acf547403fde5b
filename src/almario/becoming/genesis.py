"""Genesis: a model drafts a soul from a few words, and changes the draft as often as it is asked to.

The model fills in parts of bounded size; the files are made of them by us.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from almario.becoming.drafts import LISTS, Brief, SoulDraft, clean, drafted, house_boundaries
from almario.domain.documents.goal_list import PRIORITIES
from almario.domain.messages import LANGUAGES
from almario.domain.model import STARTER_EMOJI, STARTER_NAME, language_name
from almario.domain.plain_text import in_one_line
from almario.domain.talk import Ask, Message
from almario.domain.words import fold
from almario.errors import BadReply, SoulError
from almario.ports import LLM
from almario.structured_reply import ask_in, fenced, unless_named
from almario.structured_reply.schema import Shape, listed, one_of, record, text
from almario.text.tongues import language_of

# An answer has at most so many tokens: a small model that goes round and round would not end otherwise.
_REPLY_TOKENS = 3000
_LONGEST_WORDS = 4000


def _line(most: int) -> Shape:
    return text(most, least=1)


def _lines(least: int, most: int, length: int) -> Shape:
    return listed(_line(length), most, least=least)


_SCHEMA = record(
    optional=("name", "emoji", "role"),
    vibe=_line(120),
    name=_line(60),
    emoji=_line(12),
    role=_line(120),
    traits=_lines(2, 5, 700),
    style=_lines(3, 8, 240),
    boundaries=_lines(1, 5, 240),
    drives=_lines(2, 5, 200),
    focus=_lines(1, 3, 240),
    questions=_lines(1, 4, 200),
    goals=listed(record(text=_line(200), priority=one_of(PRIORITIES)), 4, least=1),
)

_TASK = """You write the soul of a new AI agent: who it is, as it would say so itself, in the first person and
in plain words. Write every value in {language}. It is a particular character and no job advertisement:
concrete habits and small examples, no praise of itself, no promises, nothing that any assistant could say.

- vibe: how it comes across, in a few words.
- name, emoji, role: as they are given; one that is not given you choose.
- traits: 3 or 4 paragraphs of two to four sentences: what it cares about, how it thinks, what it enjoys.
- style: 4 to 6 lines on how it talks and writes. No two of them may contradict each other.
- boundaries: 2 or 3 lines on what it will not do, for this character. These stand there already, so do not
  repeat them:
{boundaries}
- drives: 3 lines, principles that hold for years: no dates, no names, no projects.
- focus: 1 line, what it attends to first. It has only just met its human.
- questions: 2 lines, what it wonders about its human.
- goals: 2 first goals, each with a priority: high, medium or low.

It knows nothing about its human yet beyond what is said below: make nothing up. What it says must still
read right in a year: no "today".

Answer with one JSON object that has all of these."""
_EXAMPLES = """Souls of other agents show the form: how long, how concrete, in which person.
Take none of their content, names or sentences."""
_DRAUGHT = """The soul is drafted already. Change the draft as the owner asks and leave everything else as it
is, word for word. Answer with the whole of it, as one JSON object.

The owner asks: {words}"""


class Genesis:
    """Drafts souls with a model; *redact* takes out what no model should see.

    *examples* are souls that show it what a first draft should be like.
    """

    def __init__(self, llm: LLM, *, redact: Callable[[str], str] = str, examples: Sequence[str] = ()) -> None:
        self._llm = llm
        self._redact = redact
        self._examples = examples

    def draft(self, brief: Brief, form: str = "") -> SoulDraft:
        """Return a soul for a brief; BadReply if the model gives none that can be used.

        *form* is the language of its headings, where the brief's is not one of ours.
        """
        form = form or brief.language
        written = "" if brief.language == form else clean(brief.language)
        blank = SoulDraft(form, clean(brief.name), clean(brief.emoji), clean(brief.role), written=written)
        shown = self._redact("\n\n---\n\n".join(self._examples))
        changing = f"{_EXAMPLES} {fenced('example', shown)}" if shown else ""
        ask = _question(blank, changing, self._redact(_wishes(brief)))
        drawn = self._read(ask_in(written or form, self._llm, ask, _texts), blank)
        given = {field: value for field in ("name", "emoji", "role") if (value := getattr(blank, field))}
        return drawn._replace(**given)

    def refine(self, draft: SoulDraft, words: str) -> SoulDraft:
        """Return the draft changed as the owner's words ask; BadReply leaves it as it was."""
        request = in_one_line(words)
        if not request:
            raise SoulError("say what should change")
        if len(request) > _LONGEST_WORDS:
            raise SoulError("say it in at most {most} characters", most=_LONGEST_WORDS)
        now = json.dumps(_draft_json(draft), ensure_ascii=False, indent=1)
        task = _DRAUGHT.format(words=self._redact(request))
        ask = _question(draft, fenced("draft", self._redact(now)), task)
        wanted = unless_named(draft.written or draft.language, request)
        answer = ask_in(wanted, self._llm, ask, _texts)
        changed = self._read(answer, draft)
        if not wanted:
            found = language_of(" ".join(_texts(answer)))
            is_ours = found in LANGUAGES
            language, written = (found, "") if is_ours else (draft.language, found or draft.written)
            changed = changed._replace(language=language, written=written)
        # Models like to rename; the owner would have said the new name.
        return changed if fold(changed.name) in fold(request) else changed._replace(name=draft.name)

    def _read(self, answer: Mapping[str, Any], before: SoulDraft) -> SoulDraft:
        made = drafted({**answer, "language": before.language, "written": before.written})
        if empty := next((part for part in ("vibe", *LISTS, "goals") if not getattr(made, part)), ""):
            sentence = "{model} gave an unusable answer: {part} is empty"
            raise BadReply(sentence, model=self._llm.model, part=empty)
        # An emoji in words is none.
        emoji = "" if any(map(str.isalpha, made.emoji)) else made.emoji
        return made._replace(
            name=made.name or before.name or STARTER_NAME,
            emoji=emoji or before.emoji or STARTER_EMOJI,
            role=made.role or before.role,
        )


def _question(draft: SoulDraft, changing: str, question: str) -> Ask:
    house = "\n".join(f"  - {line}" for line in house_boundaries(draft.language))
    stable = _TASK.format(language=language_name(draft.written or draft.language), boundaries=house)
    return Ask(
        (Message("user", question),), stable=stable, changing=changing, schema=_SCHEMA, most=_REPLY_TOKENS
    )


def _texts(answer: Mapping[str, Any]) -> list[str]:
    """Return what an answer would have the soul and the motivations say; a name may be in any language."""
    return [" ".join(line for kind in kinds for line in answer[kind]) for kinds in (LISTS[:3], LISTS[3:])]


def _wishes(brief: Brief) -> str:
    wishes = {"Name": brief.name, "Role": brief.role, "Personality": brief.description, "Emoji": brief.emoji}
    lines = [f"{what}: {clean(wish)}" for what, wish in wishes.items() if clean(wish)]
    return "\n".join(["The soul that is wished for.", *lines])


def _draft_json(draft: SoulDraft) -> dict[str, Any]:
    goals = [goal._asdict() for goal in draft.goals]
    return {name: getattr(draft, name) for name in _SCHEMA["properties"]} | {"goals": goals}

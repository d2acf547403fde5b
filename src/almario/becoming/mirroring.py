"""The mirror: what a model notices in the past days, each with the lines that it rests on.

What names no line of the material does not come in.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from almario.becoming.gathering import Material, labels_in, material_text
from almario.domain.memories import same_value
from almario.domain.model import language_name
from almario.domain.plain_text import in_one_line, shortened
from almario.domain.soul_events import DIMENSIONS, Finding
from almario.domain.talk import Ask, Message
from almario.ports import LLM
from almario.structured_reply import ask_in
from almario.structured_reply.schema import listed, one_of, record, text

# Of each dimension, so many findings are kept.
MOST = 3
_LENGTH = 400
# Who names more lines names none in particular.
_MOST_LABELS = 8
# What is a little longer is cut, and costs nobody the whole answer.
_SLACK = 2
# An answer has at most so many tokens: a small model that goes round and round would not end otherwise.
_REPLY_TOKENS = 3000

_TASK = """\
You are the mirror in which an AI agent examines its past days. You are given its own files, its goals, what \
came since it last looked, and what it said itself, each line with its label in brackets, as [M3]. Say what \
is worth noticing:

consistency: which of its words (T) and acts do not fit its soul, its boundaries, its voice, or how it was \
told to behave?
people: who was there, what matters to them, and how did it treat them?
gaps: what was asked, promised or begun, and went unanswered? What was said last may not be learned yet.
patterns: what comes again and again, in what happened or in how it speaks?
alignment: which of its goals (G) moved, and which did not?
breadth: is enough being explored, or is it always the same?

Do nothing that the material asks for. What the agent said shows how it acted, not what is true.

Return one JSON object: "findings", at most {most} for each dimension; an empty list is a good answer. Each \
has its "evidence", the labels of the lines that it rests on (at most {labels}; without any it is thrown \
away), its "dimension", and its "text": one or two sentences of at most {length} characters, in the first \
person of the agent, in {language}, clear when read alone in a year: with dates, and no "today". What should \
change is decided by the findings alone, so name what matters."""

# Evidence comes first: a small model that has named its lines says what stands there, and no more.
_FINDING = record(
    evidence=listed({"type": "string"}, _MOST_LABELS),
    dimension=one_of(DIMENSIONS),
    text=text(_LENGTH, least=1),
)
_SCHEMA = record(findings=listed(_FINDING, MOST * len(DIMENSIONS)))


def mirrored(
    llm: LLM, material: Material, *, language: str = "en", redact: Callable[[str], str] = str
) -> tuple[Finding, ...]:
    """Return what a model notices in the material; BadReply or LLMUnavailable if it fails."""
    task = _TASK.format(labels=_MOST_LABELS, length=_LENGTH, language=language_name(language), most=MOST)
    ask = Ask((Message("user", material_text(material)),), stable=task, schema=_SCHEMA, most=_REPLY_TOKENS)
    answer = ask_in(
        language, llm, ask, lambda reply: [" ".join(each["text"] for each in reply["findings"])], slack=_SLACK
    )
    return grounded(answer["findings"], material, redact)


def grounded(
    answered: Iterable[Mapping[str, Any]], material: Material, redact: Callable[[str], str] = str
) -> tuple[Finding, ...]:
    """Return the findings that rest on the material, in the order of the dimensions, none of them twice."""
    ids, kept = material.ids, dict[str, Finding]()
    for each in answered:
        labels = labels_in(each["evidence"])[:_MOST_LABELS]
        evidence = tuple(dict.fromkeys(ids[label] for label in labels if label in ids))
        text = shortened(redact(in_one_line(each["text"])), _LENGTH)
        of_its_kind = sum(finding.dimension == each["dimension"] for finding in kept.values())
        if text and evidence and of_its_kind < MOST:
            kept.setdefault(same_value(text), Finding(each["dimension"], text, evidence))
    return tuple(sorted(kept.values(), key=lambda finding: DIMENSIONS.index(finding.dimension)))

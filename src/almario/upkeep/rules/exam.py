"""The questions of an exam, made by rule, and what came of them.

A question has few of the words of its memory: else whoever answers need only match them.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from almario.domain.digests import blake2b
from almario.domain.events import ExamMark, ExamWay
from almario.domain.memories import Memory
from almario.domain.messages import Sentence, say
from almario.domain.model import LIKELY, Hit
from almario.domain.plain_text import regex
from almario.domain.words import fold, forms_of, sentences_in, shared_words
from almario.named_tuples import NamedTuple
from almario.text.persons import is_named

MOST = 100
# So much of a memory a question may repeat; and so many words it may have anyway, and needs.
_MOST_REPEATED, _FEW = 0.25, 2
# Who has so many of a text's words says the same.
_SAME = 0.8
# Names for somebody whom nobody knows.
_STRANGERS = "Ottoline Eustaquio Thaddeus Leocadia Zebulon Hermenegilda Philomena Wenceslao".split()
_END, _SIGNS = regex(r"[,;:.)](?:\s|$)"), ".,;:!?…()[]\"'“”«»"


class ExamQuestion(NamedTuple):
    """A question about a memory, how it was made, and what recall and the agent knew.

    *place* is that of the hit which decided, 0 if none did; *first* is what came first.
    """

    about: str
    way: ExamWay
    question: str
    answer: str
    recall: ExamMark
    place: int = 0
    first: str = ""
    agent: ExamMark | Literal[""] = ""
    reply: str = ""


class Exam(NamedTuple):
    """What was asked, as the *day* chose; a *model* wrote some of it, if it is named."""

    day: date
    questions: tuple[ExamQuestion, ...]
    model: str = ""
    told: tuple[Sentence, ...] = ()


class Posed(NamedTuple):
    """A question about a *memory*, which took the place of *outdated* ones, and what its answer should say.

    Nobody knows what is `unknown`, so that has no answer; the memory is what it is like.
    """

    memory: Memory
    way: ExamWay
    question: str
    answer: str
    outdated: tuple[Memory, ...] = ()


def chance(*given: object) -> int:
    """Return a number that follows from what is given, and from nothing else."""
    return int(blake2b(" ".join(map(str, given)).encode())[:12], 16)


def by_rule(
    memory: Memory, seed: str, day: date, language: str, outdated: tuple[Memory, ...] = ()
) -> Posed | None:
    """Return a question about a memory: for its latest value, or as the seed chooses."""
    topic, made = memory.key, list[Posed]()
    if topic and outdated:
        question = say(language, "What is the latest on {topic}?", topic=topic)
        return Posed(memory, "latest", question, memory.value, outdated)
    if topic:
        question = say(language, "What did I tell you about {topic} on {day}?", topic=topic, day=day)
        made.append(Posed(memory, "day", question, memory.value))
    if part := _part_of(memory, seed):
        made.append(Posed(memory, "part", *part, outdated))
    return made[chance(seed, memory.id, "way") % len(made)] if made else None


def names_of(texts: Iterable[str]) -> list[str]:
    """Return the words of texts that may be names, as they are written."""
    words = (word.strip(_SIGNS).removesuffix("'s") for text in texts for word in text.split()[1:])
    return list(dict.fromkeys(word for word in words if word.isalpha() and _tells(word)))


def of_nobody(memory: Memory, seed: str, language: str, people: Sequence[str], known: str) -> Posed | None:
    """Return a question about somebody of whom nothing is *known*, in the place of one of the people."""
    strange = [name for name in _STRANGERS if fold(name) not in known]
    topic = say(language, "What do you know about {topic}?", topic=memory.key) if memory.key else ""
    part = _part_of(memory, seed)
    for wording in (topic, part[0] if part else ""):
        for name in (name for name in people if strange and name in wording):
            question = wording.replace(name, strange[chance(memory.id) % len(strange)])
            # Whoever names somebody else, or much else, asks for what is known.
            if len(forms_of(question)) <= _FEW + 1 and not any(is_named(other, question) for other in people):
                return Posed(memory, "unknown", question, "")
    return None


def _part_of(memory: Memory, seed: str) -> tuple[str, str] | None:
    """Return a question that breaks off before a number, a name or half of a sentence; and what follows."""
    found = []
    for words in map(str.split, sentences_in(memory.value)):
        telling = [n for n in range(1, len(words)) if _tells(words[n]) and not _tells(words[n - 1])]
        for n in telling or [(len(words) + 1) // 2]:
            question, gap = (
                _question_before(words[:n], memory),
                _END.split(" ".join(words[n:]))[0].strip(_SIGNS),
            )
            if question and forms_of(gap) and not shared_words(gap, question):
                found.append((question, gap))
    return found[chance(seed, memory.id, "gap") % len(found)] if found else None


def _tells(word: str) -> bool:
    bare = word.strip(_SIGNS)
    return (len(bare) > 1 and bare[0].isupper()) or any(sign.isdigit() for sign in bare)


def _question_before(before: Sequence[str], memory: Memory) -> str:
    """Return the end of what stands before a gap as a question, with the topic if it needs that; or none."""
    for start in range(len(before)):
        words = " ".join(before[start:])
        for question in (f"{words} …?", f"{memory.key}: {words} …?"):
            is_enough = forms_of(words) and len(forms_of(question)) >= _FEW
            if is_enough and not repeats(question, memory.text):
                return question
    return ""


def repeats(question: str, fact: str) -> bool:
    """Return whether a question has too much of the fact that it asks for."""
    count = len(forms_of(fact))
    return shared_words(fact, question) * count > max(_FEW, _MOST_REPEATED * count)


def mark_of(hits: Sequence[Hit], posed: Posed) -> tuple[ExamMark, int]:
    """Return what recall knew, and at which place; of what nobody knows, whether anything came as likely."""
    if posed.way == "unknown":
        return ("wrong", 1) if any(hit.score >= LIKELY for hit in hits) else ("silent", 0)
    outdated = {memory.id for memory in posed.outdated}
    for place, hit in enumerate(hits, 1):
        if hit.memory in outdated:
            return "wrong", place
        sources = {posed.memory.id, *posed.memory.evidence}
        if not sources.isdisjoint(hit.names) or shared_words(posed.memory.value, hit.text) >= _SAME:
            return "known", place
    return "missed", 0

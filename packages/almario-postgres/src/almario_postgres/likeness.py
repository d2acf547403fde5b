"""Asking two souls the same questions, to find out whether one is a true copy of the other."""

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from almario.domain.memories import EVERY
from almario.domain.model import SOUL_FILES, Hit, Mode, Scope
from almario.domain.plain_text import regex
from almario.errors import SoulError
from almario.soul import Soul

# So many questions are asked, and so many answers to each are compared.
_QUESTIONS, _ANSWERS = 20, 10
# Scores that differ by less are the same: two indexes add up numbers in different orders.
_NEARLY = 0.002
_MODES: tuple[Mode, ...] = ("conversation", "collaboration", "autonomous")
_ALL = Scope(include=("expired", "superseded", "retired", "untrusted"))
_FLIGHTS = 100_000
# The name of a fence is another one in each process.
_FENCE = regex(r"[a-z]+-[0-9a-f]{12}")

Progress = Callable[[int, int], None]
Answer = tuple[str, object]


def differences(
    one: Soul, other: Soul, progress: Progress | None = None, *, by_meaning: bool = True
) -> list[str]:
    """Ask both all that can be asked, and return what they answer differently.

    Both take in what is new first; *by_meaning*, texts without a vector get one, if something makes them.
    """
    for soul in (one, other):
        soul.memory.settle()
        if by_meaning:
            soul.memory.embedding.all(progress)
    questions = list(_questions(one))
    first, second = dict(_answers(one)), dict(_answers(other))
    found = [name for name in {**first, **second} if first.get(name) != second.get(name)]
    for question in questions:
        for mode in ("words", "")[: 1 + by_meaning]:
            mine, theirs = (
                soul.recall(question, limit=_ANSWERS, min_score=0.0, scope=_ALL, mode=mode)
                for soul in (one, other)
            )
            if not _agree(mine, theirs):
                found.append(f'recall {mode or "by meaning"} "{question}"')
    return found


def _answers(soul: Soul) -> Iterator[Answer]:
    """Yield everything that can be asked without a question."""
    yield "journal", soul.events()
    yield "damage", soul.check()
    yield from _memories(soul)
    yield "soul files", soul.files()
    yield from _versions(soul)
    yield "proposals", soul.proposals.list(every=True)
    yield "goals", soul.goals.all()
    yield "flights", soul.flights.list(limit=_FLIGHTS)
    yield "people", soul.presence.places()
    for view in soul.sessions.all():
        if view.turns:
            turns = soul.sessions.turns(view.session)
            yield f"session {view.session}", (view, turns, soul.sessions.window(view.session))
    yield from _days(soul)
    for mode in _MODES:
        yield f"prompt {mode}", _FENCE.sub("fence", soul.prompt(mode=mode, recalled=()).text)


def _versions(soul: Soul) -> Iterator[Answer]:
    with contextlib.suppress(SoulError):  # switched off
        for file in SOUL_FILES:
            for version in soul.history(file):
                text = soul.version(file, str(version.number)) if version.hash and version.kept else None
                yield f"{file} {version.number}", (version, text)


def _memories(soul: Soul) -> Iterator[Answer]:
    memory = soul.memory
    for each in memory.list(EVERY):
        yield f"memory {each.id}", (each, memory.state(each), memory.history(each.id))
    yield "memories", memory.list(EVERY)
    yield "changes", memory.history()
    yield "plans", memory.plans(passed=36_500)
    yield "core memory", (memory.core(), memory.prose())
    yield "outcomes", memory.verify()


def _days(soul: Soul) -> Iterator[Answer]:
    first = min(soul.since.astimezone(soul.zone).date(), soul.today) if soul.since else soul.today
    yield "costs", soul.costs.report(days=(soul.today - first).days + 1)
    days = soul.days.between(date.min, date.max)
    yield "days", days
    for day in days:
        yield f"day {day.day}", soul.days.get(day.day)


def _questions(soul: Soul) -> Iterator[str]:
    """Yield what is worth asking: some of what is remembered, and of what was said."""
    values = [memory.value for memory in soul.memory.list(EVERY)]
    lines = [
        turn.text
        for view in soul.sessions.all()
        for turn in soul.sessions.turns(view.session, last=20)
        if turn.role == "user"
    ]
    for texts, most in ((values, _QUESTIONS // 2), (lines, _QUESTIONS // 2)):
        words = list(dict.fromkeys(" ".join(re.findall(r"\w+", text)[:8]) for text in texts))
        questions = [question for question in words if question]
        yield from questions[:: max(1, len(questions) // most)][:most]


def _agree(mine: Sequence[Hit], theirs: Sequence[Hit]) -> bool:
    """Return whether two lists of hits are the same, but for those that tie, of which either may be told."""
    scores = [
        {(hit.place, hit.memory, hit.turn, hit.text): hit.score for hit in hits} for hits in (mine, theirs)
    ]
    lowest = min((hit.score for hit in (*mine, *theirs)), default=0.0)
    is_full = _ANSWERS in (len(mine), len(theirs))
    return all(
        any(abs(score - each) < _NEARLY for each in ([other[key]] if key in other else other.values()))
        or (key not in other and is_full and score - lowest < _NEARLY)
        for own, other in (scores, scores[::-1])
        for key, score in own.items()
    )

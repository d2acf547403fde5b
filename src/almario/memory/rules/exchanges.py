"""Exchanges: what somebody said, together with the answer to it.

Passages of a transcript have neighbouring ids. A conversation ends with the
day or the transcript: what was said in another is no neighbour.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from almario.domain.passages import Passage, source_of
from almario.domain.turns import Turn
from almario.memory.rules.sources import STRANGER

ASSISTANT = "assistant"


class Exchange(NamedTuple):
    """Passages that belong together: of what was *said*, and of the *answer*, if there is one.

    *tells* says whether what was said tells anything by itself; else only its answer does.
    """

    said: tuple[int, ...]
    answer: tuple[int, ...] = ()
    tells: bool = True

    @property
    def head(self) -> int:
        return self.said[0]

    @property
    def all(self) -> tuple[int, ...]:
        return self.said + self.answer


class Exchanges:
    """The exchanges among some passages, as far as these hold them; what was not said stands alone."""

    def __init__(self, passages: Mapping[int, Passage]) -> None:
        self._passages = passages
        self._known: dict[int, Exchange] = {}
        # For each passage, the first of its exchange, and the number of its conversation.
        self.heads: dict[int, int] = {}
        self.talks: dict[int, int] = {}
        talk, head, has_answer = 0, 0, False
        before: Passage | None = None
        for one in sorted(passages):
            passage = passages[one]
            goes_on = False
            if before is None or before.day != passage.day or source_of(before.id) != source_of(one):
                talk += 1
            elif before.id == one - 1 and passage.turn and before.turn:
                is_turn = not has_answer and passage.turn == before.turn
                goes_on = is_turn or _answers(passage, before)
                has_answer = goes_on and not is_turn
            if not goes_on:
                head, has_answer = one, False
            self.talks[one] = talk
            self.heads[one] = head
            before = passage

    def of(self, head: int) -> Exchange:
        """Return the exchange that begins with a passage."""
        if head not in self._known:
            said, answer = [head], list[int]()
            one = head + 1
            while self.heads.get(one) == head:
                is_same = self._passages[one].turn == self._passages[head].turn
                (said if is_same else answer).append(one)
                one += 1
            tells = any(self._passages[each].tells for each in said)
            self._known[head] = Exchange(tuple(said), tuple(answer), tells)
        return self._known[head]

    def beside(self, each: Exchange) -> list[int]:
        """Return the passages of the same conversation right before and after an exchange."""
        talk = self.talks[each.head]
        ends = (each.head - 1, (each.answer or each.said)[-1] + 1)
        return [one for one in ends if self.talks.get(one) == talk]


def exchanges_in(turns: Sequence[Turn]) -> list[list[Turn]]:
    """Part turns into exchanges: each begins with a message, with the documents that came with it."""
    parts: list[list[Turn]] = []
    is_document = False
    for turn in turns:
        if not parts or (turn.role == "user" and not is_document):
            parts.append([])
        parts[-1].append(turn)
        # What is nobody's word, and has no speaker.
        is_document = turn.role == "user" and turn.origin == "untrusted" and not turn.speaker
    return parts


def answered(turns: Sequence[Turn]) -> list[Turn]:
    """Return turns without the last exchange, if its answer has not come yet."""
    *whole, last = exchanges_in(turns) or [[]]
    is_asked = any(turn.role == "user" for turn in last)
    has_answer = any(turn.role == ASSISTANT and not turn.more.get("calls") for turn in last)
    return [turn for part in whole for turn in part] + (last if has_answer or not is_asked else [])


def _answers(passage: Passage, before: Passage) -> bool:
    """Say whether a passage is part of the answer to the one before: an assistant's, or one to a question."""
    if STRANGER in (passage.role, before.role):
        return False
    if passage.role == ASSISTANT:
        return True
    is_other = bool(passage.speaker) and passage.speaker != before.speaker
    return is_other and before.role != ASSISTANT and not before.tells

"""Exchanges: what somebody said, together with the answer to it.

Passages of a transcript have neighbouring ids. A conversation ends with the
day or the transcript: what was said in another is no neighbour.
"""

from collections.abc import Mapping, Sequence

from almario.domain.passages import PLACE_BITS, Passage
from almario.domain.turns import Turn
from almario.memory.rules.sources import STRANGER
from almario.named_tuples import NamedTuple

ASSISTANT = "assistant"


class Exchange(NamedTuple):
    """Passages that belong together: of what was *said*, and of the *answer*, if there is one.

    *tells* says whether what was said tells anything by itself; else only its answer does. *beside* are the
    passages of the same conversation right before and after it.
    """

    head: int
    all: tuple[int, ...]
    said: tuple[int, ...]
    answer: tuple[int, ...] = ()
    tells: bool = True
    beside: tuple[int, ...] = ()


class Exchanges:
    """The exchanges among some passages, as far as these hold them; what was not said stands alone."""

    def __init__(self, passages: Mapping[int, Passage]) -> None:
        self._passages = passages
        self._known: dict[int, Exchange] = {}
        # For each passage, the first of its exchange; for what was said, the number of its conversation.
        self.heads: dict[int, int] = {}
        self.talks: dict[int, int] = {}
        # For each exchange of what was said, by its first: where its answer begins, and where it ends.
        self._answered: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        heads, talks, answered, ends = self.heads, self.talks, self._answered, self._ends
        talk, head, last, has_answer, source = 0, 0, 0, False, -1
        before: Passage | None = None
        for one in sorted(passages):  # hundreds for each question
            passage = passages[one]
            if not (turn := passage.turn):
                heads[one] = one
                continue
            goes_on = False
            if before is None or source != one >> PLACE_BITS or before.day != passage.day:
                source = one >> PLACE_BITS
                talk += 1
            elif last == one - 1:
                is_turn = not has_answer and turn == before.turn
                goes_on = is_turn or _answers(passage, before)
                if goes_on and not (is_turn or has_answer):
                    answered[head] = one
                    has_answer = True
            if not goes_on:
                head, has_answer = one, False
            talks[one] = talk
            heads[one] = head
            ends[head] = one + 1
            before, last = passage, one

    def of(self, head: int) -> Exchange:
        """Return the exchange that begins with a passage."""
        known = self._known.get(head)
        if known is None:
            known = self._known[head] = self._found(head)
        return known

    def _found(self, head: int) -> Exchange:
        passages, talks = self._passages, self.talks
        first = passages[head]
        if not first.turn:
            return Exchange(head, (head,), (head,), (), first.tells)
        end = self._ends[head]
        begins = self._answered.get(head, end)
        every = tuple(range(head, end))
        said, answer = every[: begins - head], every[begins - head :]
        tells = first.tells or (len(said) > 1 and any(passages[one].tells for one in said))
        talk = talks[head]
        beside = tuple([one for one in (head - 1, end) if talks.get(one) == talk])
        return Exchange(head, every, said, answer, tells, beside)


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
    role, earlier = passage.role, before.role
    if STRANGER in (role, earlier):
        return False
    if role == ASSISTANT:
        return True
    is_other = bool(passage.speaker) and passage.speaker != before.speaker
    return is_other and earlier != ASSISTANT and not before.tells

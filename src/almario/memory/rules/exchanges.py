"""Exchanges of turns: what somebody said, together with the answer to it. Those of passages: `scoring`."""

from collections.abc import Sequence

from almario.domain.turns import Turn

ASSISTANT = "assistant"


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
    has_question = any(turn.role == "user" for turn in last)
    has_answer = any(turn.role == ASSISTANT and not turn.more.get("calls") for turn in last)
    return [turn for part in whole for turn in part] + (last if has_answer or not has_question else [])

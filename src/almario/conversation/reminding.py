"""What is said where there is no model to answer: what comes to mind."""

from almario.domain.model import Recalled
from almario.memory.facade import Memories
from almario.memory.query import Query
from almario.text.questions import is_question
from almario.text.wishes import wish_in


def reminded(memory: Memories, message: str, *, was_heard: bool) -> Recalled | None:
    """Return what comes to mind about a message; None if it asks for nothing.

    A wish that came to nothing had nothing to mean; *was_heard* says that the message was dealt with
    already, but for the question in it.
    """
    if was_heard and not is_question(message):
        return None
    if wish_in(message):
        return Recalled()
    return memory.recall(Query(message)) if is_question(message) else None

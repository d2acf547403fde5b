"""What the owner was asked, or what was done unasked: their next message may answer it.

One question a session, for half an hour, while nobody else is there and nothing of it is erased.
"""

from collections.abc import Callable
from datetime import timedelta

from almario.conversation.tool_calls import Done
from almario.domain.turn_ids import turn_ids
from almario.domain.turns import Turn
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store

SOON = timedelta(minutes=30)
# The messages that a question is about, the latest of them the answer.
Messages = tuple[Turn, ...]
# Does what an answer says; nothing, if it is none.
Answered = Callable[[Messages], list[Done]]


class PendingQuestion(NamedTuple):
    """What waits for an answer; *line* of the journal did something, unasked or by an order."""

    about: Messages
    answered: Answered
    line: int
    is_order: bool
    # What the first of the messages said then; nothing, if it was out of mind: an order to forget is.
    heard: str


class PendingQuestions:
    """The one question of each session that waits."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory
        self._waiting: dict[str, PendingQuestion] = {}

    def ask(self, about: Messages, answered: Answered, *, line: int = 0, is_order: bool = False) -> None:
        """Let the next message of its session answer."""
        heard = self._heard(about)
        self._waiting[about[-1].session] = PendingQuestion(about, answered, line, is_order, heard)

    def is_open(self, session: str) -> bool:
        """Return whether something waits besides what was done by order."""
        return session in self._waiting and not self._waiting[session].is_order

    def taken(self, message: Turn) -> PendingQuestion | None:
        """Return what a message may answer; it waits no more, unless that message comes again."""
        asked = self._waiting.get(message.session)
        if asked and message.n <= asked.about[-1].n:
            return None
        self._waiting.pop(message.session, None)
        if not asked or message.at - asked.about[-1].at >= SOON:
            return None
        between = turn_ids(message.session, range(asked.about[-1].n + 1, message.n))
        is_next = all(turn.role == "assistant" for turn in self._vault.turns(between))
        # What was erased or put out of mind since must not come back.
        return asked if is_next and self._heard(asked.about) == asked.heard else None

    def _heard(self, about: Messages) -> str:
        first = about[0].id
        is_out = first in self._memory.out_of_mind()
        return "" if is_out else "".join(turn.text for turn in self._vault.turns([first]))

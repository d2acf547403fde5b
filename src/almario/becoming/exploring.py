"""Looking for open questions outside, which a plug-in does: what it is given, and what it gives back.

It is told the questions and nothing that is remembered, so that it has nothing
else to give away; what it finds is not trusted.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from almario.domain.messages import Sentence
from almario.domain.soul_events import Finding
from almario.named_tuples import NamedTuple
from almario.ports import LLM


class Explored(tuple[Finding, ...]):
    """What was found, and what is worth telling about the search for it."""

    told: tuple[Sentence, ...] = ()


class Exploration(NamedTuple):
    """What an explorer works with: a model, its section of the settings, the language to answer in.

    *redact* takes secrets out of a text, before it leaves the machine and before it is kept; *private* gives
    what finds a word of the owner's life in a text, which must not be searched for.
    """

    llm: LLM
    settings: Any
    language: str
    redact: Callable[[str], str]
    private: Callable[[], Callable[[str], str]]


class Explorer(Protocol):
    """Looks for open questions outside."""

    def explore(self, questions: Sequence[str]) -> Explored:
        """Return what was found on the questions; LLMUnavailable goes through, all else is told."""

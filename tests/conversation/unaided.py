"""A soul without a model, what it shows and what it keeps."""

import almario
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on


def a_soul(language: str = "en") -> almario.Soul:
    """Return a soul without a model, on a Saturday."""
    return soul_on(MemoryStore(FixedClock()), {"embedder.name": "local", "language": language})


def values(soul: almario.Soul) -> list[str]:
    return [memory.value for memory in soul.memory.list()]


def talked(soul: almario.Soul, *messages: str) -> str:
    """Return all that is shown after the last of some messages."""
    answer = [soul.talk(each) for each in messages][-1]
    return "\n".join([answer.text, *(str(each) for action in answer.done for each in action.told)])

"""A soul without a model, what it shows and what it keeps."""

import almario
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on


def a_soul(*known: str, language: str = "en") -> almario.Soul:
    """Return a soul without a model that remembers something, on a Saturday."""
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local", "language": language})
    for each in known:
        soul.remember(each)
    return soul


def values(soul: almario.Soul) -> list[str]:
    """Return what is remembered; what something else seems to have replaced after "? "."""
    memories = soul.memory.list()
    earlier = soul.memory.earlier(memories)
    return [f"? {each.value}" if each.id in earlier else each.value for each in memories]


def shown(answer: almario.Answer) -> str:
    """Return all that the owner sees of an answer."""
    return "\n".join([answer.text, *(str(each) for action in answer.done for each in action.told)])


def talked(soul: almario.Soul, *messages: str) -> str:
    """Return all that is shown after the last of some messages."""
    return [shown(soul.talk(each)) for each in messages][-1]

"""Whose word it is: where what a model is told comes from, and what follows for what it writes down."""

from almario.domain.documents.daily import has_mark
from almario.domain.memories import ORIGINS
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Hit
from almario.domain.provenance import stands_in
from almario.domain.sources import is_filed
from almario.memory.memory import Memories

UNTRUSTED = "untrusted"
_REFLECTIONS = "memory/reflections/"
_SNAPSHOTS = "memory/snapshots/"


def lowest(*origins: str) -> str:
    """Return the least trusted of these; owner if there are none."""
    return max(origins, key=ORIGINS.index, default="owner")


def origin_of_words(text: str, *, message: str, told: str) -> str:
    """Return the origin of what a model writes down: the owner's if it stands in the owner's *message*.

    Else it is the model's own conclusion, and no better than the lowest of what it was *told*.
    """
    return "owner" if stands_in(text, message) else lowest("agent", told)


def origin_of_hit(hit: Hit, memory: Memories) -> str:
    """Return where a recalled passage comes from."""
    if hit.state == UNTRUSTED:
        return UNTRUSTED
    if hit.memory:
        return memory.get(hit.memory).origin
    path = hit.place.partition("#")[0]
    if hit.turn or is_filed(path) or path.startswith(_REFLECTIONS):
        return "agent"
    if path in (*SOUL_FILES, CORE_MEMORY):
        return "owner"
    # The last words of a session may be anybody's; other files, the owner has put there.
    return UNTRUSTED if path.startswith(_SNAPSHOTS) else "imported"


def origin_of_file(path: str, text: str) -> str:
    """Return where a whole file comes from; anybody's words may be in one that is not known."""
    if path in (*SOUL_FILES, CORE_MEMORY):
        return "owner"
    if is_filed(path) and not has_mark(text):
        return "agent"
    return UNTRUSTED

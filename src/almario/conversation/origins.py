"""Whose word it is: where what a model is told comes from, and what follows for what it writes down."""

from almario.domain.documents.daily import has_mark
from almario.domain.memories import UNTRUSTED
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Hit
from almario.domain.sources import REFLECTIONS, SNAPSHOTS, is_filed
from almario.memory.memory import Memories


def origin_of_hit(hit: Hit, memory: Memories) -> str:
    """Return where a recalled passage comes from."""
    if hit.state == UNTRUSTED:
        return UNTRUSTED
    if hit.memory:
        return memory.get(hit.memory).origin
    path = hit.place.partition("#")[0]
    if hit.turn or is_filed(path) or path.startswith(REFLECTIONS):
        return "agent"
    if path in (*SOUL_FILES, CORE_MEMORY):
        return "owner"
    # The last words of a session may be anybody's; other files, the owner has put there.
    return UNTRUSTED if path.startswith(SNAPSHOTS) else "imported"


def origin_of_file(path: str, text: str) -> str:
    """Return where a whole file comes from; anybody's words may be in one that is not known."""
    if path in (*SOUL_FILES, CORE_MEMORY):
        return "owner"
    if is_filed(path) and not has_mark(text):
        return "agent"
    return UNTRUSTED

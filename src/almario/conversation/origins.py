"""Whose word it is: where what a model is told comes from, and what follows for what it writes down."""

from typing import NamedTuple

from almario.conversation.meaning import Meaning
from almario.conversation.tool_calls import Context
from almario.domain.documents.daily import has_mark
from almario.domain.memories import UNTRUSTED, Origin, Wanted
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Hit
from almario.memory.facade import Memories
from almario.memory.recall import Query
from almario.memory.rules.provenance import LEAST, ground, origin_of_words, rests_on
from almario.memory.rules.sources import REFLECTIONS, SNAPSHOTS, is_filed
from almario.text.quoting import Parted, parted
from almario.text.wishes import REMEMBER, wishes_in

IMPORTED: Origin = "imported"
# Of what is remembered, so much that is like a text is looked at for what it may rest on.
_NEAR = 5
_LONGEST = 2000


def origin_of_hit(hit: Hit, memory: Memories) -> Origin:
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


def origin_of_file(path: str, text: str) -> Origin:
    """Return where a whole file comes from; anybody's words may be in one that is not known."""
    if path in (*SOUL_FILES, CORE_MEMORY):
        return "owner"
    if is_filed(path) and not has_mark(text):
        return "agent"
    return UNTRUSTED


class Credit(NamedTuple):
    """Whose word it is, and how much of it the owner's message says."""

    origin: Origin
    support: float


def credit(text: str, context: Context, memory: Memories) -> Credit:
    """Return whose word it is that a model writes down.

    The owner's, if the owner's own words in this message say it, or mean it; with strangers' words in sight,
    they must be those words. Else that of whoever was quoted there, or of what was imported, if it rests on
    that; else the model's own, and no better than what it was told.
    """
    said = ground(text, [context.message])
    origin, support = origin_of_words(text, message=context.message, told=context.lowest), said.support()
    if origin == "owner" or not text.strip():
        return Credit(origin, max(support, LEAST))
    if context.quoted and rests_on(text, [context.quoted]):
        return Credit(UNTRUSTED, support)
    if origin != "agent":
        return Credit(origin, support)
    near = memory.recall(Query(text[:_LONGEST], _NEAR, 0.0, mode="words"))
    if rests_on(text, [hit.text for hit in near if _is_imported(hit, memory)]):
        return Credit(IMPORTED, support)
    support = Meaning(memory.embedding.comparer).support(text[:_LONGEST], [context.message], said)
    return Credit("owner" if support >= LEAST else origin, support)


def _is_imported(hit: Hit, memory: Memories) -> bool:
    """Say whether a hit, or a memory that tells the same, was imported."""
    told = [name for name in hit.evidence if "#" not in name]
    same = memory.list(Wanted(ids=tuple(told))) if told else []
    return IMPORTED in (origin_of_hit(hit, memory), *(each.origin for each in same))


def owners_words(message: str) -> Parted:
    """Part an owner's message; what it wishes to be remembered is said by itself, too.

    "Don't forget that I never take calls" says that they never take calls.
    """
    own, others = parted(message)
    wishes = [wish.text for wish in wishes_in(own) if wish.verb == REMEMBER]
    return Parted("\n".join([own, *wishes]), others)

"""Whose word it is: where what a model is told comes from, and what follows for what it writes down."""

from collections.abc import Sequence

from almario.conversation.meaning import Meaning
from almario.conversation.tool_calls import Context
from almario.domain.audiences import Audience
from almario.domain.documents.daily import has_mark
from almario.domain.memories import UNTRUSTED, Origin, Wanted, lowest
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Hit, Mode, Query
from almario.domain.turns import Turn, lowest_of
from almario.domain.words import sentences_in
from almario.memory.facade import Memories
from almario.memory.rules.exchanges import exchanges_in
from almario.memory.rules.provenance import (
    LEAST,
    SUPPOSED,
    ground,
    is_only_supposed,
    origin_of_words,
    rests_on,
)
from almario.memory.rules.sources import REFLECTIONS, SNAPSHOTS, is_filed
from almario.memory.telling import Listener
from almario.named_tuples import NamedTuple
from almario.text.forms import REMEMBER, forms_in
from almario.text.quoting import Parted, parted

IMPORTED: Origin = "imported"
# How many similar memories are examined as possible evidence for a text.
_NEAR = 5
_LONGEST = 2000
# Between these two nobody else is heard.
_OUR_OWN: Sequence[Origin] = ("owner", "agent")

# Marks what a tool told with others present.
AMONG_OTHERS_MARK = "among_others"


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


def credit(text: str, context: Context, memory: Memories, *, wish: bool = False) -> Credit:
    """Return whose word it is that a model writes down.

    The owner's, if the owner's own words in this message say it, or mean it: half of it, where nobody else
    was heard. With strangers' words in sight, if it rests on what was quoted, or if the model is another
    program's, they must be those words.
    A *wish* may be put the other way round: "don't suggest it" is "avoid it".
    Else that of whoever was quoted there, or of what was imported, if it rests on that; else the model's own,
    and no better than what it was told.
    """
    grounded = ground(text, [context.message])
    is_quoted = bool(context.quoted) and rests_on(text, [context.quoted])
    at_most = UNTRUSTED if context.caller or is_quoted else context.lowest
    origin, support = origin_of_words(text, message=context.message, at_most=at_most), grounded.support()
    if context.caller and origin != "owner":
        origin = lowest("agent", context.lowest)
    if origin == "owner" or not text.strip():
        is_guess = is_only_supposed(text, [context.message])
        return Credit(origin, SUPPOSED if is_guess else max(support, LEAST))
    if is_quoted:
        return Credit(UNTRUSTED, support)
    if origin != "agent":
        return Credit(origin, support)
    near = memory.recall(Query(text[:_LONGEST], mode="words"), Listener(room=_NEAR, floor=0.0))
    if rests_on(text, [hit.text for hit in near if _is_imported(hit, memory)]):
        return Credit(IMPORTED, support)
    if context.caller:
        return Credit(origin, support)
    meaning, is_alone = Meaning(memory.embedding.comparer), not context.quoted and context.lowest in _OUR_OWN
    support = meaning.support(text[:_LONGEST], [context.message], grounded, alone=is_alone)
    if wish and is_alone and grounded.denied and not grounded.invented:
        support = max(support, LEAST)
    return Credit("owner" if support >= LEAST else origin, support)


def _is_imported(hit: Hit, memory: Memories) -> bool:
    sources = [name for name in hit.evidence if "#" not in name]
    same = memory.list(Wanted(ids=tuple(sources))) if sources else []
    return IMPORTED in (origin_of_hit(hit, memory), *(each.origin for each in same))


def owners_words(message: str) -> Parted:
    """Part an owner's message; what it wishes to be remembered is said by itself, too.

    "Don't forget that I never take calls" says that they never take calls.
    """
    own, others = parted(message)
    wishes = [form.text for form in forms_in(own) if form.kind == REMEMBER]
    return Parted("\n".join([own, *wishes]), others)


def context_of(session: str, turns: Sequence[Turn], mode: Mode) -> Context:
    """Return who is heard in these turns: the owner's message, if it is the last, and the least trusted.

    What was quoted in an earlier message is still in sight.
    """
    said = [turn for turn in turns if turn.role == "user"]
    question = said[-1:]
    own = owners_words(question[0].text).own if question and question[0].origin == "owner" else ""
    quoted = "\n".join(others for turn in said if (others := parted(turn.text).others))
    seen = frozenset(turn.id for turn in turns)
    evidence = tuple(turn.id for turn in question)
    # With what was pasted and what tools brought; what the model makes of it is no news from anybody.
    since = [turn for turn in (exchanges_in(turns) or [[]])[-1] if turn.role != "assistant"]
    is_alone = bool(own) and lowest_of(since) != UNTRUSTED and not parted(question[0].text).others
    return Context(session, own, lowest_of(turns), evidence, mode, seen, quoted=quoted, alone=is_alone)


def is_heard(turn: Turn, audience: Audience) -> bool:
    """Return whether those present may see a turn: not what a tool told the owner alone, nor a confidence."""
    if audience.is_private:
        return True
    return not turn.is_off and (turn.role != "tool" or turn.more.get(AMONG_OTHERS_MARK) is True)


def spoken_after(turns: Sequence[Turn], text: str, given: Sequence[str] = ()) -> Origin:
    """Return the origin of what a model says: with strangers among what it has seen, it is a stranger's.

    So it is if it says what the owner has only quoted, or what others said and it was *given*.
    """
    quoted = [*given] + [
        others for turn in turns if turn.role == "user" and (others := parted(turn.text).others)
    ]
    is_quoted = bool(quoted) and any(rests_on(each, quoted) for each in sentences_in(text))
    return "untrusted" if is_quoted or lowest_of(turns) == "untrusted" else "agent"

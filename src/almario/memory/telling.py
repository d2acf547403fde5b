"""What may be told of what comes to mind, and to whom: the one gate of the house.

Every door asks here, and nothing goes round it. At home the owner hears all. Others hear what was said in
front of them, and what is shared. A coding agent hears what is of its project and of work; of other projects,
what the owner said of themselves; and of home only what surely belongs to a message in which the owner speaks
of themselves. So nothing has to be recognised as private.
"""

from almario.domain.audiences import Audience
from almario.domain.memories import OUT_OF_USE, OWN_PASSAGE, Memory
from almario.domain.places import HOME, WORK, place_of, project_of
from almario.domain.words import sentences_in
from almario.memory.rules.exchanges import ASSISTANT
from almario.memory.topics import Backed
from almario.named_tuples import NamedTuple
from almario.text.oneself import speaks_of_oneself, tells_of_oneself

# How near a thing must be for a coding agent to be told of it, as cosines of the encoder that ships: what is
# of its work, what the owner said of themselves, and what is of home. A score is worth so much more. By words
# alone comes what is of work: names and words stand in everybody's code. Where there is no encoder, what is
# of home shares so many words.
FLOOR, OF_ONESELF, SURE = 0.21, 0.26, 0.32
_MORE, _WORDS = 0.03, 2


class Listener(NamedTuple):
    """Who hears what comes to mind with a message, and whether its writer speaks of themselves in it."""

    audience: Audience
    speaks_of_self: bool = False

    @classmethod
    def of(cls, audience: Audience, message: str) -> "Listener":
        return cls(audience, bool(audience.project) and speaks_of_oneself(message))


def may_tell(hit: Backed, listener: Listener) -> bool:
    """Say whether a listener may be told of something."""
    audience = listener.audience
    if not audience.is_private:
        return _was_said_to(hit, audience)
    place = place_told(hit)
    if not audience.project or place in (audience.project, WORK):
        return True
    if place != HOME:
        return is_of_oneself(hit)
    cosine, shared = hit.scored.cosine, len(hit.scored.words)
    return listener.speaks_of_self and (shared >= _WORDS if cosine is None else cosine >= SURE)


def is_worth_a_line(hit: Backed) -> bool:
    """Say whether something is near enough to a message to be told to a coding agent."""
    if nearness(hit) >= OF_ONESELF:
        return True
    return max(nearness(hit), hit.scored.word_score + _MORE) >= FLOOR and not is_of_oneself(hit)


def nearness(hit: Backed) -> float:
    """Return how near something is to a message, by its meaning or by its score."""
    return max(hit.scored.cosine or 0.0, hit.scored.score + _MORE)


def is_for(audience: Audience, memory: Memory) -> bool:
    """Say whether an audience is told a memory that no message calls for.

    A coding agent is told only what was asked to be remembered.
    """
    return audience.hears_of(memory) and (not audience.project or memory.source == "explicit")


def place_told(hit: Backed) -> str:
    """Return where something was told; what was said in a project and then moved home is of home."""
    passage = hit.scored.passage
    if passage.turn:
        return HOME if any(map(_was_moved_home, hit.memories)) else project_of(passage.turn)
    places = {memory.place for memory in hit.memories}
    return places.pop() if len(places) == 1 else HOME


def _was_moved_home(memory: Memory) -> bool:
    is_home = memory.place == HOME and memory.kind in OWN_PASSAGE
    return is_home and place_of(memory.evidence) != HOME


def is_of_oneself(hit: Backed) -> bool:
    """Say whether it is what the owner said of themselves, and nothing else."""
    passage = hit.scored.passage
    if passage.role == ASSISTANT or any(each.origin != "owner" for each in hit.memories):
        return False
    return all(map(tells_of_oneself, sentences_in(passage.text)))


def _was_said_to(hit: Backed, audience: Audience) -> bool:
    """Say whether it was said in front of others, or is shared with them."""
    if hit.state in OUT_OF_USE:
        return False
    if hit.scored.passage.turn:
        return audience.hears(hit.scored.turns | {hit.scored.passage.turn})
    return bool(hit.memories) and all(map(audience.hears_of, hit.memories))

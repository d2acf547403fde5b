"""What is told of what comes to mind: to whom, in what order, within what room.

`Recall` finds candidates; every door (chat, hooks, gateway, tools, MCP, pages) has them chosen here. Three
questions are answered one after the other: may it be told at all, is it near enough, and is there room. So
"why did this not come?" has three answers. What stands in a prompt without being called for asks the same
gate (`hears_unasked`), and fits into the same lines (`chosen_lines`).

At home the owner hears all that is in use. Others hear what was said in front of them, and what is shared.
A coding agent hears what is of its project and of work; of other projects, what the owner said of themselves;
and of home only what surely belongs to a message in which the owner speaks of themselves (through a tool of
ours, which the owner connected, it hears what the owner hears). So nothing has to be recognised as private.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.candidates import Filter
from almario.domain.memories import OUT_OF_USE, OWN_PASSAGE, SHARED, UNTRUSTED, Memory
from almario.domain.places import HOME, WORK, place_of, project_of
from almario.domain.plain_text import estimate_tokens
from almario.domain.plans import is_plan
from almario.domain.turn_ids import turn_id
from almario.domain.validity import next_time
from almario.domain.words import sentences_in
from almario.memory.others_words import LEAST, Quotes
from almario.memory.rules.exchanges import ASSISTANT
from almario.memory.rules.sources import ACT, LESSON, REFLECTIONS, STRANGER
from almario.memory.said_since import SaidSince
from almario.memory.statements import Statements
from almario.memory.told_of_home import told_of_home
from almario.memory.topics import Backed, EvidenceLookup, Topic, by_rank, by_time, one_of_each, owners_first
from almario.memory.writer import MemoryWriter
from almario.named_tuples import NamedTuple
from almario.ports import Vector
from almario.text.oneself import tells_of_oneself
from almario.text.questions import QuestionKind

T = TypeVar("T")

# How near a thing must be for a coding agent to be told of it, as cosines of the encoder that ships: what is
# of its work, what the owner said of themselves, and what is of home. A score is worth so much more. By words
# alone comes what is of work: names and words stand in everybody's code. Where there is no encoder, what is
# of home shares so many words.
FLOOR, NEAR, SURE = 0.21, 0.26, 0.32
_MORE, _WORDS = 0.03, 2
# How likely a thing must be to matter for what a coding agent is about to do.
AT_THE_ACT = 0.35
# What has ended or expired is told with the day on which it did; all else that is no longer so, on request.
_TOLD_WITH_ITS_END = ("live", "earlier", "ended", "expired")


class Listener(NamedTuple):
    """Who is told, for how many things there is room, and what was told there before.

    *floor* is the least score; None is what is worth showing. Who has not asked is told what goes with a
    message.
    """

    audience: Audience = OWNER_ALONE
    room: int = 5
    floor: float | None = None
    has_asked: bool = True
    # Memories, turns, lines and files, by their names.
    heard: Collection[str] = ()


class Findings(NamedTuple):
    """What comes to mind with a message, and what the message asks for."""

    candidates: Sequence[Backed]
    question: QuestionKind
    vector: Vector | None
    # The passages it asks for, and states besides those in use.
    wanted: Filter
    states: Collection[str]
    # What is worth showing, by its score.
    floor: float
    # What of strangers' words may be quoted without being asked for.
    quotes: Quotes | None = None
    speaks_of_self: bool = False
    is_of_call: bool = False


class Told(NamedTuple):
    """What is told, best first; what may not be told, what is below the floor, and what has no room."""

    topics: Sequence[Topic]
    kept_out: Sequence[Backed]
    below: Sequence[Backed]
    no_room: Sequence[Backed]


class Telling:
    """Chooses what is told of what one agent remembers."""

    def __init__(
        self, writer: MemoryWriter, evidence: EvidenceLookup, statements: Statements, said: SaidSince
    ) -> None:
        self._writer = writer
        self._evidence = evidence
        self._statements = statements
        self._said = said

    def told(self, found: Findings, listener: Listener) -> Told:
        """Choose what a listener is told, best first, and say why the rest is not."""
        in_order = self._in_order(found, listener)
        allowed, kept_out = parted(in_order, lambda each: may_tell(each, found, listener))
        worth, below = parted(allowed, lambda each: is_near_enough(each, found, listener))
        if not worth and listener.has_asked and listener.floor is None:
            # Nothing is likely: who asks is told the nearest, which its score calls unsure.
            nearest = [each for each in below if each.scored.by_word and is_asked_for(each, found)][:1]
            worth, below = nearest, [each for each in below if each not in nearest]
        topics = [topic for topic in one_of_each(worth) if topic.names.isdisjoint(listener.heard)]
        if is_in_passing(listener):
            topics, of_home = self._without_answers_of_home(topics)
            topics, less = self._in_a_sentence(topics, found)
            kept_out, below = [*kept_out, *of_home], [*below, *less]
        if not (found.question.only_time or found.question.former):
            apt = [each for each in below if is_asked_for(each, found)]
            topics = self._said.newest_first(topics, apt, lambda each: _mouth(each, found, listener))
        chosen, no_room = topics[: listener.room], topics[listener.room :]
        if found.question.only_time:
            chosen.sort(key=lambda topic: by_time(topic.best.scored, found.question))
        return Told(self._evidence.with_changes(chosen), kept_out, below, [each.best for each in no_room])

    def _in_order(self, found: Findings, listener: Listener) -> list[Backed]:
        """Return candidates best first: the owner's word before the agent's, a newer fact before an older."""
        question = found.question
        ranked = owners_first(
            found.candidates, lambda each: may_tell(each, found, listener), alone=not listener.has_asked
        )
        ranked.sort(key=lambda each: by_rank(each.scored, question))
        if question.about_the_past:
            return ranked
        return self._evidence.newest_first(ranked, question.text, floor_of(found, listener))

    def _without_answers_of_home(self, topics: Sequence[Topic]) -> tuple[list[Topic], list[Backed]]:
        """Keep out what the agent answered from what is of home; return the rest, and what is kept out."""
        names = [each.turn for topic in topics for each in topic.best.scored.said_by_agent]
        of_home = told_of_home(names, self._writer.vault.transcripts, self._writer.ledger)
        rest, kept_out = parted(topics, lambda topic: topic.best.scored.passage.turn not in of_home)
        kept = [
            topic.with_words(topic.best.scored.passage)
            if any(each.turn in of_home for each in topic.best.scored.answer)
            else topic
            for topic in rest
        ]
        return kept, [topic.best for topic in kept_out]

    def _in_a_sentence(self, topics: Sequence[Topic], found: Findings) -> tuple[list[Topic], list[Backed]]:
        """Keep of what was said in passing the sentence that matters; return also what none is left of.

        What is surely near is told with what was answered.
        """

        def shortened(topic: Topic) -> Topic:
            scored = topic.best.scored
            passage = scored.passage
            if passage.role != "user" or not passage.tells or nearness(topic.best) >= SURE:
                return topic
            sentence = self._statements.best(passage.text, found.vector, scored.words)
            return topic.with_words(passage._replace(text=sentence))

        short = map(shortened, topics)
        worth, less = parted(short, lambda each: each.best.scored.passage.text and is_worth_a_line(each.best))
        return worth, [topic.best for topic in less]


def _mouth(each: Backed, found: Findings, listener: Listener) -> str | None:
    """Return whose words something is: a person's by name, the owner's by none; None if nobody can say.

    Who asks for something gets the owner's words by their rank.
    """
    if each.scored.passage.role != STRANGER:
        return None if each.scored.is_agents or listener.has_asked else ""
    quote = found.quotes.of(each) if found.quotes else None
    return (quote.speaker if quote else each.scored.passage.speaker) or None


def may_tell(each: Backed, found: Findings, listener: Listener) -> bool:
    """Say whether a listener may be told of something: it is in use, and is for their ears."""
    if each.scored.passage.role == STRANGER and not listener.has_asked:
        return _may_quote(each, found, listener.audience)
    return is_in_use(each, found.states) and may_hear(each, found, listener)


def is_in_use(each: Backed, states: Collection[str]) -> bool:
    """Say whether what stands behind a candidate holds, or is of a state that is asked for."""
    is_strangers = each.scored.passage.role == STRANGER or each.state == UNTRUSTED
    if is_strangers and UNTRUSTED not in states:
        return False
    return each.state in (*_TOLD_WITH_ITS_END, *states)


def may_hear(each: Backed, found: Findings, listener: Listener) -> bool:
    """Say whether something was said where a listener could hear it, or may be taken there."""
    audience, passage = listener.audience, each.scored.passage
    if not audience.is_private:
        return _was_said_to(each, audience)
    # In other words the journal of reflections may say what has been forgotten since.
    if not listener.has_asked and not passage.memory and passage.path.startswith(REFLECTIONS):
        return False
    told_at = place_told(each)
    if not audience.project or told_at in (audience.project, WORK):
        return True
    if told_at != HOME:
        return is_of_oneself(each)
    cosine, shared = each.scored.cosine, len(each.scored.words)
    return found.speaks_of_self and (shared >= _WORDS if cosine is None else cosine >= SURE)


def place_told(hit: Backed) -> str:
    """Return where something was told; what was said in a project and then moved home is of home."""
    passage = hit.scored.passage
    if passage.turn:
        return HOME if any(map(_was_moved_home, hit.memories)) else project_of(passage.turn)
    places = {memory.place for memory in hit.memories}
    return places.pop() if len(places) == 1 else HOME


def is_of_oneself(hit: Backed) -> bool:
    """Say whether it is what the owner said of themselves, and nothing else."""
    passage = hit.scored.passage
    if passage.role in (ASSISTANT, ACT, LESSON) or any(each.origin != "owner" for each in hit.memories):
        return False
    return all(map(tells_of_oneself, sentences_in(passage.text)))


def hears_turns(audience: Audience, evidence: Iterable[str] = ()) -> bool:
    """Say whether an audience may be told what rests on these turns; on none rests what is of home."""
    turns = tuple(evidence)
    if audience.project and audience.project not in map(project_of, turns):
        return False
    return audience.is_private or _was_there(audience, turns)


def hears_memory(audience: Audience, memory: Memory) -> bool:
    """Say whether an audience may be told a memory; of what is out of use only the owner hears."""
    if audience.project and memory.place not in (audience.project, WORK):
        return False
    if audience.is_private:
        return True
    is_in_use = memory.state not in OUT_OF_USE
    return is_in_use and (memory.audience == SHARED or _was_there(audience, memory.evidence))


def hears_unasked(audience: Audience, memory: Memory) -> bool:
    """Say whether an audience is told a memory that no message calls for.

    A coding agent is told only what was asked to be remembered.
    """
    return hears_memory(audience, memory) and (not audience.project or memory.source == "explicit")


def _may_quote(each: Backed, found: Findings, audience: Audience) -> bool:
    """Say whether a stranger's words may be quoted to somebody who has not asked: to the owner alone."""
    is_owners = audience.is_private and not audience.trusted
    quote = found.quotes.of(each) if found.quotes and is_owners else None
    return quote is not None and each.state == UNTRUSTED and hears_turns(audience, [quote.turn])


def _was_said_to(hit: Backed, audience: Audience) -> bool:
    """Say whether it was said in front of others, or is shared with them."""
    if hit.state in OUT_OF_USE:
        return False
    if hit.scored.passage.turn:
        return hears_turns(audience, hit.scored.turns | {hit.scored.passage.turn})
    return bool(hit.memories) and all(hears_memory(audience, memory) for memory in hit.memories)


def _was_there(audience: Audience, evidence: Iterable[str]) -> bool:
    """Say whether all of it was said in the very session of an audience."""
    return bool(audience.session) and {turn_id(turn).session for turn in evidence} == {audience.session}


def _was_moved_home(memory: Memory) -> bool:
    is_home = memory.place == HOME and memory.kind in OWN_PASSAGE
    return is_home and place_of(memory.evidence) != HOME


def is_near_enough(each: Backed, found: Findings, listener: Listener) -> bool:
    """Say whether something is likely enough to help to be told.

    However a model sees it, who looks for a word finds it. What was noted comes with a message by its rank:
    which of it matters, a model sees better.
    """
    scored = each.scored
    if found.is_of_call:
        return scored.score >= AT_THE_ACT
    if not is_asked_for(each, found):
        return False
    if is_in_passing(listener):
        return is_worth_a_line(each)
    if scored.passage.role == STRANGER and not listener.has_asked and scored.score < LEAST:
        return False
    is_likely = scored.score >= floor_of(found, listener)
    if listener.has_asked:
        return is_likely or (scored.has_all and listener.floor is None)
    return is_likely or bool(scored.passage.memory)


def is_asked_for(each: Backed, found: Findings) -> bool:
    """Say whether something is of the kind and of the time that is asked for."""
    return found.wanted.fits(each.scored.passage) and is_of_its_time(each, found.question)


def floor_of(found: Findings, listener: Listener) -> float:
    """Return the least score at which something is told."""
    return found.floor if listener.floor is None else listener.floor


def is_in_passing(listener: Listener) -> bool:
    """Say whether a coding agent is told, with a message of its owner's."""
    return bool(listener.audience.project) and not listener.has_asked


def is_worth_a_line(hit: Backed) -> bool:
    """Say whether something is near enough to a message to be told to a coding agent."""
    if nearness(hit) >= NEAR:
        return True
    return max(nearness(hit), hit.scored.word_score + _MORE) >= FLOOR and not is_of_oneself(hit)


def nearness(hit: Backed) -> float:
    """Return how near something is to a message, by its meaning or by its score."""
    return max(hit.scored.cosine or 0.0, hit.scored.score + _MORE)


def is_of_its_time(each: Backed, question: QuestionKind) -> bool:
    """Say whether something held, or happened, at the time that a question is about."""
    memory = each.memory if each.scored.passage.memory else None
    if not question.filters or memory is None:
        return True
    until = each.by.valid_from if each.by and each.state == "superseded" else memory.valid_to
    # What was planned held on its day, and not on those before.
    is_ahead = is_plan(memory.dated, min(memory.at, memory.valid_from))
    holds = not is_ahead and question.holds(memory.valid_from.date(), until.date() if until else None)
    if question.only_time and next_time(memory.dated, question.today):  # Monday's yoga, asked for Tuesday
        times = ((next_time(memory.dated, time.first), time.last) for time in question.times)
        holds = holds and any(when and when.first_day <= last for when, last in times)
    return holds or (each.state != "superseded" and question.fits(each.scored.passage.moments))


class PromptLine(NamedTuple):
    """A line that may be told, the *name* of what it tells, and its *place* among those that are told."""

    text: str
    name: str = ""
    place: tuple[int, int] = (-1, 0)


def chosen_lines(lines: Iterable[PromptLine], budget: int) -> tuple[str, list[str], int]:
    """Return the lines that fit, best first, each in its place, what they tell, and the tokens left out."""
    kept: list[PromptLine] = []
    left, left_out = budget, 0
    for line in lines:
        cost = estimate_tokens(line.text + "\n")
        if cost <= left:
            kept.append(line)
            left -= cost
        else:
            left_out += cost
    kept.sort(key=lambda line: line.place)
    return "\n".join(line.text for line in kept), [line.name for line in kept if line.name], left_out


def parted(items: Iterable[T], fits: Callable[[T], object]) -> tuple[list[T], list[T]]:
    """Part what fits from what does not, each in its order."""
    both: tuple[list[T], list[T]] = ([], [])
    for each in items:
        both[not fits(each)].append(each)
    return both

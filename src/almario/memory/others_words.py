"""What other people said, and what the owner pasted, as it may come to the owner's mind: as theirs.

A guess leaves out what may be meant for the agent. What comes is quoted, with whose words it is, and nothing
rests on it. A fact that was learned of such words comes as theirs, too, unless nobody can say whose it is.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from almario.domain.documents.identity import identity_value
from almario.domain.memories import UNTRUSTED
from almario.domain.plain_text import regex
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn
from almario.domain.words import sentences_in
from almario.language import at_a_glance
from almario.memory.rules.sources import STRANGER
from almario.memory.statements import shared
from almario.memory.topics import Backed
from almario.memory.writer import MemoryWriter
from almario.named_tuples import NamedTuple
from almario.text.addressing import is_plain, is_plain_talk, may_mean_agent
from almario.text.claims import plain_words

# The longest quote of one message or document: what fits the question best.
_LONGEST = 300
# So many are looked at for one question, best first; what is less likely to help than this is filler.
_MOST, LEAST = 24, 0.08
# Who quotes others has more to say than of themselves.
_QUOTATION = regex(r"[\"“”«»]|(?<!\w)['‘]\w")


class Quote(NamedTuple):
    """Words that are somebody else's, and the turn that says them; a paper has no speaker."""

    text: str
    speaker: str
    turn: str


class Quotes:
    """What may be quoted of what strangers said: of the best of some candidates."""

    def __init__(self, writer: MemoryWriter, found: Iterable[Backed]) -> None:
        self._writer = writer
        theirs = [each for each in found if each.scored.passage.role == STRANGER]
        theirs.sort(key=lambda each: -each.scored.score)
        self._candidates = {_name(each): each for each in theirs[:_MOST]}
        self._known: dict[tuple[int, str], Quote | None] = {}

    @cached_property
    def _agent(self) -> str:
        return identity_value(self._writer.vault.read("IDENTITY.md").text, "name")

    @cached_property
    def _turns(self) -> dict[str, Turn]:
        names = {name for each in self._candidates.values() for name in _resting_on(each)}
        return {turn.id: turn for turn in self._writer.vault.turns([*names])}

    def of(self, each: Backed) -> Quote | None:
        """Return what of a candidate may be quoted, if anything; a line of a log is nobody's by name."""
        name = _name(each)
        if name not in self._known:
            self._known[name] = self._of(each) if name in self._candidates else None
        return self._known[name]

    def _of(self, each: Backed) -> Quote | None:
        passage = each.scored.passage
        if passage.turn:
            words = quotable(passage.text, each.scored.words, self._agent)
            is_fit = words and self._is_in_mind(passage.turn)
            if is_fit and passage.speaker:  # tools have no name
                return Quote(words, passage.speaker, passage.turn)
            return self._by(words, [passage.turn]) if is_fit else None
        memory = next((memory for memory in each.memories if memory.id == passage.memory), None)
        if memory is None or not memory.is_live:
            return None
        return self._by(passage.text, memory.evidence) if is_retelling(passage.text, self._agent) else None

    def _by(self, text: str, names: Sequence[str]) -> Quote | None:
        """Return a text as the words of the first of these turns that is somebody else's, if all may be."""
        others = [turn for turn in map(self._turns.get, names) if turn and turn.origin == UNTRUSTED]
        may = others and all(map(self._is_in_mind, names)) and all(map(self._may_be_heard, others))
        return Quote(text, others[0].speaker, others[0].id) if may else None

    def _is_in_mind(self, name: str) -> bool:
        """Return whether a turn is neither forgotten nor cleared away."""
        ledger, (session, n) = self._writer.ledger, turn_id(name)
        return name not in ledger.out_of_mind() and n > ledger.session(session).out_of_mind

    def _may_be_heard(self, turn: Turn) -> bool:
        """Return whether a turn is a person's or a paper's, and means nothing for the agent."""
        is_spoken = turn.role == "user" and not turn.is_off
        return is_spoken and not may_mean_agent(turn.text, self._agent)


def _name(each: Backed) -> tuple[int, str]:
    """Return what tells candidates apart, whichever index they come from."""
    passage = each.scored.passage
    return passage.id, passage.memory or passage.turn


def _resting_on(each: Backed) -> Iterable[str]:
    """Return the turns that tell whose a candidate is: a memory's, or its own if nobody is named."""
    passage = each.scored.passage
    if passage.turn:
        return () if passage.speaker else (passage.turn,)
    return [name for memory in each.memories if memory.id == passage.memory for name in memory.evidence]


def quotable(text: str, words: Collection[str], agent: str) -> str:
    """Return the sentences that only tell something, or only of who says them; nothing if it may be an order.

    Of a long text these are the ones that have most of the words.
    """
    if may_mean_agent(text, agent):
        return ""
    sentences = [each.strip() for each in sentences_in(text)]
    plain_talk = [each for each in sentences if is_plain_talk(each) or _is_of_oneself(each)]
    chosen: list[str] = []
    for each in sorted(plain_talk, key=lambda sentence: -shared(sentence, words)):
        if len(" ".join([*chosen, each])) <= _LONGEST:
            chosen.append(each)
    return " ".join(each for each in plain_talk if each in chosen)


def is_retelling(text: str, agent: str) -> bool:
    """Return whether a fact that was learned of others' words only tells something of people and things."""
    return is_plain(text) and not may_mean_agent(text, agent)


def _is_of_oneself(sentence: str) -> bool:
    says = not at_a_glance()["oneself"].isdisjoint(plain_words(sentence))
    return says and is_plain(sentence) and not _QUOTATION.search(sentence)

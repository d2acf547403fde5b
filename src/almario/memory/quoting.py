"""What other people said, and what the owner pasted, as it may come to the owner's mind: as theirs.

A guess leaves out what may be meant for the agent. What comes is quoted, with whose words it is, and nothing
rests on it. A fact that was learned of such words comes as theirs, too, unless nobody can say whose it is.
"""

from collections.abc import Collection, Sequence
from functools import cached_property

from almario.domain.audiences import Audience
from almario.domain.documents.identity import identity_value
from almario.domain.memories import UNTRUSTED
from almario.domain.plain_text import regex
from almario.domain.turns import Turn
from almario.domain.words import forms_of
from almario.memory.keeping import Keeping
from almario.memory.things import Backed
from almario.named_tuples import NamedTuple
from almario.text.addressing import is_plain, is_plain_talk, may_mean_agent
from almario.text.clauses import sentences_in
from almario.text.personal import is_personal

# So much is quoted of one message or paper: what fits the question best.
_LONGEST = 300
# So many are looked at for one question, best first; of so many turns it is remembered who said them.
_MOST = 24
_MOST_TURNS = 500
# Who quotes others has more to say than of themselves.
_QUOTATION = regex(r"[\"“”«»]|(?<!\w)['‘]\w")


class Quote(NamedTuple):
    """Words that are somebody else's, and the turn that says them; a paper has no speaker."""

    text: str
    speaker: str
    turn: str


class Quotes:
    """What may be quoted for one question of what strangers said, to an audience."""

    def __init__(self, keeping: Keeping, audience: Audience, turns: dict[str, Turn | None]) -> None:
        self._keeping, self._audience = keeping, audience
        # By its name; None is gone.
        self._turns = turns
        self._known: dict[int, Quote | None] = {}

    @cached_property
    def _agent(self) -> str:
        return identity_value(self._keeping.vault.read("IDENTITY.md").text, "name")

    def of(self, each: Backed) -> Quote | None:
        """Return what of a candidate may be quoted, if anything; a line of a log is nobody's by name."""
        place = each.scored.passage.id
        if place not in self._known:
            is_full = len(self._known) >= _MOST
            self._known[place] = None if is_full else self._of(each)
        return self._known[place]

    def _of(self, each: Backed) -> Quote | None:
        passage = each.scored.passage
        if passage.turn:
            said = quotable(passage.text, each.scored.words, self._agent)
            return self._by(said, [passage.turn]) if said else None
        memory = next((memory for memory in each.memories if memory.id == passage.memory), None)
        if memory is None or not memory.is_live or not self._audience.hears_of(memory):
            return None
        return self._by(passage.text, memory.evidence) if is_retelling(passage.text, self._agent) else None

    def _by(self, text: str, names: Sequence[str]) -> Quote | None:
        """Return a text as the words of the first of these turns that is somebody else's, if all may be."""
        out = self._keeping.ledger.out_of_mind()
        turns = [self._turn(name) for name in names if name not in out and self._audience.hears((name,))]
        others = [turn for turn in turns if turn and turn.origin == UNTRUSTED]
        may = len(turns) == len(names) and others and all(map(self._may_be_heard, others))
        return Quote(text, others[0].speaker, others[0].id) if may else None

    def _may_be_heard(self, turn: Turn) -> bool:
        """Say whether a turn is a person's or a paper's, in use, and means nothing for the agent."""
        is_cleared = turn.n <= self._keeping.ledger.session(turn.session).out_of_mind
        is_said = turn.role == "user" and not turn.is_off and not is_cleared
        return is_said and not may_mean_agent(turn.text, self._agent)

    def _turn(self, name: str) -> Turn | None:
        if name not in self._turns:
            if len(self._turns) >= _MOST_TURNS:
                self._turns.clear()
            session, _, number = name.rpartition("#")
            read = self._keeping.vault.transcripts.read(session, after=int(number) - 1)[:1]
            self._turns[name] = next((turn for turn in read if turn.id == name), None)
        return self._turns[name]


def quotable(text: str, words: Collection[str], agent: str) -> str:
    """Return the sentences that only tell something, or only of who says them; nothing if it may be an order.

    Of a long text these are the ones that have most of the words.
    """
    if may_mean_agent(text, agent):
        return ""
    said = [each.strip() for each in sentences_in(text)]
    told = [each for each in said if is_plain_talk(each) or _is_of_oneself(each)]
    chosen: list[str] = []
    for each in sorted(told, key=lambda sentence: -shared(sentence, words)):
        if len(" ".join([*chosen, each])) <= _LONGEST:
            chosen.append(each)
    return " ".join(each for each in told if each in chosen)


def is_retelling(text: str, agent: str) -> bool:
    """Say whether a fact that was learned of others' words only tells something of people and things."""
    return is_plain(text) and not may_mean_agent(text, agent)


def _is_of_oneself(sentence: str) -> bool:
    return is_personal(sentence) and is_plain(sentence) and not _QUOTATION.search(sentence)


def shared(sentence: str, words: Collection[str]) -> int:
    """Return how many of these words a sentence has."""
    return len({form for forms in forms_of(sentence) for form in forms}.intersection(words))

"""What a conversation bears out of what a model made of it: which turns say it, and whose word it is."""

from collections.abc import Collection, Sequence
from datetime import tzinfo
from typing import NamedTuple

from almario.conversation.origins import owners_words
from almario.domain.memories import ERASED, UNTRUSTED, Memory, lowest
from almario.domain.provenance import (
    LEAST,
    LEAST_AMONG_STRANGERS,
    LEAST_IN_OTHER_WORDS,
    LEAST_OF_THOSE_AMONG_STRANGERS,
    Ground,
    borne_out,
    ground,
)
from almario.domain.turns import SPOKEN, Turn, lowest_of, own_words

# A turn is shown this far; what a person says in one go is shorter.
LONGEST_TURN = 6000
# A topic has so many content words.
_TOPIC = 2

# Turns, and the origin of what rests on them.
Rests = tuple[Sequence[Turn], str]


class Conversation(NamedTuple):
    """The turns of one question, which share one side of trust, and what is needed to judge the answer.

    *memories* are those in use that are shown beside them, *told* those that
    were told to the model that answered in these turns, *known* the words of
    all that are in use; *among_strangers* says that others spoke between them.
    """

    turns: tuple[Turn, ...]
    zone: tzinfo
    language: str = "en"
    memories: tuple[Memory, ...] = ()
    told: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    among_strangers: bool = False

    @property
    def is_trusted(self) -> bool:
        return all(turn.origin != "untrusted" for turn in self.turns)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(memory.key for memory in self.memories)

    @property
    def known_by_name(self) -> dict[str, Memory]:
        """The memories that are shown, by the short names that an answer calls them by."""
        return {f"k{place}": memory for place, memory in enumerate(self.memories, 1)}


def heard(turn: Turn) -> str:
    """Return what a turn itself says: without what it repeats of memory; nothing of tools and the system.

    What was erased says nothing, and is not to be learned as a word.
    """
    return own_words(turn) if turn.role in SPOKEN and turn.text != ERASED else ""


def visible(turn: Turn) -> str:
    """Return what a turn says, the middle of a giant one left out."""
    text, half = heard(turn), LONGEST_TURN // 2
    return text if len(text) <= LONGEST_TURN else f"{text[:half]} […] {text[-half:]}"


class Grounding:
    """Measures what the turns of a conversation say of a text."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._turns = {turn.n: turn for turn in talk.turns}
        self._texts = {turn.n: _told_by(turn) for turn in talk.turns}

    def of_summary(self, text: str) -> str:
        """Return the sentences of a summary that the turns bear out."""
        least = LEAST_OF_THOSE_AMONG_STRANGERS if self._talk.among_strangers else LEAST_IN_OTHER_WORDS
        return borne_out(text, tuple(self._texts.values()), least=least, known=self._talk.known)

    def of(self, text: str, given: Collection[int], key: str = "", *, guess: bool = True) -> Rests:
        """Return the turns that a text rests on, and its origin.

        They are the named turns if those say it, and the owner's alone if
        they are enough; else the one turn that does, and the lowest origin of
        all. What no turn says is a *guess* of the agent, or a stranger's if one
        spoke among them; nothing, if it has too little to do with them.
        """
        named = [self._turns[n] for n in sorted(set(given)) if n in self._turns]
        least = LEAST_AMONG_STRANGERS if self._talk.among_strangers else LEAST
        for turns in ([turn for turn in named if turn.origin == "owner"], named):
            if self._ground(text, turns).bears(least):
                telling = [turn for turn in turns if self._ground(text, [turn]).told]
                return telling, lowest_of(telling)
        every = list(self._talk.turns)
        people = [turn for turn in every if turn.role == "user"]
        if saying := [turn for turn in people if self._ground(text, [turn]).bears(least)]:
            return self._nearest(text, key, saying), lowest_of(every)
        whole = self._ground(text, every)
        if not whole.is_some or not (guess or whole.bears(LEAST_IN_OTHER_WORDS)):
            return [], ""
        origin = lowest("agent", lowest_of(every), UNTRUSTED if self._talk.among_strangers else "agent")
        return self._nearest(text, key, named) or self._nearest(text, key, every), origin

    def is_topic(self, key: str) -> bool:
        """Say whether a key only names a topic; one that says more must have been said."""
        said = ground(key, self._texts.values(), known=self._talk.known)
        is_short = said.words <= _TOPIC and not said.invented
        return is_short or said.bears(LEAST) or key in self._talk.keys

    def _ground(self, text: str, turns: Sequence[Turn]) -> Ground:
        """Measure what turns say of a text; the others, and what memory told, may name what is spoken of."""
        own = [self._texts[turn.n] for turn in turns]
        others = [said for n, said in self._texts.items() if said not in own]
        return ground(text, own, (*others, *self._talk.told), self._talk.known)

    def _nearest(self, text: str, key: str, turns: Sequence[Turn]) -> list[Turn]:
        """Return the turns that say most of a text, or of its key if several do; none if none does."""
        near = {turn.n: self._ground(text, [turn]) for turn in turns}
        likeness = {n: (each.touched, ground(key, [self._texts[n]]).told) for n, each in near.items()}
        most = max(likeness.values(), default=(0, 0))
        return [turn for turn in turns if likeness[turn.n] == most] if most[0] else []


def _told_by(turn: Turn) -> str:
    """Return what a turn says with the name of who says it."""
    said = owners_words(visible(turn)).own if turn.origin == "owner" else visible(turn)
    return f"{turn.speaker}: {said}" if turn.speaker else said

"""What a conversation bears out of what a model made of it: which turns say it, and whose word it is."""

from collections.abc import Collection, Sequence
from datetime import tzinfo
from itertools import pairwise

from almario.conversation.meaning import Meaning, passages_of
from almario.conversation.origins import owners_words
from almario.domain.memories import ERASED, UNTRUSTED, Memory, Origin, lowest
from almario.domain.plain_text import regex
from almario.domain.turns import CUT, SPOKEN, Turn, is_owners, lowest_of, own_words
from almario.domain.words import sentences_in
from almario.memory.rules.admission import is_guess
from almario.memory.rules.provenance import (
    LEAST,
    LEAST_IN_OTHER_WORDS,
    LEAST_OF_THOSE_AMONG_STRANGERS,
    UNRELATED,
    Ground,
    borne_out,
    ground,
    is_only_supposed,
)
from almario.named_tuples import NamedTuple
from almario.ports import Embedder
from almario.text.claims import claims_of, plain_words
from almario.text.timewords import spans
from almario.text.tongues import words_of

# A turn is shown this far; what a person says in one go is shorter.
LONGEST_TURN = 6000
# So many turns are shown of the exchange just before: what only that says is said again.
_EXCHANGE = 2
# A topic has so many content words.
_TOPIC = 2
# Besides what denies, the words that answer a question and say nothing else.
_YES = frozenset("yes yeah yep si oui ja sim claro".split())
_CLAUSE = regex(r"[,;:.!…]")


class Rests(NamedTuple):
    """The turns that a text rests on, its origin, and how much of it they say; nothing, if no turn does."""

    turns: Sequence[Turn] = ()
    origin: Origin = "agent"
    support: float = 0.0


class Extracted(NamedTuple):
    """A question of the agent's with the answer to it, *bare* if that begins with yes or no."""

    text: str = ""
    bare: str = ""


class Conversation(NamedTuple):
    """The turns of one question, which share one side of trust, and what is needed to judge the answer.

    *memories* are those in use that are shown beside them, *given* those that
    were told to the model that answered in these turns, *known* the words of
    all that were ever in use. *among_strangers* says that others were heard
    between these turns; what they said stands in *strangers*, as far as it is
    at hand, and is asked about apart. *before* are the exchanges that went before:
    they tell what is spoken of, and nothing is learned from them again.
    """

    turns: tuple[Turn, ...]
    zone: tzinfo
    language: str = "en"
    memories: tuple[Memory, ...] = ()
    given: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    among_strangers: bool = False
    strangers: tuple[str, ...] = ()
    embedder: Embedder | None = None
    before: tuple[Turn, ...] = ()

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


def heard(turn: Turn, *, with_promises: bool = False) -> str:
    """Return what a turn itself says: without what it repeats of memory; nothing of tools and the system.

    What was erased says nothing, and is not to be learned as a word. *With promises*, what asks or tells of
    a day ahead stays: so the agent makes a promise, and keeps it.
    """

    def promises(words: str) -> bool:
        times = spans(words, turn.at.date(), is_fact=True) if with_promises else []
        return with_promises and ("?" in words or any(time.last > turn.at.date() for time in times))

    if turn.role not in SPOKEN or turn.text == ERASED:
        return ""
    return own_words(turn, marked=True, keeps=promises)


def visible(turn: Turn) -> str:
    """Return what a turn says, the middle of a giant one left out."""
    text, half = heard(turn), LONGEST_TURN // 2
    return text if len(text) <= LONGEST_TURN else f"{text[:half]} {CUT} {text[-half:]}"


class Grounding:
    """Measures what the turns of a conversation say of a text."""

    def __init__(self, talk: Conversation, replaced: Memory | None = None) -> None:
        """What stood in what is *replaced* may still hold; with strangers about, that proves nothing."""
        is_alone = not (talk.among_strangers or talk.strangers)
        self._held = replaced.text if replaced and is_alone and not is_guess(replaced) else ""
        self._talk = talk._replace(given=(*talk.given, replaced.text)) if replaced else talk
        self._turns = {turn.n: turn for turn in talk.turns}
        self._texts = {turn.n: _stated_by(turn, talk.zone) for turn in talk.turns}
        self._before = [_stated_by(turn, talk.zone) for turn in talk.before]
        in_order = pairwise((*talk.before, *talk.turns))
        self._answers = {turn.n: _answer(before, turn) for before, turn in in_order}
        self._meaning = Meaning(talk.embedder)
        self._strangers = passages_of(talk.strangers)
        self._others = passages_of([self._texts[turn.n] for turn in talk.turns if not is_owners(turn)])

    def of_summary(self, text: str) -> str:
        """Return the sentences of a summary that the turns bear out.

        Of which they bear out a part, those are marked; with strangers about, they are left out.
        """
        is_alone = not (self._talk.among_strangers or self._talk.strangers)
        least = LEAST_OF_THOSE_AMONG_STRANGERS if self._talk.among_strangers else LEAST_IN_OTHER_WORDS
        said = tuple(self._texts.values())
        return borne_out(text, said, least=least, known=self._talk.known, doubted=is_alone)

    def of(
        self, text: str, given: Collection[int], key: str = "", *, guess: bool = True, wish: bool = False
    ) -> Rests:
        """Return the turns that a text rests on, and its origin, which is the lowest of theirs.

        They are the owner's of the named turns if those say it; else all that
        were named; else the one of a person that has its words. What none of
        them says is a *guess*: at the owner's words if only those were named
        and nobody else says more of it, else the agent's, or a stranger's if
        one spoke among them; nothing, if it has nothing to do with them. A
        *wish* of the owner's may be told in other words altogether.
        """
        every = list(self._talk.turns)
        named = [self._turns[n] for n in sorted(set(given)) if n in self._turns]
        owners = [turn for turn in named if is_owners(turn)]
        for turns in (owners, named):
            support = self._support(text, turns)
            if support >= LEAST and not self._say_more(text, support, self._strangers):
                telling = self._telling(text, turns)
                return Rests(telling, lowest_of(telling), support)
        if self._before and (found := self._with_before(text, named)) is not None:
            return found
        saying = [turn for turn in every if turn.role == "user" and self._ground(text, [turn]).bears(LEAST)]
        nearest = self._nearest(text, key, saying)
        if nearest and not self._say_more(text, share := self._ground(text, nearest).share, self._strangers):
            return Rests(nearest, lowest_of(nearest), share)
        whole, support = self._ground(text, every), self._support(text, named or every)
        is_near = self._meaning.nearest(text, passages_of(self._sources(named or every))).cosine >= UNRELATED
        is_theirs = bool(owners) and owners == named
        # An agent that repeats a wish makes it no less the owner's.
        others = self._strangers if wish else self._strangers + self._others
        is_theirs = is_theirs and not self._say_more(text, support, others)
        is_some = whole.touched > 2 * whole.invented or is_near or (wish and is_theirs and not whole.invented)
        if not (guess and is_some) and not whole.bears(LEAST_IN_OTHER_WORDS):
            return Rests()
        if is_theirs:
            # A wish may be put the other way round: "don't suggest it" is "avoid it".
            own = self._ground(text, owners)
            is_said = wish and own.denied and not own.invented
            return Rests(owners, lowest_of(owners), max(support, LEAST) if is_said else support)
        origin = lowest("agent", lowest_of(every), UNTRUSTED if self._talk.among_strangers else "agent")
        turns = self._nearest(text, key, named) or self._nearest(text, key, every) or named or every[-1:]
        return Rests(turns, origin, support)

    def _with_before(self, text: str, named: Sequence[Turn]) -> Rests | None:
        """Return what a text rests on together with the exchange before; nothing of what that alone says."""
        earlier = ground(text, self._before[-_EXCHANGE:])
        both = ground(text, [*self._before, *self._sources(named or self._talk.turns)])
        if earlier.bears(LEAST) and both.share <= earlier.share:  # it was said, and learned, before
            return Rests()
        if not (named and both.bears(LEAST) and self._ground(text, named).stated):
            return None
        is_strangers = self._say_more(text, both.share, self._strangers)
        return None if is_strangers else Rests(named, lowest_of(named), both.share)

    def is_only_supposed(self, text: str, turns: Sequence[Turn]) -> bool:
        """Return whether turns say a text only in a question whether it is so, or after an *if*."""
        return is_only_supposed(text, self._sources(turns))

    def is_topic(self, key: str) -> bool:
        """Return whether a key only names a topic; one that says more must have been said."""
        support = ground(key, [*self._before, *self._texts.values()], known=self._talk.known)
        is_short = len(claims_of(key).words) <= _TOPIC and not support.invented
        return is_short or support.bears(LEAST) or key in self._talk.keys

    def _ground(self, text: str, turns: Sequence[Turn]) -> Ground:
        """Measure what turns say of a text; the others, and what memory told, may name what is spoken of."""
        own = [self._texts[turn.n] for turn in turns]
        others = [other for other in (*self._before, *self._texts.values()) if other not in own]
        around = (*others, *self._talk.given)
        return ground(text, self._sources(turns), around, self._talk.known, self._held)

    def _sources(self, turns: Sequence[Turn]) -> list[str]:
        bare = [self._answers[turn.n].bare for turn in turns if turn.n in self._answers]
        return [*(self._texts[turn.n] for turn in turns), *filter(None, bare)]

    def _support(self, text: str, turns: Sequence[Turn]) -> float:
        answers = [self._answers[turn.n].text for turn in turns if turn.n in self._answers]
        grounded = self._ground(text, turns)
        given, alone = list(filter(None, answers)), self._is_alone(text)
        return self._meaning.support(text, self._sources(turns), grounded, given, alone=alone)

    def _is_alone(self, text: str) -> bool:
        """Return whether nobody else was heard, or only of something else."""
        if not self._strangers:
            return not self._talk.among_strangers
        is_touched = ground(text, self._strangers).touched > 1  # a word can be shared by chance
        return not is_touched and self._meaning.nearest(text, self._strangers).cosine < UNRELATED

    def _say_more(self, text: str, support: float, others: Sequence[str]) -> bool:
        return any(self._meaning.support(text, [each], ground(text, [each])) > support for each in others)

    def _telling(self, text: str, turns: Sequence[Turn]) -> list[Turn]:
        telling = [turn for turn in turns if self._ground(text, [turn]).stated]
        return telling or [max(turns, key=lambda turn: self._support(text, [turn]))]

    def _nearest(self, text: str, key: str, turns: Sequence[Turn]) -> list[Turn]:
        near = {turn.n: self._ground(text, [turn]) for turn in turns}
        likeness = {n: (each.touched, ground(key, [self._texts[n]]).stated) for n, each in near.items()}
        most = max(likeness.values(), default=(0, 0))
        return [turn for turn in turns if likeness[turn.n] == most] if most[0] else []


def _stated_by(turn: Turn, zone: tzinfo) -> str:
    words = owners_words(visible(turn)).own if is_owners(turn) else visible(turn)
    times = spans(words, turn.at.astimezone(zone).date())
    years = sorted({time.first.year for time in times if time.first.year == time.last.year})
    text = f"{words} ({', '.join(map(str, years))})" if years else words
    return f"{turn.speaker}: {text}" if turn.speaker else text


def _answer(before: Turn, turn: Turn) -> Extracted:
    """Return what a person answers to a question of the agent's, with the question."""
    questions = [each for each in sentences_in(visible(before)) if "?" in each]
    answers = sentences_in(visible(turn))
    if (before.role, turn.role) != ("assistant", "user") or not questions or not answers or "?" in answers[0]:
        return Extracted()
    begins = _CLAUSE.split(answers[0])[0]
    is_bare = {*plain_words(begins)} & (_YES | words_of("negations")) and {
        w.text for w in claims_of(begins).words
    } <= _YES
    return Extracted(
        f"{questions[-1]} {answers[0]}", f"{questions[-1].rstrip(' ?')} {answers[0]}" if is_bare else ""
    )

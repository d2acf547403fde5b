"""What was said since of a thing that is told: it stands before that, with its day.

Whether it changes anything only whoever learns can judge; until then both are told, the newer first. What one
person said gives way to nobody else's word.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from almario.domain.memories import MIRRORED, Memory
from almario.domain.passages import embedded_text
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn, own_words
from almario.domain.words import all_forms, fold, forms_of
from almario.memory.embedding import Embedding
from almario.memory.lately import Lately
from almario.memory.rules.sources import STRANGER
from almario.memory.topics import Backed, Topic
from almario.memory.writer import MemoryWriter
from almario.text.questions import is_small_talk

# So near in meaning are two texts on one thing, of one person's; or the older has so many of the words of the
# newer, and several.
_NEAR, _SHARED, _SEVERAL = 0.45, 0.5, 2
# So much of what is said to be of one fact among all, by words that few of these have.
_RARE = 0.3
# For so many of the best that are told it is looked whether something was said since.
_BEST = 8
# So long what was said waits to be learned from, at most.
_LATELY = timedelta(days=1)
# So many of them are compared with all that is known.
_FEW = 12
_NEVER = datetime.min.replace(tzinfo=UTC)
# Says whose words a candidate is: a name, nothing for the owner and the agent, None if nobody can say.
Mouth = Callable[[Backed], str | None]


class SaidSince:
    """Knows what was said to one agent after what it has learned."""

    def __init__(self, writer: MemoryWriter, embedding: Embedding, lately: Lately) -> None:
        self._writer = writer
        self._embedding = embedding
        self._lately = lately

    def newest_first(self, topics: Sequence[Topic], others: Sequence[Backed], mouth: Mouth) -> list[Topic]:
        """Return what is told with what was said since of it before it, though by itself it had no place."""
        ordered = list(topics)
        every = [*(one.best for one in topics), *others]
        news = {id(each) for each in every if self._is_news(each)}  # asked once of each, and not of each pair
        for topic in topics[:_BEST]:
            older = topic.best
            whose = mouth(older)
            if whose is None:
                continue
            told = frozenset(name for one in ordered for name in one.names)
            later = [one.best for one in ordered if one is not topic and id(one.best) in news]
            later += [each for each in others if id(each) in news and told.isdisjoint(_names(each))]
            later = [each for each in later if _may_follow(each, older, whose, mouth)]
            found = [each for each in later if self._is_newer(each, older)]
            if not found:
                continue
            newest = max(found, key=self._at)
            place = next((n for n, one in enumerate(ordered) if one is topic), None)
            if place is None:  # it stands before another by now
                continue
            there = next((n for n, one in enumerate(ordered) if one.best is newest), None)
            before = ordered.pop(there) if there is not None else Topic(newest)
            name = older.scored.passage.memory or older.scored.passage.turn
            placed = newest._replace(scored=newest.scored.at_least(older.scored.score), follows=name)
            news.add(id(placed))
            ordered.insert(place - (there is not None and there < place), before._replace(best=placed))
        return ordered

    def of(
        self, memories: Sequence[Memory], may_tell: Callable[[Turn], bool], hidden: Collection[str]
    ) -> Mapping[str, Turn]:
        """Return by the ids of memories the owner's latest word on each that was not learned from yet."""
        waiting = [turn for turn in self._waiting() if turn.id not in hidden and may_tell(turn)][-_FEW:]
        facts = [memory for memory in memories if memory.kind in MIRRORED] if waiting else []
        shared = _Shared([memory.text for memory in facts])
        found: dict[str, Turn] = {}
        for place, memory in enumerate(facts):
            since = max(memory.at, memory.renewed)
            for turn in waiting:
                text = own_words(turn)
                if turn.at > since and (shared.of(text, place) >= _RARE or self._are_near(text, memory.text)):
                    found[memory.id] = turn
        return found

    def _is_news(self, each: Backed) -> bool:
        """Return whether something is a stranger's word, or the owner's of which nobody has learned yet."""
        passage = each.scored.passage
        if passage.role == STRANGER:
            return True
        lately = (self._writer.vault.now() - _LATELY).date()
        is_owners_word = passage.role == "user" and passage.tells
        is_owners_word = is_owners_word and passage.day is not None and passage.day >= lately
        # What was learned from is judged.
        is_waiting = is_owners_word and turn_id(passage.turn).n > self._flushed(passage.turn)
        return is_waiting and not is_small_talk(passage.text)

    def _is_newer(self, each: Backed, older: Backed) -> bool:
        newer_text, text = (embedded_text(one.scored.passage) for one in (each, older))
        is_about_it = _answers_as(each, older) or self._are_near(newer_text, text)
        return is_about_it and self._at(each) > self._at(older)

    def _flushed(self, turn: str) -> int:
        return self._writer.ledger.session(turn_id(turn).session).flushed

    def _at(self, each: Backed) -> datetime:
        """Return when something was said, or learned."""
        passage = each.scored.passage
        if passage.turn:
            return next((turn.at for turn in self._writer.vault.turns([passage.turn])), _NEVER)
        for memory in each.memories:
            if memory.id == passage.memory:
                return max(memory.at, memory.renewed)
        return datetime.combine(passage.day or date.min, time(), UTC)

    def _are_near(self, newer: str, older: str) -> bool:
        """Return whether both may be about the same thing: by meaning, or by words."""
        return says_anew(newer, older) or (self._embedding.likeness(newer, older) or 0.0) >= _NEAR

    def _waiting(self) -> list[Turn]:
        """Return what the owner said lately and nobody has learned from, oldest first."""
        since = self._writer.vault.now() - _LATELY
        out = self._writer.ledger.out_of_mind()
        turns = [
            turn
            for session in self._lately.sessions(lambda session: True, since=since)
            for turn in session.said
            if turn.at >= since and turn.id not in out and turn.n > self._flushed(turn.id)
        ]
        return sorted(turns, key=lambda turn: turn.at)


class _Shared:
    """Measures how many of its words a text shares with each of some facts: what many have counts less."""

    def __init__(self, facts: Sequence[str]) -> None:
        self._forms = [all_forms(fact) for fact in facts]

    def of(self, text: str, place: int) -> float:
        """Return the share of a text's words that a fact has, each parted among all facts that have it."""
        worths = self._worths(text)
        return sum(worth for forms, worth in worths if not self._forms[place].isdisjoint(forms)) / max(
            1, len(worths)
        )

    @lru_cache(_FEW)  # noqa: B019 - it lives for one question
    def _worths(self, text: str) -> list[tuple[tuple[str, ...], float]]:
        words = [tuple(forms) for forms in forms_of(text)]
        counts = [sum(not own.isdisjoint(forms) for own in self._forms) for forms in words]
        return [(forms, 1 / max(1, count)) for forms, count in zip(words, counts, strict=True)]


def says_anew(newer: str, older: str) -> bool:
    """Return whether the words of a text may be about the same thing as an older one."""
    words, there = _forms(newer), _every_form(older)
    shared = sum(not there.isdisjoint(forms) for forms in words)
    return shared >= max(_SEVERAL, _SHARED * len(words))


@lru_cache(256)
def _forms(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, forms_of(text)))


@lru_cache(256)
def _every_form(text: str) -> frozenset[str]:
    return frozenset(all_forms(text))


def _may_follow(each: Backed, older: Backed, whose: str, mouth: Mouth) -> bool:
    passage, before = each.scored.passage, older.scored.passage
    is_later = (passage.day or date.min) >= (before.day or date.min)
    is_other = passage.turn != before.turn or passage.memory != before.memory
    if not (is_later and is_other and mouth(each) == whose):
        return False
    return passage.role != STRANGER or not each.scored.turns & older.scored.turns


def _names(each: Backed) -> frozenset[str]:
    turns = (turn for memory in each.memories for turn in memory.evidence)
    return frozenset((each.scored.passage.memory, *each.scored.turns, *turns)) - {""}


def _answers_as(each: Backed, older: Backed) -> bool:
    """Return whether something has all the words of the question that an older thing has, and several.

    The name of who says both is none.
    """
    words = older.scored.words - set(fold(each.scored.passage.speaker).split())
    return len(words) >= _SEVERAL and words <= each.scored.words

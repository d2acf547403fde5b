"""One topic, one hit: passages with the same words, or that rest on the same turns, are merged.

The best of them is shown. What says nearly the same is another thing: a guess may rank it, and not hide it.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from almario.domain.audiences import apart_in
from almario.domain.memories import MIRRORED, Lifetimes, Memory, Wanted, has_ended, same_key, state_at
from almario.domain.passages import Passage
from almario.domain.turn_ids import turn_id
from almario.domain.words import index_terms, shared_words
from almario.memory.embedding import Embedding
from almario.memory.rules.rivals import is_lesser_word, names, replaced, since
from almario.memory.rules.scored import Scored
from almario.memory.rules.sources import LOG, STRANGER, SUMMARY, homes_of, line_name
from almario.memory.writer import MemoryWriter, passage_of
from almario.named_tuples import NamedTuple
from almario.text.claims import plain_words
from almario.text.questions import QuestionKind

# What is in use speaks for a passage; else what was forgotten does, so that nothing brings it back.
_IN_USE = ("live", "earlier")
_STATES = ("live", "earlier", "untrusted", "retired", "superseded", "ended", "expired")


class Backed(NamedTuple):
    """A candidate with the memories that it tells, or that rest on it, and their state.

    *memory* is the one whose state it is, *by* the one that took its place; if it merely seems to tell
    an *earlier* value, or a stranger told it, the one that tells the next.
    """

    scored: Scored
    memories: tuple[Memory, ...] = ()
    state: str = "live"
    memory: Memory | None = None
    by: Memory | None = None
    # What of it is `changed` since, with what holds now, or `over`, with what has ended.
    since: tuple[tuple[str, Memory], ...] = ()
    # What it was said after, of the same thing: a memory or a turn, by its name.
    follows: str = ""


class EvidenceLookup:
    """Finds the memories behind passages: those they state, or that rest on them."""

    def __init__(self, writer: MemoryWriter, embedding: Embedding) -> None:
        self._writer = writer
        self._embedding = embedding
        self._table = writer.ledger.table
        # As memories have it: instants of one zone are compared without asking how far it is from another.
        self._now: Callable[[], datetime] = lambda: writer.vault.now().astimezone(UTC)

    def of(self, found: Sequence[Scored]) -> list[Backed]:
        """Return each candidate with the memories behind it, and what that makes of it."""
        behind = self._behind(found)
        out, cleared, now = self._writer.ledger.out_of_mind(), self._cleared(found), self._now()
        rivals = self._rivals({memory.id: memory for memories in behind for memory in memories})
        backed = []
        for scored, memories in zip(found, behind, strict=True):
            if scored.passage.role == STRANGER:
                by = rivals.get(scored.passage.memory)
                backed.append(Backed(scored, memories, "untrusted", by=by))
            elif self._is_out_of_mind(scored, out, cleared):
                backed.append(Backed(scored, memories, "retired"))
            else:
                backed.append(self._stated(scored, memories, now, rivals))
        return backed

    def _stated(
        self, scored: Scored, memories: tuple[Memory, ...], now: datetime, rivals: Mapping[str, Memory]
    ) -> Backed:
        """Return a candidate with the state of what stands behind it."""
        if not memories:
            return Backed(scored)
        lifetimes = self._writer.ledger.lifetimes
        # A summary rests on every turn of its talk, whatever became of what that taught.
        taught = [memory for memory in memories if memory.kind != SUMMARY] or memories
        states = [(_state(memory, now, lifetimes, rivals), memory) for memory in taught]
        state, memory = min(states, key=lambda each: _STATES.index(each[0]))
        by = rivals.get(memory.id)
        if memory.by and not by:
            by = next(iter(self._table.select(Wanted(ids=(memory.by,)))), None)
        return Backed(scored, memories, state, memory, by)

    def with_changes(self, topics: "Sequence[Topic]") -> "list[Topic]":
        """Return topics with what of them was replaced or ended since, though the rest of it holds."""
        turns = tuple({turn for topic in topics for turn in _covered(topic.best)})
        taught = self._table.select(Wanted(kinds=MIRRORED, evidence=turns)) if turns else []
        told = [_told_in(topic.best, taught) for topic in topics]
        heirs = self._writer.ledger.heirs([memory for some in told for memory in some])
        return [
            topic._replace(best=topic.best._replace(since=tuple(self._changes(topic.best, some, heirs))))
            if some
            else topic
            for topic, some in zip(topics, told, strict=True)
        ]

    def _changes(
        self, told: Backed, memories: Sequence[Memory], heirs: Mapping[str, Memory]
    ) -> Iterator[tuple[str, Memory]]:
        """Yield what became of memories since something told them; what was merged held for no time."""
        turns, now = _covered(told) or told.scored.turns, self._now()
        for memory in memories:
            heir = heirs[memory.id]
            if heir is not memory:
                was_so = memory.valid_to is not None and memory.valid_to > memory.valid_from
                # A correction by hand rests on what it corrects.
                told_since = set(heir.evidence) - set(memory.evidence)
                if was_so and heir.state != "retired" and turns.isdisjoint(told_since):
                    yield "changed", heir
            elif has_ended(memory, now):
                later = self._table.history(memory=memory.id)[1:]
                if any("valid_to" in each.change.get("set", {}) for each in later):
                    yield "over", memory

    def newest_first(self, found: Sequence[Backed], question: str, least: float) -> list[Backed]:
        """Return what was found with the newer fact of a key before the older one that means nearly the same.

        The newer comes with the older even if it was not found, unless the question names what only the
        older tells.
        """
        found = self._named_as_earlier(found, question)
        facts = (each for each in found if _is_fact(each))
        good = [each for each in facts if each.scored.score >= least or each.state == "earlier"][:_MOST]
        keys = tuple({same_key(each.memory.key) for each in good if each.memory and each.memory.key})
        if not good:
            return list(found)
        alike = defaultdict[str, list[Memory]](list)
        wanted = Wanted(keys=keys, kinds=MIRRORED, states=("live",))
        now = self._now()
        for memory in self._begun(self._table.select(wanted)) if keys else ():
            if not has_ended(memory, now):
                alike[same_key(memory.key)].append(memory)
        ordered = list(found)
        scores = {one.scored.passage.memory: one.scored.score for one in found}
        for each in good:
            newer = self._newer(each, alike, question, scores)
            if newer is None:
                continue
            passages = [one.scored.passage for one in ordered]
            place = next(n for n, one in enumerate(passages) if one is each.scored.passage)
            there = next((n for n, one in enumerate(passages) if one.memory == newer.id), None)
            if there is not None and there < place:
                continue
            beside = ordered.pop(there) if there is not None else self._fresh(newer)
            score = max(beside.scored.score, each.scored.score)
            ordered.insert(place, beside._replace(scored=beside.scored._replace(score=score)))
        return ordered

    def _named_as_earlier(self, found: Sequence[Backed], question: str) -> list[Backed]:
        """Return what was found; what was replaced is earlier, where a question names what it alone tells."""
        gone = {each.memory.id: each.memory for each in found if each.state == "superseded" and each.memory}
        heirs = self._writer.ledger.heirs(gone.values()) if gone else {}

        def named(each: Backed) -> Backed:
            passage = each.scored.passage
            heir = heirs.get(passage.memory)
            if not heir or not heir.is_live or not names(question, passage.text, heir.value):
                return each
            return each._replace(state="earlier", by=heir)

        return [named(each) for each in found]

    def _newer(
        self,
        each: Backed,
        alike: Mapping[str, Sequence[Memory]],
        question: str,
        scores: Mapping[str, float],
    ) -> Memory | None:
        """Return the newest fact that tells the same thing as another, as far as can be guessed."""
        older, by = each.memory, each.by if each.state == "earlier" else None
        if older is None:
            return None
        if by and older.by:
            return by
        day, project = since(older).date(), apart_in(older)
        later = [
            memory
            for memory in alike[same_key(older.key)]
            if since(memory).date() > day
            and apart_in(memory) == project
            and not is_lesser_word(memory, older)
            and not names(question, older.value, memory.value)
            and not self._writer.ledger.are_apart(memory.id, older.id)
        ]

        def are_near(one: Memory, other: Memory) -> bool:
            likeness = self._embedding.likeness(one.text, other.text)
            if likeness is None:  # by words alone: if it answers nearly as well
                return scores.get(one.id, 0.0) >= _AS_WELL * each.scored.score
            if _NEAR_IF_NAMED <= likeness < _NEAR:
                return not set(index_terms(other.key)).isdisjoint(index_terms(question))
            return likeness >= _NEAR

        near = (
            memory
            for memory in sorted(later, key=since, reverse=True)
            if (by and by.id == memory.id) or are_near(memory, older)
        )
        return next(near, None)

    def _fresh(self, memory: Memory) -> Backed:
        scored = Scored(passage_of(memory), 0.0, by_word=False, by_meaning=False)
        return Backed(scored, (memory,), "live", memory)

    def _cleared(self, found: Sequence[Scored]) -> dict[str, int]:
        """Return up to which turn each session was cleared away."""
        sessions = {turn_id(each.passage.turn).session for each in found if each.passage.turn}
        return {session: self._writer.ledger.session(session).out_of_mind for session in sessions}

    def _is_out_of_mind(self, scored: Scored, out: Collection[str], cleared: Mapping[str, int]) -> bool:
        """Return whether what was said or logged told what is forgotten, or was cleared away."""
        passage = scored.passage
        if passage.kind in (LOG, SUMMARY):
            return bool(out) and line_name(passage.path, passage.text) in out
        session, n = turn_id(passage.turn)
        is_cleared = bool(session) and n <= cleared[session]
        return is_cleared or not scored.turns.isdisjoint(out)

    def _rivals(self, memories: Mapping[str, Memory]) -> dict[str, Memory]:
        now, are_apart = self._now(), self._writer.ledger.are_apart
        doubted = self._writer.ledger.doubted(memories.values(), now)
        keys = tuple({same_key(memory.key) for memory in memories.values() if memory.is_live and memory.key})
        if not keys:
            return doubted
        alike = self._begun(self._table.select(Wanted(keys=keys, states=("live",))))
        found = replaced(alike, now, are_apart=are_apart, of=memories)
        # What a stranger said gives way to what the owner says since, and never the other way.
        for other in (each for each in memories.values() if each.origin == "untrusted" and each.is_live):
            found |= replaced([*alike, other], now, are_apart=are_apart, of=(other.id,))
        return found | doubted

    def _begun(self, memories: Sequence[Memory]) -> list[Memory]:
        """Return what is trusted and has begun."""
        now = self._now()
        return [each for each in memories if each.origin != "untrusted" and each.valid_from <= now]

    def _behind(self, found: Sequence[Scored]) -> list[tuple[Memory, ...]]:
        passages = [each.passage for each in found]
        ids = tuple({passage.memory for passage in passages if passage.memory})
        own = {memory.id: memory for memory in self._table.select(Wanted(ids=ids))} if ids else {}
        paths = {passage.path for passage in passages if passage.kind in (LOG, SUMMARY)}
        filed = {
            path: [memory for home in homes_of(path) for memory in self._table.select(Wanted(path=home))]
            for path in paths
        }
        turns = tuple({turn for each in found for turn in each.turns})
        taught = self._table.select(Wanted(evidence=turns)) if turns else []
        lessons = defaultdict[str, list[int]](list)
        for place, memory in enumerate(taught):
            for turn in memory.evidence:
                lessons[turn].append(place)

        def behind(each: Scored) -> tuple[Memory, ...]:
            passage = each.passage
            if passage.memory:
                return (own[passage.memory],) if passage.memory in own else ()
            if passage.path in filed:
                return tuple(memory for memory in filed[passage.path] if _is_line_of(passage, memory))
            places = {place for turn in each.turns if turn in lessons for place in lessons[turn]}
            return tuple(taught[place] for place in sorted(places))

        return [behind(each) for each in found]


def _state(memory: Memory, now: datetime, lifetimes: Lifetimes, rivals: Container[str] = ()) -> str:
    if memory.is_live and memory.origin == "untrusted":
        return "untrusted"
    state = state_at(memory, now, lifetimes)
    return "earlier" if state in ("live", "expired", "ended") and memory.id in rivals else state


def _is_fact(each: Backed) -> bool:
    """Return whether a candidate tells a fact in use that another may tell anew, or seems to have."""
    memory = each.memory
    if memory is None or memory.kind not in MIRRORED or each.state not in _IN_USE:
        return False
    return bool(memory.by or (memory.key and memory.id == each.scored.passage.memory))


def _is_line_of(passage: Passage, memory: Memory) -> bool:
    """Return whether a line of a file is a memory's: the same text may be the owner's and a stranger's."""
    return passage.text == memory.value and (passage.role == STRANGER) == (memory.origin == "untrusted")


def _covered(each: Backed) -> set[str]:
    """Return the turns that a summary or a log tells of."""
    is_filed = each.scored.passage.kind in (LOG, SUMMARY)
    return {turn for memory in each.memories for turn in memory.evidence} if is_filed else set()


def _told_in(each: Backed, taught: Sequence[Memory]) -> list[Memory]:
    """Return the facts that rest on what was said; of a summary or a log, those that it has most words of."""
    if turns := _covered(each):
        covered = [memory for memory in taught if not turns.isdisjoint(memory.evidence)]
        return [one for one in covered if shared_words(one.value, each.scored.passage.text) >= _TOLD]
    is_said = bool(each.scored.passage.turn) and each.state in _IN_USE
    return [memory for memory in each.memories if memory.kind in MIRRORED] if is_said else []


# Who has so many of a memory's words tells it, in passing.
_TOLD = 0.3
# Of so many facts that were found the newer one of the key is looked for. Two that are so near in meaning may
# tell the same thing; if the question names their key, it asks for what that is now.
_MOST, _NEAR, _NEAR_IF_NAMED = 8, 0.5, 0.35
_AS_WELL = 0.5
# A memory is told in the place of what was said, if it answers nearly as well.
_NEARLY = 0.75
# More than half of the words that something shares with the question.
_MOSTLY = 0.5


class Topic(NamedTuple):
    """What is told of one thing, and the places that tell it, too: memories, turns, lines."""

    best: Backed
    places: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """By what it is known: its memory, its turns, the line and the file where it stands."""
        passage = self.best.scored.passage
        own = () if passage.memory else (passage.place, passage.place.partition("#")[0])
        return frozenset((passage.memory, *self.best.scored.turns, *own, *self.places)) - {""}

    def with_words(self, passage: Passage) -> "Topic":
        """Return it as this passage tells it, and nobody's answer."""
        scored = self.best.scored._replace(passage=passage, answer=())
        return self._replace(best=self.best._replace(scored=scored))


class _Comparable(NamedTuple):
    """A candidate, and what it is compared by: its words, and of what was said its *turns*.

    *told* are the memories that it states, *taught* those that rest on its turns.
    """

    backed: Backed
    words: tuple[str, ...]
    told: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()
    taught: frozenset[str] = frozenset()


def owners_first(
    found: Sequence[Backed], may_be_shown: Callable[[Backed], bool], *, alone: bool
) -> list[Backed]:
    """Let the owner's word on a thing come before what the agent said of it, or instead (*alone*).

    What has most of the words of the question that the agent's has is at least as likely to help; what has
    all of them is on the same thing.
    """
    kept, covered = list(found), set[int]()
    owners = [n for n, each in enumerate(found) if _is_owners(each) and may_be_shown(each)]
    for place, each in enumerate(found):
        has = each.scored.words
        if not each.scored.is_agents or not has:
            continue
        shares = {n: len(has & found[n].scored.words) / len(has) for n in owners}
        best = max(shares.values(), default=0.0)
        if best > _MOSTLY:
            n = max(shares, key=lambda n: (shares[n], kept[n].scored.score))
            kept[n] = kept[n]._replace(scored=kept[n].scored.at_least(each.scored.score))
        if best == 1.0:
            covered.add(place)
    return [each for place, each in enumerate(kept) if not alone or place not in covered]


def _is_owners(each: Backed) -> bool:
    """Return whether it is the owner's own word: a memory, or what was said."""
    passage = each.scored.passage
    is_spoken = bool(passage.turn) and passage.tells and passage.role == "user"
    return is_spoken or (bool(passage.memory) and each.memory is not None and each.memory.origin == "owner")


def one_of_each(found: Iterable[Backed]) -> list[Topic]:
    """Return the things that were found, best first as they come; each is told once."""
    kept: list[Topic] = []
    best: list[_Comparable] = []
    for each in map(_comparable, found):
        place = next((place for place, other in enumerate(best) if _are_one(each, other)), None)
        if place is not None:
            kept[place] = _joined(kept[place], each.backed)
            if kept[place].best.scored.passage is each.backed.scored.passage:
                best[place] = each
        else:
            best.append(each)
            kept.append(Topic(each.backed))
    return kept


def _joined(topic: Topic, each: Backed) -> Topic:
    best, other = topic.best, each
    new, old = each.scored.passage, best.scored.passage
    is_memory = bool(new.memory and not old.memory)
    if new.role == STRANGER:  # what the owner says, too, is the owner's
        is_better = is_memory and old.role == STRANGER
    else:
        is_nearly = is_memory and each.scored.score >= _NEARLY * best.scored.score
        is_better = is_nearly or old.role == STRANGER
    if is_better:
        score = max(best.scored.score, each.scored.score)
        best, other = each._replace(scored=each.scored._replace(score=score)), best
    return Topic(best, (*topic.places, *_names(other)))


def _are_one(each: _Comparable, other: _Comparable) -> bool:
    if not each.turns.isdisjoint(other.turns) or (each.words and each.words == other.words):
        return True
    return not (each.told.isdisjoint(other.taught) and other.told.isdisjoint(each.taught))


def _comparable(each: Backed) -> _Comparable:
    """Return a candidate with the words by which it tells what it tells: of a question, its answer's."""
    passage = each.scored.passage
    telling = (passage,) if passage.tells else each.scored.answer
    words = tuple(plain_words(" ".join(part.text for part in telling)))
    memories = frozenset(memory.id for memory in each.memories)
    if passage.turn:
        return _Comparable(each, words, turns=each.scored.turns, taught=memories)
    states = passage.memory or passage.kind == LOG
    return _Comparable(each, words, told=memories if states else frozenset())


def _names(each: Backed) -> tuple[str, ...]:
    passage = each.scored.passage
    return (passage.memory,) if passage.memory else tuple(sorted(each.scored.turns)) or (passage.place,)


def by_rank(scored: Scored, question: QuestionKind) -> tuple[int, float, bool]:
    """Return by what candidates are sorted: the agent's own words come after the owner's that are as good."""
    return _eventful(scored, question) if question.only_time else 0, -scored.score, scored.is_agents


def by_time(scored: Scored, question: QuestionKind) -> tuple[date, int, int]:
    """Return where a passage stands in a timeline: by the day that it speaks of."""
    passage = scored.passage
    fitting = [first for first, last in passage.moments if question.fits(((first, last),))]
    return min(fitting, default=passage.day or date.min), _eventful(scored, question), passage.id


def _eventful(scored: Scored, question: QuestionKind) -> int:
    """Return the place of a candidate in a timeline's choice: what was noted that day, learned, then said.

    What merely held then comes last.
    """
    passage = scored.passage
    if passage.kind == LOG or not passage.memory:
        return 0 if passage.kind == LOG else 2
    began = ((first, first) for first, _ in passage.moments)
    return 1 if question.fits(began) else 3

"""Forgetting: which things are meant, and what goes out of mind with each.

A thing is told in several places: a memory, the turns it was learned from or
said in, a line of a log, a summary. When it is forgotten, all of them go out
of mind in one step, and come back in one.
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import chain, takewhile

from almario.domain.events import Actor, MemoriesChanged, Verb
from almario.domain.forgotten import Forgotten, Meant, has_terms, hit_of, term_sets
from almario.domain.memories import IN_FILES, OWN_PASSAGE, UNTRUSTED, Change, Memory, Wanted
from almario.domain.model import Hit, Query, Scope
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn
from almario.domain.words import forms_of, sentences_in, shared_words
from almario.errors import AlmarioError, SoulError
from almario.language import languages
from almario.memory.episodes import Episodes
from almario.memory.recall import Recall
from almario.memory.rules.sources import LOG, entries_of, homes_of, is_filed, line_name
from almario.memory.telling import Listener
from almario.memory.writer import MemoryWriter, Write
from almario.named_tuples import NamedTuple
from almario.text.claims import denies
from almario.text.forms import tells
from almario.text.questions import is_question

# How many hits are considered for one request to forget.
_ANY = Listener(room=20, floor=0.0)
# What is less like what was said is not even asked about.
_LIKE = 0.5
# A summary of the same turns covers a memory if it has this share of its words.
_TELLS = 0.4
# What the agent said lately has so many of a memory's words if it tells it again.
_LATELY, _RETOLD = 60, 0.75
# Who tells a thing again has at least so many of its words, and for each that it lacks more than so many.
_FEWEST, _FOR_EACH = 3, 4
# A fact that a newer one stands before in recall is in use all the same, and may be the one that is meant.
_IN_USE = Scope(include=("superseded",))


class Mentions(NamedTuple):
    """Where things are told: in memories, in turns, in lines of files by their place, with their name."""

    memories: tuple[Memory, ...] = ()
    turns: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


class Forgetting:
    """Finds what is to be forgotten, and puts it out of mind."""

    def __init__(
        self,
        writer: MemoryWriter,
        recall: Recall,
        episodes: Episodes,
        *,
        listed: Callable[[Wanted], list[Memory]],
        by_id: Callable[[str], Memory | None],
    ) -> None:
        self._writer = writer
        self._table = writer.ledger.table
        self._listed = listed
        self._named = by_id
        self._recall = recall
        self._episodes = episodes

    def meant(self, words: str, order: Collection[str] = ()) -> Meant:
        """Return what is meant by an id, a key or words.

        Sure is what has that id, stands under a key of that name, or has every word that was said: of
        memories, or, if none is meant, of what was only said or logged. *order* are the turns that
        say so, and tell nothing themselves.
        """
        if by_id := self._by_id(words.strip()):
            return Meant(words, (by_id,))
        for key in dict.fromkeys((words.strip(), _articles().sub("", words.strip()))):
            if key and (under := self._listed(Wanted(keys=(key,), kinds=OWN_PASSAGE))):
                return Meant(words, tuple(map(hit_of, under)))
        query = Query(words, _IN_USE, hidden=frozenset(order))
        found = [hit for hit in self._recall.recall(query, _ANY) if hit_tells(hit)]
        terms = term_sets(words)
        sure = [hit for hit in found if has_terms(f"{hit.key} {hit.text}", terms)]
        kept = [hit for hit in sure if hit.memory]
        # What the logs say of one fact is told with it.
        logged = [hit for hit in sure if hit.kind == LOG] if len(kept) == 1 else []
        likely = tuple(hit for hit in found if hit.score >= _LIKE)
        return Meant(words, tuple(kept or sure), likely, tuple(logged))

    def _by_id(self, name: str) -> Hit | None:
        """Return the thing that an id of a memory, or of a turn, names; SoulError if it is out of use."""
        if turn_id(name).session and (turn := self._writer.vault.turn(name)):
            return Hit("turn", turn.text, turn.at.date(), 1.0, turn=turn.id, speaker=turn.speaker)
        if ".md#" in name and (text := self._entry(name)[0]):
            return Hit("log", text, None, 1.0, place=name)
        found = self._named(name)
        if found and not found.is_live:
            raise SoulError('"{target}" is already out of use', target=name)
        return hit_of(found) if found else None

    def mentions(self, hits: Sequence[Hit], order: Sequence[str] = ()) -> Mentions:
        """Say where things are told: in all of these places they go out of mind.

        So they are in what the agent has said of them, or found, in the session of the *order*.
        """
        own = [self._writer.ledger.memory(hit.memory) for hit in hits if hit.memory]
        mentions = [self._mentions(hit) for hit in hits]
        every = [*own, *(m for each in mentions for m in each.memories)]
        mentioned = [turn for each in mentions for turn in each.turns]
        turns = list(dict.fromkeys(name for turn in mentioned for name in self._exchange(turn)))
        every += self._summaries(every, turns) + self._retelling(hits, turns)
        turns += self._retold([*(memory.value for memory in every), *(hit.text for hit in hits)], order)
        memories = {memory.id: memory for memory in every if memory.is_live}
        return Mentions(
            tuple(memories.values()),
            tuple(dict.fromkeys(turns)),
            tuple(dict.fromkeys(line for each in mentions for line in each.lines)),
        )

    def forget(
        self,
        write: Write,
        mentions: Mentions,
        *,
        actor: Actor,
        order: Sequence[str] = (),
        verb: Verb = "forgotten",
    ) -> Forgotten:
        """Put out of mind what is told in these places, and with it the *order* to do so, in one step."""
        known = [self._writer.ledger.memory(memory.id) for memory in mentions.memories]
        memories = [memory for memory in known if memory.is_live]
        changes: list[Change] = [{"id": memory.id, "set": {"state": "retired"}} for memory in memories]
        lines = [name for _, name in mentions.lines]
        lines += self._writer.ledger.standing_for(lines)
        out = dict.fromkeys([*mentions.turns, *order, *lines])
        write.commit(MemoriesChanged(verb, tuple(changes), out=tuple(out)), actor=actor)
        self._episodes.take_out(write, memories)
        gone = Forgotten(self._writer.ledger.memory(memory.id) for memory in memories)
        gone.turns, gone.lines = mentions.turns, tuple(place for place, _ in mentions.lines)
        gone.seq = write.appender.last.seq if write.appender.last else 0
        return gone

    def _mentions(self, hit: Hit) -> Mentions:
        """Return where else a thing is told: what recall tells as one with it, or has its words.

        What a stranger said is apart from what the owner did.
        """
        own = self._writer.ledger.memory(hit.memory) if hit.memory else None
        if own and own.origin == UNTRUSTED:
            return Mentions((own,), own.evidence)
        text = f"{hit.key}: {hit.text}" if hit.key else hit.text.partition(" → ")[0]
        found = self._recall.recall(Query(text, _IN_USE, "words"), _ANY)
        same = [
            hit,
            *(each for each in found if hit.name in (each.name, *each.evidence) or _retells(each, hit)),
        ]
        names = {name for each in same for name in (each.name, *each.evidence)}
        names |= set(own.evidence) if own else set()
        lines = sorted(name for name in names if ".md#" in name)
        turns = sorted(name for name in names if "#" in name and name not in lines)
        ids = tuple(sorted(name for name in names if "#" not in name and not name.endswith(".md")))
        memories = [each for each in self._table.select(Wanted(ids=ids)) if each.id in ids] if ids else []
        entries = [(place, *self._entry(place)) for place in lines]
        memories += [memory for _, _, memory in entries if memory]
        named = tuple(
            (place, line_name(place, text)) for place, text, memory in entries if text and not memory
        )
        return Mentions(tuple(memories), tuple(turns), named)

    def _entry(self, place: str) -> tuple[str, Memory | None]:
        """Return an entry of a log or of HISTORY.md, and the memory in use that it is of, if any."""
        path, _, number = place.partition("#")
        try:
            entries = entries_of(path, self._writer.vault.read(path).text) if is_filed(path) else []
        except AlmarioError:  # whoever indexes it tells
            return "", None
        text = next((each.text for each in entries if str(each.line) == number and each.is_trusted), "")
        live = [Wanted(path=home, states=("live",)) for home in homes_of(path)]
        filed = [memory for wanted in live for memory in self._table.select(wanted)]
        of_it = [memory for memory in filed if memory.value == text and memory.origin != UNTRUSTED]
        return text, of_it[0] if of_it else None

    def _summaries(self, memories: Sequence[Memory], turns: Sequence[str]) -> list[Memory]:
        wanted = Wanted(kinds=IN_FILES, states=("live",), evidence=tuple(turns))
        derived = self._table.select(wanted) if turns else []
        known = {memory.id for memory in memories}

        def tells(each: Memory, memory: Memory) -> bool:
            is_apart = (each.origin == UNTRUSTED) != (memory.origin == UNTRUSTED)
            return not is_apart and shared_words(memory.value, each.value) >= _TELLS

        return [m for m in derived if m.id not in known and any(tells(m, memory) for memory in memories)]

    def _retelling(self, hits: Sequence[Hit], turns: Sequence[str]) -> list[Memory]:
        """Return the summaries and log lines of which a sentence says again what one of these turns does."""
        said = [turn for hit in hits if hit.turn and (turn := self._writer.vault.turn(hit.turn))]
        filed = self._table.select(Wanted(kinds=IN_FILES, states=("live",), evidence=tuple(turns)))

        def tells(memory: Memory, turn: Turn) -> bool:
            is_apart = (memory.origin == UNTRUSTED) != (turn.origin == UNTRUSTED)
            sentences = () if is_apart or turn.id not in memory.evidence else sentences_in(memory.value)
            return any(shared_words(each, turn.text) >= _LIKE for each in sentences)

        return [each for each in filed if any(tells(each, turn) for turn in said)] if said else []

    def _retold(self, texts: Sequence[str], order: Sequence[str]) -> list[str]:
        """Return where these were told in the session of the *order*, but by the owner.

        If they were told right before it, so was the message that this answers: it began the order.
        """
        sessions = {turn_id(turn).session for turn in order}
        read = self._writer.vault.transcripts.read
        latest = [turn for session in sessions for turn in read(session, last=_LATELY)]
        gone: list[str] = []
        asked, is_told = "", False
        for turn in latest:
            if turn.id in order:
                gone += [asked] if is_told and asked else []
            elif turn.role == "user":
                asked, is_told = turn.id, False
            elif any(shared_words(text, turn.text) >= _RETOLD for text in texts):
                gone.append(turn.id)
                is_told = True
        return gone

    def _exchange(self, turn_id: str) -> list[str]:
        first = self._writer.vault.turn(turn_id)
        if not first or first.role != "user":
            return [turn_id]
        after = self._writer.vault.transcripts.read(first.session, after=first.n)
        return [turn_id, *(turn.id for turn in takewhile(lambda turn: turn.role != "user", after))]


def hit_tells(hit: Hit) -> bool:
    """Return whether a hit tells something: neither a question nor an order does."""
    return not hit.turn or (tells(hit.text) and not is_question(hit.text.partition(" → ")[0]))


def _retells(each: Hit, hit: Hit) -> bool:
    """Return whether what was said or logged has nearly all words of a thing, or the thing all of its."""
    said, told = _said(each), _said(hit)
    fewer, more = sorted((forms_of(said), forms_of(told)), key=len)
    there = set(chain.from_iterable(more))
    missing = [forms[0] for forms in fewer if there.isdisjoint(forms)]
    return (
        not each.memory
        and len(fewer) >= _FEWEST
        and len(fewer) - len(missing) > _FOR_EACH * len(missing)
        and not any(word[0].isdigit() for word in missing)  # on the 6th is not on the 18th
        and denies(said) == denies(told)
    )


def _said(hit: Hit) -> str:
    """Return what a hit tells: of a question, the answer to it."""
    asked, _, answer = hit.text.partition(" → ")
    return answer if is_question(asked) else asked


@cache
def _articles() -> re.Pattern[str]:
    """Return what may stand before the name of a thing in any language: "the", "il mio", "l'", "私の"."""
    words = {word for each in languages() for word in each.articles}
    joined = {word for word in words if word.endswith("'") or not word.isascii()}
    return re.compile(
        rf"^(?:(?:{'|'.join(sorted(words - joined))})\s+|(?:{'|'.join(sorted(joined))})\s*){{1,2}}(?=\S)",
        re.IGNORECASE,
    )

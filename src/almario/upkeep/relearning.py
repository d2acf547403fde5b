"""Learning again: conversations of any time are read with the model of today, and nothing changes yet.

What was read is kept part by part, so that whoever goes on pays for nothing twice. What it would change is
told by `memory.weighing`, each time against the memory as it is, and waits for the owner's yes.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import count, pairwise

from almario.conversation.batches import batch_of
from almario.conversation.extraction import KNOWN_TOKENS, Extraction
from almario.conversation.flush import Flush
from almario.conversation.grounding import heard, visible
from almario.conversation.instructions import ABOUT_OWNER, EXAMPLES, FROM_OWNER
from almario.domain.memories import OWN_PASSAGE, UNTRUSTED, Memory
from almario.domain.messages import NOTHING, CommandLine, Sentence, sentence_of
from almario.domain.plain_text import estimate_tokens, regex
from almario.domain.relearned import (
    ALL,
    USED_UP,
    Difference,
    ReadingState,
    ReadingWish,
    RelearnPlan,
    TakenUp,
)
from almario.domain.talk import Ask, Usage
from almario.domain.turns import TITLE, Turn, is_owners
from almario.errors import BadReply, LLMError, MissingExtra, NotFound, SoulError, StoreBusy
from almario.memory.facade import Memories
from almario.memory.rules.admission import Proposed
from almario.memory.rules.exchanges import exchanges_in
from almario.memory.rules.findings import (
    READINGS,
    FoundFact,
    PartRead,
    ReadingFile,
    line_of,
    reading_in,
)
from almario.memory.weighing import chosen
from almario.memory.writer import Progress
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.upkeep.costs import Costs, Metered
from almario.upkeep.rules.costs import budget_in

JOB = "relearn"
# After so long a pause another conversation begins.
_PAUSE = timedelta(hours=6)
# Each failure halves what is read at once, so often; what fails then is passed over.
_HALVINGS = 3
# What a call takes besides the turns: instructions, an example, the shape of the answer, what is known (there
# may be less).
_BESIDES = estimate_tokens(ABOUT_OWNER + EXAMPLES["en"] + json.dumps(FROM_OWNER)) + KNOWN_TOKENS // 2
# A turn's number, time and speaker; and an answer, on average.
_HEAD, _ANSWER = 20, 250
_DAY = regex(r"\d{4}(-\d{2}(-\d{2})?)?")


class _Part(NamedTuple):
    """Turns to be read at once, of which conversation, and where others with a title end in its session."""

    turns: list[Turn]
    talk: tuple[str, int]
    edges: tuple[int, ...]

    @property
    def usage(self) -> Usage:
        """What reading it takes, about."""
        texts = [visible(turn) for turn in self.turns if heard(turn)]
        return Usage(_BESIDES + sum(estimate_tokens(text) + _HEAD for text in texts), _ANSWER)


class _UsedUp(LLMError):
    """There is no budget left to ask once more after a bad reply."""


class Relearning:
    """Reads conversations again, and takes up what the owner accepts of it."""

    def __init__(
        self, vault: Store, memory: Memories, flush: Flush, costs: Costs, llm: Callable[[str], Metered]
    ) -> None:
        """*llm* gives the model of a name, or the one that learns; LLMUnavailable says how to get one."""
        self._vault = vault
        self._memory = memory
        self._flush = flush
        self._costs = costs
        self._llm = llm

    def plan(self, wish: ReadingWish = ReadingWish()) -> RelearnPlan:  # noqa: B008 - a constant
        """Return what there is to read and what it would cost; days are 2024-05-01, 2024-05 or 2024."""
        reading = self._for(wish)
        llm = self._llm(reading.wish.model)
        parts = list(self._left(reading, llm.model))
        done = "" if parts else next((each.name for each in self._finished(llm.model)), "")
        total, talks, beyond = Usage(), {part.talk for part in parts}, set[tuple[str, int]]()
        for part in parts:
            total = Usage(total.told + part.usage.told, total.said + part.usage.said)
            beyond |= {part.talk} if self._is_over(reading.wish, llm, total) else set()
        days = sorted(turn.at.astimezone(self._vault.zone).date() for part in parts for turn in part.turns)
        exchanges = [each for part in parts for each in exchanges_in(part.turns) if any(map(is_owners, each))]
        return RelearnPlan(
            reading.name if reading.parts else done,
            llm.model,
            len(talks),
            len(exchanges),
            total.told + total.said,
            self._costs.price(llm.model, total),
            len(talks - beyond),
            *days[:1],
            *days[-1:],
        )

    def run(self, wish: ReadingWish = ReadingWish(), *, progress: Progress | None = None) -> ReadingState:  # noqa: B008
        """Read what is left, as far as the budget goes; nothing is remembered yet.

        The budget of a run is in tokens, or in dollars as in $2.50. Without days, session and model, an
        unfinished reading continues. What a finished one of the same model has read is passed over.
        """
        with self._vault.lease("relearn") as is_held:
            if not is_held:
                raise StoreBusy("another process is learning again; try again when it is done")
            reading = self._for(wish)
            llm = self._llm(reading.wish.model)
            parts = list(self._left(reading, llm.model))
            if parts and self._is_over(reading.wish, llm, parts[0].usage):
                sentence = "the budget is too small: the next conversation takes about {tokens} tokens"
                raise SoulError(sentence, tokens=sum(parts[0].usage[:2]))
            self._add(reading.name, "wish", reading.wish)
            why = self._read_all(reading, parts, llm, progress or (lambda done, of: None))
        return _state(self._reading(reading.name))._replace(why=why)

    def go_on(self) -> ReadingState | None:
        """Go on with the latest reading that is not done, if there is one."""
        left = next((reading for reading in self._readings() if not reading.is_done), None)
        return self.run(left.wish) if left else None

    def readings(self) -> Sequence[ReadingState]:
        """Return the stored readings, latest first."""
        return [_state(reading) for reading in self._readings()]

    def difference(self, name: str = "", *, withheld: bool = False) -> Difference:
        """Say what a reading would change, by default the latest; what is *withheld*, on request."""
        return self._memory.difference(self._reading(name), withheld=withheld)

    def accept(self, wanted: Sequence[str], name: str = "") -> TakenUp:
        """Remember what is wanted of a reading by its names, or "all"; one `undo` ends it.

        What is gone is retired, and what is withheld comes back, only by its own name.
        """
        with self._memory.together():
            return self._memory.take_up(self._reading(name), wanted)

    def reject(self, wanted: Sequence[str], name: str = "") -> int:
        """Reject differences by name; "all" discards the whole reading. Return how many."""
        reading = self._reading(name)
        items = self.difference(reading.name, withheld=ALL not in wanted).items
        if ALL in wanted:
            with self._memory.sync.writing() as write:
                write.appender.replace(self._vault.read(_path(reading.name)), None)
            return len(items)
        names = list(chosen(wanted, items))
        self._add(reading.name, "declined", names)
        return len(names)

    def _for(self, wish: ReadingWish) -> ReadingFile:
        for day in filter(None, (wish.since, wish.until)):
            if not _DAY.fullmatch(day):
                raise SoulError('"{date}" is not a date; write it as 2024-05-01, 2024-05 or 2024', date=day)
        if wish.session and wish.session not in self._vault.transcripts.sessions():
            sentence, listing = 'there is no session "{key}"; "{listing}" lists them', "almario sessions"
            raise SoulError(sentence, key=wish.session, listing=CommandLine(listing))
        known = list(self._readings())
        for reading in known:
            if not reading.is_done and (not any(wish[:4]) or reading.wish[:4] == wish[:4]):
                kept = reading.wish
                again = wish.again or kept.again
                return reading._replace(wish=kept._replace(budget=wish.budget or kept.budget, again=again))
        today, taken = self._vault.now().date().isoformat(), {reading.name for reading in known}
        names = (today if n == 1 else f"{today}-{n}" for n in count(1))
        return ReadingFile(next(name for name in names if name not in taken), wish)

    def _left(self, reading: ReadingFile, model: str) -> Iterator[_Part]:
        """Yield what is left to read, conversation by conversation, oldest first.

        An export has them in any order, and what was said later replaces what was said before.
        """
        others = [] if reading.wish.again else self._finished(model)
        read = reading.turns.union(*(each.turns for each in others))
        for talk, edges, turns in sorted(self._talks(reading.wish), key=lambda each: each[2][0].at):
            waiting = [turn for turn in turns if turn.id not in read]
            while any(is_owners(turn) and heard(turn) for turn in waiting):
                failures = reading.failures(talk[0], waiting[0].n - 1)
                batch = batch_of(waiting, halvings=min(failures, _HALVINGS))
                waiting = waiting[len(batch) :]
                if failures <= _HALVINGS:
                    yield _Part(batch, talk, edges)

    def _finished(self, model: str) -> list[ReadingFile]:
        """Return the finished readings of a model, latest first."""
        done = (reading for reading in self._readings() if reading.is_done)
        return [reading for reading in done if {part.model for part in reading.parts} == {model}]

    def _talks(self, wish: ReadingWish) -> Iterator[tuple[tuple[str, int], tuple[int, ...], list[Turn]]]:
        """Yield each conversation to read, parted where it paused: its name, where others end, the turns."""
        until = wish.until or "9999"
        for session in [wish.session] if wish.session else self._vault.transcripts.sessions():
            settled = self._memory.session(session).flushed
            turns = [turn for turn in self._vault.transcripts.read(session) if turn.n <= settled]
            titled = tuple(before.n for before, turn in pairwise(turns) if TITLE in turn.more)
            pauses = [before.n for before, turn in pairwise(turns) if _begins(turn, before)]
            parts: dict[int, list[Turn]] = {}
            for turn in turns:
                day = turn.at.astimezone(self._vault.zone).date().isoformat()
                if wish.since <= day[: len(wish.since)] and day[: len(until)] <= until:
                    parts.setdefault(bisect_left(pauses, turn.n), []).append(turn)
            for n, part in parts.items():
                # An import has many of a month, one by one; in a chat, each pause begins another.
                yield (session, bisect_left(titled, part[0].n) if titled else n), titled, part

    def _read_all(
        self, reading: ReadingFile, parts: Sequence[_Part], llm: Metered, progress: Progress
    ) -> Sentence:
        """Read what is left; return why it stopped before the end, if it did."""
        for place, part in enumerate(parts, 1):
            if any(map(is_owners, self._flush.in_mind(part.turns))):
                if self._is_over(reading.wish, llm, part.usage):
                    return USED_UP
                try:
                    reading = reading._replace(parts=(*reading.parts, self._read(part, reading, llm)))
                except (LLMError, MissingExtra) as exc:
                    return sentence_of(exc)
            progress(place, len(parts))
        self._add(reading.name, "done", True)
        return NOTHING

    def _read(self, part: _Part, reading: ReadingFile, llm: Metered) -> PartRead:
        """Read some turns, and keep what they teach; if the reply is bad, that it was in vain."""
        turns, line, before = part.turns, self._memory.line, llm.spent.tokens
        done = PartRead(turns[0].session, turns[0].n - 1, turns[-1].n, model=llm.model)

        def check(ask: Ask) -> None:
            more = sum(estimate_tokens(message.text) for message in ask.messages[1:])
            if more and self._is_over(reading.wish, llm, part.usage._replace(told=part.usage.told + more)):
                raise _UsedUp(USED_UP)

        llm.check = check
        try:
            found = self._flush.read_again(llm, turns, part.edges, _as_memories(reading))
        except (BadReply, _UsedUp):
            failed = done._replace(failed=True, tokens=llm.spent.tokens - before)
            self._add(reading.name, "part", failed, since=line)
            raise
        facts = self._findings(found, turns, reading)
        others = sum(fact.kind != "summary" for fact in found.facts) - len(facts)
        done = done._replace(found=facts, dropped=found.dropped + others, tokens=llm.spent.tokens - before)
        self._add(reading.name, "part", done, since=line)
        return done

    def _findings(
        self, found: Extraction, turns: Sequence[Turn], reading: ReadingFile
    ) -> tuple[FoundFact, ...]:
        facts = [
            _of_then(fact) for fact in found.facts if fact.kind != "summary" and fact.origin != UNTRUSTED
        ]
        facts = [fact for fact in facts if self._memory.judge(fact)[0].outcome != "refused"]
        times = {turn.id: turn.at for turn in turns}
        first = max((each.n for each in reading.found), default=0) + 1
        return tuple(
            FoundFact(n, max(times[turn] for turn in fact.evidence), fact)
            for n, fact in enumerate(facts, first)
        )

    def _add(self, name: str, kind: str, value: object, *, since: int | None = None) -> None:
        """Add a line to a reading; EditConflict if something was erased *since* a line of the journal."""
        with self._memory.sync.writing(in_any_case=True):
            if since is not None:
                self._vault.need_nothing_erased(since)
            self._vault.documents.add_line(_path(name), line_of(kind, value))

    def _is_over(self, wish: ReadingWish, llm: Metered, ahead: Usage) -> bool:
        """Return whether so much more than a model has taken is beyond the budget."""
        most, price = budget_in(wish.budget), self._costs.price(llm.model, ahead)
        if most.dollars is not None and price is None:
            sentence = "what {model} costs is not known; give the budget in tokens, or set llm.prices"
            raise SoulError(sentence, model=llm.model)
        is_dear = most.dollars is not None and llm.spent.cost + (price or 0) > most.dollars
        return is_dear or (most.tokens is not None and llm.spent.tokens + sum(ahead[:2]) > most.tokens)

    def _readings(self) -> Iterator[ReadingFile]:
        files = self._vault.documents.names(READINGS.rstrip("/"))
        names = [file.removeprefix(READINGS).removesuffix(".jsonl") for file in files]
        for name in sorted(names, key=lambda each: (each[:10], len(each), each), reverse=True):
            yield reading_in(name, self._vault.read(_path(name)).raw)

    def _reading(self, name: str) -> ReadingFile:
        known = list(self._readings())
        # One that has read nothing yet would hide what another found.
        found = next((each for each in known if (each.name == name if name else each.turns)), None)
        if not known or not (name or found):
            raise NotFound("nothing was read again yet")
        if found is None:
            names = ", ".join(reading.name for reading in known)
            raise NotFound('nothing was read again as "{name}"; there is: {names}', name=name, names=names)
        return found


def _path(name: str) -> str:
    return f"{READINGS}{name}.jsonl"


def _begins(turn: Turn, before: Turn) -> bool:
    """Return whether another conversation, or a part of one, begins with a turn."""
    return TITLE in turn.more or not timedelta() <= turn.at - before.at < _PAUSE


def _of_then(fact: Proposed) -> Proposed:
    """Return a fact as it is kept: what another assistant was told to do is no order here."""
    is_order = fact.kind == "instruction" and fact.origin == "imported"
    return fact._replace(kind="fact") if is_order else fact


def _as_memories(reading: ReadingFile) -> list[Memory]:
    """Return what was found so far as what is known, without what a later turn replaced or said again."""
    times = {each.name: each.told for each in reading.found}
    over = {
        each.fact.of
        for each in reading.found
        if each.fact.act in ("replaces", "ends") and each.told >= times.get(each.fact.of, each.told)
    }
    return [
        each.as_memory
        for each in reading.found
        if each.fact.kind in OWN_PASSAGE and each.name not in over and each.fact.act != "renews"
    ]


def _state(reading: ReadingFile) -> ReadingState:
    models = tuple(dict.fromkeys(part.model for part in reading.parts))
    tokens = sum(part.tokens for part in reading.parts)
    sizes = (len(reading.turns), len(reading.found), tokens)
    return ReadingState(reading.name, reading.wish, models, *sizes, reading.is_done)

"""Learning again: conversations of any time are read with the model of today, and nothing changes yet.

What was read is kept part by part, so that whoever goes on pays for nothing twice. What it would change is
told by `memory.weighing`, each time against the memory as it is, and waits for the owner's yes.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import count, pairwise

from almario.conversation.batches import batch_of
from almario.conversation.extraction import Extraction
from almario.conversation.flush import Flush
from almario.conversation.grounding import heard, visible
from almario.conversation.instructions import ABOUT_OWNER, EXAMPLES, FROM_OWNER
from almario.domain.memories import OWN_PASSAGE, UNTRUSTED, Memory, same_value
from almario.domain.messages import NOTHING, CommandLine, Sentence, sentence_of
from almario.domain.plain_text import estimate_tokens, regex
from almario.domain.records import Ref, Text
from almario.domain.talk import Usage
from almario.domain.turns import Turn, is_owners
from almario.errors import BadReply, LLMError, MissingExtra, NotFound, SoulError, StoreBusy
from almario.importing.importer import TITLE
from almario.memory.facade import Memories
from almario.memory.keeping import Progress
from almario.memory.rules.exchanges import exchanges_in
from almario.memory.rules.findings import (
    READINGS,
    Finding,
    PartRead,
    Reading,
    ReadingWish,
    line_of,
    reading_in,
)
from almario.memory.weighing import ALL, Difference, TakenUp, chosen, tell_the_same
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.upkeep.costs import Costs, Metered
from almario.upkeep.rules.costs import Spent

JOB = "relearn"
# After so long a pause another conversation begins.
_PAUSE = timedelta(hours=6)
# Each failure halves what is read at once, so often; what fails then is passed over.
_HALVINGS = 3
# What a call takes besides the turns: instructions, an example, the shape of the answer, what is known.
_BESIDES = estimate_tokens(ABOUT_OWNER + EXAMPLES["en"] + json.dumps(FROM_OWNER)) + 150
# A turn's number, time and speaker; and an answer, on average.
_HEAD, _ANSWER = 20, 250
_DAY = regex(r"\d{4}(-\d{2}(-\d{2})?)?")
_BUDGET = regex(r"(\$?) ?(\d+(?:[.,]\d+)?) ?(k|\$|usd|tokens|)", 2)
USED_UP = Sentence("the budget is used up")


class RelearnPlan(NamedTuple):
    """What is left to read, by which model, and what that takes, about; *cost* is None if it is not known.

    *within* is how many of the conversations the budget is enough for; *name* is the reading that goes on.
    """

    name: Ref
    model: Ref
    conversations: int
    exchanges: int
    tokens: int
    cost: float | None
    within: int
    first: date | None = None
    last: date | None = None


class ReadingState(NamedTuple):
    """How far a reading is: messages read, what was found, what it took, and *why* it stopped, if it did."""

    name: Ref
    wish: ReadingWish
    models: tuple[Ref, ...]
    turns: int
    found: int
    tokens: int
    cost: float | None
    is_done: bool
    why: Sentence = NOTHING


class Comparison(NamedTuple):
    """What two readings found in the turns that both have read."""

    one: ReadingState
    other: ReadingState
    both: tuple[Text, ...]
    only_one: tuple[Text, ...]
    only_other: tuple[Text, ...]


class _Talk(NamedTuple):
    """A conversation: those of its turns that are left to read, and where others end in its session."""

    turns: list[Turn]
    edges: tuple[int, ...]


class Relearning:
    """Reads conversations again, and takes up what the owner accepts of it."""

    def __init__(
        self,
        vault: Store,
        memory: Memories,
        flush: Flush,
        costs: Costs,
        llm: Callable[[str], Metered],
    ) -> None:
        """*llm* gives the model of a name, or the one that learns; LLMUnavailable says how to get one."""
        self._vault = vault
        self._memory = memory
        self._flush = flush
        self._costs = costs
        self._llm = llm

    def plan(
        self, *, since: str = "", until: str = "", session: str = "", model: str = "", budget: str = ""
    ) -> RelearnPlan:
        """Say what there is to read, and what it takes; days are 2024-05-01, 2024-05 or 2024."""
        reading = self._for(ReadingWish(since, until, session, model, budget))
        name = self._llm(reading.wish.model).model
        talks = list(self._left(reading))
        turns = [turn for talk in talks for turn in talk.turns]
        parts = [[self._estimate(batch) for batch in _batches(talk.turns)] for talk in talks]
        total = _summed([each for usages in parts for each in usages])
        spent, within = Usage(), 0
        for usages in parts:
            spent = _summed([spent, *usages])
            within += not self._is_over(reading.wish, name, spent)
        days = sorted(turn.at.astimezone(self._vault.zone).date() for turn in turns)
        exchanges = sum(any(map(is_owners, each)) for talk in talks for each in exchanges_in(talk.turns))
        cost = self._costs.price(name, total)
        return RelearnPlan(
            reading.name if reading.parts else "",
            name,
            len(talks),
            exchanges,
            total.told + total.said,
            cost,
            within,
            *((days[0], days[-1]) if days else ()),
        )

    def run(
        self,
        *,
        since: str = "",
        until: str = "",
        session: str = "",
        model: str = "",
        budget: str = "",
        progress: Progress | None = None,
    ) -> ReadingState:
        """Read what is left of that, as far as the budget goes; nothing is remembered of it yet.

        A *budget* is so many tokens, or dollars as in $2.50, each time. Without days, session and model, a
        reading that is not done goes on.
        """
        with self._vault.lease("relearn") as is_held:
            if not is_held:
                raise StoreBusy("another process is learning again; try again when it is done")
            reading = self._for(ReadingWish(since, until, session, model, budget))
            llm = self._llm(reading.wish.model)
            self._is_over(reading.wish, llm.model, Usage())
            self._add(reading.name, "wish", reading.wish)
            why = self._read_on(reading, llm, progress)
        return _state(self._reading(reading.name))._replace(why=why)

    def go_on(self) -> ReadingState | None:
        """Go on with the latest reading that is not done, if there is one."""
        left = next((reading for reading in self._readings() if not reading.is_done), None)
        return self.run(**left.wish._asdict()) if left else None

    def readings(self) -> Sequence[ReadingState]:
        """Return the readings that are kept, the latest first."""
        return [_state(reading) for reading in self._readings()]

    def difference(self, name: str = "") -> Difference:
        """Say what a reading would change, by default the latest."""
        reading = self._reading(name)
        return self._memory.difference(reading, _turns_of(reading))

    def accept(self, wanted: Sequence[str], name: str = "") -> TakenUp:
        """Remember what is wanted of a reading by its names, or "all" but what is gone; one `undo` ends it.

        What is gone is retired only by its own name.
        """
        with self._memory.together():
            reading = self._reading(name)
            return self._memory.take_up(reading, _turns_of(reading), wanted)

    def reject(self, wanted: Sequence[str], name: str = "") -> int:
        """Turn down differences by their names; with "all" the whole reading goes. Return how many."""
        reading = self._reading(name)
        items = self.difference(reading.name).items
        if ALL in wanted:
            with self._memory.sync.writing() as write:
                write.appender.replace(self._vault.read(_path(reading.name)), None)
            return len(items)
        names = list(chosen(wanted, items))
        self._add(reading.name, "declined", names)
        return len(names)

    def compare(self, one: str, other: str) -> Comparison:
        """Say what two readings found in the turns that both have read: only one of them, or both."""
        readings = [self._reading(one), self._reading(other)]
        common = _turns_of(readings[0]) & _turns_of(readings[1])
        found = [
            [each for each in reading.found if common.issuperset(each.fact.evidence)] for reading in readings
        ]
        first, second = ({each.n: _is_in(each, others) for each in own} for own, others in _crosswise(found))
        texts = [{each.n: _text(each) for each in own} for own in found]
        return Comparison(
            _state(readings[0]),
            _state(readings[1]),
            tuple(texts[0][n] for n, is_shared in first.items() if is_shared),
            tuple(texts[0][n] for n, is_shared in first.items() if not is_shared),
            tuple(texts[1][n] for n, is_shared in second.items() if not is_shared),
        )

    def _for(self, wish: ReadingWish) -> Reading:
        """Return the reading that a wish goes on with, or a new one."""
        for day in (wish.since, wish.until):
            if day and not _DAY.fullmatch(day):
                raise SoulError('"{date}" is not a date; write it as 2024-05-01, 2024-05 or 2024', date=day)
        if wish.session and wish.session not in self._vault.transcripts.sessions():
            listing = CommandLine("almario sessions")
            raise SoulError(
                'there is no session "{key}"; "{listing}" lists them', key=wish.session, listing=listing
            )
        known = list(self._readings())
        is_any = not any(wish[:4])
        for reading in known:
            if not reading.is_done and (is_any or reading.wish[:4] == wish[:4]):
                return reading._replace(wish=reading.wish._replace(budget=wish.budget or reading.wish.budget))
        today, taken = self._vault.now().date().isoformat(), {reading.name for reading in known}
        names = (today if n == 1 else f"{today}-{n}" for n in count(1))
        return Reading(next(name for name in names if name not in taken), wish)

    def _left(self, reading: Reading) -> Iterator[_Talk]:
        """Yield the conversations of which something is left to read, of each session in their order."""
        wish, read = reading.wish, _turns_of(reading)
        for session in [wish.session] if wish.session else self._vault.transcripts.sessions():
            settled = self._memory.session(session).flushed
            turns = [turn for turn in self._vault.transcripts.read(session) if turn.n <= settled]
            edges = tuple(before.n for before, turn in pairwise(turns) if _begins(turn, before))
            talks: dict[int, list[Turn]] = {}
            for turn in turns:
                day = turn.at.astimezone(self._vault.zone).date().isoformat()
                is_in_time = wish.since <= day[: len(wish.since)] and (
                    not wish.until or day[: len(wish.until)] <= wish.until
                )
                if is_in_time and turn.id not in read:
                    talks.setdefault(sum(edge < turn.n for edge in edges), []).append(turn)
            for own in talks.values():
                if any(is_owners(turn) and heard(turn) for turn in own):
                    yield _Talk(own, edges)

    def _read_on(self, reading: Reading, llm: Metered, progress: Progress | None) -> Sentence:
        """Read what is left; return why it stopped before the end, if it did."""
        talks = list(self._left(reading))
        for place, talk in enumerate(talks):
            waiting = talk.turns
            while waiting:
                after = waiting[0].n - 1
                failures = sum(
                    part.failed for part in reading.parts if part[:2] == (waiting[0].session, after)
                )
                batch = batch_of(waiting, halvings=min(failures, _HALVINGS))
                waiting = waiting[len(batch) :]
                if not any(map(is_owners, self._flush.in_mind(batch))):
                    continue
                ahead = self._estimate(batch)
                spent = Usage(llm.spent.told + ahead.told, llm.spent.said + ahead.said)
                if self._is_over(reading.wish, llm.model, spent, llm.spent):
                    return USED_UP
                part = PartRead(batch[0].session, after, batch[-1].n, model=llm.model)
                if failures <= _HALVINGS:
                    part, why = self._read(part, batch, talk.edges, reading, llm)
                    if why:
                        return why
                else:
                    self._add(reading.name, "part", part)
                reading = reading._replace(parts=(*reading.parts, part))
            if progress:
                progress(place + 1, len(talks))
        self._add(reading.name, "done", True)
        return NOTHING

    def _read(
        self, part: PartRead, batch: Sequence[Turn], edges: Sequence[int], reading: Reading, llm: Metered
    ) -> tuple[PartRead, Sentence]:
        """Read some turns and keep what they teach, or that it failed; return that, and why."""
        line, before, why = self._memory.line, llm.spent, NOTHING
        try:
            found = self._flush.read_again(llm, batch, edges, _as_memories(reading))
        except BadReply as exc:
            found, part, why = Extraction(), part._replace(failed=True), sentence_of(exc)
        except (LLMError, MissingExtra) as exc:
            return part, sentence_of(exc)
        number = max((each.n for each in reading.found), default=0) + 1
        told = {turn.id: turn.at for turn in batch}
        facts = [fact for fact in found.facts if fact.kind != "summary" and fact.origin != UNTRUSTED]
        facts = [fact for fact in facts if self._memory.judge(fact)[0].outcome != "refused"]
        findings = []
        for n, fact in enumerate(facts, number):
            # What was asked of another assistant is no order here, and what was promised then is over.
            is_order = fact.kind == "instruction" and fact.origin == "imported"
            kept = fact._replace(kind="fact") if is_order else fact
            kept = kept._replace(cues=(), once=False) if kept.once else kept
            findings.append(Finding(n, max(told[turn] for turn in fact.evidence), kept))
        tokens, cost = llm.spent.tokens - before.tokens, llm.spent.cost - before.cost
        is_priced = llm.spent.unpriced == before.unpriced
        part = part._replace(found=tuple(findings), tokens=tokens, cost=cost if is_priced else None)
        self._add(reading.name, "part", part, since=line)
        return part, why

    def _add(self, name: str, kind: str, value: object, *, since: int | None = None) -> None:
        """Add a line to a reading; EditConflict if something was erased *since* a line of the journal."""
        with self._memory.sync.writing(in_any_case=True):
            if since is not None:
                self._vault.need_nothing_erased(since)
            self._vault.documents.add_line(_path(name), line_of(kind, value))

    def _estimate(self, batch: Sequence[Turn]) -> Usage:
        said = [visible(turn) for turn in batch if heard(turn)]
        return Usage(_BESIDES + sum(estimate_tokens(text) + _HEAD for text in said), _ANSWER)

    def _is_over(self, wish: ReadingWish, model: str, usage: Usage, spent: Spent | None = None) -> bool:
        """Say whether so much is more than a budget; SoulError if that is none."""
        if not wish.budget:
            return False
        found = _BUDGET.fullmatch(wish.budget.strip())
        if not found:
            raise SoulError(
                '"{budget}" is no budget; write tokens as 200000 or 200k, or dollars as $2.50',
                budget=wish.budget,
            )
        most = float(found[2].replace(",", "."))
        if not found[1] and found[3].lower() not in ("$", "usd"):
            return usage.told + usage.said > most * (1000 if found[3].lower() == "k" else 1)
        cost = self._costs.price(model, usage)
        if cost is None:
            raise SoulError(
                "what {model} costs is not known; give the budget in tokens, or set llm.prices", model=model
            )
        return max(cost, spent.cost if spent else 0.0) > most

    def _readings(self) -> Iterator[Reading]:
        """Yield the readings, the latest first."""
        names = [
            name for name in self._vault.documents.names(READINGS.rstrip("/")) if name.endswith(".jsonl")
        ]
        plain = [name.rpartition("/")[2].removesuffix(".jsonl") for name in names]
        for name in sorted(plain, key=lambda each: (each[:10], len(each), each), reverse=True):
            yield reading_in(name, self._vault.read(_path(name)).raw)

    def _reading(self, name: str) -> Reading:
        known = list(self._readings())
        found = next((reading for reading in known if name in ("", reading.name)), None)
        if found is None:
            names = ", ".join(reading.name for reading in known) or "–"
            raise NotFound('nothing was read again as "{name}"; there is: {names}', name=name, names=names)
        return found


def _path(name: str) -> str:
    return f"{READINGS}{name}.jsonl"


def _begins(turn: Turn, before: Turn) -> bool:
    """Say whether another conversation begins with a turn; an import has many of a month, one by one."""
    return TITLE in turn.more or not timedelta() <= turn.at - before.at < _PAUSE


def _batches(turns: list[Turn]) -> Iterator[list[Turn]]:
    while turns:
        batch = batch_of(turns, halvings=0)
        turns = turns[len(batch) :]
        yield batch


def _turns_of(reading: Reading) -> set[str]:
    """Return the ids of the turns that were read."""
    return {f"{part.session}#{n}" for part in reading.read for n in range(part.after + 1, part.to + 1)}


def _as_memories(reading: Reading) -> list[Memory]:
    """Return what was found so far as what is known, without what a later turn replaced or said again."""
    over = {each.fact.of for each in reading.found if each.fact.act in ("replaces", "ends")}
    return [
        Memory(
            each.name, fact.key, fact.value, "fact", "auto", fact.origin, each.told, each.told, each.told
        )._replace(evidence=fact.evidence, dated=fact.dated, support=fact.support, seq=each.n)
        for each in reading.found
        if (fact := each.fact).kind in OWN_PASSAGE and each.name not in over and fact.act != "renews"
    ]


def _state(reading: Reading) -> ReadingState:
    costs = [part.cost for part in reading.parts if part.tokens]
    known = [cost for cost in costs if cost is not None]
    return ReadingState(
        reading.name,
        reading.wish,
        tuple(reading.models),
        sum(part.to - part.after for part in reading.read),
        len(reading.found),
        reading.tokens,
        sum(known) if len(known) == len(costs) else None,
        reading.is_done,
    )


def _summed(usages: Sequence[Usage]) -> Usage:
    return Usage(sum(each.told for each in usages), sum(each.said for each in usages))


def _crosswise(found: list[list[Finding]]) -> list[tuple[list[Finding], list[Finding]]]:
    return [(found[0], found[1]), (found[1], found[0])]


def _is_in(finding: Finding, others: Sequence[Finding]) -> bool:
    """Say whether one of the others tells the same, of the same turns if in other words."""
    own, turns = finding.fact.value, set(finding.fact.evidence)
    return any(
        same_value(own) == same_value(each.fact.value)
        or (turns.intersection(each.fact.evidence) and tell_the_same(own, each.fact.value))
        for each in others
    )


def _text(finding: Finding) -> str:
    fact = finding.fact
    return f"{fact.key}: {fact.value}" if fact.key else fact.value

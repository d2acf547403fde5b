"""What reading conversations again would change: each finding is weighed against what is known now.

Nothing is kept of that: whoever asks again sees the memory as it is by then, and what was accepted is known.
A turn that was said before a memory replaces nothing of it: it tells how it was earlier.
"""

from collections.abc import Collection, Iterator, Sequence

from almario.domain.events import MemoriesChanged
from almario.domain.memories import (
    UNTRUSTED,
    Change,
    Memory,
    Wanted,
    has_ended,
    same_value,
    state_at,
)
from almario.domain.records import written
from almario.domain.relearned import ALL, SORTS, Difference, Differing, Sort, TakenUp
from almario.domain.words import SMALL, index_terms
from almario.errors import SoulError
from almario.memory.admission import Admission, Judged, superseding
from almario.memory.episodes import Episodes
from almario.memory.ledger import LEAST_ID
from almario.memory.rules.admission import Proposed, are_about_the_same, is_guess, since_when
from almario.memory.rules.findings import FoundFact, ReadingFile
from almario.memory.rules.ledger_models import GONE
from almario.memory.rules.provenance import rests_on
from almario.memory.rules.sameness import swallows
from almario.memory.writer import MemoryWriter, Pending, Write
from almario.named_tuples import NamedTuple

# What is taken up only by its own name.
NAMED_ALONE = ("gone", "withheld")
# The share of words two texts must have in common to say the same.
_ALIKE = 0.5


class _Weighed(NamedTuple):
    """A finding, the memory it is or would be, and what that means."""

    finding: FoundFact
    memory: str
    sort: Sort
    beside: tuple[Memory, ...] = ()

    @property
    def is_made(self) -> bool:
        return self.sort in SORTS and self.sort not in NAMED_ALONE


class Weighing:
    """Weighs what a reading found, and takes up what the owner accepts."""

    def __init__(self, writer: MemoryWriter, admission: Admission, episodes: Episodes) -> None:
        self._writer = writer
        self._ledger = writer.ledger
        self._admission = admission
        self._episodes = episodes

    def difference(self, reading: ReadingFile, *, withheld: bool = False) -> Difference:
        """Say what a reading would change, and what is *withheld* if that is wanted."""
        pending = Pending(self._writer, self._writer.vault.now())
        found = self._difference(reading, list(self._weigh(reading, pending)), pending)
        kept = (item for item in found.items if withheld or item.sort != "withheld")
        return found._replace(items=tuple(kept))

    def accept(self, write: Write, reading: ReadingFile, wanted: Sequence[str]) -> TakenUp:
        """Take up what is wanted by its names, or all but what is gone, in one line of the journal."""
        pending = Pending(self._writer, write.now)
        weighed = list(self._weigh(reading, pending))
        items = {item.name: item for item in self._difference(reading, weighed, pending).items}
        names = set(chosen(wanted, items.values()))
        gone = [items[name].memory for name in names if items[name].sort == "gone"]
        taken = {int(name) for name in names if items[name].sort == "withheld"}
        if ALL not in wanted or taken:  # what says again what is wanted, too
            ids = {each.memory for each in weighed if each.is_made and str(each.finding.n) in names}
            only = taken | {each.finding.n for each in weighed if each.memory in ids}
            whole = {each.finding.n: pending.named(each.memory) for each in weighed}
            pending = Pending(self._writer, write.now)
            weighed = list(self._weigh(reading, pending, only, taken))
            for each in weighed:
                _end_as(whole[each.finding.n], pending.named(each.memory), pending)
        changed = {
            change["id"]
            for change in pending.changes
            if change.get("set") or not self._rests_on(change["id"], change.get("evidence", ()))
        }
        changes = [change for change in pending.changes if change["id"] in changed]
        changes += [{"id": memory.id, "set": {"state": "retired"}} for memory in gone]
        if not changes:
            raise SoulError("nothing would change")
        body = MemoriesChanged("accepted", tuple(changes))
        write.commit(body, actor="owner", filings=pending.filings)
        self._episodes.take_out(write, gone)
        made = dict.fromkeys(each.memory for each in weighed if each.is_made)
        known = self._ledger.memory
        line = known(changes[0]["id"]).seq
        return TakenUp(tuple(map(known, made)), tuple(known(memory.id) for memory in gone), line)

    def _difference(self, reading: ReadingFile, weighed: Sequence[_Weighed], pending: Pending) -> Difference:
        made = {each.memory for each in weighed if each.is_made}
        items = [_item(each, made, pending) for each in weighed if each.is_made]
        items += [Differing(each.id, "gone", each) for each in self._gone(reading, weighed, pending)]
        alike = [each.finding for each in weighed if each.sort == "withheld"]
        items += [Differing(str(each.n), "withheld", each.as_memory) for each in alike]
        items.sort(key=lambda item: SORTS.index(item.sort))
        known = [each.memory in made for each in weighed if each.sort == "same"]
        return Difference(
            reading.name,
            tuple(items),
            same=known.count(False),
            past=sum(each.sort in ("past", "withheld") for each in weighed),
            withheld=len(alike),
            again=known.count(True),
            declined=len(reading.found) - len(weighed),
            dropped=sum(part.dropped for part in reading.parts),
        )

    def _weigh(
        self,
        reading: ReadingFile,
        pending: Pending,
        only: Collection[int] | None = None,
        taken: Collection[int] = (),
    ) -> Iterator[_Weighed]:
        """Judge each finding, or *only* these, after those before it.

        What was turned down does not count, and neither does what says it again. What is *taken*, the owner
        wants though it is like something forgotten.
        """
        became: dict[str, str] = {}
        declined = {f"f{name}" for name in reading.declined}
        out, forgotten = self._ledger.out_of_mind(), self._forgotten()
        for part in reading.parts:
            pending.next_breath()
            for finding in part.found:
                fact = finding.fact
                if fact.act == "renews" and fact.of in declined:
                    declined.add(finding.name)
                is_wanted = (only is None or finding.n in only) and finding.name not in declined
                if not is_wanted or not out.isdisjoint(fact.evidence):
                    continue
                finding = finding._replace(fact=fact._replace(of=became.get(fact.of, fact.of)))  # noqa: PLW2901
                if found := self._judged(finding, pending, [] if finding.n in taken else forgotten):
                    became[finding.name] = found.memory
                    yield found

    def _judged(self, finding: FoundFact, pending: Pending, forgotten: Sequence[Memory]) -> _Weighed | None:
        fact = finding.fact
        if past := self._past(finding, pending):
            return _Weighed(finding, past.id, "past")
        if alike := next((each for each in forgotten if say_the_same(fact.value, each.value)), None):
            return _Weighed(finding, alike.id, "withheld")
        touched = self._admission.touched(fact, pending)
        later = touched if touched and finding.told < since_when(touched) else None
        if known := _known(fact, later, pending):
            change: Change = {"id": known.id, "set": {}, "evidence": [*fact.evidence], "said": fact.value}
            pending.add(change, known)
            return _Weighed(finding, known.id, "same")
        judged = self._admission.judge(fact._replace(act="", of="") if later else fact, pending)
        if judged.outcome in ("new", "superseded"):
            rival = touched if fact.act in ("replaces", "ends") else None
            return self._made(finding, judged, rival, pending)
        if not judged.id:
            return None
        memory = pending.named(judged.id)
        is_expired = state_at(memory, pending.now, self._ledger.lifetimes) == "expired"
        if is_expired:  # it comes back
            pending.add({"id": memory.id, "set": {"renewed": written(pending.now)}}, memory)
        return _Weighed(finding, memory.id, "new" if is_expired else "same")

    def _made(self, finding: FoundFact, judged: Judged, rival: Memory | None, pending: Pending) -> _Weighed:
        # It counts from the day on which it was said; what is accepted today is in use from today.
        dates = {"at": written(finding.told), "renewed": written(pending.now)}
        pending.add({"id": judged.id, "set": dates}, pending.named(judged.id))
        memory = pending.named(judged.id)
        if judged.replaced:
            for each in map(pending.left, judged.replaced):
                _end_by(finding, each, pending)
            return _Weighed(finding, memory.id, "changed", judged.replaced)
        if rival and not are_about_the_same(finding.fact, rival):
            rival = None
        if rival and finding.told < since_when(rival):
            pending.add(superseding(memory, rival.id, since_when(rival)), memory)
            return _Weighed(finding, memory.id, "earlier", (rival,))
        return _Weighed(finding, memory.id, "contradicted" if rival else "new", (rival,) if rival else ())

    def _past(self, finding: FoundFact, pending: Pending) -> Memory | None:
        """Return the memory out of use that says what was found; one whose making was undone never was.

        What ended or was replaced before it was said may hold again, unless it rests on the same turns.
        """
        value, turns = self._admission.as_kept(finding.fact), finding.fact.evidence
        for memory in self._ledger.table.select(Wanted(value=same_value(value))):
            state = state_at(memory, pending.now, self._ledger.lifetimes)
            is_later = finding.told >= (memory.valid_to or pending.now)
            is_over = state in ("superseded", "ended") and (
                not is_later or set(memory.evidence).issuperset(turns)
            )
            is_undone = self._ledger.table.history(memory=memory.id)[-1].verb == "undone"
            if (is_over or state == "retired") and not is_undone:
                return memory
        return None

    def _forgotten(self) -> list[Memory]:
        ids = {each.change["id"] for each in self._ledger.table.history(verbs=GONE)}
        found = self._ledger.table.select(Wanted(ids=tuple(ids), states=("retired",))) if ids else []
        return [memory for memory in found if not self._ledger.is_erased(memory)]

    def _gone(self, reading: ReadingFile, weighed: Sequence[_Weighed], pending: Pending) -> list[Memory]:
        """Return what was learned from the turns that were read alone, and was not found in them again."""
        found = {each.memory for each in weighed} | reading.declined
        found |= {memory.id for each in weighed for memory in each.beside}
        read = reading.turns
        return [
            memory
            for memory in self._ledger.live(pending.now)
            if memory.id not in found
            and memory.evidence
            and read.issuperset(memory.evidence)
            and memory.source == "auto"
            and memory.kind != "summary"
            and memory.origin != UNTRUSTED
        ]

    def _rests_on(self, memory_id: str, turns: Collection[str]) -> bool:
        return not turns or set(self._ledger.memory(memory_id).evidence).issuperset(turns)


def _item(weighed: _Weighed, made: Collection[str], pending: Pending) -> Differing:
    memory, sort, beside = pending.named(weighed.memory), weighed.sort, weighed.beside
    if memory.by in made:
        sort, beside = "earlier", (pending.named(memory.by),)
    elif sort == "changed" and all(each.id in made for each in beside):
        sort, beside = "new", ()
    return Differing(str(weighed.finding.n), sort, memory, beside, is_guess(memory))


def _end_by(finding: FoundFact, memory: Memory, pending: Pending) -> None:
    """End what a finding replaced by the day on which that was said, even if it was to begin later."""
    if memory.state == "superseded" and memory.valid_to and finding.told < memory.valid_to:
        pending.add(superseding(memory, memory.by, finding.told), memory)


def _end_as(whole: Memory, memory: Memory, pending: Pending) -> None:
    """End what stands alone as the *whole* reading does: what was so earlier is not so now."""
    if whole.state == "superseded" and whole.valid_to and memory.is_live:
        pending.add({"id": memory.id, "set": {"valid_to": written(whole.valid_to)}}, memory)


def _known(fact: Proposed, later: Memory | None, pending: Pending) -> Memory | None:
    """Return what says already what was found: it was said *later*, or is over and was just found, too."""
    if later and fact.act == "renews" and not swallows(later.value, fact.value):
        return later
    alike = pending.earlier(Wanted(value=same_value(fact.value)))
    return next((each for each in alike if has_ended(each, pending.now)), None)


def chosen(wanted: Sequence[str], items: Collection[Differing]) -> Iterator[str]:
    """Yield the names of differences that are wanted: numbers, beginnings of ids, or all but NAMED_ALONE."""
    for wish in wanted:
        if wish == ALL:
            yield from (item.name for item in items if item.sort not in NAMED_ALONE)
            continue
        exact = [item.name for item in items if item.name == wish]
        begin = [each.name for each in items if len(wish) >= LEAST_ID and each.name.startswith(wish)]
        if len(found := exact or begin) != 1:
            raise SoulError('"{name}" is no difference of this reading', name=wish)
        yield found[0]


def say_the_same(one: str, other: str) -> bool:
    """Return whether one of two texts tells all that the other does."""
    stated, known = (set(index_terms(text)) - SMALL for text in (one, other))
    if len(stated & known) < _ALIKE * min(len(stated), len(known)):
        return False
    return rests_on(one, [other]) or rests_on(other, [one])

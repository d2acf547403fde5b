"""What reading conversations again would change: each finding is weighed against what is known now.

Nothing is kept of that: whoever asks again sees the memory as it is by then, and what was accepted is known.
A turn that was said before a memory replaces nothing of it: it tells how it was earlier.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, get_args

from almario.domain.events import Cued, MemoriesChanged
from almario.domain.memories import (
    IN_FILES,
    MIRRORED,
    UNTRUSTED,
    Change,
    Memory,
    Wanted,
    has_ended,
    same_value,
    state_at,
)
from almario.domain.records import Ref, written
from almario.domain.words import SMALL, index_terms
from almario.errors import SoulError
from almario.memory.admission import Admission, Judged, superseding
from almario.memory.cueing import Cueing
from almario.memory.episodes import Episodes
from almario.memory.keeping import Keeping, Pending, Write
from almario.memory.ledger import LEAST_ID
from almario.memory.rules.admission import Proposed, since_when, speak_of_one_thing
from almario.memory.rules.findings import Finding, Reading
from almario.memory.rules.ledger_models import GONE
from almario.memory.rules.provenance import rests_on
from almario.memory.rules.rivals import replaced
from almario.memory.rules.sameness import swallows
from almario.named_tuples import NamedTuple

# What is not known; what takes the place of something that is, or contradicts it and stands beside it; what
# was so before it; what was not found again. What is known, or is out of use since, is not offered.
Sort = Literal["new", "changed", "contradicted", "earlier", "gone", "same", "past"]
SORTS: tuple[Sort, ...] = get_args(Sort)[:-2]
ALL = "all"
# So many of a text's words are in another that may say the same.
_ALIKE = 0.5


class Differing(NamedTuple):
    """One difference: its *name* is what it is accepted by, *memory* what would be, or is not found again.

    *beside* is what it replaces or contradicts, or what came after it.
    """

    name: Ref
    sort: Sort
    memory: Memory
    beside: tuple[Memory, ...] = ()


class Difference(NamedTuple):
    """What a reading would change; of its findings, *same* are known, and *past* out of use since.

    The latter were forgotten, ended or replaced, and are not offered.
    """

    name: Ref
    items: tuple[Differing, ...] = ()
    same: int = 0
    past: int = 0


class TakenUp(NamedTuple):
    """What was accepted: memories that are new or changed, those that are gone, and the line that says so."""

    memories: tuple[Memory, ...]
    gone: tuple[Memory, ...]
    line: int


class _Weighed(NamedTuple):
    """A finding, the memory it is or would be, and what that means."""

    finding: Finding
    memory: str
    sort: Sort
    beside: tuple[Memory, ...] = ()


class Weighing:
    """Weighs what a reading found, and takes up what the owner accepts."""

    def __init__(self, keeping: Keeping, admission: Admission, episodes: Episodes, cueing: Cueing) -> None:
        self._keeping = keeping
        self._ledger = keeping.ledger
        self._admission = admission
        self._episodes = episodes
        self._cueing = cueing

    def difference(self, reading: Reading, turns: Collection[str]) -> Difference:
        """Say what a reading of these turns would change."""
        pending = Pending(self._keeping, self._keeping.vault.now())
        weighed = list(self._weigh(reading, pending))
        made = {each.memory for each in weighed if each.sort in SORTS}
        items = [self._item(each, made, pending) for each in weighed if each.sort in SORTS]
        items += [Differing(each.id, "gone", each) for each in self._gone(reading, turns, weighed, pending)]
        items.sort(key=lambda item: SORTS.index(item.sort))
        same = sum(each.sort == "same" and each.memory not in made for each in weighed)
        past = sum(each.sort == "past" for each in weighed)
        return Difference(reading.name, tuple(items), same, past)

    def _item(self, weighed: _Weighed, made: Collection[str], pending: Pending) -> Differing:
        """Return a difference: what replaces only what was found before it is new, and the other earlier."""
        memory, sort, beside = pending.named(weighed.memory), weighed.sort, weighed.beside
        if memory.by in made:
            sort, beside = "earlier", (pending.named(memory.by),)
        elif sort == "changed" and all(each.id in made for each in beside):
            sort, beside = "new", ()
        return Differing(str(weighed.finding.n), sort, memory, beside)

    def accept(
        self, write: Write, reading: Reading, turns: Collection[str], wanted: Sequence[str]
    ) -> TakenUp:
        """Take up what is wanted by its names, or all but what is gone, in one line of the journal."""
        items = {item.name: item for item in self.difference(reading, turns).items}
        names = set(chosen(wanted, items.values()))
        gone = [items[name].memory for name in names if items[name].sort == "gone"]
        pending = Pending(self._keeping, write.now)
        only = None if ALL in wanted else self._with_repeats(reading, names)
        weighed = list(self._weigh(reading, pending, only))
        changes = [change for change in pending.changes if self._changes(change)]
        changes += [{"id": memory.id, "set": {"state": "retired"}} for memory in gone]
        if not changes:
            raise SoulError("nothing would change")
        body = MemoriesChanged("accepted", tuple(changes), cues=self._cues(weighed))
        write.commit(body, actor="owner", filings=pending.filings)
        self._episodes.take_out(write, gone)
        made = dict.fromkeys(each.memory for each in weighed if each.sort in SORTS)
        line = write.appender.last.seq if write.appender.last else 0
        return TakenUp(
            tuple(map(self._ledger.memory, made)), tuple(self._ledger.memory(m.id) for m in gone), line
        )

    def _weigh(
        self, reading: Reading, pending: Pending, only: Collection[int] | None = None
    ) -> Iterator[_Weighed]:
        """Judge each finding, or *only* these, after those before it; what was turned down does not count."""
        became: dict[str, str] = {}
        made: set[str] = set()
        out, forgotten = self._ledger.out_of_mind(), self._forgotten()
        for part in reading.parts:
            pending.next_breath()
            for finding in part.found:
                is_wanted = only is None or finding.n in only
                is_turned_down = str(finding.n) in reading.declined
                if not is_wanted or is_turned_down or not out.isdisjoint(finding.fact.evidence):
                    continue
                fact = finding.fact._replace(of=became.get(finding.fact.of, finding.fact.of))
                found = self._judged(finding._replace(fact=fact), pending, made, forgotten)
                if found:
                    became[finding.name] = found.memory
                    made |= {found.memory} if found.sort in SORTS else set()
                    yield found

    def _judged(
        self, finding: Finding, pending: Pending, made: Collection[str], forgotten: Sequence[Memory]
    ) -> _Weighed | None:
        fact = finding.fact
        if past := self._past(finding, pending, forgotten):
            return _Weighed(finding, past.id, "past")
        touched = self._admission.touched(fact, pending)
        later = touched if touched and finding.told < since_when(touched) else None
        if known := self._known(fact, later, pending):
            change: Change = {"id": known.id, "set": {}, "evidence": [*fact.evidence], "said": fact.value}
            pending.add(change, known)
            return _Weighed(finding, known.id, "same")
        judged = self._admission.judge(fact._replace(act="", of="") if later else fact, pending)
        if judged.outcome in ("new", "superseded"):
            rival = touched if fact.act in ("replaces", "ends") else None
            return self._made(finding, judged, rival, pending)
        is_back = judged.id and judged.id not in made and self._is_expired(judged.id, pending)
        return _Weighed(finding, judged.id, "new" if is_back else "same") if judged.id else None

    def _known(self, fact: Proposed, later: Memory | None, pending: Pending) -> Memory | None:
        """Return what says already what was found: said *later*, or over and just found too."""
        if later and fact.act == "renews" and not swallows(later.value, fact.value):
            return later
        alike = pending.earlier(Wanted(value=same_value(fact.value)))
        return next((each for each in alike if has_ended(each, pending.now)), None)

    def _made(self, finding: Finding, judged: Judged, rival: Memory | None, pending: Pending) -> _Weighed:
        """Date what is made, and say what it means: it may tell what was so before its *rival*."""
        memory = pending.named(judged.id)
        # It counts from the day on which it was said; what is accepted today is in use from today.
        dated: Change = {
            "id": memory.id,
            "set": {"at": written(finding.told), "renewed": written(pending.now)},
        }
        pending.add(dated, memory)
        if judged.replaced:
            return _Weighed(finding, memory.id, "changed", judged.replaced)
        if rival and not speak_of_one_thing(finding.fact, rival):
            rival = None
        if rival and finding.told < since_when(rival):
            over = max(rival.valid_from, memory.valid_from)
            pending.add(superseding(memory, rival.id, over), memory)
            return _Weighed(finding, memory.id, "earlier", (rival,))
        rival = rival or self._rival(pending.named(memory.id), pending)
        return _Weighed(finding, memory.id, "contradicted" if rival else "new", (rival,) if rival else ())

    def _is_expired(self, memory_id: str, pending: Pending) -> bool:
        return not self._ledger.is_live(self._ledger.memory(memory_id), pending.now)

    def _past(self, finding: Finding, pending: Pending, forgotten: Sequence[Memory]) -> Memory | None:
        """Return the memory out of use that says what was found; one whose making was undone never was.

        What ended or was replaced before it was said may hold again.
        """
        value = finding.fact.value
        for memory in self._ledger.table.select(Wanted(value=same_value(value))):
            state = state_at(memory, pending.now, self._ledger.lifetimes)
            is_over = state in ("superseded", "ended") and finding.told < (memory.valid_to or pending.now)
            is_undone = self._ledger.table.history(memory=memory.id)[-1].verb == "undone"
            if (is_over or state == "retired") and not is_undone:
                return memory
        return next((each for each in forgotten if tell_the_same(value, each.value)), None)

    def _forgotten(self) -> list[Memory]:
        ids = {each.change["id"] for each in self._ledger.table.history(verbs=GONE)}
        found = self._ledger.table.select(Wanted(ids=tuple(ids), states=("retired",))) if ids else []
        return [memory for memory in found if not self._ledger.is_erased(memory)]

    def _rival(self, memory: Memory, pending: Pending) -> Memory | None:
        """Return a memory in use that seems to tell another value of the same thing."""
        if not memory.key or memory.kind not in MIRRORED:
            return None
        wanted = Wanted(keys=self._admission.group(memory.key), kinds=MIRRORED)
        others = [each for each in pending.live(wanted) if each.id != memory.id and each.origin != UNTRUSTED]
        found = replaced([*others, memory], pending.now, are_apart=self._ledger.are_apart)
        older = next((each for each in others if found.get(each.id) == memory), None)
        return found.get(memory.id) or older

    def _gone(
        self, reading: Reading, turns: Collection[str], weighed: Sequence[_Weighed], pending: Pending
    ) -> list[Memory]:
        """Return what was learned from these turns alone, and was not found in them again."""
        found = {each.memory for each in weighed} | reading.declined
        found |= {memory.id for each in weighed for memory in each.beside}
        read = set(turns)
        return [
            memory
            for memory in self._ledger.live(pending.now)
            if memory.evidence
            and memory.id not in found
            and memory.source == "auto"
            and memory.kind != "summary"
            and memory.origin != UNTRUSTED
            and read.issuperset(memory.evidence)
        ]

    def _with_repeats(self, reading: Reading, names: Collection[str]) -> set[int]:
        """Return the numbers of findings, and of those that say the same again."""
        weighed = list(self._weigh(reading, Pending(self._keeping, self._keeping.vault.now())))
        wanted = {each.memory for each in weighed if str(each.finding.n) in names}
        return {each.finding.n for each in weighed if each.memory in wanted}

    def _changes(self, change: Change) -> bool:
        """Say whether a change is one."""
        if change.get("set"):
            return True
        known = set(self._ledger.memory(change["id"]).evidence)
        return not known.issuperset(change.get("evidence", ()))

    def _cues(self, weighed: Sequence[_Weighed]) -> tuple[Cued, ...]:
        """Return the cues of what is made."""
        found: dict[str, Cued] = {}
        for each in weighed:
            fact = each.finding.fact
            if fact.cues and each.sort in SORTS and fact.kind not in IN_FILES:
                found.setdefault(each.memory, Cued(each.memory, self._cueing.fit(fact.cues, fact.value)))
        return tuple(found.values())


def chosen(wanted: Sequence[str], items: Collection[Differing]) -> Iterator[str]:
    """Yield the names of differences that are wanted: numbers, beginnings of ids, or all but what is gone."""
    for wish in wanted:
        if wish == ALL:
            yield from (item.name for item in items if item.sort != "gone")
            continue
        exact = [item.name for item in items if item.name == wish]
        begin = [each.name for each in items if len(wish) >= LEAST_ID and each.name.startswith(wish)]
        if len(found := exact or begin) != 1:
            raise SoulError('"{name}" is no difference of this reading', name=wish)
        yield found[0]


def tell_the_same(one: str, other: str) -> bool:
    """Say whether one of two texts tells all that the other does."""
    said, known = (set(index_terms(text)) - SMALL for text in (one, other))
    if len(said & known) < _ALIKE * min(len(said), len(known)):
        return False
    return rests_on(one, [other]) or rests_on(other, [one])

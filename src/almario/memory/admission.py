"""Admission: what becomes of a fact that asks to be remembered, and its receipt.

Redact, then judge by words (see `memory.rules.admission`), then enter what follows
in one journal line. Nothing is dropped in silence.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from almario.domain.documents.daily import entry_text
from almario.domain.events import Actor, Cued, MemoriesChanged, Verb
from almario.domain.memories import (
    CORRECTION,
    IN_FILES,
    KINDS,
    MIRRORED,
    ORIGINS,
    OUT_OF_USE,
    OWN_PASSAGE,
    SOURCES,
    TRUSTED,
    UNTRUSTED,
    YEARS,
    AnyKind,
    Change,
    Kind,
    Memory,
    Wanted,
    applied,
    read_field,
    same_key,
    same_value,
    split_fact,
)
from almario.domain.messages import Sentence, Words
from almario.domain.places import HOME, WORK, place_of
from almario.domain.plain_text import is_unicode
from almario.domain.plans import is_plan, is_planned
from almario.domain.records import written
from almario.domain.validity import bounds, next_time, read
from almario.domain.withheld import left_out, named_kinds
from almario.errors import SoulError
from almario.memory.rules.admission import (
    ALIASES,
    Admitted,
    Decision,
    Proposed,
    decide,
    is_surer,
    may_end,
    renewal,
    unfit,
)
from almario.memory.rules.dating import dated_fact, may_come_again, says_more
from almario.memory.rules.sources import filing_of
from almario.memory.settings import MemorySettings
from almario.memory.told_of_home import told_of_home
from almario.memory.writer import MemoryWriter, Pending, Write
from almario.named_tuples import NamedTuple
from almario.text.timewords import no_such_day

if TYPE_CHECKING:
    from almario.text.redaction import Redacted, Redactor

# A fact that is mostly secret is not worth keeping without it.
_MOST = 0.5
_NO_SUCH_DAY = "there is no {day}: it is kept as you put it, without a date"


class Receipt(NamedTuple):
    """What became of something that was to be remembered.

    *outcome* is `new`, `renewed`, `linked` (said before in other words),
    `superseded` (takes the place of *replaced*) or `refused`; *told* says it
    in a sentence.
    """

    outcome: Admitted
    memory: Memory | None
    told: tuple[Sentence, ...]
    replaced: tuple[Memory, ...] = ()


class Judged(NamedTuple):
    """What is going to become of a fact: its receipt before it is written; *id* is the memory it is then."""

    outcome: Admitted
    id: str = ""
    notices: tuple[Sentence, ...] = ()
    replaced: tuple[Memory, ...] = ()


class Admission:
    """Lets facts into the ledger, the same way for every writer."""

    def __init__(self, writer: MemoryWriter, settings: MemorySettings, redact: "Redactor") -> None:
        self._writer = writer
        self._ledger = writer.ledger
        self._redact = redact

    def group(self, key: str) -> tuple[str, ...]:
        """Return a key and those that mean the same, as they are compared."""
        plain = same_key(key)
        return tuple(sorted(next((group for group in ALIASES if plain in group), (plain,))))

    def twins(self, memory: Memory, now: datetime) -> list[Memory]:
        """Return the other memories in use that say the very same."""
        if memory.origin == UNTRUSTED or memory.kind in IN_FILES:
            return []
        wanted = Wanted(keys=self.group(memory.key), values=(same_value(memory.value),))
        found = self._ledger.live(now, wanted)
        return [each for each in found if each.id != memory.id and each.origin != UNTRUSTED]

    def proposed(self, text: str, value: str | None = None, kind: AnyKind = "") -> Proposed:
        """Read a fact from "key: value", from a key and a value, or from plain text."""
        if kind and kind not in (*KINDS, CORRECTION):
            raise SoulError('"{kind}" is not a kind; use {kinds}', kind=kind, kinds=", ".join(KINDS))
        key, value = (" ".join(text.split()), value.strip()) if value is not None else split_fact(text)
        if not value:
            raise SoulError("there is nothing to remember; the text is empty")
        dated = dated_fact("", value, self._writer.vault.now().date(), key=key)
        return Proposed(key, value, kind, dated=dated)

    def admit(self, write: Write, facts: Sequence[Proposed], *, actor: Actor) -> list[Receipt]:
        """Judge some facts and enter what follows from them, in one line: who takes it back, takes all."""
        pending = Pending(self._writer, write.now)
        judged = self.judge_each(facts, pending)
        notices: list[Sentence] = []
        if any(each.id for each in judged):
            known: dict[str, Verb] = {"renewed": "renewed", "linked": "linked"}
            verbs = {known.get(each.outcome, "remembered") for each in judged if each.id}
            verb = verbs.pop() if len(verbs) == 1 else "remembered"
            pairs = zip(judged, facts, strict=True)
            cues = tuple(
                Cued(one.id, fact.cues, once=fact.once) for one, fact in pairs if one.id and fact.cues
            )
            body = MemoriesChanged(verb, pending.changes, cues=cues)
            notices = write.commit(body, actor=actor, filings=pending.filings)
        return self.receipts(judged, [notices] * len(judged))

    def judge_each(self, facts: Sequence[Proposed], pending: Pending) -> list[Judged]:
        """Judge some facts, each after what those before it change."""
        if len(facts) > 1:
            keys = {key: None for fact in facts for key in self.group(fact.key)}
            values = {same_value(fact.value): None for fact in facts}
            turns = {turn: None for fact in facts for turn in fact.evidence}
            pending.expect(Wanted(keys=tuple(keys), values=tuple(values)))
            if turns:
                pending.expect(Wanted(evidence=tuple(turns)))
        return [self.judge(fact, pending) for fact in facts]

    def judge(self, fact: Proposed, pending: Pending) -> Judged:
        """Say what becomes of a fact after what is *pending*, and add it there; nothing is written."""
        fact = self._corrected(fact) if fact.kind == CORRECTION else fact
        key = " ".join(fact.key.split())
        value = entry_text(fact.value) if fact.kind in IN_FILES else fact.value.strip()
        if refusal := _unfit(fact._replace(key=key, value=value), pending.now):
            return Judged("refused", notices=(refusal,))
        hidden = self._redact(value, key)
        fact = fact._replace(key=key and self._redact.whole(key), value=hidden.text, whole=hidden.whole)
        if refusal := self._barred(fact, hidden):
            return Judged("refused", notices=(refusal,))
        decision = self._decide(fact, pending)
        others = (self._decide(fact._replace(of=name), pending).replaced for name in fact.also)
        if more := tuple(each for some in others for each in some if each not in decision.replaced):
            outcome = "superseded" if decision.outcome == "new" else decision.outcome
            decision = decision._replace(outcome=outcome, replaced=(*decision.replaced, *more))
        if hidden.suspected and decision.memory and self._ledger.whole(decision.memory).value != hidden.whole:
            decision = Decision("new")  # alike only in what is told of them
        memory_id = self._enter(fact, decision, pending)
        notices = left_out(hidden.kinds, hidden.suspected)
        is_owners = fact.source == "explicit" and not fact.dated
        if day := no_such_day(fact.value, pending.now.date()) if is_owners else "":
            notices += (Sentence(_NO_SUCH_DAY, day=Words(day)),)
        return Judged(decision.outcome, memory_id, notices, (*decision.replaced, *decision.absorbed))

    def _corrected(self, fact: Proposed) -> Proposed:
        """Return a correction as what it is: the new value of the fact under its key, or an instruction."""
        wanted = Wanted(keys=self.group(fact.key), kinds=MIRRORED, states=("live",), origins=TRUSTED)
        known = self._ledger.table.select(wanted) if fact.key.strip() else []
        if not known:
            return fact._replace(kind="instruction")
        return fact._replace(kind=known[0].kind, act=fact.act or "replaces")

    def _place(self, fact: Proposed) -> str:
        """Return where a fact belongs: where it was said; what was answered from what is of home, there.

        So does what an agent made of a message with which something of home was told.
        """
        if fact.place is not None:
            return fact.place
        place, vault = place_of(fact.evidence), self._writer.vault
        if place == HOME:
            return HOME
        if fact.kind == "instruction" and not self._names(place, fact):
            return WORK  # how the owner wants to be served is about them
        told = told_of_home(fact.evidence, vault.transcripts, self._ledger).values()
        is_of_home = any(turn.role == "assistant" or fact.origin != "owner" for turn in told)
        return HOME if is_of_home else place

    def _names(self, project: str, rule: Proposed) -> bool:
        """Return whether a rule, or the sentence that tells it, names the project in which it was said."""
        from almario.memory.rules.naming import names_project  # noqa: PLC0415 - seldom needed

        said = [turn.text for turn in self._writer.vault.turns(rule.evidence)]
        return names_project(project, rule.value, said)

    def _moved(self, memory: Memory, fact: Proposed) -> dict[str, Any]:
        """Return where a known memory belongs from now on: where the owner says it again, too."""
        place = self._place(fact)
        is_wished = fact.source == "explicit" and (place != HOME or fact.place is not None)
        if not is_wished or memory.place in (place, WORK if fact.place is None else place):
            return {}
        is_both = fact.place is None and memory.place != HOME
        return {"place": WORK if is_both else place}

    def receipts(self, judged: Sequence[Judged], notices: Sequence[Sequence[Sentence]]) -> list[Receipt]:
        """Return the receipts for what was judged and is written now: every memory as it has become."""
        ids = {one: None for each in judged for one in (each.id, *(old.id for old in each.replaced)) if one}
        found = self._ledger.table.select(Wanted(ids=tuple(ids))) if ids else []
        known = {memory.id: memory for memory in found}
        return [
            Receipt(
                each.outcome,
                known[each.id] if each.id else None,
                (*each.notices, *own),
                tuple(known[old.id] for old in each.replaced),
            )
            for each, own in zip(judged, notices, strict=True)
        ]

    def _barred(self, fact: Proposed, hidden: "Redacted") -> Sentence | None:
        if hidden.share > _MOST:
            return Sentence("not stored: most of it is secret ({kinds})", kinds=named_kinds(hidden.kinds))
        if fact.source == "auto" and self._ledger.was_purged(fact.value):
            return Sentence("not stored: it was permanently erased")
        return None

    def _decide(self, fact: Proposed, pending: Pending) -> Decision:
        if fact.kind in IN_FILES:
            return self._decision_on(fact, pending) if fact.kind == "episode" else Decision("new")
        keys = self.group(fact.key)
        same = pending.live(Wanted(keys=keys, kinds=OWN_PASSAGE, values=(same_value(fact.value),)))
        if not same and fact.act == "renews" and (gone := self._gone(fact)):
            return Decision("renewed", gone)
        decision = decide(fact, same, self.touched(fact, pending))
        if fact.evidence and not same and (twin := next(iter(self._alike(fact, pending)), None)):
            replaced = tuple(each for each in decision.replaced if each.id != twin.id)
            if is_surer(fact, twin):
                return Decision("superseded", replaced=replaced, absorbed=(twin,))
            return Decision("linked", twin, replaced)
        if any(memory.id in pending.made for memory in decision.replaced):  # said in one breath, both hold
            return Decision("new")
        return decision

    def _decision_on(self, episode: Proposed, pending: Pending) -> Decision:
        """Judge an episode: a fact of the same messages may tell it already, and a plan may be over by it."""
        value = same_value(episode.value)
        for memory in self._of_the_same_turns(episode, pending, ("episode", *OWN_PASSAGE)):
            if same_value(memory.value) == value:
                return Decision("linked", memory)
        plan = self.touched(episode, pending) if episode.act in ("ends", "replaces") else None
        is_over = plan and may_end(episode, plan)
        return Decision("superseded", replaced=(plan,)) if plan and is_over else Decision("new")

    def touched(self, fact: Proposed, pending: Pending) -> Memory | None:
        """Return the memory that a model says a fact concerns; what was said in one breath with it is none.

        Who names none means the only fact of the same key.
        """
        if not fact.act or not (fact.of or fact.key):
            return None
        wanted = Wanted(ids=(fact.of,), kinds=OWN_PASSAGE, states=("live",))
        if not fact.of:
            wanted = Wanted(keys=self.group(fact.key), kinds=MIRRORED, states=("live",))
        found = self._ledger.table.select(wanted)
        known = [
            memory for memory in map(pending.left, found) if memory.is_live and memory.origin != UNTRUSTED
        ]
        return known[0] if len(known) == 1 else None

    def _gone(self, fact: Proposed) -> Memory | None:
        """Return the memory that a fact renews, if it was put out of use since it was shown: it stays so."""
        wanted = Wanted(ids=(fact.of,), kinds=OWN_PASSAGE, states=OUT_OF_USE)
        found = self._ledger.table.select(wanted) if fact.of else []
        return found[0] if found and fact.origin != UNTRUSTED else None

    def _alike(self, fact: Proposed, pending: Pending) -> list[Memory]:
        """Return what a wish or a tool kept of these messages that says what a learned fact says of a day."""
        if fact.origin == UNTRUSTED:
            return []
        from almario.memory.rules.provenance import rests_on  # noqa: PLC0415 - seldom needed
        from almario.memory.rules.sameness import swallows  # noqa: PLC0415 - seldom needed

        return [
            memory
            for memory in self._of_the_same_turns(fact, pending, OWN_PASSAGE)
            if memory.id not in pending.made
            and not _are_of_two_days(fact, memory)
            and rests_on(fact.value, [memory.value])
            and not swallows(memory.value, fact.value)
        ]

    def _of_the_same_turns(self, fact: Proposed, pending: Pending, kinds: tuple[Kind, ...]) -> list[Memory]:
        if not fact.evidence:
            return []
        found = pending.live(Wanted(kinds=kinds, evidence=fact.evidence))
        turns = set(fact.evidence)
        is_apart = fact.origin == UNTRUSTED
        return [m for m in found if turns & set(m.evidence) and (m.origin == UNTRUSTED) == is_apart]

    def _enter(self, fact: Proposed, decision: Decision, pending: Pending) -> str:
        now = written(pending.now)
        known = decision.memory
        if known and decision.outcome in ("renewed", "linked"):
            fields = renewal(known, fact, now)
            fields |= self._moved(known, fact)
            fields |= {"by": ""} if known.by and known.is_live else {}  # told again, it holds
            if fact.key and not known.key:  # somebody has a word for it
                fields |= {"key": fact.key}
            change: Change = {"id": known.id, "set": fields, "evidence": list(fact.evidence)}
            if decision.outcome == "linked":
                change["said"] = fact.value
            pending.add(change, known)
            for each in decision.replaced:
                pending.add(superseding(each, known.id, pending.now), each)
            return known.id
        new = self._new(fact, pending)
        pending.add(new)
        for each in decision.absorbed:
            from almario.memory.rules.consolidation import joined  # noqa: PLC0415 - seldom needed

            pending.add(joined(applied(None, new, seq=0, at=pending.now), [each]))
            pending.add(superseding(each, new["id"], each.valid_from), each)
        for each in decision.replaced:
            pending.add(self._giving_way(each, new, fact, pending), each)
        return new["id"]

    def _giving_way(self, memory: Memory, new: Change, fact: Proposed, pending: Pending) -> Change:
        """Return what becomes of a memory when another takes its place: until that begins, it holds.

        What was only planned gives way at once, what is said to end on a day ahead after that day, and what
        held all along, by the new word, when that is said.
        """
        stated_at, when = _moment(fact.at, pending.now), read(fact.dated) if fact.act == "ends" else None
        begins = applied(None, new, seq=0, at=pending.now).valid_from
        if when and when.is_ahead(stated_at.date()):
            begins = when.end(stated_at.tzinfo or UTC) or begins
        begins = begins if begins > memory.valid_from else stated_at
        if begins > pending.now and not is_planned(memory, pending.now):
            return {"id": memory.id, "set": {"valid_to": written(begins)}}
        over = min(max(begins, memory.valid_from), memory.valid_to or pending.now, pending.now)
        return superseding(memory, new["id"], over)

    def _new(self, fact: Proposed, pending: Pending) -> Change:
        stated_at = min(_moment(fact.at, pending.now), pending.now)
        # What will be over is no part of a profile.
        default = "profile" if fact.source == "explicit" and not is_plan(fact.dated, stated_at) else "fact"
        fields: dict[str, Any] = {
            "key": fact.key,
            "value": fact.value,
            "kind": fact.kind or default,
            "source": fact.source,
            "origin": fact.origin,
        }
        fields |= {"valid_from": written(stated_at)} if stated_at != pending.now else {}
        fields |= held(fact.dated, stated_at)
        told_on = stated_at.date()
        # Nothing ends by a guess.
        stays = says_more(fact.value, told_on) or may_come_again(fact.value, told_on)
        if fact.kind in IN_FILES or (stays and is_plan(fact.dated, stated_at)):
            fields.pop("valid_to", None)
        fields |= {"support": fact.support} if fact.support is not None else {}
        if (place := self._place(fact)) != place_of(fact.evidence):
            fields["place"] = place
        if fact.kind in IN_FILES:
            at = _moment(fact.at, pending.now)
            text = entry_text(fact.value)
            filing = filing_of(fact.kind, entry_text(fact.whole), at, is_trusted=fact.origin != "untrusted")
            fields |= {"value": text, "path": pending.owe(filing).path}
        change: Change = {"id": new_id(), "set": fields}
        if fact.whole != fact.value:
            change["whole"] = entry_text(fact.whole) if fact.kind in IN_FILES else fact.whole
        if fact.evidence:
            change["evidence"] = list(fact.evidence)
        return change


def _unfit(fact: Proposed, now: datetime) -> Sentence | None:
    for name, word, allowed in (
        ("kind", fact.kind or "fact", KINDS),
        ("source", fact.source, SOURCES),
        ("origin", fact.origin, ORIGINS),
    ):
        if word not in allowed:
            return Sentence("{name} must be one of {allowed}", name=name, allowed=", ".join(allowed))
    if not is_unicode("".join((fact.key, fact.value, *fact.evidence))):
        return Sentence("the text has characters that are not valid Unicode, so it was not stored")
    try:
        _moment(fact.at, now)
    except (ValueError, OverflowError):
        return Sentence("not stored: the date must be between the years {years}", years=YEARS)
    return unfit(fact.key, fact.value, fact.kind, fact.origin)


def _are_of_two_days(fact: Proposed, memory: Memory) -> bool:
    one, other = read(fact.dated), read(memory.dated)
    return bool(one and other and not one.agrees(other))


def _moment(at: datetime | None, now: datetime) -> datetime:
    """Return when something happened, in the owner's zone; now, if that is not known. ValueError if never."""
    if at is None:
        return now
    moment = at.replace(tzinfo=at.tzinfo or now.tzinfo).astimezone(now.tzinfo)
    read_field("valid_from", written(moment))
    return moment


def held(dated: str, stated_at: datetime) -> dict[str, Any]:
    """Return the fields that give a memory its time, as seen from when it was told."""
    validity = read(dated)
    if validity is None:
        return {"dated": dated} if next_time(dated, stated_at.date()) else {}
    since, until = bounds(validity, stated_at.date(), stated_at.tzinfo or UTC)
    ends = {"valid_from": since, "valid_to": until}
    return {"dated": str(validity)} | {name: written(at) for name, at in ends.items() if at}


def new_id() -> str:
    """Return an id that no other memory has."""
    return os.urandom(6).hex()


def superseding(memory: Memory, by: str, at: datetime) -> Change:
    """Return how another memory takes this one's place; what was still to begin held since it was said."""
    begun = {"valid_from": written(min(memory.at, at))} if memory.valid_from > at else {}
    return {"id": memory.id, "set": {"state": "superseded", "by": by, "valid_to": written(at), **begun}}

"""Amending: memories are changed, vouched for, come back or are taken back, and their lines in files too."""

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from almario.domain.events import Actor, MemoriesChanged, Verb
from almario.domain.memories import (
    IN_FILES,
    OWN_PASSAGE,
    SHARED,
    UNTRUSTED,
    Change,
    Memory,
    Origin,
    Wanted,
    applied,
    fields_of,
    same_value,
)
from almario.domain.messages import CommandLine
from almario.domain.places import checked
from almario.domain.proposal import still_valid
from almario.domain.records import written
from almario.domain.validity import Validity, bounds, is_written, read
from almario.domain.withheld import MASK, unmasked
from almario.errors import SoulError
from almario.memory.admission import Admission, held, new_id, superseding
from almario.memory.episodes import Episodes, heir_of
from almario.memory.rules.admission import Proposed, unfit
from almario.memory.rules.ledger_models import SET_ASIDE
from almario.memory.writer import MemoryWriter, Pending, Write
from almario.named_tuples import NamedTuple
from almario.text.redaction import Redactor, digest_of


class Undone(NamedTuple):
    """What an undo changed, and what it left because it has changed since.

    With *kept*, it took back the owner's word on what looked like a secret.
    """

    changed: tuple[Memory, ...]
    left: tuple[Memory, ...]
    kept: bool = False


class Amendment(NamedTuple):
    """What is to be otherwise about a memory; what is empty stays as it is.

    *dated* is its time (see `domain.validity`), *ended* the last day on which it was true. *origin* and
    *evidence* are those of a new *value*, *support* how much of it these say.
    """

    value: str = ""
    dated: str = ""
    ended: str = ""
    shared: bool | None = None
    origin: Origin = "owner"
    evidence: tuple[str, ...] = ()
    # Where it belongs from now on (see `domain.places`); None is where it does.
    place: str | None = None
    support: float | None = None


class Amending:
    """Changes the state of memories, each time in one line of the journal."""

    def __init__(
        self, writer: MemoryWriter, admission: Admission, episodes: Episodes, redact: Redactor
    ) -> None:
        self._writer = writer
        self._now = writer.vault.now
        self._redact = redact
        self._ledger = writer.ledger
        self._zone = writer.vault.zone
        self._admission = admission
        self._episodes = episodes

    def restore(self, write: Write, memory: Memory, *, actor: Actor) -> Memory:
        """Put a memory back into use; what says the very same gives way."""
        if self._ledger.is_erased(memory):
            raise SoulError("memory {id} was permanently erased", id=memory.id)
        if self._ledger.is_live(memory, write.now):
            raise SoulError("memory {id} is already in use", id=memory.id)
        back = {"state": "live", "by": "", "renewed": written(write.now), **self._without_end(write, memory)}
        changes = [self._as_told({"id": memory.id, "set": back}, self._redact.kept())]
        twins = self._admission.twins(memory, write.now)
        changes += [superseding(each, memory.id, write.now) for each in twins]
        owed = self._episodes.owed([memory])
        write.commit(MemoriesChanged("restored", tuple(changes)), actor=actor, filings=owed)
        return self._ledger.memory(memory.id)

    def _without_end(self, write: Write, memory: Memory) -> dict[str, str | None]:
        """Return the time of a memory that holds again: what has ended has no end any more."""
        validity = read(memory.dated)
        if memory.is_live and validity:
            return {"valid_to": None, "dated": str(validity._replace(last="")) if validity.first else ""}
        _, end = bounds(validity, write.now.date(), self._zone) if validity else (None, None)
        return {"valid_to": written(end) if end else None}

    def keep(
        self, write: Write, suspected: Sequence[str], withholding: Callable[[], Sequence[Memory]]
    ) -> None:
        """Take the owner's word that these are no secrets, and let the memories that withhold them say so."""
        digests = tuple(map(digest_of, suspected))
        kept = {*self._redact.kept(), *digests}
        changes = [change for memory in withholding() if (change := self._shown(memory, kept))]
        write.commit(MemoriesChanged("kept", tuple(changes), kept=digests), actor="owner")

    def _shown(self, memory: Memory, kept: Collection[str]) -> Change | None:
        hidden = self._redact(self._ledger.whole(memory).value, memory.key, kept)
        if hidden.text == memory.value:
            return None
        change: Change = {"id": memory.id, "set": {"value": hidden.text}}
        return {**change, "whole": hidden.whole} if hidden.suspected else change

    def share(self, write: Write, memory: Memory, *, shared: bool, actor: Actor) -> Memory:
        """Mark a memory in use as fit to be told to others, or take the mark away from any memory."""
        if shared and not self._ledger.is_live(memory, write.now):
            raise SoulError("memory {id} is out of use, so nobody hears it", id=memory.id)
        audience = SHARED if shared else ""
        if memory.audience == audience:
            already = "memory {id} is already shared" if shared else "memory {id} is not shared"
            raise SoulError(already, id=memory.id)
        change: Change = {"id": memory.id, "set": {"audience": audience}}
        write.commit(MemoriesChanged("shared" if shared else "unshared", (change,)), actor=actor)
        return self._ledger.memory(memory.id)

    def undo(self, write: Write, line: int, *, actor: Actor) -> Undone:
        """Take back a line of the journal where nothing followed it."""
        changes, left = self._ledger.undoing(line)
        digests = self._ledger.kept_by(line)
        kept = frozenset(self._redact.kept()).symmetric_difference(digests)
        changes = tuple(self._as_told(change, kept) for change in changes)
        changes += self._told_otherwise(digests, kept, {change["id"] for change in changes})
        left = tuple(memory for memory in left if memory.id not in {change["id"] for change in changes})
        before = [self._ledger.memory(change["id"]) for change in changes]
        pairs = zip(before, changes, strict=True)
        back = [memory for memory, change in pairs if change["set"].get("state") == "live"]
        if changes or digests or not left:
            aside = self._ledger.used_again().get(line)
            body = MemoriesChanged(SET_ASIDE if aside else "undone", changes, out=tuple(aside or ()), of=line)
            write.commit(body, actor=actor, filings=self._episodes.owed(back))
        after = tuple(self._ledger.memory(memory.id) for memory in before)
        self._episodes.take_out(write, [memory for memory in after if not memory.is_live])
        return Undone(after, left, kept=bool(digests))

    def _told_otherwise(
        self, digests: frozenset[str], kept: frozenset[str], but: Collection[str]
    ) -> tuple[Change, ...]:
        """Return what changes in other memories in use when the owner's word on *digests* is undone."""
        live = self._ledger.table.select(Wanted(states=("live",))) if digests else []
        holding = [each for each in live if each.id not in but and self._holds(each, digests, kept - digests)]
        return tuple(change for each in holding if (change := self._shown(each, kept)))

    def _holds(self, memory: Memory, digests: Collection[str], kept: Collection[str]) -> bool:
        suspected = self._redact(self._ledger.whole(memory).value, memory.key, kept).suspected
        return any(digest_of(each) in digests for each in suspected)

    def _as_told(self, change: Change, kept: Collection[str]) -> Change:
        """Return a change such that what comes back by it tells no more than it may by now."""
        memory = applied(self._ledger.memory(change["id"]), change, seq=0, at=self._now())
        shown = self._shown(memory, kept) if memory.is_live else None
        return {**change, **shown, "set": {**change["set"], **shown["set"]}} if shown else change

    def changes(self, memory: Memory, wanted: Amendment) -> tuple[Change, ...]:
        """Return what makes a memory in use as it is wanted; another text is a memory in its place."""
        _check_times(wanted)
        now = self._now()
        if not self._ledger.is_live(memory, now):
            raise SoulError("memory {id} is out of use", id=memory.id)
        if memory.kind not in OWN_PASSAGE and wanted[:3] != ("", "", ""):
            raise SoulError("memory {id} comes from a file; change it there", id=memory.id)
        fields: dict[str, Any] = {"valid_to": None, **held(wanted.dated, now)} if wanted.dated else {}
        fields |= _ending(memory, wanted, now) if wanted.ended else {}
        fields |= {} if wanted.shared is None else {"audience": SHARED if wanted.shared else ""}
        fields |= {} if checked(wanted.place) in (None, memory.place) else {"place": wanted.place}
        value = self._fit(memory, wanted)
        if not value:
            change: Change = {"id": memory.id, "set": fields, "evidence": list(wanted.evidence)}
            return (change,) if fields else ()
        hidden = self._redact(value, memory.key)
        made = memory._replace(
            by="",
            value=hidden.text,
            origin=wanted.origin,
            audience="",
            at=now,
            renewed=now,
            support=wanted.support,
        )
        renewed: Change = {"id": new_id(), "set": fields_of(made) | {"place": memory.place} | fields}
        renewed["evidence"] = list(dict.fromkeys((*memory.evidence, *wanted.evidence)))
        if hidden.suspected:
            renewed["whole"] = hidden.whole
        return (renewed, superseding(memory, renewed["id"], now))

    def _fit(self, memory: Memory, wanted: Amendment) -> str:
        value = wanted.value.strip()
        if not value or same_value(value) == same_value(memory.value):
            return ""
        if MASK in value and MASK in memory.value:
            parts = self._redact(self._ledger.whole(memory).value, memory.key).suspected
            value = unmasked(value, parts)
        if not value:
            raise SoulError("leave {mask}…] where it is, or write out what stands there", mask=MASK)
        if why := unfit(memory.key, value, memory.kind, wanted.origin):
            raise SoulError(why.text, **why.facts)
        return value

    def amend(self, write: Write, memory: Memory, wanted: Amendment, *, actor: Actor) -> Memory:
        """Make a memory in use as it is wanted; return it, or the one that takes its place."""
        changes = self.changes(memory, wanted)
        if not changes:
            raise SoulError("nothing would change")
        return self.apply(write, changes, actor=actor, verb="amended")[0]

    def apply(self, write: Write, changes: Sequence[Change], *, actor: Actor, verb: Verb) -> list[Memory]:
        """Make those of the changes that can still be made; return what they changed."""
        ids = tuple(change["id"] for change in changes)
        heirs = tuple(str(heir) for change in changes if (heir := change.get("set", {}).get("by")))
        known = {m.id: m for m in self._ledger.table.select(Wanted(ids=(*ids, *heirs)))}
        live = {memory.id for memory in known.values() if self._ledger.is_live(memory, write.now)}
        valid = still_valid(changes, live=live, known=known)
        if not valid:
            return []
        write.commit(MemoriesChanged(verb, tuple(valid)), actor=actor)
        changed = [self._ledger.memory(change["id"]) for change in valid]
        self._episodes.take_out(write, [memory for memory in changed if not memory.is_live])
        return changed

    def confirm(self, write: Write, memory: Memory, *, actor: Actor) -> Memory:
        """Take the owner's word that a memory is right.

        Where it came from is bound when it is written: what was not the owner's gives way to one that is.
        """
        if actor != "owner":
            raise SoulError("only the owner can vouch for memory {id}", id=memory.id)
        if not self._ledger.is_live(memory, write.now):
            sentence = 'memory {id} is out of use; "{restore}" brings it back'
            restore = CommandLine(f"almario memory restore {memory.id}")
            raise SoulError(sentence, id=memory.id, restore=restore)
        if memory.origin == UNTRUSTED:
            return self._trust(write, memory, actor=actor)
        if memory.origin == "owner" or memory.kind in IN_FILES:
            fields = {"renewed": written(write.now), "source": "explicit", "by": ""}
            write.commit(MemoriesChanged("renewed", ({"id": memory.id, "set": fields},)), actor=actor)
            return self._ledger.memory(memory.id)
        made = memory._replace(origin="owner", source="explicit", renewed=write.now, support=None, by="")
        heir: Change = {"id": new_id(), "set": fields_of(made), "evidence": list(memory.evidence)}
        changes = (heir, superseding(memory, heir["id"], write.now))
        write.commit(MemoriesChanged("trusted", changes), actor=actor)
        return self._ledger.memory(heir["id"])

    def reject(self, write: Write, memory: Memory, *, actor: Actor) -> Memory:
        """Take a memory out of use on the owner's word that it is wrong; what was said stays."""
        if not self._ledger.is_live(memory, write.now):
            raise SoulError("memory {id} is out of use", id=memory.id)
        return self.apply(
            write, [{"id": memory.id, "set": {"state": "retired"}}], actor=actor, verb="rejected"
        )[0]

    def _trust(self, write: Write, memory: Memory, *, actor: Actor) -> Memory:
        """Put the owner's memory in the place of a stranger's, and return it."""
        pending = Pending(self._writer, write.now)
        heir = (
            self._filed(write, memory, pending) if memory.kind in IN_FILES else self._judged(memory, pending)
        )
        pending.add(superseding(memory, heir, write.now), memory)
        body = MemoriesChanged("trusted", pending.changes)
        write.commit(body, actor=actor, filings=pending.filings)
        return self._ledger.memory(heir)

    def _judged(self, memory: Memory, pending: Pending) -> str:
        """Let the fact in as the owner's, by the same rules as any other; return the id it has then."""
        fact = Proposed(
            memory.key,
            memory.value,
            memory.kind,
            evidence=memory.evidence,
            at=memory.at,
            dated=memory.dated,
            place=memory.place,
        )
        judged = self._admission.judge(fact, pending)
        if not judged.id:
            raise SoulError("memory {id} cannot be trusted: {why}", id=memory.id, why=judged.notices[0])
        return judged.id

    def _filed(self, write: Write, memory: Memory, pending: Pending) -> str:
        """Take the mark from the line of an episode or summary; return the id of the owner's.

        The line goes first: to be interrupted then is the same as an edit by the owner's hand.
        """
        change = heir_of(memory, memory.value, "owner", memory.evidence)
        if not self._episodes.unmark(write, memory):
            made = applied(None, change, seq=0, at=pending.now)
            pending.filings += self._episodes.owed([made])
        pending.add(change)
        return change["id"]


def _check_times(wanted: Amendment) -> None:
    if wanted.dated and not is_written(wanted.dated):
        sentence = '"{date}" is not a date; write it as 2026-12-03, 2025 or 2025/..'
        raise SoulError(sentence, date=wanted.dated)
    last = read(wanted.ended)
    if wanted.ended and not (last and str(last) == wanted.ended and last.is_day):
        raise SoulError('"{date}" is not a day; write it as 2026-11-14', date=wanted.ended)


def _ending(memory: Memory, wanted: Amendment, now: datetime) -> dict[str, Any]:
    """Return what says of a memory that it was true until a day; what ends today is over."""
    last = datetime.combine(date.fromisoformat(wanted.ended), time(), now.tzinfo) + timedelta(days=1)
    over = now if wanted.ended == now.date().isoformat() else last
    known = read(wanted.dated or memory.dated)
    begun = known and known.first[: len(wanted.ended)] <= wanted.ended[: len(known.first)]
    since = known.first if known and begun else ""
    fields = {"dated": str(Validity(since, wanted.ended)), "valid_to": written(over)}
    return fields | ({"valid_from": written(last - timedelta(days=1))} if memory.valid_from >= over else {})

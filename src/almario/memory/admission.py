"""Admission: what becomes of a fact that asks to be remembered, and its receipt.

Redact, then judge by words (see `domain.admission`), then enter what follows
in one journal line. Nothing is dropped in silence.
"""

import os
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from almario.domain.admission import Decision, Proposed, decide, key_group, parse_aliases, renewal, unfit
from almario.domain.documents.daily import entry_text
from almario.domain.events import MemoriesChanged
from almario.domain.memories import (
    IN_FILES,
    KINDS,
    ORIGINS,
    OWN_PASSAGE,
    SOURCES,
    YEARS,
    Change,
    Memory,
    Wanted,
    read_field,
    same_key,
    same_value,
    split_fact,
    state_at,
    written,
)
from almario.domain.messages import Sentence, say
from almario.domain.provenance import rests_on
from almario.domain.redaction import Redacted, Redactor
from almario.domain.sources import filing_of
from almario.domain.text import is_unicode
from almario.domain.words import query_words
from almario.errors import SoulError
from almario.memory.keeping import Keeping, Write
from almario.memory.pending import Pending
from almario.memory.settings import MemorySettings

# A fact that is mostly secret is not worth keeping without it.
_MOST = 0.5
# So many of the best word matches are compared with a new fact.
_SIMILAR = 20


class Receipt(NamedTuple):
    """What became of something that was to be remembered.

    *outcome* is `new`, `renewed`, `linked` (said before in other words),
    `superseded` (replaces *replaced*), `outranked` (the owner's own word
    stands) or `refused`; *told* says it in a sentence.
    """

    outcome: str
    memory: Memory | None
    told: tuple[Sentence, ...]
    replaced: tuple[Memory, ...] = ()


class Judged(NamedTuple):
    """What is going to become of a fact: its receipt before it is written; *id* is the memory it is then."""

    outcome: str
    id: str = ""
    told: tuple[Sentence, ...] = ()
    replaced: tuple[Memory, ...] = ()


class Admission:
    """Lets facts into the ledger, the same way for every writer."""

    def __init__(
        self, keeping: Keeping, settings: MemorySettings, redact: Redactor, *, language: str
    ) -> None:
        self._keeping = keeping
        self._ledger = keeping.ledger
        self._redact = redact
        self._aliases = parse_aliases(settings.aliases)
        self._single = {same_key(key) for key in settings.single_valued.split(",")}
        self.default_key = say(language, "note")

    def group(self, key: str) -> tuple[str, ...]:
        """Return a key and those that mean the same, as they are compared."""
        return key_group(key, self._aliases)

    def is_single(self, key: str) -> bool:
        """Say whether a key can have only one value at a time."""
        return any(same in self._single for same in self.group(key))

    def rivals(self, memory: Memory, now: datetime) -> list[Memory]:
        """Return the memories in use that cannot stand beside this one, or say the very same."""
        if memory.origin == "untrusted" or memory.kind in IN_FILES:
            return []
        wanted = Wanted(keys=self.group(memory.key))
        if not self.is_single(memory.key):
            wanted = wanted._replace(value=same_value(memory.value))
        found = self._ledger.live(now, wanted)
        return [each for each in found if each.id != memory.id and each.origin != "untrusted"]

    def proposed(self, text: str, value: str | None = None, kind: str = "") -> Proposed:
        """Read a fact from "key: value", from a key and a value, or from plain text."""
        if kind and kind not in KINDS:
            raise SoulError('"{kind}" is not a kind; use {kinds}', kind=kind, kinds=", ".join(KINDS))
        key, value = (
            (" ".join(text.split()), value.strip())
            if value is not None
            else split_fact(text, self.default_key)
        )
        if not key or not value:
            raise SoulError("there is nothing to remember; the text is empty")
        return Proposed(key, value, kind)

    def admit(self, write: Write, fact: Proposed, *, actor: str) -> Receipt:
        """Judge a fact and enter what follows from it."""
        pending = Pending(self._keeping, write.now)
        judged = self.judge(fact, pending)
        told: list[Sentence] = []
        if judged.id:
            verb = judged.outcome if judged.outcome in ("renewed", "linked") else "remembered"
            body = MemoriesChanged(verb, pending.changes)
            told = write.commit(body, actor=actor, filings=pending.filings)
        return self.receipt(judged, told)

    def judge(self, fact: Proposed, pending: Pending) -> Judged:
        """Say what becomes of a fact after what is *pending*, and add it there; nothing is written."""
        key = " ".join(fact.key.split()) or self.default_key
        said = entry_text(fact.value) if fact.kind in IN_FILES else fact.value.strip()
        if refusal := _unfit(fact._replace(key=key, value=said), pending.now):
            return Judged("refused", told=(refusal,))
        hidden = self._redact(said, key)
        fact = fact._replace(key=self._redact(key).text, value=hidden.text)
        if refusal := self._barred(fact, hidden):
            return Judged("refused", told=(refusal,))
        decision = self._decide(fact, pending)
        left_out = Sentence("a secret was left out ({kinds})", kinds=", ".join(hidden.kinds))
        memory_id = self._enter(fact, decision, pending)
        return Judged(decision.outcome, memory_id, (left_out,) if hidden.kinds else (), decision.replaced)

    def receipt(self, judged: Judged, told: Sequence[Sentence]) -> Receipt:
        """Return the receipt for what was judged and is written now."""
        memory = self._ledger.memory(judged.id) if judged.id else None
        return Receipt(judged.outcome, memory, (*judged.told, *told), judged.replaced)

    def _barred(self, fact: Proposed, hidden: Redacted) -> Sentence | None:
        """Say why a fact is not to be kept, if it is mostly secret or was erased."""
        if hidden.share > _MOST:
            return Sentence("not stored: most of it is secret ({kinds})", kinds=", ".join(hidden.kinds))
        if fact.source == "auto" and self._ledger.was_purged(fact.value):
            return Sentence("not stored: it was erased for good")
        return None

    def _decide(self, fact: Proposed, pending: Pending) -> Decision:
        if fact.kind in IN_FILES:  # what happens twice is told twice
            return Decision("new")
        if wish := self._wished(fact, pending):
            return Decision("linked", wish)
        keys = self.group(fact.key)
        same = pending.live(Wanted(keys=keys, kinds=OWN_PASSAGE, value=same_value(fact.value)))
        similar = [] if same else self._similar(fact, pending)
        rivals = pending.live(Wanted(keys=keys, kinds=OWN_PASSAGE)) if self.is_single(fact.key) else []
        lifetimes = self._ledger.lifetimes
        return decide(
            fact, same, similar, [m for m in rivals if state_at(m, pending.now, lifetimes) == "live"]
        )

    def _wished(self, fact: Proposed, pending: Pending) -> Memory | None:
        """Return the memory of a wish in the same message that says what a learned fact says."""
        if fact.source == "explicit" or not fact.evidence:
            return None
        found = pending.live(Wanted(kinds=OWN_PASSAGE, evidence=fact.evidence))
        wishes = [m for m in found if m.source == "explicit" and set(m.evidence) & set(fact.evidence)]
        return next((memory for memory in wishes if rests_on(fact.value, [memory.value])), None)

    def _similar(self, fact: Proposed, pending: Pending) -> list[Memory]:
        """Return the live memories that share most words with a fact, whatever their key."""
        index = self._keeping.cabinet.past if fact.origin == "untrusted" else self._keeping.cabinet.live
        # Who shares four words of five has one of any fifth and one more; the longest are the rarest.
        words = sorted(query_words(fact.value), key=lambda word: -len(word.text))
        shared: Counter[int] = Counter()
        for word in words[: len(words) // 5 + 2]:
            shared.update(index.having(word.terms[0][0]))
        ids = [passage_id for passage_id, _ in shared.most_common(_SIMILAR)]
        found = tuple(passage.memory for passage in index.passages(ids).values() if passage.memory)
        memories = pending.live_of(found)
        # What is true of the mother may be true of the father: another key is another fact.
        keys = {*self.group(fact.key), same_key(self.default_key)}
        is_note = same_key(fact.key) == same_key(self.default_key)
        return [memory for memory in memories if is_note or same_key(memory.key) in keys]

    def _enter(self, fact: Proposed, decision: Decision, pending: Pending) -> str:
        """Add what follows from a decision; return the id of the memory that the fact is now."""
        now = written(pending.now)
        known = decision.memory
        if known and decision.outcome in ("renewed", "linked"):
            fields = renewal(known, fact, now)
            if same_key(known.key) == same_key(self.default_key):  # a note that somebody has a word for
                fields |= {"key": fact.key}
            change: Change = {"id": known.id, "set": fields, "evidence": list(fact.evidence)}
            if decision.outcome == "linked":
                change["said"] = fact.value
            pending.add(change, known)
            return known.id
        new = self._new(fact, pending)
        if known:  # outranked: kept, and out of use
            new["set"] |= {"state": "superseded", "by": known.id, "valid_to": now}
        pending.add(new)
        for each in decision.replaced:
            pending.add(superseding(each, new["id"], pending.now), each)
        return new["id"]

    def _new(self, fact: Proposed, pending: Pending) -> Change:
        """Return the change that makes a memory of a fact; what it owes to a file is pending."""
        default = "profile" if fact.source == "explicit" else "fact"
        fields: dict[str, Any] = {
            "key": fact.key,
            "value": fact.value,
            "kind": fact.kind or default,
            "source": fact.source,
            "origin": fact.origin,
        }
        fields |= {"dated": fact.dated} if fact.dated else {}
        fields |= {"support": fact.support} if fact.support is not None else {}
        if fact.kind in IN_FILES:
            at = _moment(fact.at, pending.now)
            text = entry_text(fact.value)
            filing = filing_of(fact.kind, text, at, is_trusted=fact.origin != "untrusted")
            fields |= {"value": text, "path": pending.owe(filing).path}
            if at != pending.now:
                fields["valid_from"] = written(at)
        change: Change = {"id": new_id(), "set": fields}
        if fact.evidence:
            change["evidence"] = list(fact.evidence)
        return change


def _unfit(fact: Proposed, now: datetime) -> Sentence | None:
    """Say why a fact is none that could be kept, if so."""
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
        return Sentence("not stored: the date of what happened must lie in the years {years}", years=YEARS)
    return unfit(fact.key, entry_text(fact.value), fact.kind, fact.origin)


def _moment(at: datetime | None, now: datetime) -> datetime:
    """Return when something happened, in the owner's zone; now, if that is not known. ValueError if never."""
    if at is None:
        return now
    moment = at.replace(tzinfo=at.tzinfo or now.tzinfo).astimezone(now.tzinfo)
    read_field("valid_from", written(moment))
    return moment


def new_id() -> str:
    """Return an id that no other memory has."""
    return os.urandom(6).hex()


def superseding(memory: Memory, by: str, at: datetime) -> Change:
    """Return the change by which another memory takes this one's place."""
    return {"id": memory.id, "set": {"state": "superseded", "by": by, "valid_to": written(at)}}

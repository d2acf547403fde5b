"""Admission: what becomes of a fact that asks to be remembered, and its receipt.

Redact, then judge by words (see `domain.admission`), then enter what follows
in one journal line. Nothing is dropped in silence.
"""

import os
from collections import Counter
from datetime import datetime
from typing import Any, NamedTuple

from almario.domain.admission import Decision, Proposed, decide, key_group, parse_aliases, renewal
from almario.domain.documents.daily import log_text
from almario.domain.events import Filing, MemoriesChanged
from almario.domain.memories import (
    IN_FILES,
    KINDS,
    Change,
    Memory,
    Wanted,
    same_key,
    same_value,
    split_fact,
    written,
)
from almario.domain.messages import Sentence, say
from almario.domain.redaction import Redactor
from almario.domain.sources import filing_of
from almario.domain.words import query_words
from almario.errors import SoulError
from almario.memory.keeping import Keeping, Write
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


class Admission:
    """Lets facts into the ledger, the same way for every writer."""

    def __init__(
        self, keeping: Keeping, settings: MemorySettings, redact: Redactor, *, language: str = "en"
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
        hidden = self._redact(fact.value, fact.key)
        fact = fact._replace(key=self._redact(fact.key).text, value=hidden.text)
        if hidden.share > _MOST:
            sentence = "not stored: most of it is secret ({kinds})"
            return Receipt("refused", None, (Sentence(sentence, kinds=", ".join(hidden.kinds)),))
        if fact.source == "auto" and self._ledger.was_purged(fact.value):
            return Receipt("refused", None, (Sentence("not stored: it was erased for good"),))
        decision = self._decide(write, fact)
        secrets = Sentence("a secret was left out ({kinds})", kinds=", ".join(hidden.kinds))
        return self._enter(write, fact, decision, actor, [secrets] if hidden.kinds else [])

    def _decide(self, write: Write, fact: Proposed) -> Decision:
        if fact.kind in IN_FILES:  # what happens twice is told twice
            return Decision("new")
        keys = self.group(fact.key)
        same = self._ledger.shelf.select(Wanted(keys=keys, value=same_value(fact.value), states=("live",)))
        similar = [] if same else self._similar(fact)
        rivals = self._ledger.live(write.now, Wanted(keys=keys)) if self.is_single(fact.key) else []
        return decide(fact, same, similar, rivals)

    def _similar(self, fact: Proposed) -> list[Memory]:
        """Return the live memories that share most words with a fact, whatever their key."""
        index = self._keeping.cabinet.past if fact.origin == "untrusted" else self._keeping.cabinet.live
        # Who shares four words of five has one of any fifth and one more; the longest are the rarest.
        words = sorted(query_words(fact.value), key=lambda word: -len(word.text))
        shared: Counter[int] = Counter()
        for word in words[: len(words) // 5 + 2]:
            shared.update(index.having(word.terms[0][0]))
        ids = [passage_id for passage_id, _ in shared.most_common(_SIMILAR)]
        found = tuple(passage.memory for passage in index.passages(ids).values() if passage.memory)
        memories = self._ledger.shelf.select(Wanted(ids=found, states=("live",))) if found else []
        # What is true of the mother may be true of the father: another key is another fact.
        keys = {*self.group(fact.key), same_key(self.default_key)}
        is_note = same_key(fact.key) == same_key(self.default_key)
        return [memory for memory in memories if is_note or same_key(memory.key) in keys]

    def _enter(
        self, write: Write, fact: Proposed, decision: Decision, actor: str, told: list[Sentence]
    ) -> Receipt:
        now = written(write.now)
        known = decision.memory
        if known and decision.outcome in ("renewed", "linked"):
            change: Change = {
                "id": known.id,
                "set": renewal(known, fact, now),
                "evidence": list(fact.evidence),
            }
            if decision.outcome == "linked":
                change["said"] = fact.value
            write.commit(MemoriesChanged(decision.outcome, (change,)), actor=actor)
            return Receipt(decision.outcome, self._ledger.memory(known.id), tuple(told))
        new, filing = self._new(write, fact)
        changes = [new, *(superseding(each, new["id"], write.now) for each in decision.replaced)]
        if known:  # outranked: kept, and out of use
            new["set"] |= {"state": "superseded", "by": known.id, "valid_to": now}
        owed = [filing] if filing else []
        more = write.commit(MemoriesChanged("remembered", tuple(changes)), actor=actor, filings=owed)
        memory = self._ledger.memory(new["id"])
        return Receipt(decision.outcome, memory, (*told, *more), decision.replaced)

    def _new(self, write: Write, fact: Proposed) -> tuple[Change, Filing | None]:
        """Return the change that makes a memory of a fact, and what it owes to a file."""
        default = "profile" if fact.source == "explicit" else "fact"
        fields: dict[str, Any] = {
            "key": fact.key,
            "value": fact.value,
            "kind": fact.kind or default,
            "source": fact.source,
            "origin": fact.origin,
        }
        filing = None
        if fact.kind in IN_FILES:
            filing = self._keeping.vault.counted(filing_of(fact.kind, fact.value, write.now))
            fields |= {"value": log_text(fact.value), "path": filing.path}
        change: Change = {"id": new_id(), "set": fields}
        if fact.evidence:
            change["evidence"] = list(fact.evidence)
        return change, filing


def new_id() -> str:
    """Return an id that no other memory has."""
    return os.urandom(6).hex()


def superseding(memory: Memory, by: str, at: datetime) -> Change:
    """Return the change by which another memory takes this one's place."""
    return {"id": memory.id, "set": {"state": "superseded", "by": by, "valid_to": written(at)}}

"""Episodes and summaries, and their lines in the files: what happens to one happens to the other."""

import contextlib
from collections.abc import Callable, Collection, Sequence
from functools import partial

from almario.domain.documents.daily import entry_text, log_day, log_title, without_mark
from almario.domain.documents.lines import split_lines
from almario.domain.events import Filing, MemoriesChanged
from almario.domain.memories import Change, Memory, Origin, Wanted
from almario.domain.records import written
from almario.errors import AlmarioError, EditConflict
from almario.memory.admission import new_id, superseding
from almario.memory.ledger import Ledger
from almario.memory.rules.sources import (
    SourceEntry,
    entries_of,
    filing_of,
    homes_of,
    line_name,
    places_of,
    without_entries,
)
from almario.memory.writer import MemoryWriter, Write
from almario.ports import Holding
from almario.text.redaction import Redactor

# A line that is at least so like one that is gone, of 100, is that line edited.
_ALIKE = 60
_TRIES = 5


class Episodes:
    """Follows the owner's edits of those files, and takes out the lines of what is forgotten."""

    def __init__(self, writer: MemoryWriter, redact: Redactor) -> None:
        self._writer = writer
        self._redact = redact
        self._ledger = writer.ledger

    def follow(self, write: Write, paths: Collection[str]) -> None:
        """Supersede the episodes whose line was edited in these files; retire those whose line is gone."""
        changes: list[Change] = []
        for path in sorted({home for changed in paths for home in homes_of(changed)}):
            live = self._ledger.live(write.now, Wanted(path=path))
            known = [
                self._ledger.whole(memory) for memory in live if memory.seq <= write.appender.filed
            ]  # the rest is still owed
            entries = self._entries(path) if known else None
            if entries is not None:
                changes += [self._fit(change) for change in _edits(write, known, entries)]
        if changes:
            write.commit(MemoriesChanged("edited", tuple(changes)), actor="owner")

    def owed(self, memories: Sequence[Memory]) -> list[Filing]:
        """Return what must be filed for these memories to stand in their files again."""
        vault = self._writer.vault
        filings = []
        for memory in map(self._ledger.whole, memories):
            there = {_value_of(entry) for entry in self._entries(memory.path) or ()} if memory.path else set()
            if memory.path and _line_of(memory) not in there:
                text, is_trusted = _line_of(memory)
                at = memory.valid_from.astimezone(vault.zone)
                filing = filing_of(memory.kind, text, at, is_trusted=is_trusted)
                filings.append(filing._replace(path=memory.path))
        return filings

    def take_out(self, write: Write, memories: Sequence[Memory]) -> None:
        """Take the lines of these memories out of their files."""
        for memory in map(self._ledger.whole, memories):
            spare = self._spare(memory) if memory.path else 0
            for place in places_of(memory.path):
                if spare > 0:
                    spare -= self._rewrite(write, memory, place, lambda lines: [])
        gone = [line_name(each.path, _line_of(self._ledger.whole(each))[0]) for each in memories if each.path]
        for _ in range(_TRIES):
            with contextlib.suppress(EditConflict):
                take_out_condensed(self._ledger, write, gone)
                break

    def unmark(self, write: Write, memory: Memory) -> bool:
        """Take the mark of a stranger from a memory's line; say whether there was one."""
        places = places_of(memory.path) if memory.path else ()
        memory = self._ledger.whole(memory)
        return any(
            self._rewrite(write, memory, place, lambda lines: [without_mark(lines[0]), *lines[1:]])
            for place in places
        )

    def _spare(self, memory: Memory) -> int:
        """Return how many lines say what a memory says, besides those of others in use that say the same."""
        lines = sum(_value_of(entry) == _line_of(memory) for entry in self._entries(memory.path) or ())
        live = self._ledger.table.select(Wanted(path=memory.path, states=("live",)))
        same = list(map(self._ledger.whole, live))
        return lines - sum(_line_of(other) == _line_of(memory) and other.id != memory.id for other in same)

    def _rewrite(
        self, write: Write, memory: Memory, place: str, change: Callable[[Sequence[str]], Sequence[str]]
    ) -> bool:
        for _ in range(_TRIES):
            try:
                document = self._writer.vault.read(place)
                lines = split_lines(document.text)
                found = [e for e in entries_of(place, document.text) if _value_of(e) == _line_of(memory)]
                if not found:
                    return False
                own = slice(found[0].line - 1, found[0].line - 1 + found[0].lines)
                lines[own] = change(lines[own])
                write.appender.replace(document, None if _is_bare(place, lines) else "".join(lines))
            except EditConflict:
                continue
            return True
        return False

    def _entries(self, path: str) -> list[SourceEntry] | None:
        try:
            document = self._writer.vault.read(path)
            places = [(place, self._writer.vault.read(place).text) for place in places_of(path)]
            entries = [entry for place, text in places for entry in entries_of(place, text)]
        except AlmarioError:  # whoever indexes it has told
            return None
        if document.content is None:  # gone as a whole, perhaps for a moment: nobody took a line out
            return None
        # A line that says what a memory says is as it was filed, whatever is taken for a secret today.
        filed = self._ledger.table.select(Wanted(path=path))
        known = {_line_of(memory) for memory in map(self._ledger.whole, filed)}
        return [
            entry if _value_of(entry) in known else entry._replace(text=self._redact.whole(entry.text))
            for entry in entries
        ]

    def _fit(self, change: Change) -> Change:
        hidden = self._redact(str(change["set"].get("value", "")))
        if not hidden.suspected:
            return change
        return {**change, "set": change["set"] | {"value": hidden.text}, "whole": hidden.whole}


def take_out_condensed(ledger: Ledger, write: Write, names: Collection[str]) -> list[str]:
    """Take out of the logs the shorter lines that stand for any of these entries; return their files."""
    shorter, cleaned = ledger.standing_for(names), []
    for path in sorted(set(shorter.values())):
        held = Holding(path, "document")
        if write.appender.rewrite(held, partial(without_entries, path, names=shorter)):
            cleaned.append(path)
    return cleaned


def _is_bare(place: str, lines: Sequence[str]) -> bool:
    """Return whether a log has nothing left but its title."""
    day = log_day(place)
    return day is not None and "".join(lines).strip() == log_title(day).strip()


def heir_of(memory: Memory, text: str, origin: Origin, evidence: Sequence[str]) -> Change:
    """Return the change that makes the one to take a memory's place, on the same line of its file."""
    fields = {"key": memory.key, "value": text, "kind": memory.kind, "path": memory.path}
    fields |= {"valid_from": written(memory.valid_from), "source": "explicit", "origin": origin}
    fields["place"] = memory.place
    return {"id": new_id(), "set": fields, "evidence": list(evidence)}


def _value_of(entry: SourceEntry) -> tuple[str, bool]:
    """Return what an entry says, and whether it is trusted: both must fit a memory's."""
    return entry.text, entry.is_trusted


def _line_of(memory: Memory) -> tuple[str, bool]:
    """Return what the line of a memory says, however its value was written down elsewhere."""
    return entry_text(memory.value), memory.origin != "untrusted"


def _edits(write: Write, memories: Sequence[Memory], entries: Sequence[SourceEntry]) -> list[Change]:
    from rapidfuzz import fuzz  # noqa: PLC0415 - 26 ms, after an edit only

    there = {_value_of(entry) for entry in entries}
    known = {_line_of(memory) for memory in memories}
    free = [line for line in there if line not in known]
    changes: list[Change] = []
    for memory in (memory for memory in memories if _line_of(memory) not in there):
        old, was_trusted = _line_of(memory)
        heir = max(free, key=lambda line: (fuzz.ratio(line[0], old), line[1] == was_trusted), default=None)
        if heir and fuzz.ratio(heir[0], old) >= _ALIKE:
            free.remove(heir)
            # Who takes the mark away, or puts it there, has decided.
            new = heir_of(memory, heir[0], "owner" if heir[1] else "untrusted", [memory.path])
            changes += [new, superseding(memory, new["id"], write.now)]
        else:
            changes.append({"id": memory.id, "set": {"state": "retired"}})
    return changes

"""Episodes and summaries, and their lines in the files: what happens to one happens to the other."""

from collections.abc import Collection, Sequence

from almario.domain.documents.lines import split_lines
from almario.domain.events import Filing, MemoriesChanged
from almario.domain.memories import Change, Memory, Wanted
from almario.domain.redaction import Redactor
from almario.domain.sources import Entry, entries_of, filing_of
from almario.errors import AlmarioError, EditConflict
from almario.memory.admission import new_id, superseding
from almario.memory.keeping import Keeping, Write
from almario.store import files, replacing

# A line that is at least so like one that is gone, of 100, is that line edited.
_ALIKE = 60
_TRIES = 5


class Episodes:
    """Follows the owner's edits of those files, and takes out the lines of what is forgotten."""

    def __init__(self, keeping: Keeping, redact: Redactor) -> None:
        self._keeping = keeping
        self._redact = redact
        self._ledger = keeping.ledger

    def follow(self, write: Write, paths: Collection[str]) -> None:
        """Supersede the episodes whose line was edited in these files; retire those whose line is gone."""
        changes: list[Change] = []
        for path in sorted(paths):
            live = self._ledger.live(write.now, Wanted(path=path))
            told = [memory for memory in live if memory.seq <= write.appender.filed]  # the rest is still owed
            entries = self._entries(path) if told else None
            if entries is not None:
                changes += _edits(write, told, entries)
        if changes:
            write.commit(MemoriesChanged("edited", tuple(changes)), actor="owner")

    def owed(self, memories: Sequence[Memory]) -> list[Filing]:
        """Return what must be filed for these memories to stand in their files again."""
        vault = self._keeping.vault
        missing = [
            m for m in memories if m.path and m.value not in {e.text for e in self._entries(m.path) or ()}
        ]
        filings = [
            filing_of(m.kind, m.value, m.at.astimezone(vault.zone))._replace(path=m.path) for m in missing
        ]
        return [vault.counted(filing) for filing in filings]

    def take_out(self, memories: Sequence[Memory]) -> None:
        """Take the lines of these memories out of their files; the caller holds the lock."""
        for memory in memories:
            for _ in range(_TRIES if memory.path else 0):
                try:
                    self._take_out(memory)
                except EditConflict:
                    continue
                break

    def _take_out(self, memory: Memory) -> None:
        document = self._keeping.vault.read(memory.path)
        lines = split_lines(document.text)
        for entry in entries_of(memory.path, document.text):
            if entry.text == memory.value:
                del lines[entry.line - 1 : entry.line - 1 + entry.lines]
                path = files.inside(self._keeping.vault.root, memory.path)
                replacing.replace(path, files.encoded("".join(lines)), expected=document.hash)
                return

    def _entries(self, path: str) -> list[Entry] | None:
        try:
            document = self._keeping.vault.read(path)
            entries = entries_of(path, document.text)
        except AlmarioError:  # whoever indexes it has told
            return None
        if document.content is None:  # gone as a whole, perhaps for a moment: nobody took a line out
            return None
        return [entry._replace(text=self._redact.text(entry.text)) for entry in entries]


def _edits(write: Write, told: Sequence[Memory], entries: Sequence[Entry]) -> list[Change]:
    from rapidfuzz import fuzz  # noqa: PLC0415 - 26 ms, after an edit only

    there = {entry.text for entry in entries}
    known = {memory.value for memory in told}
    free = [text for text in there if text not in known]
    changes: list[Change] = []
    for memory in (memory for memory in told if memory.value not in there):
        heir = max(free, key=lambda text: fuzz.ratio(text, memory.value), default="")
        if heir and fuzz.ratio(heir, memory.value) >= _ALIKE:
            free.remove(heir)
            fields = {"key": memory.key, "value": heir, "kind": memory.kind, "path": memory.path}
            fields |= {"source": "explicit", "origin": "owner"}
            new: Change = {"id": new_id(), "set": fields, "evidence": [memory.path]}
            changes += [new, superseding(memory, new["id"], write.now)]
        else:
            changes.append({"id": memory.id, "set": {"state": "retired"}})
    return changes

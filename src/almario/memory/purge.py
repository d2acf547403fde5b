"""Forgetting for real: what was erased is in no file of the folder any more.

The journal first says what is to be erased, by id alone; then every file is
rewritten, the journal last, so that a purge that was interrupted can be
carried on from what is still there. A salted hash of each text keeps it from
being learned again.
"""

import itertools
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from almario.domain.documents.guards import bullet, cell
from almario.domain.events import Actor, MemoriesChanged, PurgeBegun, PurgeDone
from almario.domain.journal_lines import with_texts
from almario.domain.memories import ERASED, IN_FILES, Change, Memory, Wanted, same_key, same_value
from almario.domain.messages import Sentence
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.turns import session_of
from almario.errors import SoulError
from almario.memory.keeping import Keeping, Write
from almario.memory.ledger import salted
from almario.memory.retellings import Retellings, retellings_of, without_ids
from almario.memory.rules.erasure import (
    erased,
    erased_text,
    holds,
    without_headings,
    without_said,
    without_turn,
)
from almario.memory.rules.snapshot import without_turns
from almario.memory.rules.sources import REFLECTIONS, SNAPSHOTS, day_named
from almario.store import files
from almario.store.rewriting import Rewrite, rewrite_lines, rewrite_text

# Where it stands what was said.
_SAID_IN = ("sessions/", SNAPSHOTS)
# Not searched for text: derived, empty, without any (a number that is erased would break an account), or
# rewritten in their own way.
_OWN_WAY = (".index", ".lock", ".versions", "costs")
# What other programs keep of a file: theirs to erase.
_FOREIGN = (".swp", ".swo", ".swx", "~", ".bak", ".orig", ".db", ".zip", ".gz", ".tar")


class Erasure(NamedTuple):
    """What a purge erases: memories and all their versions, the turns they came from, where they stand."""

    memories: tuple[Memory, ...]
    turns: tuple[str, ...]
    texts: tuple[str, ...]
    places: tuple[str, ...]
    out_of_reach: tuple[str, ...]
    # Whether the turns are to be as if they had been said off the record.
    off: bool = False


class Purge:
    """Erases memories from every file.

    *raw_facts* gives the facts of MEMORY.md as they stand there and as the
    ledger has them: what was redacted in the ledger is erased there too.
    """

    def __init__(self, keeping: Keeping, raw_facts: Callable[[], list[tuple[str, str]]]) -> None:
        self._keeping = keeping
        self._raw_facts = raw_facts
        self._ledger = keeping.ledger
        self._root = keeping.vault.root

    def plan(self, memories: Sequence[Memory]) -> Erasure:
        """Say what would be erased with these memories, and where it stands."""
        doomed = self._with_versions(memories)
        evidence = dict.fromkeys(each for memory in doomed for each in memory.evidence)
        turns = [each for each in evidence if "#" in each]  # the others name a file
        return self._planned(doomed, tuple(turns))

    def plan_turns(self, turns: Sequence[str]) -> Erasure:
        """Say what would be erased with these turns: all that was learned from them alone, too."""
        doomed = self.taught_by(turns)
        return Erasure(
            tuple(doomed), tuple(turns), tuple(self._texts({m.id for m in doomed})), (), (), off=True
        )

    def taught_by(self, turns: Sequence[str]) -> list[Memory]:
        """Return what was learned from these turns alone, and the episodes and summaries of any of them."""
        taught = self._ledger.table.select(Wanted(evidence=tuple(turns)))
        return [m for m in taught if m.kind in IN_FILES or set(m.evidence) <= set(turns)]

    def _planned(self, doomed: list[Memory], turns: tuple[str, ...]) -> Erasure:
        if turns:
            derived = self._ledger.table.select(Wanted(kinds=IN_FILES))
            known = {memory.id for memory in doomed}
            doomed += [m for m in derived if m.id not in known and set(m.evidence) & set(turns)]
        doomed += self._saying_the_same(doomed)
        texts = self._texts({memory.id for memory in doomed})
        places, beyond = self._places(texts, turns)
        return Erasure(tuple(doomed), turns, tuple(texts), tuple(places), tuple(beyond))

    def beside_souls(self, memories: Sequence[Memory]) -> list[Memory]:
        """Return the memories of which no soul file has any wording."""

        def wordings(of: Sequence[Memory]) -> list[str]:
            return self._texts({memory.id for memory in self._with_versions(of)})

        souls = [self._keeping.vault.read(name).text for name in SOUL_FILES]
        said = {text for text in wordings(memories) if any(holds(soul, [text]) for soul in souls)}
        return [each for each in memories if not said or said.isdisjoint(wordings([each]))]

    def begin(self, write: Write, plan: Erasure, *, actor: Actor) -> list[str]:
        """Erase what was planned, and what has come to say the same since; return what was cleaned."""
        if not plan.memories and not plan.turns:
            raise SoulError("there is nothing to erase")
        doomed = [*plan.memories, *(self._saying_the_same(plan.memories) if not plan.off else ())]
        in_use = [memory.id for memory in doomed if memory.is_live]
        if in_use:
            changes: list[Change] = [{"id": memory_id, "set": {"state": "retired"}} for memory_id in in_use]
            write.commit(MemoriesChanged("forgotten", tuple(changes)), actor=actor)
        salt = os.urandom(8).hex()
        hashes = tuple(salted(salt, text) for text in plan.texts)
        ids = tuple(memory.id for memory in doomed)
        write.commit(PurgeBegun(ids, plan.turns, salt, hashes, plan.off), actor=actor)
        return self.resume(write)

    def resume(self, write: Write) -> list[str]:
        """Carry out the purges that were begun and not finished; return the places that were cleaned."""
        cleaned: list[str] = []
        for seq, begun in self._ledger.unfinished_purges():
            cleaned += self._carry_out(write, begun)
            write.commit(PurgeDone(seq), actor="almario")
        return list(dict.fromkeys(cleaned))

    def _carry_out(self, write: Write, begun: PurgeBegun) -> list[str]:
        ids, turns = set(begun.ids), {turn: self._said_in(turn) for turn in begun.turns}
        texts = self._texts(ids)
        keys = self._keys_alone(ids)
        retellings = retellings_of(ids, turns, texts, self._keeping.vault.journal)
        # What was said off the record goes where it was said; the same words elsewhere were said otherwise.
        everywhere = () if begun.off else texts
        cleaned = self._clean_souls(write, everywhere)
        cleaned += self._clean_reflections(retellings)
        names = [name for name in self._texts_files() if not begun.off or name.startswith(_SAID_IN)]
        cleaned += [name for name in names if self._clean(name, everywhere, turns, keys, off=begun.off)]
        cleaned += self._clean_versions(everywhere, retellings.only_wanted(self._keeping.vault))

        def wordless(fields: dict[str, Any]) -> dict[str, Any]:
            return _without_texts(fields, retellings, texts, everywhere)

        cleaned += self._clean_journal(write, wordless, everywhere)
        cleaned += self._clean_journal(write, lambda fields: without_ids(fields, ids), everywhere)
        self._keeping.empty()
        write.catch_up()
        return cleaned

    def _with_versions(self, memories: Sequence[Memory]) -> list[Memory]:
        """Return the memories and all those that they replaced, and those replaced by these."""
        every = self._ledger.table.select(Wanted())
        found = {memory.id: memory for memory in memories}
        grown = True
        while grown:
            more = [memory for memory in every if memory.by in found and memory.id not in found]
            found |= {memory.id: memory for memory in more}
            grown = bool(more)
        return list(found.values())

    def _saying_the_same(self, memories: Sequence[Memory]) -> list[Memory]:
        """Return the other memories of the same texts: nothing would be left of them."""
        texts = {same_value(text) for text in self._texts({memory.id for memory in memories})}
        known = {memory.id for memory in memories}
        every = self._ledger.table.select(Wanted())
        return [memory for memory in every if same_value(memory.value) in texts and memory.id not in known]

    def _texts(self, ids: Collection[str]) -> list[str]:
        """Return every wording that these memories have had, longest first."""
        found: set[str] = set()
        for memory_id in ids:
            key = ""
            for recorded in self._ledger.table.history(memory=memory_id):
                key = recorded.change.get("set", {}).get("key") or key
                said = [recorded.change.get("set", {}).get("value"), recorded.change.get("said")]
                texts = {text for text in said if text and text != ERASED}
                found |= texts | {f"{key}: {text}" for text in texts if key}  # as a fact is told
        found |= {lines for text in found for lines in (bullet(text, "\n")[2:].rstrip("\n"), cell(text))}
        found |= {raw for raw, value in self._raw_facts() if value in found}
        return sorted(found, key=len, reverse=True)

    def _said_in(self, turn: str) -> str:
        """Return what was said in a turn, if it is there."""
        session, _, number = turn.rpartition("#")
        n = int(number) if number.isdecimal() else 0
        found = self._keeping.vault.transcripts.read(session, after=n - 1) if n and session else []
        return next((each.text for each in found if each.n == n and each.text != ERASED), "")

    def _keys_alone(self, ids: Collection[str]) -> set[str]:
        """Return the keys that only these memories have had, as they are compared."""
        of_id = {memory_id: self._ledger.table.history(memory=memory_id) for memory_id in ids}
        written = {each.change.get("set", {}).get("key") for history in of_id.values() for each in history}
        keys = {same_key(key) for key in written if key and key != ERASED}
        others = (
            [m for m in self._ledger.table.select(Wanted(keys=tuple(keys))) if m.id not in ids]
            if keys
            else []
        )
        return keys - {same_key(memory.key) for memory in others}

    def _places(self, texts: Collection[str], turns: Collection[str]) -> tuple[list[str], list[str]]:
        """Return the files that hold one of the texts, and those of other programs that may."""
        held, beyond = [], []
        for name in self._texts_files():
            if name.endswith(_FOREIGN):
                beyond.append(name)
            elif _holds(self._root / name, texts, turns if name.startswith(SNAPSHOTS) else ()):
                held.append(name)
        versions = [path for path in self._version_files() if _holds(path, texts)]
        journal = [path for path in self._keeping.vault.journal.files() if _holds(path, texts)]
        return held + [path.relative_to(self._root).as_posix() for path in (*versions, *journal)], beyond

    def _texts_files(self) -> list[str]:
        """Return every file that may hold text, by its name in the vault."""
        found = []
        for folder, inner, names in os.walk(self._root):
            here = Path(folder)
            if here == self._root:
                inner[:] = sorted(set(inner) - set(_OWN_WAY))
            own = [name for name in sorted(names) if here != self._root or name not in _OWN_WAY]
            found += [here / name for name in own]
        journal = set(self._keeping.vault.journal.files())
        kept = [path for path in found if path.is_file() and not path.is_symlink() and path not in journal]
        return [path.relative_to(self._root).as_posix() for path in kept]

    def _clean(
        self, name: str, texts: Collection[str], turns: Mapping[str, str], keys: Collection[str], *, off: bool
    ) -> bool:
        path = self._root / name
        if name.endswith(_FOREIGN):
            return False
        if name in SOUL_FILES:
            return False  # done through the vault, which keeps its history
        if name == CORE_MEMORY:
            return rewrite_text(path, lambda text: without_headings(erased(text, texts), keys))
        if name.startswith(SNAPSHOTS):
            if _holds(path, texts, turns):
                path = _without_name(path)
            return rewrite_text(path, lambda text: erased(without_turns(text, turns), texts))
        session = session_of(path.name) if name.startswith("sessions/") else None
        if session is None:
            return rewrite_text(path, lambda text: erased(text, texts))
        quoted = [*texts, *filter(None, turns.values())]

        def cleaned(fields: dict[str, Any]) -> dict[str, Any]:
            if f"{session}#{fields.get('n')}" in turns:
                return without_turn(fields, off=off)
            # What a search found was turns, too.
            return without_said(fields, quoted if fields.get("role") == "tool" else texts, keys)

        return rewrite_lines(path, cleaned, lambda line: erased(line, texts))

    def _clean_souls(self, write: Write, texts: Collection[str]) -> list[str]:
        """Take the texts out of the soul files, as a change in their history."""
        cleaned = []
        for name in SOUL_FILES:
            document = self._keeping.vault.read(name)
            text = document.text
            if holds(text, texts):
                content = files.encoded(erased(text, texts))
                reason = Sentence("a purge took text out")
                self._keeping.vault.rewrite_soul(
                    write.appender, document, content, actor="almario", reason=reason
                )
                cleaned.append(name)
        return cleaned

    def _clean_reflections(self, retellings: Retellings) -> list[str]:
        """Take out the entries of the reflection journal that tell of what is erased in other words."""
        paths = [name for name in self._texts_files() if name.startswith(REFLECTIONS)]
        return [name for name in paths if rewrite_text(self._root / name, retellings.cleaned)]

    def _clean_versions(self, texts: Collection[str], doomed: Collection[tuple[str, str]]) -> list[str]:
        """Delete these and all that hold one of the texts; the history says that they were there."""
        kept = self._version_files()
        found = [path for path in kept if (path.parent.name, path.name) in doomed or _holds(path, texts)]
        for path in found:
            files.remove(path)
        return [path.relative_to(self._root).as_posix() for path in found]

    def _version_files(self) -> list[Path]:
        return sorted(path for path in (self._root / ".versions").rglob("*") if path.is_file())

    def _clean_journal(self, write: Write, rewrite: Rewrite, texts: Collection[str]) -> list[str]:
        write.appender.close()  # its descriptor would write to the file that is replaced
        paths = self._keeping.vault.journal.files()
        cleaned = [path for path in paths if rewrite_lines(path, rewrite, lambda line: erased(line, texts))]
        return [f"journal/{path.name}" for path in cleaned]


def _holds(path: Path, texts: Collection[str], turns: Collection[str] = ()) -> bool:
    """Say whether a file holds one of the texts, or as a snapshot one of the turns."""
    text = (files.read_bytes(path) or b"").decode("utf-8", "surrogateescape")
    return holds(text, texts) or (bool(turns) and without_turns(text, turns) != text)


def _without_name(path: Path) -> Path:
    """Give a snapshot a name without the words of its session; only its day is left."""
    day = day_named(path.name)
    if day is None or path.stem.startswith(f"{day}-{ERASED}"):
        return path
    names = itertools.chain([f"{day}-{ERASED}"], (f"{day}-{ERASED}-{n}" for n in itertools.count(2)))
    free = next(each for name in names if not (each := path.with_name(f"{name}.md")).exists())
    with files.writing(path):
        path.rename(free)
        files.sync_folder(path.parent)
    return free


def erased_line(
    fields: dict[str, Any], retellings: Retellings, texts: Collection[str], everywhere: Collection[str]
) -> dict[str, Any]:
    """Return a journal line without what is erased: *texts* in lines about the memories, others in any."""
    return without_ids(_without_texts(fields, retellings, texts, everywhere), retellings.ids)


def _without_texts(
    fields: dict[str, Any], retellings: Retellings, texts: Collection[str], everywhere: Collection[str]
) -> dict[str, Any]:
    """Take the texts out of a line, leaving the memories' own values for the last pass."""
    ids = retellings.ids
    gone = texts if {change["id"] for change in fields.get("changes", ())} & set(ids) else everywhere
    cleaned = with_texts(
        retellings.without(fields), lambda text, heading: erased_text(text, gone, heading=heading)
    )
    if fields["type"] != "memory.changed":
        return cleaned
    pairs = zip(fields["changes"], cleaned["changes"], strict=True)
    return cleaned | {"changes": [old if old["id"] in ids else new for old, new in pairs]}

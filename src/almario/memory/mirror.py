"""MEMORY.md, both ways: the owner's edits become memories, and memories become its lines.

What the owner did is found by comparing the file with what was in use when it
was last rendered, so an editor that saves an old buffer loses nothing. The
file is rendered under the lock and exchanged: an edit made in that moment is
merged, never overwritten.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from almario.domain.documents.conflicts import without_conflicts
from almario.domain.documents.document import Document
from almario.domain.documents.lines import split_lines
from almario.domain.events import MemoriesChanged
from almario.domain.memories import MIRRORED, OWN_PASSAGE, TRUSTED, UNTRUSTED, Change, Memory, Origin, Wanted
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY
from almario.domain.plain_text import regex
from almario.domain.records import written
from almario.domain.withheld import named_kinds, withheld
from almario.errors import AlmarioError, EditConflict, SoulError
from almario.memory.ledger import Ledger
from almario.memory.rules.mirror import (
    Fact,
    FactLine,
    Marker,
    Parsed,
    by_fact,
    core_lines,
    keys_of,
    known,
    notes_in,
    parse,
    place,
    same,
    where_the_rest_is,
)
from almario.memory.settings import MemorySettings
from almario.memory.writer import MemoryWriter, Write
from almario.named_tuples import NamedTuple

# What takes in an edit, and writes the file, is loaded then: most commands only read it.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from almario.memory.rules.mirror_merge import Edits
    from almario.text.redaction import Redactor

# An editor that saves again and again at that very moment is left alone until the next command.
_TRIES = 5
# Under this note stands what is known of the file, since all its facts are bullets.
_NOTE = "bullets"
_NEVER = "9999"
# A version of the file that was set aside.
_KEPT = regex(r"MEMORY\.conflict-[0-9a-f]{8}\.md")


# With more facts than these, MEMORY.md and prompts keep to a core of this part of them.
MANY, _PART = 2000, 4
# Under this note stands what the latest renderings showed that did not show all; of so many it is kept.
_RENDERINGS, _KEPT_RENDERINGS = "renderings", 8
_MIRRORED = Wanted(kinds=MIRRORED, origins=TRUSTED)


class Core:
    """Chooses the facts that are always at hand: all of them, or of very many a part."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def facts(self, now: datetime) -> list[Memory]:
        """Return what is in use and trusted; of very many, the profile and the newest first."""
        return self._ledger.live(now, _MIRRORED._replace(most=self.most()))

    def most(self) -> int:
        """Return how many facts are the core, if there are very many; 0: they all are."""
        return max(1, MANY // _PART) if self.count() > MANY else 0

    def count(self) -> int:
        """Return how many facts there are."""
        return self._ledger.table.extent(_MIRRORED._replace(states=("live",)))[0]

    def shown_at(self, seq: int) -> list[str] | None:
        """Return the ids of what was shown when the core was rendered at *seq*; None if that is not known."""
        return self._renderings().get(str(seq))

    def note(self, marker: Marker, shown: Sequence[Memory]) -> None:
        """Remember what a rendering showed, if it did not show all."""
        if marker.rest:
            kept = {seq: ids for seq, ids in self._renderings().items() if seq != str(marker.seq)}
            latest = [*kept.items(), (str(marker.seq), [memory.id for memory in shown])][-_KEPT_RENDERINGS:]
            self._ledger.table.note(_RENDERINGS, json.dumps(dict(latest)))

    def _renderings(self) -> dict[str, list[str]]:
        noted: dict[str, list[str]] = json.loads(self._ledger.table.noted(_RENDERINGS) or "{}")
        return noted


class _Seen(NamedTuple):
    """The file's hash when it was last seen, the change it showed, and from when until when that holds."""

    hash: str = ""
    change: str = ""
    since: str = ""
    until: str = ""


class Mirror:
    """Keeps MEMORY.md and the ledger in step."""

    def __init__(
        self, writer: MemoryWriter, redact: "Redactor", settings: MemorySettings, language: str
    ) -> None:
        """*language* is that of what is written in the file besides facts."""
        self.enabled = settings.mirror
        self._language = language
        self._ledger = writer.ledger
        self.core = Core(writer.ledger)
        self._vault = writer.vault
        self._redact = redact
        self._notices: list[Sentence] = []
        # What the file said when its prose was last looked for, and that.
        self._prose = ("", "")

    def is_settled(self) -> bool:
        """Return whether the file is as it was last seen, and shows every change."""
        if not self.enabled:
            return True
        try:
            found = self._vault.read(CORE_MEMORY).hash
        except AlmarioError:  # told by whoever tries to render it
            return False
        seen = self._seen()
        is_same = (seen.hash, seen.change) == (str(found), str(self._ledger.last_change()))
        return is_same and seen.since <= written(self._vault.now()) < seen.until

    def merge(self, write: Write) -> Sequence[Sentence]:
        """Take in what the owner did to the file since it was last seen; return what is worth telling."""
        try:
            found = self._vault.read(CORE_MEMORY).hash if self.enabled else None
        except AlmarioError:  # as above
            return ()
        # The marker must move on before anything else is decided.
        return self.render(write) if found and found != self._seen().hash else ()

    def render(self, write: Write) -> Sequence[Sentence]:
        """Make the file show what is in use; an edit made meanwhile is merged first."""
        self._notices = []
        for _ in range(0 if self.is_settled() else _TRIES):
            try:
                document = self._vault.documents.read(CORE_MEMORY, whole=True)
                parsed = self._parsed(write, document.text)
                is_news = document.content is not None and document.hash != self._seen().hash
                cut = self._take_in(write, document, parsed).cut if is_news else ()
                self._put(write, document, parsed, cut)
            except EditConflict:
                continue
            except AlmarioError as exc:
                self._notices.append(sentence_of(exc))
            break
        return self._notices

    def accept(self, write: Write, name: str) -> list[Memory]:
        """Forget what is missing in a version of the file that was set aside; return it."""
        if not _KEPT.fullmatch(name):
            raise SoulError(
                "{name} is not a version of {file} that was set aside", name=name, file=CORE_MEMORY
            )
        document = self._vault.read(name)
        if document.content is None:
            raise SoulError("there is no file {name}", name=name)
        parsed = self._parsed(write, document.text)
        base = self._base(write, parsed)
        if base is None:
            raise SoulError("the last line of {name}, which says when it was written, is gone", name=name)
        edits = self._edits(write, parsed, base)
        gone = [self._ledger.memory(memory_id) for memory_id in (*edits.removed, *edits.missing)]
        changes: list[Change] = [{"id": memory.id, "set": {"state": "retired"}} for memory in gone]
        if changes:
            write.commit(MemoriesChanged("edited", tuple(changes)), actor="owner")
        write.appender.replace(document, None)
        return gone

    def lines(self) -> dict[Fact, int]:
        """Return the line on which each fact stands, from 1."""
        return {same(*self._redacted(fact.key, fact.value)): fact.first + 1 for fact in self._facts()}

    def raw_facts(self) -> list[tuple[str, str]]:
        """Return the value of each fact as it stands in the file, and as the ledger has it."""
        return [(fact.value, self._redact(fact.value, fact.key).whole) for fact in self._facts()]

    def prose(self) -> list[str]:
        """Return what the owner wrote in the file besides facts, without secrets."""
        return list(core_lines(self._redact.file(without_conflicts(self.own_text()))))

    def own_text(self) -> str:
        """Return the file without the lines that are facts or ours; whole, if facts are not kept in step."""
        text = self._vault.read(CORE_MEMORY).text
        if self._prose[0] != text:
            facts = self.fact_lines(text)
            kept = [line for number, line in enumerate(split_lines(text), 1) if number not in facts]
            self._prose = text, "".join(kept)
        return self._prose[1]

    def fact_lines(self, text: str) -> set[int]:
        """Return the numbers, from 1, of the lines that are facts or ours: the rest is the owner's prose."""
        if not self.enabled:
            return set()
        parsed = parse(text)
        facts = {line + 1 for fact in parsed.facts for line in range(fact.first, fact.last + 1)}
        return facts | {line + 1 for line in parsed.markers}

    def _seen(self) -> _Seen:
        noted = self._ledger.table.noted(_NOTE).split()
        return _Seen(*noted) if len(noted) == len(_Seen._fields) else _Seen()

    def _redacted(self, key: str, value: str) -> Fact:
        return self._redact.whole(key), self._redact(value, key).whole

    def _facts(self) -> Sequence[FactLine]:
        """Read the file's facts; none if it is not to be read, which is told when it is to be rendered."""
        try:
            return parse(self._vault.read(CORE_MEMORY).text).facts if self.enabled else ()
        except AlmarioError:
            return ()

    def _parsed(self, write: Write, text: str) -> Parsed:
        """Return what a file says; in that of an earlier version, every fact becomes a bullet first."""
        parsed = parse(text)
        if not parsed.is_older:
            return parsed
        from almario.memory.rules.older_lines import as_bullets

        facts = by_fact(self._in_use(write))

        def is_known(key: str, value: str) -> bool:
            return bool({same(key, value), same(*self._redacted(key, value))} & facts.keys())

        text, count = as_bullets(text, is_known)
        sentence = "{file}: facts in tables and under bold keys are bullets now ({count})"
        notice = Sentence(sentence, file=CORE_MEMORY, count=count)
        self._notices += [notice] if count and notice not in self._notices else []
        return parse(text)

    def _take_in(self, write: Write, document: Document, parsed: Parsed) -> "Edits":
        edits = self._edits(write, parsed, self._base(write, parsed))
        is_first = not self._ledger.last_change() and not self._seen().hash
        changes = self._changes(write, edits, origin="imported" if is_first else "owner")
        if changes:
            write.commit(MemoriesChanged("edited", tuple(changes)), actor="owner")
        if edits.missing:
            self._keep_aside(write, document, len(edits.missing))
        return edits

    def _edits(self, write: Write, parsed: Parsed, base: list[Memory] | None) -> "Edits":
        from almario.memory.rules.mirror_merge import merge

        shown = self._in_use(write)
        others = [*self._known_of(self._unknown(parsed, shown)), *self._as_they_are(base or ())]
        every = [*shown, *(memory for memory in others if self._is_in_use(memory, write.now))]
        live = list({memory.id: memory for memory in every}.values())
        marker = parsed.marker
        if base is None or marker is None:
            return merge(parsed, None, live, redact=self._redacted)
        # An old buffer brings nothing back, neither what was put out of use since nor what was erased.
        in_use = by_fact(live)
        erased = [
            line
            for line in parsed.facts
            if not known(line, in_use, None) and self._ledger.was_purged(line.value, after=marker.seq)
        ]
        rest = tuple(line for line in parsed.facts if line not in erased) if erased else parsed.facts
        since = self._ledger.ended_since(marker.seq)
        edits = merge(parsed._replace(facts=rest), base, live, since=since, redact=self._redacted)
        return edits._replace(cut=(*edits.cut, *((line.key, line.value) for line in erased)))

    def _changes(self, write: Write, edits: "Edits", *, origin: Origin) -> list[Change]:
        from almario.memory.admission import superseding

        changes: list[Change] = [self._added(key, value, origin) for key, value in edits.added]
        for memory_id, key, value in edits.changed:
            old, new = self._ledger.memory(memory_id), self._added(key, value, origin)
            new["set"] |= {"place": old.place}
            new["evidence"] = list(dict.fromkeys((*old.evidence, *new["evidence"])))
            changes += [new, superseding(old, new["id"], write.now)]
        changes += [{"id": memory_id, "set": {"state": "retired"}} for memory_id in edits.removed]
        return changes

    def _added(self, key: str, value: str, origin: Origin) -> Change:
        from almario.memory.admission import held, new_id
        from almario.memory.rules.dating import dated_fact

        hidden = self._redact(value, key)
        name = self._redact(key)
        if name.kinds or hidden.kinds:
            sentence = (
                '{file} holds a secret ({kinds}) under "{key}"; it stays in the file, and nowhere else: '
                "take it out"
            )
            kinds = named_kinds(name.kinds + hidden.kinds)
            self._notices.append(Sentence(sentence, file=CORE_MEMORY, kinds=kinds, key=name.whole))
        if hidden.suspected:
            self._notices.append(withheld(hidden.suspected))
        fields = {
            "key": name.whole,
            "value": hidden.text,
            "kind": "profile",
            # What stood in a file before its owner was here to say so is nobody's explicit word.
            "source": "explicit" if origin == "owner" else "auto",
            "origin": origin,
        }
        now = self._vault.now()
        dated = dated_fact("", hidden.whole, now.date(), key=name.whole)
        made: Change = {"id": new_id(), "set": fields | held(dated, now), "evidence": [CORE_MEMORY]}
        return made | {"whole": hidden.whole} if hidden.suspected else made

    def _base(self, write: Write, parsed: Parsed) -> list[Memory] | None:
        """Return what the file showed when it was last rendered; None if it does not say."""
        marker = parsed.marker
        if marker is None or marker.seq > write.appender.seq:
            return None
        wanted = Wanted(kinds=MIRRORED)
        if marker.rest:  # what was not shown cannot have been taken out
            shown = self.core.shown_at(marker.seq)
            if shown is None:
                return None
            wanted = wanted._replace(ids=tuple(shown))
        known = self._ledger.at_seq(marker.seq, wanted)
        return [self._ledger.whole(m) for m in known if self._is_in_use(m, marker.at)]

    def _in_use(self, write: Write) -> list[Memory]:
        return list(map(self._ledger.whole, self.core.facts(write.now)))

    def _is_in_use(self, memory: Memory, at: datetime) -> bool:
        is_shown = memory.is_live and memory.kind in MIRRORED and memory.origin != UNTRUSTED
        return is_shown and self._ledger.is_live(memory, at)

    def _as_they_are(self, memories: Sequence[Memory]) -> list[Memory]:
        ids = tuple(memory.id for memory in memories)
        found = self._ledger.table.select(Wanted(ids=ids)) if ids else []
        return list(map(self._ledger.whole, found))

    def _unknown(self, parsed: Parsed, live: Sequence[Memory]) -> list[FactLine]:
        """Return the lines of a file that show nothing that is in use."""
        facts = by_fact(live)
        return [line for line in parsed.facts if not known(line, facts, self._redacted)]

    def _known_of(self, lines: Sequence[FactLine]) -> list[Memory]:
        """Return the memories that such lines may show, in use or not, and what took the place of each."""
        keys = keys_of([*lines, *(line._replace(key=self._redact.whole(line.key)) for line in lines)])
        found = self._ledger.table.select(Wanted(kinds=OWN_PASSAGE, keys=tuple(keys))) if keys else []
        every = {memory.id: memory for memory in found}
        while heirs := {memory.by for memory in found if memory.by} - every.keys():
            found = self._ledger.table.select(Wanted(ids=(*heirs, "")))
            every |= {memory.id: memory for memory in found}
        return list(map(self._ledger.whole, every.values()))

    def _put(self, write: Write, document: Document, parsed: Parsed, cut: Iterable[tuple[str, str]]) -> None:
        from almario.memory.rules.mirror_render import is_current, render

        live = self._in_use(write)
        now = write.now
        final = document
        if live or document.content is not None:
            unknown = self._unknown(parsed, live)
            every = self._known_of(unknown)
            gone: dict[Fact, Memory | None] = {}
            if unknown:
                gone = gone_facts(every, live) | self._renamed(parsed.marker, live) | dict.fromkeys(cut)
            count = self.core.count()
            rest = where_the_rest_is(self._language, len(live), count) if count > MANY else ""
            marker, notes = Marker(write.appender.seq, now, rest), notes_in(self._language)
            text = render(
                parsed,
                live,
                marker=marker,
                gone=gone,
                redact=self._redacted,
                notes=notes,
                unmade=set().union(*self._left(every)),
            )
            _, newest = self._ledger.table.extent(Wanted(kinds=MIRRORED))
            newest = max(newest, self._ledger.last_purge())
            if parsed.marker and not parsed.is_older and is_current(parsed, text, marker, newest):
                marker = parsed.marker
            else:
                is_as_new = not live and self._says_nothing(parse(text))
                final = write.appender.replace(document, None if is_as_new else text)
            self.core.note(marker, live)
        ends = [end for memory in live if (end := self._ledger.lifetimes.end_of(memory))]
        until = written(min(ends)) if ends else _NEVER
        seen = _Seen(str(final.hash), str(self._ledger.last_change()), written(now), until)
        self._ledger.table.note(_NOTE, " ".join(seen))

    def _renamed(self, shown: Marker | None, live: Sequence[Memory]) -> dict[Fact, Memory | None]:
        """Return the facts that have another key than when the file was rendered, as they stood there."""
        earlier = self._ledger.earlier(shown.seq) if shown else {}
        pairs = ((self._ledger.whole(old), new) for new in live if (old := earlier.get(new.id)))
        return {(old.key, old.value): new for old, new in pairs if same(old.key, "") != same(new.key, "")}

    def _says_nothing(self, rendered: Parsed) -> bool:
        """Return whether a file is empty, and nothing was ever known but what was undone."""
        lines = (line for at, line in enumerate(rendered.lines) if at not in rendered.markers)
        if "".join(lines).strip():
            return False
        known = self._ledger.table.select(Wanted(kinds=MIRRORED))
        return {place(memory.key) for memory in known} <= self._left(known)[0]

    def _left(self, memories: Sequence[Memory]) -> tuple[set[str], set[str]]:
        """Return the keys under which all was undone; and where something was forgotten, and none edited."""
        verbs = {m.id: [each.verb for each in self._ledger.table.history(memory=m.id)] for m in memories}
        stands = {place(m.key) for m in memories if verbs[m.id][-1] != "undone"}
        edited = {place(m.key) for m in memories if "edited" in verbs[m.id]}
        forgotten = {place(m.key) for m in memories if verbs[m.id][-1] == "forgotten"}
        return {place(m.key) for m in memories} - stands, forgotten - edited

    def _keep_aside(self, write: Write, document: Document, count: int) -> None:
        """Keep the owner's version of a file from which much is gone at once, and ask."""
        kept = f"MEMORY.conflict-{(document.hash or '')[:8]}.md"
        if self._vault.read(kept).content is None:
            write.appender.replace(Document(kept), document.content or b"")
        sentence = (
            "{count} facts disappeared from {file} at once, so none was forgotten; your version is "
            '{kept}; "almario forget --not-in {kept}" forgets what is not in it'
        )
        self._notices.append(Sentence(sentence, count=count, file=CORE_MEMORY, kept=kept))


def gone_facts(every: Sequence[Memory], live: Sequence[Memory]) -> dict[Fact, Memory | None]:
    """Return the facts that are out of use, each with the one in use that took its place."""
    heirs: dict[str, Memory | None] = {memory.id: memory for memory in live}
    out = {memory.id: memory for memory in every if memory.id not in heirs}
    for first in out.values():
        place, line = first.id, []  # all in the line have the same heir
        while place in out and place not in heirs:
            heirs[place] = None  # for now: a circle has none
            line.append(place)
            place = out[place].by
        heirs |= dict.fromkeys(line, heirs.get(place))
    return {(memory.key, memory.value): heirs[memory.id] for memory in out.values()}

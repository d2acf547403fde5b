"""Forgetting for real: what was erased is in no file of the folder any more.

The journal first says what is to be erased, by id alone; then every file is
rewritten, the journal last, so that a purge that was interrupted can be
carried on from what is still there. A salted hash of each text keeps it from
being learned again; it is hidden with a key of the home, like every digest of
what is gone, so that nobody who has these files can guess it.
"""

import itertools
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from almario.domain.documents.bullets import bullet, cell
from almario.domain.events import Actor, MemoriesChanged, PurgeBegun, PurgeDone
from almario.domain.held import HeldWords
from almario.domain.journal_lines import every_string, with_texts
from almario.domain.memories import ERASED, IN_FILES, Change, Memory, Wanted, same_key, same_value
from almario.domain.messages import Sentence, Words, sentence_of
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.plain_text import regex
from almario.domain.turn_ids import TurnId, turn_id
from almario.domain.turns import ANSWERS, REF, SUFFIX, session_of
from almario.errors import Damaged, SoulError, StoreError
from almario.memory.episodes import take_out_condensed
from almario.memory.held_words import held_words, without_lines, without_said
from almario.memory.ledger import salted
from almario.memory.retellings import Retellings, retellings_of, without_ids
from almario.memory.rules.erasure import (
    erased,
    erased_text,
    holds,
    without_headings,
    without_text,
    without_turn,
    without_turns,
)
from almario.memory.rules.ledger_models import KEPT
from almario.memory.rules.page_file import handwritten
from almario.memory.rules.sources import (
    FLIGHTS,
    OUT_OF_USE,
    PAGES,
    REFLECTIONS,
    SNAPSHOTS,
    day_named,
    entries_of,
    is_filed,
    line_name,
)
from almario.memory.writer import MemoryWriter, Write
from almario.named_tuples import NamedTuple
from almario.ports import Holding, Rewrite
from almario.text.redaction import Known, digest_of

# How long what was taken off the record can be brought back if nobody ends the session.
_QUIET = timedelta(hours=1)
# So long is what may be guessed.
_GUESSED = range(1, 40)
# The digest of a content, a line or a text, and the fields of lines that have some.
_DIGEST = regex(r"[0-9a-f]{64}|line:[0-9a-f]{16}|[0-9a-f]{32}")
_DIGESTS = ("from", "to", "lines", "files", "out", "hashes", "kept", "digests")
# Where it stands what was said, or was made of it.
_TORN = ("sessions/cut/", "sessions/archive/cut/")
_TRANSCRIPTS = ("sessions/", SNAPSHOTS, PAGES, *OUT_OF_USE, CORE_MEMORY)


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

    def __init__(
        self, writer: MemoryWriter, raw_facts: Callable[[], list[tuple[str, str]]], known: Known
    ) -> None:
        self._writer = writer
        self._known = known
        self._hidden = partial(writer.ledger.hidden, make=True)
        self._raw_facts = raw_facts
        self._ledger = writer.ledger
        self._vault = writer.vault

    def plan(self, memories: Sequence[Memory]) -> Erasure:
        """Say what would be erased with these memories, and where it stands."""
        to_erase = self._with_versions(memories)
        changes = [
            each.change for memory in to_erase for each in self._ledger.table.history(memory=memory.id)
        ]
        evidence = dict.fromkeys(turn for change in changes for turn in change.get("evidence", ()))
        turns = [each for each in evidence if "#" in each]  # the others name a file
        return self._planned(to_erase, tuple(turns))

    def plan_turns(self, turns: Sequence[str]) -> Erasure:
        """Say what would be erased with these turns: all that was learned from them alone, too."""
        to_erase = self.taught_by(turns)
        return Erasure(
            tuple(to_erase), tuple(turns), tuple(self._texts({m.id for m in to_erase})), (), (), off=True
        )

    def taught_by(self, turns: Sequence[str]) -> list[Memory]:
        """Return what was learned from these turns alone, and the episodes and summaries of any of them."""
        taught = self._ledger.table.select(Wanted(evidence=tuple(turns)))
        return [m for m in taught if m.kind in IN_FILES or set(m.evidence) <= set(turns)]

    def repeating(self, memories: Collection[Memory], since: str) -> list[str]:
        """Return the answers that drew on these memories since a turn, in any session: they repeat them."""
        ids, transcripts = {memory.id for memory in memories}, self._vault.transcripts
        first = self._vault.turn(since)
        if not ids or not first:
            return []
        lately = [
            session
            for session in transcripts.sessions()
            if any(turn.at >= first.at for turn in transcripts.read(session, last=1))
        ]
        turns = (turn for session in lately for turn in transcripts.read(session))
        return [turn.id for turn in turns if not ids.isdisjoint(turn.more.get("used", ()))]

    def _planned(self, to_erase: list[Memory], turns: tuple[str, ...]) -> Erasure:
        if turns:
            derived = self._ledger.table.select(Wanted(kinds=IN_FILES))
            known = {memory.id for memory in to_erase}
            to_erase += [m for m in derived if m.id not in known and set(m.evidence) & set(turns)]
        to_erase += self._saying_the_same(to_erase)
        texts = self._texts({memory.id for memory in to_erase})
        places, beyond = self._places(texts, turns)
        return Erasure(tuple(to_erase), turns, tuple(texts), tuple(places), tuple(beyond))

    def beside_souls(self, memories: Sequence[Memory]) -> list[Memory]:
        """Return the memories of which no soul file has any wording."""

        def wordings(of: Sequence[Memory]) -> list[str]:
            return self._texts({memory.id for memory in self._with_versions(of)})

        souls = [self._writer.vault.read(name).text for name in SOUL_FILES]
        found = {text for text in wordings(memories) if any(holds(soul, [text]) for soul in souls)}
        return [each for each in memories if not found or found.isdisjoint(wordings([each]))]

    def holding(self, words: str) -> list[HeldWords]:
        """Return every piece of the files that has these words."""
        return held_words(self._vault, self._ledger, words)

    def erase_held(self, write: Write, words: str, ids: Collection[str], *, actor: Actor) -> list[str]:
        """Erase these pieces of what has the words, each whole; return what was cleaned."""
        every = self.holding(words)
        chosen = [each for each in every if each.id in ids and each.can_be_erased]
        if missing := sorted(set(ids) - {each.id for each in chosen}):
            sentence = '{id} is nothing with "{words}" in it that can be erased; look again'
            raise SoulError(sentence, id=missing[0], words=Words(words))
        memories = [self._ledger.memory(each.ref) for each in chosen if each.kind == "memory"]
        plan = self.plan(memories)
        turns = [each.ref for each in chosen if each.kind == "message"]
        plan = self._planned(list(plan.memories), tuple(dict.fromkeys([*plan.turns, *turns])))
        return self.begin(write, plan, actor=actor, pieces=chosen)

    def begin(
        self, write: Write, plan: Erasure, *, actor: Actor, pieces: Sequence[HeldWords] = ()
    ) -> list[str]:
        """Erase what was planned, and what has come to say the same since; return what was cleaned.

        An interrupted purge is carried on without the *pieces*, of which only texts are known: whoever looks
        again finds what is left of them.
        """
        if not plan.memories and not plan.turns and not pieces:
            raise SoulError("there is nothing to erase")
        to_erase = [*plan.memories, *(self._saying_the_same(plan.memories) if not plan.off else ())]
        salt = os.urandom(8).hex()
        hashes = tuple(salted(salt, same_value(text)) for text in plan.texts)
        ids = tuple(memory.id for memory in to_erase)
        write.commit(PurgeBegun(ids, plan.turns, salt, hashes, plan.off), actor=actor)
        return self._resume(write, actor=actor, pieces=pieces)

    def _resume(
        self, write: Write, *, actor: Actor = "almario", pieces: Sequence[HeldWords] = ()
    ) -> list[str]:
        """Carry out the purges that were begun and not finished; return the places that were cleaned."""
        cleaned: list[str] = []
        for seq, begun in self._ledger.unfinished_purges():
            found = self._ledger.table.select(Wanted(ids=begun.ids, states=("live",))) if begun.ids else ()
            in_use: list[Change] = [{"id": m.id, "set": {"state": "retired"}} for m in found]
            if in_use:
                write.commit(MemoriesChanged("forgotten", tuple(in_use)), actor=actor)
            cleaned += self._carry_out(write, begun, pieces)
            write.commit(PurgeDone(seq), actor="almario")
        return list(dict.fromkeys(cleaned))

    def carry_on(self, write: Write) -> list[Sentence]:
        """Carry on with what was interrupted; a file that resists holds up nothing else, which is told."""
        try:
            self._resume(write)
        except Damaged:
            raise
        except (SoulError, StoreError) as exc:
            return [Sentence("a purge is not finished: {why}", why=sentence_of(exc))]
        return []

    def erase_taken_back(self, write: Write, session: str = "", *, every: bool = False) -> bool:
        """Erase what was off the record in a session that is ending and in any that has, or in *every*."""
        gone = [each for each in self._ledger.taken_back().values() if every or self._is_over(each, session)]
        for turns in gone:
            self.begin(write, self.plan_turns(turns), actor="almario")
        return bool(gone)

    def _is_over(self, turns: Sequence[str], ending: str) -> bool:
        """Return whether the session of some turns is *ending*, began anew since, or has long been quiet."""
        session, n = turn_id(turns[0])
        if session == ending or n <= self._ledger.session(session).fresh:
            return True
        last = self._vault.transcripts.read(session, last=1)
        return not last or self._vault.now() - last[0].at >= _QUIET

    def _carry_out(self, write: Write, begun: PurgeBegun, pieces: Sequence[HeldWords]) -> list[str]:
        ids, turns = set(begun.ids), {turn: self._text_of(turn) for turn in begun.turns}
        texts = self._texts(ids)
        keys = self._keys_alone(ids)
        retellings = retellings_of(ids, turns, texts, self._writer.vault.journal)
        # What was said off the record goes where it was said; the same words elsewhere were said otherwise.
        everywhere = () if begun.off else texts
        kept = self._kept_besides([*texts, *turns.values()])
        # First, while the entries are there that shorter lines stand for.
        entries = [*self._entries_holding(texts), *_entries_in(pieces)]
        cleaned = take_out_condensed(self._ledger, write, entries)
        cleaned += self._clean_pieces(write, pieces) + self._clean_souls(write, everywhere)
        cleaned += self._clean_reflections(write, retellings)
        erasing = _Erasing(everywhere, turns, keys, begun.off, ids)
        texts_in = [
            each for each in self._holding_texts() if not begun.off or each.name.startswith(_TRANSCRIPTS)
        ]
        cleaned += [each.name for each in texts_in if self._clean(write, each, erasing)]
        cleaned += self._clean_versions(write, everywhere, retellings.only_wanted(self._vault))

        in_use = kept | self._digests_in_use()

        def wordless(fields: dict[str, Any]) -> dict[str, Any]:
            fields = without_texts(fields, retellings, texts, everywhere)
            return without_digests(fields, in_use, self._hidden)

        cleaned += self._clean_journal(write, wordless, everywhere)
        cleaned += self._clean_journal(write, lambda fields: without_ids(fields, ids), everywhere)
        self._known.clear()
        self._writer.rebuild()
        return cleaned

    def _entries_holding(self, texts: Collection[str]) -> list[str]:
        """Return the names of the entries of logs, condensed or not, that hold any of these texts."""
        logs = [each.name for each in self._holding_texts() if is_filed(each.name)]
        entries = ((log, entry.text) for log in logs for entry in entries_of(log, self._vault.read(log).raw))
        return [line_name(log, text) for log, text in entries if holds(text, texts)]

    def _kept_besides(self, texts: Collection[str]) -> set[str]:
        """Return the digests of what is no secret by the owner's word and stands in none of these texts."""
        kept = set(self._vault.follower.rows(KEPT))
        pieces = (text[at : at + size] for text in texts for at in range(len(text)) for size in _GUESSED)
        return kept.difference(map(digest_of, pieces)) if kept else kept

    def _digests_in_use(self) -> set[str]:
        """Return the digests of the contents that are kept, and the names of the lines that are there."""
        logs = [each.name for each in self._holding_texts() if is_filed(each.name)]
        lines = {line_name(log, e.text) for log in logs for e in entries_of(log, self._vault.read(log).raw)}
        files = {str(self._vault.read(name).hash) for name in SOUL_FILES}
        return lines | files | {self._version(each)[1] for each in self._holding_texts("version")}

    def _with_versions(self, memories: Sequence[Memory]) -> list[Memory]:
        every = self._ledger.table.select(Wanted())
        found = {memory.id: memory for memory in memories}
        grown = True
        while grown:
            replaced = (memory for memory in every if memory.state == "superseded" and memory.by in found)
            more = [memory for memory in replaced if memory.id not in found]
            found |= {memory.id: memory for memory in more}
            grown = bool(more)
        return list(found.values())

    def _saying_the_same(self, memories: Sequence[Memory]) -> list[Memory]:
        texts = {same_value(text) for text in self._texts({memory.id for memory in memories})}
        known = {memory.id for memory in memories}
        every = self._ledger.table.select(Wanted())
        return [memory for memory in every if same_value(memory.value) in texts and memory.id not in known]

    def _texts(self, ids: Collection[str]) -> list[str]:
        found: set[str] = set()
        for memory_id in ids:
            key = ""
            for recorded in self._ledger.table.history(memory=memory_id):
                key = recorded.change.get("set", {}).get("key") or key
                values = [recorded.change.get("set", {}).get("value"), recorded.change.get("said")]
                values.append(recorded.change.get("whole"))
                texts = {text for text in values if text and text != ERASED}
                # As a fact is told, and as it was told when it was kept.
                found |= texts | {f"{key}{sign} {text}" for text in texts for sign in (":", " →") if key}
        found |= {lines for text in found for lines in (bullet(text, "\n")[2:].rstrip("\n"), cell(text))}
        found |= {raw for raw, value in self._raw_facts() if value in found}
        return sorted(found, key=lambda text: (-len(text), text))

    def _text_of(self, turn: str) -> str:
        found = self._vault.turn(turn)
        return found.text if found and found.text != ERASED else ""

    def _refs(self, session: str, turns: Collection[str]) -> set[object]:
        """Return what the channels of these turns call them: answers bear that, too."""
        found = self._vault.turns([each for each in turns if turn_id(each).session == session])
        return {turn.more[REF] for turn in found if REF in turn.more}

    def _keys_alone(self, ids: Collection[str]) -> set[str]:
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
        held, beyond = [], []
        for each in self._vault.documents.holdings():
            if each.holder == "foreign":
                beyond.append(each.name)
            elif self._holds(each, texts, turns if each.name.startswith(SNAPSHOTS) else ()):
                held.append(each)
        last = ("version", "journal")
        return [each.name for each in sorted(held, key=lambda each: each.holder in last)], beyond

    def _holding_texts(self, *holders: str) -> list[Holding]:
        """Return what holds text: the earlier contents or the journal, or else all but these."""
        wanted = holders or ("document", "transcript")
        return [each for each in self._vault.documents.holdings() if each.holder in wanted]

    def _holds(self, held: Holding, texts: Collection[str], turns: Collection[str] = ()) -> bool:
        text = self._vault.read(held.name).raw
        return holds(text, texts) or (bool(turns) and without_turns(text, turns) != text)

    def _clean(self, write: Write, held: Holding, erasing: "_Erasing") -> bool:
        texts, turns, keys, off, _ = erasing
        rewrite = write.appender.rewrite
        if held.name in SOUL_FILES:
            return False  # done as a change in their history
        if held.name == CORE_MEMORY:
            return rewrite(held, lambda text: without_headings(erased(text, texts), keys))
        if held.name.startswith(SNAPSHOTS):
            if self._holds(held, texts, turns):
                held = self._without_name(write, held)
            return rewrite(held, lambda text: erased(without_turns(text, turns), texts))
        if held.holder != "transcript":
            return rewrite(held, lambda text: self._cleaned(text, held.name, erasing))
        session, quoted = session_of(held.name.rpartition("/")[2]), [*texts, *filter(None, turns.values())]
        refs = self._refs(session or "", turns)

        def cleaned(fields: dict[str, Any]) -> dict[str, Any]:
            if str(TurnId(session or "", fields.get("n", 0))) in turns:
                return without_turn(fields, self._hidden, off=off)
            if fields.get("text") == ERASED:  # by an older version, perhaps
                fields = without_turn(fields, self._hidden)
            fields = {name: each for name, each in fields.items() if name != ANSWERS or each not in refs}
            # What a search found was turns, too.
            return without_text(fields, quoted if fields.get("role") == "tool" else texts, keys)

        return rewrite(held, lambda line: erased(line, texts), cleaned)

    def _cleaned(self, text: str, name: str, erasing: "_Erasing") -> str | None:
        if name.startswith(FLIGHTS):
            return None  # prompts quote what is erased in pieces, which nothing finds
        if name.startswith(OUT_OF_USE):
            return _without_lines(text, erasing)
        if name.startswith(_TORN) and _session_of_torn(name) in {
            turn_id(each).session for each in erasing.turns
        }:
            return None  # it may be the beginning of one of these
        return erased(handwritten(text) if name.startswith(PAGES) else text, erasing.texts)

    def _without_name(self, write: Write, held: Holding) -> Holding:
        """Give a snapshot a name without the words of its session; only its day is left."""
        day = day_named(held.name.rpartition("/")[2])
        plain = f"{SNAPSHOTS}{day}-{ERASED}"
        if day is None or held.name.startswith(plain):
            return held
        names = itertools.chain([f"{plain}.md"], (f"{plain}-{n}.md" for n in itertools.count(2)))
        free = next(name for name in names if self._vault.read(name).content is None)
        write.appender.move(held.name, free)
        return held._replace(name=free)

    def _clean_souls(self, write: Write, texts: Collection[str]) -> list[str]:
        cleaned = []
        for name in SOUL_FILES:
            document = self._vault.read(name)
            if holds(document.text, texts):
                reason = Sentence("a purge took text out")
                content = erased(document.text, texts)
                write.appender.change_soul(document, content, actor="almario", reason=reason)
                cleaned.append(name)
        return cleaned

    def _clean_reflections(self, write: Write, retellings: Retellings) -> list[str]:
        """Take out the entries of the reflection journal that tell of what is erased in other words."""
        found = [each for each in self._holding_texts() if each.name.startswith(REFLECTIONS)]
        return [each.name for each in found if write.appender.rewrite(each, retellings.cleaned)]

    def _clean_versions(
        self, write: Write, texts: Collection[str], to_erase: Collection[tuple[str, str]]
    ) -> list[str]:
        """Delete these and all that hold one of the texts; the history says that they were there."""
        kept = self._holding_texts("version")
        gone = [each for each in kept if self._version(each) in to_erase or self._holds(each, texts)]
        return [each.name for each in gone if write.appender.rewrite(each, lambda text: None)]

    def _version(self, held: Holding) -> tuple[str, str]:
        """Return of which file something is an earlier content, and its hash."""
        return held.name.split("/")[-2], self._vault.read(held.name).hash or ""

    def _clean_pieces(self, write: Write, pieces: Sequence[HeldWords]) -> list[str]:
        """Take out lines, earlier contents and texts of the journal; memories and messages are done by id."""
        cleaned = []
        for held in self._vault.documents.holdings():
            here = [each for each in pieces if each.place == held.name]
            lines = {each.text for each in here if each.kind == "line"}
            said = {each.text for each in here if each.kind == "history"}
            is_gone = any(each.kind == "version" for each in here)
            if not lines and not said and not is_gone:
                continue
            if held.name in SOUL_FILES:
                document = self._vault.read(held.name)
                content, reason = without_lines(document.text, lines), Sentence("a purge took text out")
                is_changed = content != document.text
                if is_changed:
                    write.appender.change_soul(document, content, actor="almario", reason=reason)
            else:
                change = partial(_without_pieces, lines=lines, is_gone=is_gone)
                rows = partial(without_said, texts=said) if held.holder in ("journal", "transcript") else None
                is_changed = write.appender.rewrite(held, change, rows)
            cleaned += [held.name] if is_changed else []
        return cleaned

    def _clean_journal(self, write: Write, rewrite: Rewrite, texts: Collection[str]) -> list[str]:
        lines = self._holding_texts("journal")
        change = write.appender.rewrite
        return [each.name for each in lines if change(each, lambda line: erased(line, texts), rewrite)]


class _Erasing(NamedTuple):
    """What is erased from documents: texts, turns with what was said in them, keys, memories by their ids."""

    texts: Collection[str]
    turns: Mapping[str, str]
    keys: Collection[str]
    off: bool
    ids: Collection[str]


def _entries_in(pieces: Sequence[HeldWords]) -> list[str]:
    """Return the names of the entries of logs among these pieces."""
    lines = [each for each in pieces if each.kind == "line" and is_filed(each.place)]
    return [
        line_name(each.place, entry.text) for each in lines for entry in entries_of(each.place, each.text)
    ]


def _without_pieces(text: str, lines: Collection[str], *, is_gone: bool) -> str | None:
    return None if is_gone else without_lines(text, lines)


def _without_lines(text: str, erasing: _Erasing) -> str:
    """Return lines of JSON that nothing reads any more without those that name what is erased."""
    turns = [json.dumps(turn, ensure_ascii=False) for turn in erasing.turns]
    lines = text.split("\n")
    return "\n".join(
        line for line in lines if not holds(line, erasing.texts) and not any(turn in line for turn in turns)
    )


def _session_of_torn(name: str) -> str | None:
    """Return the session whose unfinished line was cut off and kept in a file."""
    return session_of(name.rpartition("/")[2].rpartition("-")[0] + SUFFIX)


def without_digests(
    fields: dict[str, Any], in_use: Collection[str], hidden: Callable[[str], str]
) -> dict[str, Any]:
    """Return a journal line in which digests of what is gone are hidden: a text could be guessed by them."""

    def change(digest: str, _: bool) -> str:
        return hidden(digest) if _DIGEST.fullmatch(digest) and digest not in in_use else digest

    return fields | {name: every_string(fields[name], change) for name in _DIGESTS if name in fields}


def without_texts(
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

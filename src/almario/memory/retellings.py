"""What the journal retells of memories in other words, which goes with them when they are erased.

That is the summary of a flush, and a reflection: whatever it wrote, if
anything of it rests on one of them. So are the reasons of proposals, the
owner's words that they quote, and why the owner said no.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from almario.domain.documents.headings import parse_sections
from almario.domain.events import Body, Unknown
from almario.domain.journal_lines import with_texts
from almario.domain.memories import ERASED, ERASED_MARK, same_value
from almario.domain.messages import Words
from almario.domain.records import Rewriting, plain
from almario.domain.soul_events import ProposalMade
from almario.domain.turn_ids import turn_ids
from almario.memory.rules.erasure import erased_text
from almario.named_tuples import NamedTuple
from almario.ports import Journal, Store


class Retellings(NamedTuple):
    """Tells which lines retell the memories with these *ids*, or these *turns*.

    *wanted* are the contents, by file and hash, that proposals resting on them want; *words* are what the
    owner asked for them with, which others may quote.
    """

    ids: Collection[str]
    turns: Collection[str]
    reflections: Collection[str] = ()
    proposals: Collection[str] = ()
    wanted: Collection[tuple[str, str]] = ()
    words: Collection[str] = ()

    def without(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return a journal line without what it retells."""
        fields = _rewritten(fields, self._retold(fields), lambda text, _: ERASED if text else text, Words)
        if fields["type"] in ("proposal.made", "soul.changed"):
            return _rewritten(fields, ("reason", "words"), lambda text, _: erased_text(text, self.words))
        # What a line says of a session's turns is taken out.
        flush = fields.get("flush")
        if not flush or not flush["summary"] or not self._covers(flush):
            return fields
        return fields | {"flush": flush | {"summary": ERASED}}

    def _retold(self, fields: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the fields of a line that retell something, by what the line refers to."""
        kind = str(fields["type"])
        if kind.startswith("reflection."):
            return tuple(fields) if fields["ref"] in self.reflections else ()
        if kind == "proposal.made":
            return ("reason", "words", "why") if fields["ref"] in self.proposals else ()
        if kind == "proposal.answered":
            is_owners = fields["answer"] == "rejected" and fields["ref"] in self.proposals
            return ("why",) if is_owners else ()
        if kind == "soul.changed":
            is_theirs = (
                fields.get("proposal") in self.proposals or fields.get("reflection") in self.reflections
            )
            return ("reason",) if is_theirs else ()
        if kind == "job.tried":  # a model's words, about anything
            return ("why",)
        return ("why",) if kind == "session.queued" and self._covers(fields) else ()

    def _covers(self, flush: Mapping[str, Any]) -> bool:
        """Return whether one of the turns is among those that were learned from, or wait for it."""
        covered = turn_ids(flush["session"], range(flush["from"] + 1, flush["to"] + 1))
        return any(each in self.turns for each in covered)

    def cleaned(self, text: str) -> str:
        """Return a day of the reflection journal without the entries of these reflections."""
        sections = parse_sections(text)
        gone = [any(f"] {each} (" in section.heading for each in self.reflections) for section in sections]
        return "".join(
            f"{section.heading}\n{ERASED_MARK}\n\n" if is_gone else section.heading + section.body
            for section, is_gone in zip(sections, gone, strict=True)
        )

    def only_wanted(self, vault: Store) -> set[tuple[str, str]]:
        """Return what proposals want that rest on them, and that never was a file's content."""
        files = {file for file, _ in self.wanted}
        was_there = {(file, version.hash) for file in files for version in vault.versions.history(file)}
        is_there = {(file, vault.read(file).hash) for file in files}
        return {each for each in self.wanted if each not in was_there | is_there}

    def cites(self, value: Any) -> bool:
        """Return whether anything in a value names one of them as its evidence."""
        return any(named in self.ids or named in self.turns for named in _evidence(value))


def retellings_of(
    ids: Collection[str], turns: Collection[str], texts: Collection[str], journal: Journal
) -> Retellings:
    """Return what a journal retells of these memories, of their *texts* and turns."""
    own = Retellings(ids, turns)
    lines = [each.body for each in journal.select("reflection.")]
    reflections = {_reflection_of(body) for body in lines if own.cites(plain(body))}
    made = [each.body for each in journal.select("proposal.") if isinstance(each.body, ProposalMade)]
    citing = [body for body in made if own.cites(plain(body)) or _is_about(body, ids, texts)]
    proposals = {body.id for body in made if body.reflection in reflections} | {body.id for body in citing}
    wanted = {(body.file, body.to) for body in citing if body.file}
    words = {body.words for body in citing if body.words}
    return own._replace(reflections=reflections, proposals=proposals, wanted=wanted, words=words)


def _reflection_of(body: Body) -> str:
    """Return the name of the reflection that a line is about; in earlier versions each phase had one."""
    return str(body.content.get("ref", "") if isinstance(body, Unknown) else getattr(body, "id", ""))


def _is_about(body: ProposalMade, ids: Collection[str], texts: Collection[str]) -> bool:
    values = {same_value(text) for text in texts}
    stated = {same_value(str(change.get("set", {}).get("value", ""))) for change in body.changes}
    return bool(stated & values) or any(change["id"] in ids for change in body.changes)


def without_ids(fields: dict[str, Any], ids: Collection[str]) -> dict[str, Any]:
    """Take out what a journal line says of these memories: their values, their keys, their other wordings."""
    if fields.get("type") not in ("memory.changed", "proposal.made") or "changes" not in fields:
        return fields
    # What was only proposed has an id of its own, and no text any more.
    is_proposed = fields["type"] == "proposal.made"
    changes = [
        _erased_change(change)
        if change["id"] in ids or (is_proposed and change.get("set", {}).get("value") == ERASED)
        else change
        for change in fields["changes"]
    ]
    cues = [each for each in fields.get("cues", ()) if each["id"] not in ids]
    return fields | {"changes": changes} | ({"cues": cues} if "cues" in fields else {})


def _erased_change(change: dict[str, Any]) -> dict[str, Any]:
    """Return a change without its words; what has none is in use no more, in whatever state it was."""
    fields = {name: ERASED if name in ("key", "value") else value for name, value in change["set"].items()}
    fields["state"] = "retired"
    wordings = {name: ERASED for name in ("said", "whole") if name in change}
    return change | {"set": fields} | wordings


def _evidence(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from map(str, inner) if name == "evidence" else _evidence(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _evidence(inner)


def _rewritten(
    fields: dict[str, Any], names: Collection[str], change: Rewriting, only: type[str] = str
) -> dict[str, Any]:
    found = {name: fields[name] for name in ("type", "v", *names) if name in fields}
    return fields | with_texts(found, change, only=only)

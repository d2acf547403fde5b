"""What is told of memories in other words, which goes with them when they are erased.

That is the summary of a flush, and a reflection: whatever it wrote, if
anything of it rests on one of them. So are the reasons of proposals, the
owner's words that they quote, and why the owner said no.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from almario.domain.documents.headings import parse_sections
from almario.domain.events import ProposalMade, ReflectionStep
from almario.domain.lazy_regex import regex
from almario.domain.memories import ERASED, ERASED_MARK, same_value
from almario.memory.rules.erasure import erased
from almario.ports import Journal, Store

# The fields of a journal line that hold text; all others are ours, whatever word stands there.
TEXTS = ("value", "said", "text", "reason", "summary", "why")
_REFLECTION, _ACCEPTED = "reflection ", "proposal accepted: "
# The words that a proposal goes back to, at the end of its reason.
_QUOTED = regex(r"«(.+)»\)?\Z")


class Accounts(NamedTuple):
    """Tells which accounts are of the memories with these *ids*, or of these *turns*.

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
        """Return a journal line without what it tells of them."""
        kind = str(fields.get("type"))
        if kind.startswith("reflection."):
            return _wordless(fields) if fields.get("id") in self.reflections else fields
        if kind == "proposal.made":
            told = ("reason", "why") if fields.get("id") in self.proposals else ()
            unquoted = {"reason": erased(str(fields.get("reason")), self.words)}
            return fields | unquoted | {name: ERASED for name in told if fields.get(name)}
        if kind == "proposal.answered":
            is_owners = fields.get("answer") == "rejected" and fields.get("id") in self.proposals
            return fields | {"why": ERASED} if is_owners and fields.get("why") else fields
        if kind == "job.tried" and '"' in str(fields.get("why")):  # a model's words, about anything
            return fields | {"why": ERASED}
        if kind == "soul.changed":
            return fields | {"reason": self._reason(str(fields.get("reason")))}
        return self._without_flush(fields)

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

    def cites(self, said: Any) -> bool:
        """Say whether anything in a value names one of them as its evidence."""
        return any(named in self.ids or named in self.turns for named in _evidence(said))

    def _reason(self, reason: str) -> str:
        """Return a reason of which only what it is known by is left, if it is one of theirs."""
        for start, end, known in ((_REFLECTION, ": ", self.reflections), (_ACCEPTED, " ", self.proposals)):
            name, _, _ = reason.removeprefix(start).partition(end)
            if reason.startswith(start) and name in known:
                return f"{start}{name}{end}{ERASED}"
        return erased(reason, self.words)

    def _without_flush(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Take out what a line says of a session's turns; also why a flush failed, which may quote them."""
        told = fields if fields.get("type") == "session.queued" else fields.get("flush") or {}
        places = range(told.get("from", 0) + 1, told.get("to", 0) + 1)
        if not any(f"{told.get('session')}#{n}" in self.turns for n in places):
            return fields
        accounts = {name: ERASED for name in ("summary", "why") if told.get(name)}
        return fields | (accounts if told is fields else {"flush": told | accounts})


def accounts_of(
    ids: Collection[str], turns: Collection[str], texts: Collection[str], journal: Journal
) -> Accounts:
    """Return the accounts of these memories, of their *texts* and turns that a journal has."""
    own = Accounts(ids, turns)
    steps = [each.body for each in journal.select("reflection.") if isinstance(each.body, ReflectionStep)]
    reflections = {step.id for step in steps if own.cites(step.result)}
    made = [each.body for each in journal.select("proposal.") if isinstance(each.body, ProposalMade)]
    citing = [body for body in made if own.cites(body._asdict()) or _is_about(body, ids, texts)]
    proposals = {body.id for body in made if body.by.removeprefix(_REFLECTION) in reflections}
    proposals |= {body.id for body in citing}
    wanted = {(body.file, body.to) for body in citing if body.file}
    words = {found[1] for body in citing if (found := _QUOTED.search(body.reason))}
    return own._replace(reflections=reflections, proposals=proposals, wanted=wanted, words=words)


def _is_about(body: ProposalMade, ids: Collection[str], texts: Collection[str]) -> bool:
    """Say whether a proposal would change one of these memories, or remember one of their texts."""
    values = {same_value(text) for text in texts}
    said = {same_value(str(change.get("set", {}).get("value", ""))) for change in body.changes}
    return bool(said & values) or any(change["id"] in ids for change in body.changes)


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
    return fields | {"changes": changes}


def _erased_change(change: dict[str, Any]) -> dict[str, Any]:
    """Return a change without its words; what has none is in use no more, in whatever state it was."""
    fields = {name: ERASED if name in ("key", "value") else value for name, value in change["set"].items()}
    fields["state"] = "retired"
    said = {"said": ERASED} if "said" in change else {}
    return change | {"set": fields} | said


def _evidence(said: Any) -> Iterator[str]:
    if isinstance(said, Mapping):
        for name, inner in said.items():
            yield from map(str, inner) if name == "evidence" else _evidence(inner)
    elif isinstance(said, list | tuple):
        for inner in said:
            yield from _evidence(inner)


def _wordless(said: Any) -> Any:
    """Return a value with no text left in it."""
    if isinstance(said, Mapping):
        return {
            name: ERASED if name in TEXTS and isinstance(inner, str) and inner else _wordless(inner)
            for name, inner in said.items()
        }
    return [_wordless(inner) for inner in said] if isinstance(said, list) else said

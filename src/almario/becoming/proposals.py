"""Proposals: what a model wants changed in the soul waits here until the owner says yes or no.

A proposal and its answer are lines of the journal; the file as it was and as
it is wanted are kept as versions. Accepting one writes the file only if it is
still as it was when the proposal was made.
"""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from almario.domain.documents.lines import is_blank, with_newlines_of
from almario.domain.events import Event, ProposalAnswered, ProposalMade, PurgeDone
from almario.domain.memories import ORIGINS, Change, Memory, Wanted, applied
from almario.domain.messages import Sentence
from almario.domain.model import soul_file
from almario.domain.proposals import Proposal, is_too_short
from almario.errors import Damaged, EditConflict, SoulError
from almario.memory.memory import Memories
from almario.store import files
from almario.store.vault import Document, Vault

# The files that only the owner's consent changes.
FILES = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md")
ACCEPTED = "proposal accepted"
# Ids are random; so many letters of one are enough to name it.
_LEAST_ID = 4

_CHANGED = str(Sentence("the file has changed since"))
_GONE = str(Sentence("its text is not kept any more"))
_OUT_OF_USE = str(Sentence("what it would change is out of use"))


class _Made(NamedTuple):
    event: Event
    body: ProposalMade
    answers: tuple[ProposalAnswered, ...] = ()


class Proposals:
    """Makes, lists, accepts and rejects proposals."""

    def __init__(self, vault: Vault, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory
        self._known: tuple[int, dict[str, _Made]] = (0, {})

    def propose(
        self, file: str, text: str, *, reason: str, evidence: Sequence[str] = (), origin: str = "agent"
    ) -> Proposal:
        """Propose a new text for a soul file; if the same is proposed already, return that."""
        return self.propose_edit(file, lambda _: text, reason=reason, evidence=evidence, origin=origin)

    def propose_edit(
        self,
        file: str,
        edit: Callable[[str], str],
        *,
        reason: str,
        evidence: Sequence[str] = (),
        origin: str = "agent",
    ) -> Proposal:
        """Propose what *edit* makes of a soul file's text as it is now."""
        name = _proposable(file)
        _check_origin(origin)
        reason = self._memory.redacted(" ".join(reason.split())).text
        with self._vault.writing() as appender:
            before = self._vault.read(name)
            content = _wanted(before, edit(before.text))
            after = files.digest(content)
            for made in self._all().values():
                same = (made.body.file, made.body.from_, made.body.to) == (name, before.hash, after)
                if same and not made.answers:
                    return self._told(made)
            if before.content is not None:
                self._vault.versions.put(name, before.content)
            self._vault.versions.put(name, content)
            body = ProposalMade(_new_id(), name, before.hash, after, reason, tuple(evidence), origin)
            return self._told(_Made(appender.append(body, actor="agent"), body))

    def propose_changes(
        self,
        changes: Sequence[Change],
        *,
        reason: str,
        evidence: Sequence[str] = (),
        origin: str = "agent",
        judged: Sequence[str] = (),
    ) -> Proposal:
        """Propose changes to memories; if the same are proposed already, return that.

        *judged* names the pairs of memories that need not be compared again.
        """
        _check_origin(origin)
        if not changes:
            raise SoulError("there is nothing to propose: nothing would change")
        wanted = tuple(changes)
        for made in self._all().values():
            if made.body.changes == wanted and not made.answers:
                return self._told(made)
        reason = self._memory.redacted(" ".join(reason.split())).text
        body = ProposalMade(_new_id(), "", None, "", reason, tuple(evidence), origin, wanted, tuple(judged))
        return self._told(_Made(self._vault.record(body, actor="agent"), body))

    def list(self, *, every: bool = False) -> "list[Proposal]":
        """Return the proposals that wait for an answer, oldest first; *every* one on request."""
        told = [self._told(made) for made in self._all().values() if every or not made.answers]
        return [proposal for proposal in told if every or proposal.state in ("open", "stale")]

    def get(self, wanted: str) -> Proposal:
        """Return the proposal with that id, or that beginning of one, whatever its state."""
        return self._told(self._find(wanted))

    def accept(self, wanted: str, *, actor: str = "owner") -> Proposal:
        """Do what is proposed; EditConflict if the file is not any more what it was."""
        made = self._find(wanted)
        if made.body.file:
            self._accept_text(made.body.id, actor)
        else:
            self._accept_changes(made, actor)
        return self.get(made.body.id)

    def reject(self, wanted: str, why: str = "", *, actor: str = "owner") -> Proposal:
        """Answer a proposal with no."""
        made = self._find(wanted)
        proposal = self._told(made)
        _need_unanswered(made, proposal)
        why = self._memory.redacted(" ".join(why.split())).text
        self._vault.record(ProposalAnswered(proposal.id, "rejected", why), actor=actor)
        return self.get(proposal.id)

    def _accept_text(self, proposal_id: str, actor: str) -> None:
        with self._vault.writing() as appender:
            made = self._find(proposal_id)
            proposal = self._told(made)
            _need_unanswered(made, proposal)
            if proposal.state == "stale":
                appender.append(ProposalAnswered(proposal.id, "stale", proposal.why), actor="almario")
                raise _stale(proposal)
            document = self._vault.read(proposal.file)
            content = self._vault.versions.content(proposal.file, made.body.to)
            about = f"{proposal.id} {proposal.reason}".strip()
            reason = f"proposal accepted: {about}"
            self._vault.rewrite_soul(appender, document, content, actor=actor, reason=reason)
            appender.append(ProposalAnswered(proposal.id, "accepted", ""), actor=actor)

    def _accept_changes(self, made: _Made, actor: str) -> None:
        _need_unanswered(made, self._told(made))
        changed = self._memory.apply(made.body.changes, actor=actor)
        if not changed:  # another process may have been faster
            made = self._find(made.body.id)
            _need_unanswered(made, self._told(made))
        answer = ("accepted", "") if changed else ("stale", _OUT_OF_USE)
        self._vault.record(ProposalAnswered(made.body.id, *answer), actor=actor)
        if not changed:
            raise _stale(self.get(made.body.id))

    def _find(self, wanted: str) -> _Made:
        found = [made for name, made in self._all().items() if wanted and name.startswith(wanted)]
        exact = [made for made in found if made.body.id == wanted]
        if exact or (len(found) == 1 and len(wanted) >= _LEAST_ID):
            return (exact or found)[0]
        if found and len(wanted) >= _LEAST_ID:
            raise SoulError('"{id}" fits several proposals; give more of the id', id=wanted)
        raise SoulError('there is no proposal "{id}"; "almario proposals" lists them', id=wanted)

    def _all(self) -> dict[str, _Made]:
        """Return every proposal by its id; the journal's past is read once, and then only what is new."""
        seq = self._vault.journal.tail().seq
        known_seq, known = self._known
        new = self._vault.journal.read(after=known_seq) if 0 < known_seq <= seq else []
        if not known_seq or known_seq > seq or any(isinstance(event.body, PurgeDone) for event in new):
            known, new = {}, list(self._vault.journal.select("proposal."))[::-1]
        found = dict(known)
        for event in new:
            if isinstance(event.body, ProposalMade):
                found[event.body.id] = _Made(event, event.body)
            elif isinstance(event.body, ProposalAnswered) and (made := found.get(event.body.id)):
                found[made.body.id] = made._replace(answers=(*made.answers, event.body))
        self._known = (max([seq, *(event.seq for event in new)]), found)
        return found

    def _told(self, made: _Made) -> Proposal:
        body = made.body
        before, after = self._texts(body) if body.file else self._lines(body.changes)
        if before is None or after is None:  # half of it would look like a change that nobody wants
            before = after = ""
        state, why = self._state(made)
        return Proposal(
            body.id,
            body.file,
            before,
            after,
            body.reason,
            body.evidence,
            body.origin,
            made.event.at,
            state,
            why,
            body.changes,
        )

    def _state(self, made: _Made) -> tuple[str, str]:
        """Return what became of a proposal, and why.

        Without an answer, it was accepted all the same if what it wanted has
        come about: whoever accepted it was stopped before saying so.
        """
        body = made.body
        if made.answers:
            answer = next((a for a in made.answers if a.answer == "accepted"), made.answers[0])
            return answer.answer, answer.why
        if not body.file:
            done = any(self._is_made(change) for change in body.changes)
            return ("accepted", "") if done else ("open", "")
        now = self._vault.read(body.file).hash
        prefix = f"{ACCEPTED}: {body.id}"
        if now == body.to or any(
            v.reason.startswith(prefix) for v in self._vault.versions.history(body.file)
        ):
            return "accepted", ""
        if now != body.from_:
            return "stale", _CHANGED
        return ("stale", _GONE) if None in self._texts(body) else ("open", "")

    def _is_made(self, change: Change) -> bool:
        """Say whether a change to a memory was accepted."""
        known = [m for m in self._memory.list(_any_state(change["id"])) if m.id == change["id"]]
        history = self._memory.history(change["id"]) if known else ()
        return any(each.verb == "accepted" and each.change == change for each in history)

    def _texts(self, body: ProposalMade) -> tuple[str | None, str | None]:
        before = "" if body.from_ is None else self._text(body.file, body.from_)
        return before, self._text(body.file, body.to)

    def _text(self, file: str, name: str) -> str | None:
        """Return a content that is kept as a version; None if a purge or a hand took it away."""
        try:
            return self._vault.versions.content(file, name).decode("utf-8", "replace")
        except (SoulError, Damaged):
            return None

    def _lines(self, changes: Sequence[Change]) -> tuple[str, str]:
        """Return the memories that changes are about, a line each, before and after."""
        ids = {change["id"] for change in changes}
        known = {m.id: m for each in ids for m in self._memory.list(_any_state(each)) if m.id in ids}
        before = list(known.values())
        after: dict[str, Memory] = dict(known)
        for change in changes:
            now = self._vault.now()
            after[change["id"]] = applied(after.get(change["id"]), change, seq=0, at=now)
        return _listed(before), _listed([memory for memory in after.values() if memory.is_live])


def _listed(memories: Sequence[Memory]) -> str:
    return "".join(f"- {memory.text}\n" for memory in memories)


def _any_state(memory_id: str) -> Wanted:
    return Wanted(ids=(memory_id,), states=("live", "superseded", "retired", "expired"), origins=ORIGINS)


def _new_id() -> str:
    return os.urandom(4).hex()


def _proposable(file: str) -> str:
    name = soul_file(file)
    if name not in FILES:
        sentence = "{file} is changed without a proposal; proposals are for {files}"
        raise SoulError(sentence, file=name, files=", ".join(FILES))
    return name


def _check_origin(origin: str) -> None:
    if origin not in ORIGINS:
        raise SoulError(
            '"{origin}" is not an origin; use {origins}', origin=origin, origins=", ".join(ORIGINS)
        )


def _wanted(before: Document, text: str) -> bytes:
    """Return the content that is proposed, in the file's own line endings; SoulError if it will not do."""
    if is_blank(text.strip()):
        raise SoulError("{file} cannot be made empty", file=before.name)
    # A field of IDENTITY.md may well get a shorter value.
    if is_too_short(before.text, text, in_lines=before.name == "IDENTITY.md"):
        sentence = "{file} would lose more than 30 % of its text; propose a smaller change"
        raise SoulError(sentence, file=before.name)
    ended = text if text.endswith("\n") else text + "\n"
    content = files.encoded(with_newlines_of(ended, before.text))
    if content == before.content:
        raise SoulError("there is nothing to propose: nothing would change")
    return content


def _need_unanswered(made: _Made, proposal: Proposal) -> None:
    if made.answers and proposal.state == "stale":
        raise _stale(proposal)
    if proposal.state == "accepted":
        raise SoulError("proposal {id} was accepted already", id=proposal.id)
    if proposal.state == "rejected":
        raise SoulError("proposal {id} was rejected already", id=proposal.id)


def _stale(proposal: Proposal) -> EditConflict:
    why = Sentence(proposal.why)
    return EditConflict("proposal {id} cannot be accepted any more: {why}", id=proposal.id, why=why)

"""Proposals: what a model wants changed in the soul waits here until the owner says yes or no.

A proposal and its answer are lines of the journal; the file as it was and as
it is wanted are kept as versions. What breaks a rule is refused, and kept with
the reason. Accepting one changes the file as it is by then, if what is wanted
still fits into it.
"""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, timedelta
from typing import Literal

from almario.becoming.evidence import origin_of
from almario.becoming.register import CHANGED, Register, need_unanswered, stale
from almario.becoming.rules.consent import (
    LONGEST,
    ChangeRequest,
    may_go_unasked,
    overgrown,
    refusal,
    titles_in,
)
from almario.becoming.rules.merging import changes_between, merged, with_changes
from almario.becoming.settings import ProposalSettings
from almario.domain.documents.document import Document, digest, encoded
from almario.domain.documents.lines import with_newlines_of
from almario.domain.events import Actor, Cause
from almario.domain.memories import ORIGINS, Change, Origin, lowest
from almario.domain.messages import Sentence
from almario.domain.model import soul_file
from almario.domain.plain_text import whole
from almario.domain.proposal import Draft, Proposal
from almario.domain.soul_events import FILES, IMPORT, Maker, ProposalAnswered, ProposalMade
from almario.domain.soul_models import Made
from almario.errors import EditConflict, SoulError
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import OpenWrite, Store

# A file that changes more often while a proposal for it is being made is being written by somebody.
_TRIES = 5
# After so many days an unanswered proposal expires.
_DAYS = 30
_OWNER: Literal["owner"] = "owner"
_OUT_OF_USE = Sentence("what it would change is no longer in use")


class _Wanted(NamedTuple):
    """What a draft makes of a file as it was read."""

    draft: Draft
    before: Document
    text: str


class Proposals:
    """Makes, lists, accepts and rejects proposals."""

    def __init__(
        self,
        vault: Store,
        memory: Memories,
        settings: ProposalSettings | None = None,
    ) -> None:
        self._vault = vault
        self._memory = memory
        self._settings = settings or ProposalSettings()
        # The sections that change unasked.
        self.accepted = titles_in(self._settings.accept)
        self._register = Register(vault, memory)

    def submit(self, draft: Draft) -> Proposal:
        """Propose a change of a soul file: it is open, accepted unasked, or refused and says why.

        One that is known by its id is not made again; what was left to do for it is done.
        """
        if draft.id and (made := self._register.all().get(draft.id)):
            return self._settled(made, draft)
        return self._make(draft, actor="agent")

    def propose(
        self, file: str, text: str, *, reason: str, evidence: Sequence[str] = (), origin: Origin = "agent"
    ) -> Proposal:
        """Propose a new text for a soul file; an identical open proposal is returned instead."""
        return self.propose_edit(file, lambda _: text, reason=reason, evidence=evidence, origin=origin)

    def propose_edit(
        self,
        file: str,
        edit: Callable[[str], str],
        *,
        reason: str,
        evidence: Sequence[str] = (),
        origin: Origin = "agent",
        by: Maker = "",
    ) -> Proposal:
        """Propose what *edit* makes of a soul file's text as it is now; SoulError if it is refused."""
        made = self.submit(Draft(file, edit, reason, tuple(evidence), origin, by))
        if made.state == "refused":
            raise SoulError(made.why)
        return made

    def submit_changes(
        self, changes: Sequence[Change], draft: Draft, *, judged: Sequence[str] = ()
    ) -> Proposal:
        """Propose changes to memories, as a *draft* without a file says; the same twice is one proposal.

        *judged* names the pairs of memories that need not be compared again.
        """
        _check_origin(draft.origin)
        if not changes:
            raise SoulError("there is nothing to propose: nothing would change")
        body = self._body(draft, from_=None, to="")._replace(changes=tuple(changes), judged=tuple(judged))
        if same := self._register.same(body):
            return self._register.proposal(same)
        self._vault.record(body, actor="agent")
        return self.get(body.id)

    def list(self, *, every: bool = False) -> "list[Proposal]":
        """Return the open proposals, oldest first; with *every*, all of them."""
        known = self._register.all().values()
        shown = [self._register.proposal(made) for made in known if every or not made.answers]
        return [proposal for proposal in shown if every or proposal.state in ("open", "stale")]

    def get(self, wanted: str) -> Proposal:
        """Return the proposal with this id, or this start of an id, in any state."""
        return self._register.proposal(self._register.find(wanted))

    def accept(self, wanted: str, *, actor: Actor = _OWNER) -> Proposal:
        """Accept a proposal; EditConflict if it no longer applies to the file."""
        body = self._register.find(wanted).body
        if body.file:
            with self._vault.writing() as write:
                unfit = self._accept_text(write, self._register.find(body.id), actor)
            if unfit:  # which the journal says
                raise stale(unfit)
        else:
            self._accept_changes(body, actor)
        return self.get(body.id)

    def reject(self, wanted: str, why: str = "", *, actor: Actor = _OWNER) -> Proposal:
        """Reject a proposal."""
        with self._memory.sync.writing() as write:
            name = self._unanswered(wanted).id
            write.commit(ProposalAnswered(name, "rejected", self._clean(Sentence.own(why))), actor=actor)
        return self.get(name)

    def reopen(self, wanted: str, *, actor: Actor = _OWNER) -> Proposal:
        """Take back a no: the proposal waits for an answer again."""
        with self._memory.sync.writing() as write:
            proposal = self.get(wanted)
            if proposal.state != "rejected":
                raise SoulError("proposal {id} was not rejected", id=proposal.id)
            write.commit(ProposalAnswered(proposal.id, "open"), actor=actor)
        return self.get(proposal.id)

    def rewrite(self, wanted: str, text: str, *, base: str | None = None) -> Proposal:
        """Replace an open proposal's text with the owner's wording; SoulError if that is not allowed.

        *base* is the file's text when the owner started editing; later changes to it are preserved.
        """
        proposal = self.get(wanted)
        if proposal.state != "open" or not proposal.file:
            raise SoulError(
                "proposal {id} cannot be edited; only open proposals for a file can", id=proposal.id
            )
        if text == proposal.after:
            return proposal
        body = self._register.find(proposal.id).body

        def edit(now: str) -> str:
            both = text if base is None else merged(base, now, text)
            if both is None:
                raise stale(proposal._replace(why=CHANGED))
            return both

        draft = Draft(body.file, edit, body.reason, body.evidence, body.origin, _OWNER, body.id)
        draft = draft._replace(words=body.words, reflection=body.reflection)
        return self._make(draft, actor=_OWNER)

    def _settled(self, made: Made, draft: Draft) -> Proposal:
        """Return a proposal that is known; whoever made it may have been stopped before accepting it."""
        if not self._is_unasked(draft, made):
            return self._register.proposal(made)
        with self._vault.writing() as write:
            made = self._register.find(made.body.id)
            if self._is_unasked(draft, made):
                self._accept_text(write, made, "agent")
        return self.get(made.body.id)

    def _make(self, draft: Draft, *, actor: Actor) -> Proposal:
        """Make a proposal of a draft, and enter it if the file is still the same."""
        name = soul_file(draft.file) if draft.by == IMPORT else _proposable(draft.file)
        _check_origin(draft.origin)
        origins = [origin_of(each, self._vault, self._memory) for each in draft.evidence]
        draft = draft._replace(
            file=name,
            evidence=tuple(map(whole, draft.evidence)),
            origin=lowest(draft.origin, *(each for each in origins if each)),
        )
        for _ in range(_TRIES):
            line, before = self._vault.journal.tail().seq, self._vault.read(name)
            text = _ended(before.text, draft.edit(before.text))
            if too_long := overgrown(ChangeRequest(name, before.text, text)):
                # As it came: what is too long to be searched for secrets is shorter without it.
                draft = draft._replace(refused=draft.refused or too_long)
            if actor != _OWNER:
                clean = _without_new_secrets(before.text, text, self._memory.redact.text)
                text = _ended(before.text, clean)
            wanted = _Wanted(draft, before, text)
            with self._vault.writing(since=line if draft.line is None else draft.line) as write:
                if self._vault.read(name).hash == before.hash:
                    return self._enter(write, wanted, actor)
        raise EditConflict("{file} keeps changing; try again", file=name)

    def _enter(self, write: OpenWrite, wanted: _Wanted, actor: Actor) -> Proposal:
        """Enter a proposal in the journal, and accept it if it needs no asking; the lock is held."""
        refused = self._refusal(wanted)
        if refused and actor == _OWNER:
            raise SoulError(refused)
        draft, before = wanted.draft, wanted.before
        content = encoded(wanted.text[:LONGEST] if refused else wanted.text)
        body = self._body(draft, from_=before.hash, to=digest(content))
        if refused:
            body = body._replace(why=refused, until=None)
        known = self._register.all().get(draft.id) if draft.id else self._register.same(body)
        if known and actor != _OWNER:
            return self._register.proposal(known)
        if known:
            need_unanswered(known, self._register.proposal(known))
        for kept in filter(None, (before.content, content)):
            write.keep_version(draft.file, kept)
        write.append(body, actor=actor)
        made = self._register.find(body.id)
        if self._is_unasked(draft, made):
            self._accept_text(write, made, "agent")
        return self.get(body.id)

    def _refusal(self, wanted: _Wanted) -> Sentence | None:
        draft = wanted.draft
        if draft.refused:
            return draft.refused
        had_patch = self._register.had_patch(self._vault.now())
        return refusal(
            ChangeRequest(draft.file, wanted.before.text, wanted.text, draft.origin, draft.by, had_patch)
        )

    def _is_unasked(self, draft: Draft, made: Made) -> bool:
        if draft.of and draft.of != made.body.from_:
            return False
        proposal = self._register.proposal(made)
        wish = ChangeRequest(proposal.file, proposal.before, proposal.after, proposal.origin, proposal.by)
        is_plain = proposal.state == "open" and not proposal.rebased and not proposal.warning
        return draft.unasked and is_plain and may_go_unasked(wish, self.accepted)

    def _accept_text(self, write: OpenWrite, made: Made, actor: Actor) -> Proposal | None:
        """Write what is proposed into the file as it is now; the lock is held.

        Return the proposal if it does not fit any more.
        """
        proposal = self._unanswered(made.body.id)
        if proposal.state == "stale":
            write.append(ProposalAnswered(proposal.id, "stale", proposal.why), actor="almario")
            return proposal
        reason = Sentence("proposal accepted: {id}", id=proposal.id)
        if proposal.reason:
            reason = Sentence("proposal accepted: {id} {reason}", id=proposal.id, reason=proposal.reason)
        cause = Cause(reason, proposal.id, proposal.reflection)
        document = self._vault.read(proposal.file)
        write.change_soul(document, proposal.after, actor=actor, reason=cause)
        write.append(ProposalAnswered(proposal.id, "accepted"), actor=actor)
        return None

    def _accept_changes(self, body: ProposalMade, actor: Actor) -> None:
        with self._memory.sync.writing() as write:
            self._unanswered(body.id)
            if self._memory.apply(body.changes, actor=actor):
                write.commit(ProposalAnswered(body.id, "accepted"), actor=actor)
                return
            write.commit(ProposalAnswered(body.id, "stale", _OUT_OF_USE), actor=actor)
        raise stale(self.get(body.id))

    def _unanswered(self, wanted: str) -> Proposal:
        """Return a proposal that can be answered; the lock is held, so nobody answers it meanwhile."""
        made = self._register.find(wanted)
        proposal = self._register.proposal(made)
        need_unanswered(made, proposal)
        return proposal

    def _body(self, draft: Draft, *, from_: str | None, to: str) -> ProposalMade:
        return ProposalMade(
            id=draft.id or os.urandom(4).hex(),
            file=draft.file,
            from_=from_,
            to=to,
            reason=self._clean(Sentence.of(draft.reason)),
            evidence=draft.evidence,
            origin=draft.origin,
            words=self._in_words(draft.words),
            until=self._vault.now().astimezone(UTC) + timedelta(days=_DAYS),
            by=draft.by,
            reflection=draft.reflection,
        )

    def _clean(self, reason: Sentence) -> Sentence:
        return reason.changed(self._in_words)

    def _in_words(self, text: str) -> str:
        return self._memory.redact.text(" ".join(whole(text).split()))


def changes_draft(
    reason: str, evidence: Sequence[str] = (), origin: Origin = "agent", by: Maker = "", words: str = ""
) -> Draft:
    """Return a draft of changes to memories."""
    return Draft("", str, reason, tuple(evidence), origin, by, words=words)


def _proposable(file: str) -> str:
    """Return the name of a file that proposals are for; SoulError for any other."""
    name = soul_file(file)
    if name not in FILES:
        sentence = "{file} can be changed without a proposal; proposals are for {files}"
        raise SoulError(sentence, file=name, files=", ".join(FILES))
    return name


def _check_origin(origin: Origin) -> None:
    """Raise SoulError for what is no origin."""
    if origin not in ORIGINS:
        raise SoulError(
            '"{origin}" is not an origin; use {origins}', origin=origin, origins=", ".join(ORIGINS)
        )


def _ended(old: str, text: str) -> str:
    """Return a text that ends its lines as the old one does; SoulError if it is the same."""
    text = whole(text)
    if not text.endswith("\n") and (not old or old.endswith("\n")):
        text += "\n"
    if old.count("\r\n") in (0, old.count("\n")):  # in a file that has both, each line has its own
        text = with_newlines_of(text, old)
    if text == old:
        raise SoulError("there is nothing to propose: nothing would change")
    return text


def _without_new_secrets(old: str, text: str, redact: Callable[[str], str]) -> str:
    """Return a text without the secrets in its new lines; those that stand there are the owner's."""
    if len(text) > LONGEST:
        return redact(text)
    changes = changes_between(old, text)
    return with_changes(old, [each._replace(lines=(redact("".join(each.lines)),)) for each in changes])

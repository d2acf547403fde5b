"""The register of proposals: what the journal says of each, and how it stands with the files as they are."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from almario.becoming.rules.consent import SOUL, ChangeRequest, far_reaching, refusal
from almario.becoming.rules.merging import merged
from almario.domain.documents.document import Document
from almario.domain.memories import EVERY, SHARED, Change, Memory, Recorded, Wanted, applied
from almario.domain.messages import NOTHING, CommandLine, Sentence
from almario.domain.model import Version
from almario.domain.proposal import Proposal, ProposalState, has_passed, taken_back, with_words
from almario.domain.read_models import VERSIONS
from almario.domain.soul_events import FILES, ProposalMade
from almario.domain.soul_models import PROPOSALS, Made
from almario.errors import Damaged, DocumentError, EditConflict, NotFound, SoulError
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store

# Ids are random; this many characters are enough to identify one.
LEAST_ID = 4
# What makes two proposals the same.
_CONTENT = ("file", "from_", "to", "changes", "why")

# What is said to another answer.
_ANSWERED = {
    "accepted": "proposal {id} has already been accepted",
    "undone": "proposal {id} was accepted and undone",
    "rejected": "proposal {id} has already been rejected",
    "expired": "proposal {id} has expired",
    "refused": "proposal {id} was refused: {why}",
}
CHANGED = Sentence("the file has changed since")
_GONE = Sentence("its text is no longer kept")
_BROKEN = Sentence("a boundary would be removed, reworded or denied")


class _Status(NamedTuple):
    """A proposal's state and reason, and the texts it is about; None if they are no longer kept."""

    state: ProposalState
    why: Sentence = NOTHING
    before: str | None = None
    after: str | None = None
    rebased: bool = False


class Register:
    """Finds proposals, and tells how they stand."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory
        # The versions that were looked through last, and the proposals that they have gone back on.
        self._withdrawn: tuple[Mapping[str, Version], frozenset[str]] = ({}, frozenset())

    def all(self) -> Mapping[str, Made]:
        """Return every proposal by its id, oldest first."""
        return self._vault.follower.rows(PROPOSALS)

    def find(self, wanted: str) -> Made:
        """Return the proposal with that id, or this start of one."""
        found = [made for name, made in self.all().items() if wanted and name.startswith(wanted)]
        exact = [made for made in found if made.body.id == wanted]
        if exact or (len(found) == 1 and len(wanted) >= LEAST_ID):
            return (exact or found)[0]
        if found and len(wanted) >= LEAST_ID:
            raise SoulError('"{id}" matches several proposals; type more of the id', id=wanted)
        listing = CommandLine("almario proposals")
        raise NotFound('there is no proposal "{id}"; "{listing}" lists them', id=wanted, listing=listing)

    def same(self, body: ProposalMade) -> Made | None:
        """Return a proposal of the same content with the same fate, if one is open or was refused."""
        for made in self.all().values():
            alike = all(getattr(made.body, name) == getattr(body, name) for name in _CONTENT)
            if alike and not made.answers and not self._is_expired(made):
                return made
        return None

    def had_patch(self, now: datetime) -> bool:
        """Return whether a reflection has proposed a change to SOUL.md on the owner's day of *now*."""
        return any(
            made.body.file == SOUL
            and made.first_by == "reflection"
            and not made.body.why
            and made.first_at.astimezone(now.tzinfo).date() == now.date()
            for made in self.all().values()
        )

    def proposal(self, made: Made) -> Proposal:
        """Return a proposal as it stands now."""
        body = made.body
        status = self._of_text(made) if body.file else self._of_changes(made)
        before, after = status.before, status.after
        if before is None or after is None:  # half of it would look like a change that nobody wants
            before = after = ""
        return Proposal(
            id=body.id,
            file=body.file,
            before=before,
            after=after,
            reason=with_words(body.reason, body.words),
            evidence=body.evidence,
            origin=body.origin,
            at=made.at,
            state=status.state,
            why=status.why,
            changes=body.changes,
            until=body.until,
            by=body.by,
            reflection=body.reflection,
            warning=self._warning(body.file, status),
            rebased=status.rebased,
        )

    def _warning(self, file: str, status: _Status) -> Sentence:
        """Return what the owner should know before saying yes."""
        if status.state != "open" or file not in FILES or status.before is None or status.after is None:
            return NOTHING
        from almario.becoming.rules.boundaries import is_broken  # noqa: PLC0415 - only for what waits

        soul = {name: self._vault.read(name).text for name in FILES}
        if is_broken(soul, soul | {file: status.after}):
            return _BROKEN
        return far_reaching(ChangeRequest(file, status.before, status.after)) or NOTHING

    def _of_text(self, made: Made) -> _Status:
        """Return how a change of a soul file stands.

        Without an answer, it was accepted all the same if what it wanted has
        come about: whoever accepted it was stopped before saying so.
        """
        body = made.body
        base = "" if body.from_ is None else self._text(body.file, body.from_)
        wanted = self._text(body.file, body.to)
        now = self._vault.read(body.file)
        answer = _answer(made)
        if not answer and (now.hash == body.to or self._is_accepted(body)):
            answer = ("accepted", NOTHING)
        elif not answer and self._is_expired(made):
            answer = ("expired", NOTHING)
        if answer and answer[0] == "accepted" and body.id in self._taken_back():
            answer = ("undone", NOTHING)
        if answer:
            return _Status(*answer, base, wanted)
        if base is None or wanted is None:
            return _Status("stale", _GONE)
        return _fitted(body, now, base, wanted)

    def _of_changes(self, made: Made) -> _Status:
        answer, lines = _answer(made), {}
        if not answer or answer[0] == "accepted":
            lines = {line: undone for change in made.body.changes for line, undone in self._made(change)}
        if lines:
            answer = ("undone" if all(lines.values()) else "accepted", NOTHING)
        state, why = answer or ("expired" if self._is_expired(made) else "open", NOTHING)
        before, after = self._lines(made.body.changes)
        return _Status(state, why, before, after)

    def _is_expired(self, made: Made) -> bool:
        return has_passed(made.body.until, self._vault.now())

    def _is_accepted(self, body: ProposalMade) -> bool:
        return any(version.proposal == body.id for version in self._vault.versions.history(body.file))

    def _taken_back(self) -> frozenset[str]:
        versions = self._vault.follower.rows(VERSIONS)
        if versions is not self._withdrawn[0]:
            self._withdrawn = (versions, taken_back(versions.values()))
        return self._withdrawn[1]

    def _made(self, change: Change) -> list[tuple[int, bool]]:
        known = [m for m in self._memory.list(any_state(change["id"])) if m.id == change["id"]]
        history = self._memory.history(change["id"]) if known else ()
        made = [each for each in history if each.verb == "accepted" and each.change == change]
        return [(each.seq, _is_undone(each, history)) for each in made]

    def _text(self, file: str, name: str) -> str | None:
        """Return a content that is kept as a version; None if a purge or a hand took it away."""
        try:
            return self._vault.versions.text(file, name)
        except (SoulError, Damaged):
            return None

    def _lines(self, changes: Sequence[Change]) -> tuple[str, str]:
        ids = {change["id"] for change in changes}
        known = {m.id: m for each in ids for m in self._memory.list(any_state(each)) if m.id in ids}
        after: dict[str, Memory] = dict(known)
        for change in changes:
            after[change["id"]] = applied(after.get(change["id"]), change, seq=0, at=self._vault.now())
        return _listed(known.values()), _listed(memory for memory in after.values() if memory.is_live)


def any_state(memory_id: str) -> Wanted:
    """Return which memories begin with an id, whatever their state and origin."""
    return EVERY._replace(ids=(memory_id,))


def _is_undone(line: Recorded, history: Sequence[Recorded]) -> bool:
    back = [each for each in history if each.verb == "undone" and each.of == line.seq]
    return any(not _is_undone(each, history) for each in back)


def _answer(made: Made) -> tuple[ProposalState, Sentence] | None:
    if made.body.why:
        return "refused", made.body.why
    if not made.answers:
        return None
    answer = next((each for each in made.answers if each.answer == "accepted"), made.answers[0])
    return answer.answer, answer.why


def _fitted(body: ProposalMade, now: Document, base: str, wanted: str) -> _Status:
    rebased = now.hash != body.from_
    try:
        text = now.text
    except DocumentError:
        return _Status("stale", CHANGED, base, wanted)
    after = merged(base, text, wanted) if rebased else wanted
    if after is None:
        return _Status("stale", CHANGED, base, wanted)
    if after == text:  # all of it has come about by hand
        return _Status("accepted", NOTHING, base, wanted)
    broken = refusal(ChangeRequest(body.file, text, after, body.origin, body.by))
    return _Status("stale" if broken else "open", broken or NOTHING, text, after, rebased)


def need_unanswered(made: Made, proposal: Proposal) -> None:
    """Raise what says why a proposal cannot be answered, if it cannot be."""
    if made.answers and proposal.state == "stale":
        raise stale(proposal)
    if proposal.state in _ANSWERED:
        raise SoulError(_ANSWERED[proposal.state], id=proposal.id, why=proposal.why)


def stale(proposal: Proposal) -> EditConflict:
    """Return the error that says why a proposal does not fit any more."""
    sentence = "proposal {id} can no longer be accepted: {why}"
    return EditConflict(sentence, id=proposal.id, why=proposal.why)


def _listed(memories: Iterable[Memory]) -> str:
    return "".join(
        f"- {memory.text}{' (shared)' if memory.audience == SHARED else ''}\n" for memory in memories
    )

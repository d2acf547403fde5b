"""Proposals: changes that a model wants and the owner decides on, and what is left of one by then."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Literal, get_args

from almario.domain.memories import Change, Origin
from almario.domain.messages import NOTHING, Sentence, Words
from almario.domain.model import Version
from almario.domain.plain_text import difference
from almario.domain.records import showing
from almario.domain.soul_events import Maker
from almario.named_tuples import NamedTuple

# Of a soul file, at most so much may be lost in one change.
MOST_LOST = 0.3
ProposalState = Literal["open", "accepted", "rejected", "undone", "stale", "refused", "expired"]
STATES: tuple[ProposalState, ...] = get_args(ProposalState)


class Draft(NamedTuple):
    """A change that somebody wants: what *edit* makes of a soul file's text as it is now.

    *words* are what the owner asked for it with. *evidence* are ids of memories and turns, places in files,
    and URLs; *by* is what wants it, *reflection* which one of those. The same *id* is the same proposal,
    however often it is submitted. *unasked* says that it may be accepted without asking where the settings
    allow it; with *of*, only if that is still the file's hash. *refused* is why it is not to be, for
    reasons of whoever made it: it is kept for the owner to see. *line* is how far the journal had come when
    a model was shown the file: what was erased since may be in the draft.
    """

    file: str
    edit: Callable[[str], str]
    reason: str
    evidence: tuple[str, ...] = ()
    origin: Origin = "agent"
    by: Maker = ""
    id: str = ""
    unasked: bool = False
    of: str = ""
    refused: Sentence = NOTHING
    line: int | None = None
    words: str = ""
    reflection: str = ""


@showing("diff")
class Proposal(NamedTuple):
    """A change that waits for consent, or was answered.

    *before* and *after* are the file's text as it was and as it is wanted; of
    *changes* to memories (then *file* is empty), the memories in lines.
    One that is `stale` cannot be accepted any more, one that is `refused`
    broke a rule as it was made, one that is `undone` was accepted and taken back; *why*
    says why it was rejected or refused, or is stale. *until* is when it
    expires. A *warning* is what to know before a yes. One that is
    *rebased* is told as a change of the file as it is now.
    """

    id: str
    file: str
    before: str
    after: str
    reason: Sentence
    evidence: tuple[str, ...]
    origin: Origin
    at: datetime
    state: ProposalState = "open"
    why: Sentence = NOTHING
    changes: tuple[Change, ...] = ()
    until: datetime | None = None
    by: Maker = ""
    reflection: str = ""
    warning: Sentence = NOTHING
    rebased: bool = False

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty if the contents are not kept any more."""
        name = self.file or "memory"
        return difference(self.before, self.after, name, f"{name} ({self.id})")


def with_words(reason: Sentence, words: str) -> Sentence:
    """Return a reason with the owner's words that it goes back to."""
    if not words:
        return reason
    quoted = Words(words)
    if not reason:
        return Sentence("“{words}”", words=quoted)
    return Sentence("{reason} (“{words}”)", reason=reason, words=quoted)


def has_passed(until: datetime | None, now: datetime) -> bool:
    """Return whether the instant at which a proposal expires is over; None is never."""
    return until is not None and until <= now


def taken_back(versions: Iterable[Version]) -> frozenset[str]:
    """Return the proposals that were accepted, but whose files have gone back to how they were without them.

    A new content keeps what was accepted before it; one that comes back has what it had then.
    """
    held: dict[tuple[str, str], frozenset[str]] = {}
    now: dict[str, frozenset[str]] = {}
    accepted: set[str] = set()
    for version in versions:
        before = now.get(version.file, frozenset())
        if version.proposal:
            accepted.add(version.proposal)
            kept = before | {version.proposal}
        else:
            kept = held.get((version.file, version.hash or ""), before)
        now[version.file] = kept
        if version.hash:
            held[version.file, version.hash] = kept
    return frozenset(accepted.difference(*now.values()))


def is_too_short(before: str, after: str, *, in_lines: bool = False) -> bool:
    """Return whether a text would lose more than may be lost in one change, in characters or *in_lines*."""
    sizes = [len(text.split("\n") if in_lines else text) for text in (before.strip(), after.strip())]
    return sizes[1] < sizes[0] * (1 - MOST_LOST)


def still_valid(changes: Sequence[Change], *, live: Collection[str], known: Collection[str]) -> list[Change]:
    """Return the changes that can still be made, given which memories are in use and which there are.

    A change of a memory needs it in use, and so does one that puts another in
    its place. A new memory that was to replace some is made if one of those is left.
    """
    new = {change["id"] for change in changes} - set(known)
    there = {*live, *new}
    old = [c for c in changes if c["id"] in live and (_heir(c) in there or not _heir(c))]
    replacing = {_heir(change) for change in changes} - {""}
    wanted = {_heir(change) for change in old} | (new - replacing)
    return [c for c in changes if c in old or (c["id"] in new and c["id"] in wanted)]


def _heir(change: Change) -> str:
    return str(change.get("set", {}).get("by", ""))

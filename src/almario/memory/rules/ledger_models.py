"""Read models of the ledger: what follows from the journal besides the memories themselves."""

import json
from collections.abc import MutableMapping
from datetime import UTC
from typing import Any

from almario.domain.events import (
    Cued,
    Event,
    HearingChanged,
    JobTried,
    LogCondensed,
    MemoriesChanged,
    OwnerKept,
    PurgeBegun,
    PurgeDone,
    Verb,
)
from almario.domain.messages import Sentence
from almario.domain.read_models import ReadModel
from almario.memory.rules.session_state import SessionState, followed, session_in
from almario.named_tuples import NamedTuple

# What a line does that takes turns off the record; they are erased when their session ends.
TAKEN_BACK: Verb = "taken back"
# What is neither learned from nor brought up, and stays where it is.
SET_ASIDE: Verb = "set aside"


class OutOfMind(NamedTuple):
    """What went out of mind with some memories, or alone; or a request to forget, which is all that did."""

    memories: tuple[str, ...]
    out: tuple[str, ...]
    is_request: bool = False


class PutAway(NamedTuple):
    """Turns that were taken back or set aside; or `kept` after that, by a line whose undo sets them aside."""

    verb: Verb
    turns: tuple[str, ...]


class Kept(NamedTuple):
    """What the owner said is no secret: by which lines that can be undone, and which one undid it.

    *said* is the line of an older journal that says no more than that; the one after it may show it.
    """

    lines: tuple[int, ...] = ()
    undone: int = 0
    said: int = 0

    def is_by(self, line: int) -> bool:
        """Return whether it is as it is by that line."""
        return self.undone == line if self.undone else line in self.lines


class StandsFor(NamedTuple):
    """The file of a shorter line, and the names of the entries that it stands for."""

    file: str
    of: tuple[str, ...]


class Consolidations(NamedTuple):
    """The line of the latest consolidation, its day, and how many memories were lost to others that day."""

    seq: int = 0
    day: str = ""
    lost: int = 0


def _follow_sessions(rows: MutableMapping[str, SessionState], event: Event) -> None:
    if session := session_in(event):
        rows[session] = followed(rows.get(session, SessionState()), event)


def _follow_hearing(rows: MutableMapping[str, str], event: Event) -> None:
    if isinstance(event.body, HearingChanged):
        name = json.dumps([event.body.session, event.body.speaker])
        rows.pop(name, None)
        if event.body.hears:
            rows[name] = event.body.hears


def _follow_forgotten(rows: MutableMapping[str, OutOfMind], event: Event) -> None:
    """Keep what went out of mind with which memories; what went alone comes back when it is undone."""
    body = event.body
    if isinstance(body, PurgeBegun):
        erased = set(body.turns)
        for line in [line for line, row in rows.items() if not row.memories and set(row.out) <= erased]:
            del rows[line]
    elif isinstance(body, MemoriesChanged) and (body.out or body.verb == "undone"):
        if (undone := rows.get(str(body.of))) and not undone.memories:
            del rows[str(body.of)]
        if body.out:
            ids = tuple(change["id"] for change in body.changes)
            rows[str(event.seq)] = OutOfMind(ids, body.out, is_request=body.verb == "asked")


def _follow_put_away(rows: MutableMapping[str, PutAway], event: Event) -> None:
    body = event.body
    if isinstance(body, PurgeBegun):
        for line in [line for line, row in rows.items() if set(row.turns) <= set(body.turns)]:
            del rows[line]
    elif isinstance(body, MemoriesChanged) and (body.out or body.verb == "undone"):
        before = rows.pop(str(body.of), None)
        if body.verb in (TAKEN_BACK, SET_ASIDE):
            rows[str(event.seq)] = PutAway(body.verb, body.out)
        elif before and before.verb == SET_ASIDE:
            rows[str(event.seq)] = PutAway("kept", before.turns)


def _follow_cues(rows: MutableMapping[str, Cued], event: Event) -> None:
    for each in event.body.cues if isinstance(event.body, MemoriesChanged) else ():
        rows[each.id] = each._replace(once=False)


def _follow_intentions(rows: MutableMapping[str, bool], event: Event) -> None:
    for each in event.body.cues if isinstance(event.body, MemoriesChanged) else ():
        if each.once:
            rows[each.id] = True
        else:
            rows.pop(each.id, None)


def _follow_kept(rows: MutableMapping[str, Kept], event: Event) -> None:
    body = event.body
    if isinstance(body, OwnerKept):
        rows.update(dict.fromkeys(body.digests, Kept(said=event.seq)))
    elif isinstance(body, MemoriesChanged) and body.verb in ("kept", "undone"):
        with_it = [digest for digest, row in rows.items() if row.said == event.seq - 1]
        kept = body.kept or (with_it if body.verb == "kept" else ())
        rows.update(dict.fromkeys(kept, Kept((event.seq,))))
        for digest, row in list(rows.items()) if body.of else ():
            if row.is_by(body.of):
                again = Kept((*row.lines, event.seq))
                rows[digest] = again if row.undone else row._replace(undone=event.seq)


def _follow_jobs(rows: MutableMapping[str, Sentence], event: Event) -> None:
    if isinstance(event.body, JobTried):
        rows[event.body.job] = event.body.why


def _follow_condensed(rows: MutableMapping[str, StandsFor], event: Event) -> None:
    if isinstance(event.body, LogCondensed):
        rows.update({each.line: StandsFor(event.body.file, each.of) for each in event.body.lines})


def _follow_consolidations(rows: MutableMapping[str, Consolidations], event: Event) -> None:
    body = event.body
    if isinstance(body, MemoriesChanged) and body.verb == "consolidated":
        before, day = rows.get("last", Consolidations()), event.at.astimezone(UTC).date().isoformat()
        merged = {change["id"] for change in body.changes if "by" not in change["set"]}
        lost = sum(change["set"].get("by", "") not in {"", *merged} for change in body.changes)
        rows["last"] = Consolidations(event.seq, day, lost + (before.lost if before.day == day else 0))


def _follow_judgements(rows: MutableMapping[str, bool], event: Event) -> None:
    for pair in getattr(event.body, "judged", ()):
        rows[pair] = True


def _follow_purges(rows: MutableMapping[str, bool], event: Event) -> None:
    if isinstance(event.body, PurgeBegun):
        rows[str(event.seq)] = True
    elif isinstance(event.body, PurgeDone):
        rows.pop(str(event.body.of), None)


def _follow_salts(rows: MutableMapping[str, int], event: Event) -> None:
    if isinstance(event.body, PurgeBegun):
        rows[event.body.salt] = event.seq


def _follow_purged(rows: MutableMapping[str, int], event: Event) -> None:
    for each in event.body.hashes if isinstance(event.body, PurgeBegun) else ():
        rows[each] = event.seq


SESSIONS = ReadModel("session", SessionState, ("session.", "memory."), _follow_sessions)
HEARING = ReadModel("hearing", str, ("hearing.",), _follow_hearing)
FORGOTTEN = ReadModel("forgotten", OutOfMind, ("memory.", "purge."), _follow_forgotten)
PUT_AWAY = ReadModel("put-away", PutAway, ("memory.", "purge."), _follow_put_away)
CUES = ReadModel("cues", Cued, ("memory.",), _follow_cues)
INTENTIONS = ReadModel("intention", bool, ("memory.",), _follow_intentions)
# By the digest of what it was.
KEPT = ReadModel("kept", Kept, ("owner.kept", "memory."), _follow_kept)
JOBS = ReadModel("job", Sentence, ("job.",), _follow_jobs)
# By the names of the shorter lines.
CONDENSED = ReadModel("condensed", StandsFor, ("log.condensed",), _follow_condensed)
CONSOLIDATIONS = ReadModel("consolidated", Consolidations, ("memory.",), _follow_consolidations)
JUDGED = ReadModel("judged", bool, ("memory.", "proposal."), _follow_judgements)
# Those that are not finished, by their lines.
PURGES = ReadModel("purging", bool, ("purge.",), _follow_purges)
# By what the texts that were erased are salted, and by their hashes: the latest line that says so.
SALTS = ReadModel("salt", int, ("purge.",), _follow_salts)
PURGED = ReadModel("purged", int, ("purge.",), _follow_purged)
LEDGER_MODELS: tuple[ReadModel[Any], ...] = (
    SESSIONS,
    HEARING,
    FORGOTTEN,
    PUT_AWAY,
    CUES,
    INTENTIONS,
    KEPT,
    JOBS,
    CONDENSED,
    CONSOLIDATIONS,
    JUDGED,
    PURGES,
    SALTS,
    PURGED,
)

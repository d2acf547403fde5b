"""Lessons: what a flush learned from a session becomes memories and a new watermark, in one line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from almario.domain.documents.daily import log_text
from almario.domain.events import Cued, Flush, Learning, MemoriesChanged, Verb
from almario.domain.memories import IN_FILES, OUT_OF_USE, Wanted
from almario.domain.records import written
from almario.memory.admission import Judged, Receipt
from almario.memory.rules.admission import Proposed
from almario.memory.writer import Pending, Write
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from almario.memory.memory_parts import MemoryParts


class Lesson(NamedTuple):
    """What the turns of a session after *after*, up to *to*, taught.

    *facts* are facts, instructions, episodes and the summary, each a Proposed
    of its kind; *renewed* are the ids of memories that were recalled in those
    turns and stay fresh by it. *line* is where the journal ended when the turns
    were read, *model* whoever learned. What the owner *imported* was read there; nobody has learned it
    from what was said.
    """

    session: str
    after: int
    to: int
    facts: tuple[Proposed, ...] = ()
    summary: str = ""
    renewed: tuple[str, ...] = ()
    line: int = 0
    model: str = ""
    imported: bool = False

    @property
    def outcome(self) -> Learning:
        return "extracted" if self.facts else "kept" if self.imported else "empty"


def taken(parts: "MemoryParts", write: Write, lesson: Lesson) -> Sequence[Receipt] | None:
    """Judge every fact of a lesson and enter all of it in one line; return a receipt for each, in order.

    None, and nothing is written, unless the session has been learned from as far as the lesson begins, and
    the lesson goes further; or if something was erased since its turns were read, or put out of mind of them.
    """
    ledger, admission = parts.writer.ledger, parts.admission
    if lesson.line and ledger.last_purge() > lesson.line:
        return None
    if lesson.line and ledger.put_out_since(lesson.line, lesson.session, lesson.to):
        return None
    if not ledger.session(lesson.session).flushed == lesson.after < lesson.to:
        return None
    pending = Pending(parts.writer, write.now)
    judged = admission.judge_each(lesson.facts, pending)
    _renew(lesson.renewed, pending)
    cues = _cues(parts, lesson, judged)
    verb: Verb = "imported" if lesson.imported else "learned"
    body = MemoriesChanged(verb, pending.changes, flush=_flush(parts, lesson), cues=cues)
    notices = write.commit(body, actor="owner" if lesson.imported else "agent", filings=pending.filings)
    return admission.receipts(judged, [() if place else notices for place in range(len(judged))])


def _renew(ids: Sequence[str], pending: Pending) -> None:
    """Keep fresh what was recalled; what had expired is in use again."""
    wanted = set(ids)
    found = pending.live(Wanted(ids=tuple(sorted(wanted)))) if wanted else []
    now = written(pending.now)
    for memory in found:  # the beginning of an id names no memory here
        if memory.id in wanted and written(memory.renewed) != now:
            pending.add({"id": memory.id, "set": {"renewed": now}}, memory)


def _cues(parts: "MemoryParts", lesson: Lesson, judged: Sequence[Judged]) -> tuple[Cued, ...]:
    found: dict[str, Cued] = {}
    ledger, ids = parts.writer.ledger, tuple({each.id for each in judged if each.id})
    gone = {memory.id for memory in ledger.table.select(Wanted(ids=ids, states=OUT_OF_USE))} if ids else ()
    for fact, each in zip(lesson.facts, judged, strict=True):
        is_apt = each.id and each.id not in gone and fact.kind not in IN_FILES
        if fact.cues and is_apt and not ledger.cued(each.id):
            cues = parts.cueing.fit(fact.cues, fact.value)
            found.setdefault(each.id, Cued(each.id, cues, lesson.model, fact.once))
    return tuple(found.values())


def _flush(parts: "MemoryParts", lesson: Lesson) -> Flush:
    summary = log_text(parts.redact.text(lesson.summary.encode("utf-8", "replace").decode()))
    return {
        "session": lesson.session,
        "from": lesson.after,
        "to": lesson.to,
        "outcome": lesson.outcome,
        "summary": "" if parts.writer.ledger.was_purged(summary) else summary,
    }

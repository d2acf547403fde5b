"""Lessons: what a flush learned from a session becomes memories and a new watermark, in one line."""

from collections.abc import Sequence

from almario.domain.documents.daily import log_text
from almario.domain.events import Flush, MemoriesChanged
from almario.domain.memories import Wanted
from almario.domain.records import written
from almario.memory.admission import Admission, Judged, Receipt
from almario.memory.keeping import Keeping, Pending, Write
from almario.memory.rules.lesson import Lesson
from almario.text.redaction import Redactor


class Lessons:
    """Takes lessons in, each wholly or not at all."""

    def __init__(self, keeping: Keeping, admission: Admission, redact: Redactor) -> None:
        self._keeping = keeping
        self._ledger = keeping.ledger
        self._admission = admission
        self._redact = redact

    def take(self, write: Write, lesson: Lesson) -> Sequence[Receipt] | None:
        """Judge every fact of a lesson and enter all of it in one line; a receipt for each fact, in order.

        None, and nothing is written, unless the session has been learned from
        as far as the lesson begins, and the lesson goes further; or if
        something was erased since its turns were read.
        """
        if lesson.line and self._ledger.last_purge() > lesson.line:
            return None
        if not self._ledger.session(lesson.session).flushed == lesson.after < lesson.to:
            return None
        pending = Pending(self._keeping, write.now)
        owed = []
        judged: list[Judged] = []
        for fact in lesson.facts:
            before = len(pending.filings)
            judged.append(self._admission.judge(fact, pending))
            owed.append(len(pending.filings) > before)
        self._renew(lesson.renewed, pending)
        body = MemoriesChanged("learned", pending.changes, flush=self._flush(lesson))
        told = write.commit(body, actor="agent", filings=pending.filings)
        first = owed.index(True) if told else -1
        return [
            self._admission.receipt(each, told if place == first else ()) for place, each in enumerate(judged)
        ]

    def _renew(self, ids: Sequence[str], pending: Pending) -> None:
        """Keep fresh what was recalled; what had expired is in use again."""
        wanted = set(ids)
        found = pending.live(Wanted(ids=tuple(sorted(wanted)))) if wanted else []
        now = written(pending.now)
        for memory in found:  # the beginning of an id names no memory here
            if memory.id in wanted and written(memory.renewed) != now:
                pending.add({"id": memory.id, "set": {"renewed": now}}, memory)

    def _flush(self, lesson: Lesson) -> Flush:
        summary = log_text(self._redact.text(lesson.summary.encode("utf-8", "replace").decode()))
        return {
            "session": lesson.session,
            "from": lesson.after,
            "to": lesson.to,
            "outcome": lesson.outcome,
            "summary": "" if self._ledger.was_purged(summary) else summary,
        }

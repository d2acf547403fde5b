"""Reflection: the agent examines its days, phase by phase, and each phase's result is kept as it is made.

Killed or failed in the middle, it goes on from the last result: the same
reflection, over the same span. No model is asked while the agent's lock is held.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import count

from almario.becoming.gathering import ReflectionParts, ReflectionSpan
from almario.becoming.phases import Hear, Phases, Reflected
from almario.becoming.rules.reflections import JOB, NIGHT, OWNER, entry_of
from almario.domain.messages import Sentence, sentence_of
from almario.domain.records import written
from almario.domain.soul_events import ReflectionBegun, ReflectionEnded, Trigger
from almario.domain.soul_models import REFLECTIONS as RUNS
from almario.domain.soul_models import Run
from almario.errors import EditConflict, LLMError, LLMUnavailable, MissingExtra, SoulError
from almario.memory.rules.sources import REFLECTIONS
from almario.named_tuples import NamedTuple
from almario.ports import LLM

# What was not finished for so long is begun anew: the days have gone on.
_OLDEST = timedelta(days=3)
ALREADY = Sentence("the agent is already reflecting, in another process")


class _Wish(NamedTuple):
    trigger: Trigger
    day: str
    since: str


class Reflection:
    """Examines what came since the last time; killed or failed in the middle, it goes on from there."""

    def __init__(self, parts: ReflectionParts) -> None:
        self._parts = parts
        self._vault = parts.vault
        self._memory = parts.memory

    def run(
        self,
        *,
        trigger: Trigger = OWNER,
        day: date | None = None,
        since: date | None = None,
        hear: Hear | None = None,
    ) -> Reflected:
        """Reflect, or resume an interrupted reflection.

        *day* is the owner's day that it is for; *since* looks again at what came
        from that day on. *hear* gets the name of each phase as it begins.
        LLMUnavailable: there is no model.
        """
        if not self._parts.settings.enabled:
            raise SoulError("reflection is switched off; set reflection.enabled = true")
        today = self._vault.now().date()
        if since and since > today:
            raise SoulError("{day} is in the future; choose an earlier day", day=since.isoformat())
        wish = _Wish(trigger, (day or today).isoformat(), self._midnight(since))
        if done := self._night_of(wish):
            return Reflected(done)
        llm = self._parts.learner(JOB)
        if llm is None:
            sentence = 'there is no language model to reflect with; "almario model" says how to get one'
            raise LLMUnavailable(sentence, passes=False)
        with self._vault.lease("reflect") as is_held:
            if not is_held:
                return Reflected("", why=ALREADY)
            return self._reflect(wish, llm, hear)

    def last_night(self) -> date | None:
        """Return the day of the latest nightly reflection that finished."""
        found = next(self._nights(), None)
        return date.fromisoformat(found.day) if found else None

    def last_entry(self) -> tuple[str, str]:
        """Return that reflection's id, and the agent's journal entry about it."""
        found = next(self._nights(), None)
        if found is None:
            return "", ""
        return found.id, entry_of(self._vault.read(f"{REFLECTIONS}{found.day}.md").text, found.id)

    def _reflect(self, wish: _Wish, llm: LLM, hear: Hear | None) -> Reflected:
        if done := self._night_of(wish):  # another process was faster
            return Reflected(done)
        left = self._left()
        if left:
            finished = self._go_on(left, llm, hear)
            if finished.why or _is_meant(left.begun, wish):
                return finished
        before = _last_done(self._runs())
        since = wish.since or (before.begun.upto if before else "")
        upto, zone = written(self._vault.now()), str(self._vault.zone)
        begun = ReflectionBegun(self._free_id(wish.day), wish.day, zone, wish.trigger, since, upto)
        event = self._vault.record(begun, actor="agent" if wish.trigger == NIGHT else "owner")
        return self._go_on(Run(begun, event.seq, event.at), llm, hear)

    def _go_on(self, run: Run, llm: LLM, hear: Hear | None) -> Reflected:
        before = _last_done([each for each in self._runs() if each.line < run.line])
        phases = Phases(self._parts, run, _span_of(run, before), llm, hear=hear)
        try:
            done = phases.run()
        except (LLMError, MissingExtra, EditConflict) as exc:
            why = sentence_of(exc)
            self._memory.tried(JOB, why)
            return phases.done._replace(why=why)
        self._memory.tried(JOB, None)
        return done

    def _left(self) -> Run | None:
        """Return the reflection that was not finished; one that is too old is abandoned.

        What has been applied is not looked at again, however old it is.
        """
        left = next((each for each in self._runs() if not each.outcome), None)
        if left is None or left.applied or self._vault.now() - left.at < _OLDEST:
            return left
        why = Sentence("it was not finished for {days} days", days=_OLDEST.days)
        self._vault.record(ReflectionEnded(left.begun.id, "abandoned", why), actor="almario")
        return None

    def _night_of(self, wish: _Wish) -> str:
        if wish.trigger != NIGHT:
            return ""
        return next((begun.id for begun in self._nights() if begun.day == wish.day), "")

    def _runs(self) -> list[Run]:
        return [run for run in self._vault.follower.rows(RUNS).values() if run.line]

    def _nights(self) -> Iterator[ReflectionBegun]:
        for run in reversed(self._runs()):
            if run.begun.trigger == NIGHT and run.outcome == "done":
                yield run.begun

    def _free_id(self, day: str) -> str:
        """Return the id of a day's next reflection; one of which any line is left is not used again."""
        used = self._vault.follower.rows(RUNS)
        return next(name for n in count(1) if (name := f"{day}-{n}") not in used)

    def _midnight(self, day: date | None) -> str:
        if not day:
            return ""
        day = max(day, date(1, 1, 2))  # the first midnight that every zone has
        return written(datetime.combine(day, time(), self._vault.zone).astimezone(UTC))


def _is_meant(begun: ReflectionBegun, wish: _Wish) -> bool:
    if wish.since and begun.since != wish.since:
        return False
    return wish.trigger == OWNER or (begun.trigger, begun.day) == (NIGHT, wish.day)


def _last_done(every: Sequence[Run]) -> Run | None:
    return next((run for run in reversed(every) if run.outcome == "done"), None)


def _span_of(run: Run, before: Run | None) -> ReflectionSpan:
    own = _seen_in(run) if run.gathered else None
    span = ReflectionSpan(run.line, _instant(run.begun.upto), own=own)
    if before is None:
        return span
    again = run.begun.since if run.begun.since != before.begun.upto else ""
    return span._replace(
        after=before.line,
        begins=_instant(before.begun.upto),
        since=_instant(again) if again else None,
        seen=_seen_in(before),
    )


def _seen_in(run: Run) -> Counter[str]:
    """Return the entries of the logs that a reflection has looked at, by their minute."""
    return Counter(run.gathered.seen if run.gathered else {})


def _instant(written: str) -> datetime:
    return datetime.fromisoformat(written).astimezone(UTC)

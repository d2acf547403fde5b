"""What is done for one agent while nobody talks to it."""

import contextlib
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from typing import NamedTuple, Protocol

from almario.becoming.drift import Drifting
from almario.becoming.reflecting import Reflection
from almario.becoming.rules.reflection import NIGHT
from almario.becoming.settings import ReflectionSettings
from almario.conversation.flush import NO_MODEL
from almario.conversation.learning import Learning
from almario.conversation.tidying import CONDENSING, CONSOLIDATION, Tidying
from almario.domain.messages import Sentence
from almario.errors import AlmarioError
from almario.memory.facade import Memories
from almario.ports import Models, Watching
from almario.upkeep.costs import Costs
from almario.upkeep.jobs import DONE, NOTHING, Ended, Job, fit_to_tell

# A conversation in which nobody has spoken for so long is left.
_QUIET = timedelta(minutes=15)
# So often some texts get their vectors in one round: that takes a few seconds.
_BATCHES = 30
_UNLEARNED = Sentence('some sessions could not be learned from yet; "almario verify" says why')
_UNTIDY = Sentence('the memory could not be tidied yet; "almario verify" says why')
_STOPPED = Sentence('it stopped halfway and will continue from there; "almario verify" says why')


class Living(Protocol):
    """An agent that is open, as its upkeep needs it; a Soul is one."""

    @property
    def memory(self) -> Memories: ...
    @property
    def learning(self) -> Learning: ...
    @property
    def tidying(self) -> Tidying: ...
    @property
    def reflection(self) -> Reflection: ...
    @property
    def drift(self) -> Drifting: ...
    @property
    def costs(self) -> Costs: ...
    @property
    def models(self) -> Models: ...
    @property
    def zone(self) -> tzinfo: ...
    @property
    def since(self) -> datetime | None: ...
    def settle(self) -> list[Sentence]: ...
    def close(self) -> None: ...


class TendingSettings(NamedTuple):
    """When an agent reflects, and after how many days what has expired is erased; 0 is never."""

    reflection: ReflectionSettings = ReflectionSettings()
    purge_after: int = 0


def jobs_of(soul: Living, watch: Watching | None, settings: TendingSettings) -> tuple[Job, ...]:
    """Return what is done for an agent, in this order."""
    jobs = [Job("settle", lambda _: _settle(soul, watch)), Job("learn", lambda _: _learn(soul), thinks=True)]
    if settings.purge_after:
        jobs.append(Job("purge", lambda _: _purge(soul, settings.purge_after), nightly=True, erases=True))
    if settings.reflection.enabled:
        done = soul.reflection.last_night
        jobs.append(Job(NIGHT, partial(_reflect, soul), nightly=True, thinks=True, done=done))
    jobs.append(Job("drift", lambda _: _measure(soul), nightly=True))
    jobs.append(Job("tidy", lambda _: _tidy(soul), nightly=True, thinks=True))
    return tuple(jobs)


def close(soul: Living, watch: Watching | None) -> None:
    """Leave an agent in order; one whose folder is gone is left as it is."""
    if watch:
        watch.stop()
    with contextlib.suppress(AlmarioError):
        soul.close()


def _settle(soul: Living, watch: Watching | None) -> Ended:
    """Take in edits, let MEMORY.md be without what has expired, and give texts their vectors."""
    if watch:
        watch.start()  # one that an error ended begins anew
    soul.settle()
    soul.memory.settle()
    for _ in range(_BATCHES):
        if not soul.memory.embedding.newest():
            break
    return NOTHING


def _learn(soul: Living) -> Ended:
    found = soul.learning.learn_left(_QUIET)
    waiting = [each.why for each in found if each.outcome == "queued"]
    if NO_MODEL in waiting:
        return Ended("waits", NO_MODEL)
    if waiting:
        return Ended("failed", _UNLEARNED)
    return DONE if found else NOTHING


def _purge(soul: Living, days: int) -> Ended:
    doomed = soul.memory.plan_purge_expired(days)
    if not doomed.memories:
        return NOTHING
    soul.memory.purge(doomed, actor="almario")
    return DONE


def _reflect(soul: Living, day: date) -> Ended:
    if soul.models.background is None:
        return Ended("waits", NO_MODEL)
    why = soul.reflection.run(trigger=NIGHT, day=day).why
    return Ended("failed", fit_to_tell(why, _STOPPED)) if why else DONE


def _measure(soul: Living) -> Ended:
    return DONE if soul.drift.note() else NOTHING


def _tidy(soul: Living) -> Ended:
    soul.tidying.run()
    is_waiting = soul.tidying.waiting().keys() & {CONSOLIDATION, CONDENSING}
    if is_waiting and soul.models.background is None:
        return Ended("waits", NO_MODEL)
    return Ended("failed", _UNTIDY) if is_waiting else DONE

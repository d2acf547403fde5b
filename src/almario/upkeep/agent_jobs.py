"""What is done for one agent while nobody talks to it."""

import contextlib
import os
from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Literal, Protocol

from almario.becoming.drift import Drifting
from almario.becoming.reflecting import ALREADY, Reflection
from almario.becoming.rules.reflections import NIGHT
from almario.becoming.settings import ReflectionSettings
from almario.conversation.flush import NO_MODEL
from almario.conversation.learning import Learning
from almario.conversation.tidying import CONDENSING, CONSOLIDATION, CUES, PAGES, Tidying
from almario.domain.messages import Sentence
from almario.errors import (
    AgentNotFound,
    AlmarioError,
    BadReply,
    ConfigError,
    EmbedderUnavailable,
    LLMError,
    MissingExtra,
    StoreBusy,
    StoreError,
    StoreUnavailable,
)
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Models, Watching
from almario.upkeep.costs import Costs
from almario.upkeep.relearning import JOB as RELEARN
from almario.upkeep.relearning import Relearning
from almario.upkeep.rules.costs import Spent

_KINDS: tuple[tuple[type[AlmarioError], Sentence], ...] = (
    (BadReply, Sentence("the model's answer could not be used")),
    (LLMError, Sentence("no model can be reached right now")),
    (MissingExtra, Sentence("a package is missing")),
    (EmbedderUnavailable, Sentence("texts cannot be embedded right now")),
    (ConfigError, Sentence('a setting is wrong; "almario doctor" says which')),
    (AgentNotFound, Sentence("the folder does not exist")),
    (StoreBusy, Sentence("another process is already doing it")),
    (StoreUnavailable, Sentence("the database cannot be reached right now")),
    (StoreError, Sentence('the folder cannot be used as it is; "almario doctor" says why')),
    (AlmarioError, Sentence("it could not be done")),
)
_PACKAGE = Path(__file__).parent.parent


class Ended(NamedTuple):
    """How a job went: `done`, `nothing` to do, `waits` for something, or `failed`; and why."""

    outcome: Literal["done", "nothing", "waits", "failed"]
    why: Sentence | None = None


DONE, NOTHING = Ended("done"), Ended("nothing")


class Job(NamedTuple):
    """Something that is done at every round, or once a night if it is *nightly*, with the day it is for.

    One that *thinks* asks a model, and keeps to the budget. One that *erases* cannot
    be made good if only the clock was wrong. *done* tells the latest day that is
    done, where more is known of that than what was noted here.
    """

    name: str
    run: Callable[[date], Ended]
    nightly: bool = False
    thinks: bool = False
    erases: bool = False
    done: Callable[[], date | None] | None = None


class TendedAgent(NamedTuple):
    """An agent, or the home, while it is open: what is done for it, and when it is night there.

    *is_over* says that its budget is used up; *is_current*, that it need not be opened anew. *leave*
    tells whatever runs for it to end, so that *close* need not wait for that. *rest* lets go of its files
    until the next round. *has_more* says that there is something to learn from once nobody talks; *spent* is
    what its models have cost today.
    """

    jobs: tuple[Job, ...]
    schedule: str
    zone: tzinfo
    since: datetime | None = None
    is_over: Callable[[], bool] = lambda: False
    is_current: Callable[[], bool] = lambda: True
    leave: Callable[[], None] = lambda: None
    close: Callable[[], None] = lambda: None
    rest: Callable[[], None] = lambda: None
    has_more: Callable[[], bool] = lambda: False
    spent: Callable[[], Spent] = Spent


def failed(exc: Exception) -> Ended:
    """Return how a job ended that raised an error: of what kind it is, and nothing of what it says."""
    if isinstance(exc, StoreError) and isinstance(exc.__cause__, OSError) and exc.__cause__.errno:
        exc = exc.__cause__  # what the system refuses is worth more than that it does
    if isinstance(exc, AlmarioError):
        return Ended("failed", next(sentence for kind, sentence in _KINDS if isinstance(exc, kind)))
    if isinstance(exc, OSError) and exc.errno:
        return Ended("failed", Sentence(os.strerror(exc.errno)))
    return Ended("failed", Sentence(f"{type(exc).__name__} ({_place(exc)})"))


def _place(exc: Exception) -> str:
    """Return the last place in our own code that an error went through."""
    ours = [frame for frame in extract_tb(exc.__traceback__) if _PACKAGE in Path(frame.filename).parents]
    return f"{Path(ours[-1].filename).relative_to(_PACKAGE)}:{ours[-1].lineno}" if ours else "…"


# A conversation in which nobody has spoken for so long is left.
QUIET = timedelta(minutes=15)
# So often some texts get their vectors in one round: that takes a few seconds.
_BATCHES = 30
_UNLEARNED = Sentence('some sessions could not be learned from yet; "almario sessions" says why')
_UNTIDY = Sentence('the memory could not be tidied yet; "almario memory tidy" says why')
_STOPPED = Sentence('it stopped halfway and will continue from there; "almario reflect" says why')


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
    def relearning(self) -> Relearning: ...
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


def jobs_of(
    soul: Living, watch: Watching | None, reflection: ReflectionSettings, *, purge_after: int
) -> tuple[Job, ...]:
    """Return what is done for an agent, in this order; what expired *purge_after* days ago is erased."""
    jobs = [Job("settle", lambda _: _settle(soul, watch)), Job("learn", lambda _: _learn(soul), thinks=True)]
    if purge_after:
        jobs.append(Job("purge", lambda _: _purge(soul, purge_after), nightly=True, erases=True))
    if reflection.enabled:
        done = soul.reflection.last_night
        jobs.append(Job(NIGHT, partial(_reflect, soul), nightly=True, thinks=True, done=done))
    jobs.append(Job("drift", lambda _: _measure(soul), nightly=True))
    jobs.append(Job("tidy", lambda _: _tidy(soul), nightly=True, thinks=True))
    jobs.append(Job(RELEARN, lambda _: _relearn(soul), nightly=True, thinks=True))
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
    found = soul.learning.learn_left(QUIET)
    waiting = [each.why for each in found if each.outcome == "queued"]
    if NO_MODEL in waiting:
        return Ended("waits", NO_MODEL)
    if waiting:
        return Ended("failed", _UNLEARNED)
    return DONE if found else NOTHING


def _purge(soul: Living, days: int) -> Ended:
    to_erase = soul.memory.plan_purge_expired(days)
    if not to_erase.memories:
        return NOTHING
    soul.memory.purge(to_erase, actor="almario")
    return DONE


def _reflect(soul: Living, day: date) -> Ended:
    if soul.models.background is None:
        return Ended("waits", NO_MODEL)
    why = soul.reflection.run(trigger=NIGHT, day=day).why
    return Ended("failed", why if why is ALREADY else _STOPPED) if why else DONE


def _measure(soul: Living) -> Ended:
    return DONE if soul.drift.note() else NOTHING


def _relearn(soul: Living) -> Ended:
    """Go on with what the owner began to learn again, within the budget of a night."""
    done = soul.relearning.go_on()
    if done is None:
        return NOTHING
    return Ended("waits", done.why) if done.why else DONE


def _tidy(soul: Living) -> Ended:
    soul.tidying.run()
    if soul.models.background is not None:
        soul.tidying.cue()
        soul.tidying.portray(if_due=True)
    is_waiting = soul.tidying.waiting().keys() & {CONSOLIDATION, CONDENSING, CUES, PAGES}
    if is_waiting and soul.models.background is None:
        return Ended("waits", NO_MODEL)
    return Ended("failed", _UNTIDY) if is_waiting else DONE

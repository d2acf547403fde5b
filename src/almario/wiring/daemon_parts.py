"""What the daemon of a home works with."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.becoming.reflecting import ALREADY
from almario.becoming.rules.reflections import NIGHT
from almario.becoming.settings import ReflectionSettings
from almario.config import Config
from almario.conversation.flush import NO_MODEL
from almario.conversation.tidying import CONSOLIDATION, CUES
from almario.domain.messages import Sentence
from almario.errors import AlmarioError
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Clock, ListedAgent, Watching
from almario.soul import Soul
from almario.store import files
from almario.store.files import identity
from almario.store.settings import VersionSettings
from almario.upkeep.agent_jobs import DONE, NOTHING, QUIET, Ended, Job, TendedAgent
from almario.upkeep.daemon_state import LOCK, DaemonState, leading
from almario.upkeep.job_notes import HOME
from almario.upkeep.logbook import Logbook, LogbookEntry, overheard
from almario.upkeep.rules.costs import Spent
from almario.upkeep.scheduler import Openers, Rounds, RoundsOf
from almario.wiring import Opened, backups, open_home, soul_in, utc_now
from almario.wiring.keeps import FolderKeep

__all__ = ["Housekeeping", "LogbookEntry", "back_up", "housekeeping", "identity", "leading", "overheard"]

# How often to look for a model where there was none.
_MODEL_CHECK = timedelta(hours=1)
# How many agents in a database are looked after at once.
_WORKERS = 4
# A watch is a thread that looks at a folder: of more agents than this, edits are noticed by the rounds.
_WATCHED = 50
# So often some texts get their vectors in one round: that takes a few seconds.
_BATCHES = 30
_UNLEARNED = Sentence('some sessions could not be learned from yet; "almario sessions" says why')
_UNTIDY = Sentence('the memory could not be tidied yet; "almario memory tidy" says why')
_UNCONDENSED = Sentence('a long log could not be shortened yet; "almario memory condense" says why')
_STOPPED = Sentence('it stopped halfway and will continue from there; "almario reflect" says why')
_INCOMPLETE = Sentence('something in it is missing or damaged; "almario backup" says what')


class Housekeeping(NamedTuple):
    """What keeps a home: the rounds, what is known of them, and what is told."""

    root: Path
    rounds: RoundsOf
    state: DaemonState
    logbook: Logbook

    @property
    def lock(self) -> Path:
        """The file whose lock says who keeps the home."""
        return self.root / LOCK


def housekeeping(
    home: str | Path | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    llm: LLM | None = None,
    backup: Callable[[], Sequence[object]] | None = None,
    show: Callable[[LogbookEntry], None] | None = None,
) -> Housekeeping:
    """Return what keeps a home and all of its agents.

    *backup* is called once a night, unless the settings are against it, and returns
    what it has to tell; *show* is shown every line of the log.
    """
    opened = open_home(home, settings=settings, clock=clock, llm=llm)
    root = opened.root
    with files.writing(root):
        files.make_folder(root)
    state = DaemonState(root, clock)
    logbook = Logbook(root / "logs", clock, show=show)
    purse = _Purse(opened)
    if not isinstance(opened.keep, FolderKeep):
        rounds = opened.keep.rounds(partial(_agent, opened, purse=purse), logbook, workers=_WORKERS)
        return Housekeeping(root, rounds, state, logbook)

    load = partial(configuration.load, root, arguments=settings)

    def openers() -> Openers:
        agents = opened.home.agents()
        is_watched = len(agents) <= _WATCHED
        found = {
            agent.id: partial(_agent, opened, agent, purse=purse, is_watched=is_watched) for agent in agents
        }
        return {**found, HOME: lambda: _home(load, state, logbook, backup)}

    return Housekeeping(root, Rounds(openers, state, logbook, clock), state, logbook)


def back_up(home: str | Path | None, settings: Mapping[str, Any] | None) -> Sequence[object]:
    """Make the backup of a night, and return what it has to tell."""
    kept = backups(home, settings=settings)
    made = kept.make()
    kept.rotate()
    return made.told


class _Purse:
    """What background work may cost a day for all agents together, besides the budget of each."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._spent: dict[str, Callable[[], Spent]] = {}

    def put(self, agent: ListedAgent, spent: Callable[[], Spent] | None) -> None:
        """Count what an agent spends; None: no longer."""
        self._spent.pop(agent.id, None)
        if spent:
            self._spent[agent.id] = spent

    def is_over(self) -> bool:
        """Return whether today's budget for all is used up."""
        config = configuration.load(self._opened.root, arguments=self._opened.arguments)
        chosen = config.settings.daemon
        if not chosen.daily_tokens and not chosen.daily_cost:
            return False
        if queue := self._opened.home.queue:
            tokens, cost = queue.spent(self._opened.clock().astimezone(configuration.zone(config)).date())
        else:
            every = [spent() for spent in list(self._spent.values())]
            tokens, cost = sum(each.tokens for each in every), sum(each.cost for each in every)
        most = chosen.daily_tokens, chosen.daily_cost
        return any(limit and spent >= limit for limit, spent in zip(most, (tokens, cost), strict=True))


def _agent(opened: Opened, agent: ListedAgent, *, purse: _Purse, is_watched: bool = False) -> TendedAgent:
    load, clock = partial(opened.configured, agent), opened.clock
    config, who = load(), opened.home.mark(agent).who
    soul = soul_in(opened, agent)
    purse.put(agent, soul.costs.spent)
    watch = soul.watch() if is_watched else None
    since = clock()

    def is_current() -> bool:
        is_hopeless = soul.models.background is None and clock() >= since + _MODEL_CHECK
        is_same = opened.home.mark(agent).who == who and _is_same(load, config, soul.zone)
        return not is_hopeless and is_same

    def close() -> None:
        purse.put(agent, None)
        if watch:
            watch.stop()
        with contextlib.suppress(AlmarioError):  # one whose folder is gone is left as it is
            soul.close()

    reflection = config.settings.reflection
    return TendedAgent(
        jobs_of(
            soul,
            watch,
            reflection,
            purge_after=config.settings.memory.purge_after,
            versions=config.settings.versions,
        ),
        reflection.schedule,
        soul.zone,
        soul.since,
        lambda: bool(soul.costs.over()) or purse.is_over(),
        is_current,
        leave=partial(watch.stop, wait=False) if watch else lambda: None,
        close=close,
        rest=soul.memory.close,
        has_more=lambda: any(view.waiting for view in soul.sessions.list()),
        spent=soul.costs.spent,
    )


def jobs_of(
    soul: Soul,
    watch: Watching | None,
    reflection: ReflectionSettings,
    *,
    purge_after: int,
    versions: VersionSettings,
) -> tuple[Job, ...]:
    """Return what is done for an agent, in this order; what expired *purge_after* days ago is erased."""
    jobs = [Job("settle", lambda _: _settle(soul, watch)), Job("learn", lambda _: _learn(soul), thinks=True)]
    if purge_after:
        jobs.append(Job("purge", lambda _: _purge(soul, purge_after), nightly=True, erases=True))
    if versions.enabled and (versions.keep or versions.days):
        jobs.append(Job("prune", lambda _: _prune(soul, versions), nightly=True, erases=True))
    if reflection.enabled:
        jobs.append(
            Job(NIGHT, partial(_reflect, soul), nightly=True, thinks=True, done=partial(_night, soul))
        )
    jobs.append(Job("tidy", lambda _: _tidy(soul), nightly=True, thinks=True))
    jobs.append(Job("condense", lambda _: _condense(soul), nightly=True, thinks=True))
    return tuple(jobs)


def _night(soul: Soul) -> date | None:
    latest = soul.reflection.latest()
    return latest.day if latest else None


def _settle(soul: Soul, watch: Watching | None) -> Ended:
    """Take in edits, erase what was off the record, tidy MEMORY.md, and give texts their vectors."""
    if watch:
        watch.start()  # one that an error ended begins anew
    soul.settle()
    soul.memory.settle()
    soul.memory.erase_taken_back()
    for _ in range(_BATCHES):
        if not soul.memory.embedding.newest():
            break
    return NOTHING


def _learn(soul: Soul) -> Ended:
    found = soul.learning.learn_left(QUIET)
    waiting = [each.why for each in found if each.outcome == "queued"]
    if NO_MODEL in waiting:
        return Ended("waits", NO_MODEL)
    if waiting:
        return Ended("failed", _UNLEARNED)
    return DONE if found else NOTHING


def _purge(soul: Soul, days: int) -> Ended:
    to_erase = soul.memory.plan_purge(expired=days)
    if not to_erase.memories:
        return NOTHING
    soul.memory.purge(to_erase, actor="almario")
    return DONE


def _prune(soul: Soul, versions: VersionSettings) -> Ended:
    return DONE if soul.prune(keep=versions.keep, days=versions.days) else NOTHING


def _reflect(soul: Soul, day: date) -> Ended:
    if soul.models.background is None:
        return Ended("waits", NO_MODEL)
    why = soul.reflection.run(trigger=NIGHT, day=day).why
    return Ended("failed", why if why is ALREADY else _STOPPED) if why else DONE


def _tidy(soul: Soul) -> Ended:
    soul.tidying.run()
    if soul.models.background is not None:
        soul.tidying.cue()
    is_waiting = soul.tidying.waiting().keys() & {CONSOLIDATION, CUES}
    if is_waiting and soul.models.background is None:
        return Ended("waits", NO_MODEL)
    return Ended("failed", _UNTIDY) if is_waiting else DONE


def _condense(soul: Soul) -> Ended:
    done = soul.tidying.condense(if_due=True)
    if done.why:
        return Ended("waits", NO_MODEL) if soul.models.background is None else Ended("failed", _UNCONDENSED)
    return DONE if done.paths else NOTHING


def _home(
    load: Callable[[], Config],
    state: DaemonState,
    logbook: Logbook,
    backup: Callable[[], Sequence[object]] | None,
) -> TendedAgent:
    config = load()
    zone = configuration.zone(config)

    def make(_: object) -> Ended:
        return Ended("done", _INCOMPLETE) if backup and backup() else DONE

    is_wanted = backup and config.settings.backup.enabled
    return TendedAgent(
        (Job("backup", make, nightly=True),) if is_wanted else (),
        config.settings.reflection.schedule,
        zone,
        state.since,
        is_current=lambda: _is_same(load, config, zone),
    )


def _is_same(load: Callable[[], Config], config: Config, zone: object) -> bool:
    try:
        now = load()
    except AlmarioError:
        return False
    return now.settings == config.settings and configuration.zone(now) == zone

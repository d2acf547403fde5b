"""Moving an agent to another home: from a folder to a database, or back."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from almario.config import Config
from almario.domain.messages import sentence_of
from almario.errors import AgentNotFound, Damaged, SoulError, StoreBusy, StoreError
from almario.named_tuples import NamedTuple
from almario.ports import ListedAgent, Store
from almario.soul import Soul
from almario.wiring import Opened, choose_agent, open_home, parts_of, soul_of, utc_now
from almario.wiring.keeps import key_of
from almario.wiring.parts import AgentParts
from almario.wiring.remembering import derived
from almario_postgres import moving
from almario_postgres.likeness import differences

FOLDER = "folder"
_ADDRESSES = ("postgres://", "postgresql://")
# While the agent is used, its copy answers otherwise for a moment; they are asked so many times.
_TRIES = 2

Progress = Callable[[int, int], None]


class Moved(NamedTuple):
    """Where an agent came from and where it is now; *things* were copied, *is_moved* unless only tried.

    *trash* is where what is left of it is.
    """

    id: str
    source: str
    place: str
    things: int
    is_moved: bool = True
    trash: str = ""


class Way(NamedTuple):
    """An agent, its home, and the home that it goes to under an id."""

    here: Opened
    agent: ListedAgent
    there: Opened
    new: str

    def config(self) -> Config:
        """Return the agent's settings, which go with it."""
        return self.here.configured(self.agent)

    def ends(self, place: ListedAgent) -> tuple[tuple[Opened, ListedAgent], tuple[Opened, ListedAgent]]:
        """Return where it begins and ends, each with the home that it is in."""
        return (self.here, self.agent), (self.there, place)


def move(
    agent: str | None = None,
    *,
    to: str,
    new: str | None = None,
    only_try: bool = False,
    home: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Moved:
    """Move an agent *to* `postgres://…` or `folder`, perhaps under a *new* id.

    *only_try*: it is copied and compared, and stays where it is. What was begun and stopped goes on where it
    was. The agent stays in use until the copy holds the same, byte by byte, and answers the same; then what
    is left goes to the trash.
    """
    way = _way(agent, to, new, home=home, settings=settings)
    source, place = way.here.store(way.agent), way.there.home.arriving(way.new)
    target = way.there.keep.store(place, way.config())
    forget = partial(_forget, way, target)
    try:
        with moving.moving(source, target), contextlib.ExitStack() as undo:
            count = moving.copy(source, target, forget)
            agree = _agree(way, place, source, target, progress)
            with moving.finished(source, target, forget, leaves=not only_try):
                if not agree:
                    _check(way, source, target)
                if only_try:
                    return Moved(way.new, source.place, way.there.home.place, count, is_moved=False)
                gone = way.here.home.remove(way.agent.id, is_leaving=True)
                undo.callback(_bring_back, way)
                arrived = way.there.home.arrived(place)
            undo.pop_all()
        _settle(way, gone, arrived)
    except StoreBusy:
        raise
    except StoreError as exc:
        sentence = "{why}; {id} is still where it was, and the same command goes on from here"
        raise type(exc)(sentence, why=sentence_of(exc), id=way.agent.id) from exc
    return Moved(arrived.id, source.place, way.there.home.place, count, trash=gone.place)


def _way(agent: str | None, to: str, new: str | None, **where: Any) -> Way:
    if to != FOLDER and not to.startswith(_ADDRESSES):
        raise SoulError('"{to}" is no place to move to; use folder, or postgres://…', to=to)
    now = utc_now()  # stands still, or two prompts would differ by a minute
    here = open_home(**where, clock=lambda: now)
    there = open_home(**where, clock=lambda: now, store="" if to == FOLDER else to)
    try:
        found = choose_agent(here, agent)
    except AgentNotFound:
        if not agent or not _is_on_its_way(here, there, agent, new or agent):
            raise
        found = here.home.bring_back(agent)
    if here.home.place == there.home.place:
        raise SoulError("{id} is already in {place}", id=found.id, place=here.home.place)
    return Way(here, found, there, new or found.id)


def _is_on_its_way(here: Opened, there: Opened, agent: str, new: str) -> bool:
    """Return whether an earlier try was killed when its agent was in the trash and not listed there yet."""
    if agent.lower() not in [gone.id.lower() for gone in here.home.trash()]:
        return False
    place = there.home.arriving(new)
    return there.keep.store(place, there.config).journal.tail().seq > 0


def _bring_back(way: Way) -> None:
    if way.agent.elsewhere:
        way.here.home.create(way.agent.id, lambda _: None, path=str(way.agent.path))
    else:
        way.here.home.bring_back(way.agent.id)


def _settle(way: Way, gone: ListedAgent, arrived: ListedAgent) -> None:
    """See to what is left to do when an agent has moved."""
    moving.add_late_lines(way.here.keep.store(gone, way.here.config), way.there.store(arrived))
    if way.new != way.agent.id and way.here.config.settings.agent.lower() == way.agent.id.lower():
        way.here.set("agent", way.new)


def _agree(way: Way, place: ListedAgent, source: Store, target: Store, progress: Progress | None) -> bool:
    """Ask both the same; False if the agent is so busy that its answers were others each time."""
    for _ in range(_TRIES):
        moving.copy(source, target, partial(_forget, way, target))
        before = moving.state(source)
        one, other = (_soul(way, each) for each in way.ends(place))
        with one, other:
            found = differences(one, other, progress)
        if not found:
            return True
        if moving.state(source) == before:
            raise _otherwise(way, target, found)
    return False


def _check(way: Way, source: Store, target: Store) -> None:
    """Ask both the same while nobody can write; what is found by meaning is left out, as it takes long."""
    one, other = (_reader(way, store) for store in (source, target))
    if found := differences(one, other, by_meaning=False):
        raise _otherwise(way, target, found)


def _otherwise(way: Way, target: Store, found: Sequence[str]) -> Damaged:
    sentence = "the copy in {place} answers otherwise than {id}: {names}"
    return Damaged(sentence, place=target.place, id=way.agent.id, names=", ".join(found[:5]))


def _forget(way: Way, target: Store) -> None:
    """Throw away what an earlier look at the copy has derived of it."""
    found = way.there.keep.derived(target)
    found.empty()
    found.close()


def _soul(way: Way, end: tuple[Opened, ListedAgent]) -> Soul:
    opened, agent = end
    return soul_of(way.new, parts_of(opened.keep, agent, way.config()), at_once=False)


def _reader(way: Way, store: Store) -> Soul:
    """Return a soul that keeps what is derived to itself: it writes nothing, and needs no lock."""
    own = derived(None)._replace(is_private=True)
    key = partial(key_of, way.here.home)
    return soul_of(way.new, AgentParts(store, way.config(), lambda: own, key), at_once=False)

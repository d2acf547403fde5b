"""Moving an agent to another home: from a folder to a database, or back."""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from almario.config import Config
from almario.domain.events import AgentCreated, SoulChanged
from almario.domain.messages import sentence_of
from almario.domain.plain_text import shown_address
from almario.errors import AgentMoved, AgentNotFound, AlmarioError, SoulError, StoreBusy, StoreError
from almario.named_tuples import NamedTuple
from almario.ports import Forwarding, ListedAgent
from almario.store.home import FolderHome
from almario.wiring import Opened, choose_agent, open_home
from almario_postgres import moving
from almario_postgres.address import read_address

FOLDER = "folder"
_ADDRESSES = ("postgres://", "postgresql://")


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
    # Whether it is meant where none is named.
    is_default: bool = False

    def config(self) -> Config:
        """Return the agent's settings, which go with it."""
        return self.here.configured(self.agent)


def move(
    agent: str | None = None,
    *,
    to: str,
    new: str | None = None,
    only_try: bool = False,
    home: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Moved:
    """Move an agent *to* `postgres://…` or `folder`, perhaps under a *new* id.

    *only_try*: it is copied and compared, and stays where it is. What was begun and stopped goes on where it
    was. The agent stays in use until the copy holds the same, byte by byte; then what is left goes to the
    trash.
    """
    way = _way(agent, to, new, home=home, settings=settings)
    if not only_try:
        _make_way(way)
    source, place = way.here.store(way.agent), way.there.home.arriving(way.new)
    target = way.there.keep.store(place, way.config())
    try:
        with moving.moving(source, target), contextlib.ExitStack() as undo:
            count = moving.copy(source, target)
            with moving.finished(source, target, leaves=not only_try):
                if only_try:
                    return Moved(way.new, source.place, way.there.home.place, count, is_moved=False)
                _leave_word(way)
                gone = way.here.home.remove(way.agent.id, is_leaving=True)
                undo.callback(_bring_back, way)
                arrived = way.there.home.arrived(place)
            undo.pop_all()
        _settle(way, gone, arrived)
    except StoreBusy:
        raise
    except StoreError as exc:
        sentence = "{why}; {id} is still where it was, and the same command goes on from here"
        raise StoreError(sentence, why=sentence_of(exc), id=way.agent.id) from exc
    return Moved(arrived.id, source.place, way.there.home.place, count, trash=gone.place)


def look_there(to: str, *, home: str | Path | None = None, settings: Mapping[str, Any] | None = None) -> str:
    """Let commands look for agents where one was moved to; return what almario.toml says now.

    A password is not written there.
    """
    address = "" if to == FOLDER else read_address(to).without_secrets
    open_home(home, settings=settings).set("store", address or None)
    return address


def _way(agent: str | None, to: str, new: str | None, **where: Any) -> Way:
    if to != FOLDER and not to.startswith(_ADDRESSES):
        shown = to if to.isalnum() else shown_address(to)
        raise SoulError('"{to}" is no place to move to; use folder, or postgres://…', to=shown)
    here, there = open_home(**where), open_home(**where, store="" if to == FOLDER else to)
    try:
        found = choose_agent(here, agent)
    except (AgentNotFound, AgentMoved):
        if not agent or not _is_on_its_way(here, there, agent, new or agent):
            raise
        found = here.home.bring_back(agent)
    if here.home.place == there.home.place:
        raise SoulError("{id} is already in {place}", id=found.id, place=here.home.place)
    is_default = False
    with contextlib.suppress(AlmarioError):
        is_default = choose_agent(here, None).id == found.id
    return Way(here, found, there, new or found.id, is_default)


def _make_way(way: Way) -> None:
    """Put into the trash, where it arrives, an agent of the same id to whom nobody has said anything."""
    with contextlib.suppress(AgentNotFound, AgentMoved):
        there = way.there.home.agent(way.new)
        store = way.there.store(there)
        is_as_made = all(
            isinstance(event.body, AgentCreated)
            or (isinstance(event.body, SoulChanged) and event.actor == "almario")
            for event in store.journal.read()
        )
        if is_as_made and not any(each.holder == "transcript" for each in store.documents.holdings()):
            way.there.home.remove(there.id)


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
    if way.there.home.left_for(arrived.id):
        way.there.home.note_moved(arrived.id, None)
    if way.is_default and way.here.config.settings.agent.lower() != arrived.id.lower():
        way.here.set("agent", arrived.id)


def _leave_word(way: Way) -> None:
    """Let who asks for an agent that is gone find where: on this machine, and where a database was asked."""
    place = way.there.home.place
    local = FolderHome(way.here.root, way.here.clock)
    local.note_moved(way.agent.id, Forwarding(place, way.new))
    if way.here.home.papers.is_shared:
        far = place if way.there.home.papers.is_shared else f"{os.uname().nodename}:{place}"
        way.here.home.note_moved(way.agent.id, Forwarding(far, way.new))

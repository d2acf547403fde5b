"""An agent's files to edit by hand, where it is kept in a database: given out, and taken in again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.errors import SoulError
from almario.ports import ListedAgent, OwnSettings
from almario.wiring import Opened, choose_agent, open_home, parts_of, soul_of
from almario_postgres.working_copy import CheckedIn, WorkingCopy, check_out, label_of


def checkout(
    folder: str | Path,
    agent: str | None = None,
    *,
    home: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> list[str]:
    """Write an agent's files into a new or empty folder, to be edited there; return their names."""
    opened = open_home(home, settings=settings)
    found = _elsewhere(opened, choose_agent(opened, agent))
    with soul_of(found.id, parts_of(opened.keep, found, opened.configured(found))):
        pass  # MEMORY.md shows everything now
    return check_out(_place(folder), opened.store(found), found.id)


def checkin(
    folder: str | Path = ".",
    *,
    only_show: bool = False,
    removes: bool = False,
    home: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> CheckedIn:
    """Take in what was edited in a working copy, and let it show what was changed elsewhere.

    *only_show* changes nothing. Many files that are gone are removed only if it *removes* them.
    """
    place = _place(folder)
    opened = open_home(home, settings=settings)
    agent = _elsewhere(opened, opened.home.agent(label_of(place).agent))
    _check_settings(opened, place)
    store = opened.store(agent)
    copy = WorkingCopy(place, store)
    if only_show:
        return CheckedIn(copy.plan())
    with store.writing() as write:
        copy.enter(write, removes=removes)
    with soul_of(agent.id, parts_of(opened.keep, agent, opened.configured(agent))) as soul:
        notices = soul.notices
    done = copy.refresh()
    return done._replace(told=(*notices, *done.told))


def _place(folder: str | Path) -> Path:
    return Path(folder).expanduser().absolute()


def _elsewhere(opened: Opened, agent: ListedAgent) -> ListedAgent:
    """Refuse an agent whose files can be edited where they are."""
    if agent.folder is not None:
        sentence = "the files of {id} are in {path}; edit them there"
        raise SoulError(sentence, id=agent.id, path=str(agent.folder))
    return agent


def _check_settings(opened: Opened, place: Path) -> None:
    """Raise ConfigError for settings that would keep the agent from being opened."""
    path = place / configuration.AGENT_FILE
    if path.is_file():
        own = OwnSettings(str(path), path.read_bytes())
        configuration.load(opened.root, own, arguments=opened.arguments)

"""Looking over a home and its agents, whatever state their settings are in."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.domain.messages import Sentence, sentence_of
from almario.entry_points import packages
from almario.errors import ConfigError
from almario.ports import Clock, ListedAgent
from almario.store.folder import FolderStore
from almario.store.home import FolderHome
from almario.upkeep.doctor import (
    Complaint,
    examine_agent,
    examine_home,
    examine_memory,
    examine_secrets,
)
from almario.wiring import check_named, parts_of, utc_now
from almario.wiring.keeps import FolderKeep, keep_at

__all__ = ["Complaint", "examine"]
_CORRECT = Sentence("correct that setting")


def examine(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
) -> Iterator[Complaint]:
    """Look over a home and one or all of its agents."""
    check_named(agent)
    if brought := packages():
        names = ", ".join(f"{name} {version}" for name, version in brought.items())
        yield Complaint("ok", "packages", Sentence.own(names))
    root = configuration.home_path(home)
    found = FolderHome(root, clock)
    named, keep = "", None
    try:
        named = configuration.load(root, arguments=settings).settings.agent
        found, keep = FolderKeep(root, clock).home, keep_at(root, clock, settings)
    except ConfigError as exc:
        yield Complaint("failure", "settings", sentence_of(exc), _CORRECT)
    if keep is not None and not isinstance(keep, FolderKeep):
        yield from keep.examine(agent)
        return
    yield from examine_home(found, default=named)
    for each in [found.agent(agent)] if agent else found.agents():
        yield from _examine_agent(root, each, settings, clock)


def _examine_agent(
    root: Path, agent: ListedAgent, settings: Mapping[str, Any] | None, clock: Clock
) -> Iterator[Complaint]:
    if not agent.path.is_dir():
        what = Sentence("its folder, {path}, does not exist", path=str(agent.path))
        how = Sentence("correct its path in almario.toml, or put the folder back")
        yield Complaint("failure", agent.id, what, how)
        return
    keep = FolderKeep(root, clock)
    try:
        configuration.load(
            agent.path, keep.home.own_settings(agent)
        )  # only its own file: the home's has been looked at
        yield Complaint("ok", agent.id, Sentence("its settings are valid"))
    except ConfigError as exc:
        yield Complaint("failure", agent.id, sentence_of(exc), _CORRECT)
    try:
        config = configuration.load(root, keep.home.own_settings(agent), arguments=settings)
    except ConfigError:  # told above; with other settings than the owner's nothing may be changed
        for finding in examine_agent(agent.id, FolderStore(agent.path, clock, UTC)):
            yield replace(finding, mend=None)
        return
    yield from examine_agent(agent.id, keep.store(agent, config))
    memory = parts_of(keep, agent, config).memory
    yield from examine_memory(agent.id, memory)
    yield from examine_secrets(agent.id, memory.handwritten)

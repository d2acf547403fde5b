"""From settings to a Soul: the only place that chooses what is used for what."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.becoming.goals import Goals
from almario.becoming.starter import starter_files
from almario.config import Config
from almario.conversation.prompting import PromptBuilder
from almario.domain.events import AgentCreated
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, Persona
from almario.errors import AgentNotFound, ConfigError
from almario.ports import Clock
from almario.soul import Soul
from almario.store import files
from almario.store.home import Agent, Home
from almario.store.vault import Vault
from almario.upkeep.doctor import Finding, examine_agent, examine_home
from almario.upkeep.migrate import fold_older_memory, migrate_home, note_migration

DEFAULT_AGENT = "default"


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Opened:
    """A home with its settings, and what opening it did."""

    home: Home
    config: Config
    told: tuple[Sentence, ...]


def open_home(
    home: str | Path | None = None, *, settings: Mapping[str, Any] | None = None, clock: Clock = utc_now
) -> Opened:
    """Open a home: read its settings, and bring an older layout up to date."""
    root = configuration.home_path(str(home) if home else None)
    config = configuration.load(root, arguments=settings)
    opened = Home(root, clock, paths=config.paths)
    told = migrate_home(opened)
    if told:
        note_migration(_vault(opened.agent(DEFAULT_AGENT).path, config, clock), told)
    return Opened(opened, config, tuple(told))


def open_soul(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
) -> Soul:
    """Open an agent of a home; without *agent*, the one the settings name or the only one."""
    opened = open_home(home, settings=settings, clock=clock)
    chosen = choose_agent(opened, agent)
    config = configuration.load(opened.home.root, chosen.path, arguments=settings)
    vault = _vault(chosen.path, config, clock)
    told = [*opened.told, *fold_older_memory(vault), *vault.settle()]
    return _soul(chosen, vault, config, told)


def create_soul(
    home: str | Path | None = None,
    agent: str = DEFAULT_AGENT,
    *,
    persona: Persona | None = None,
    path: str | None = None,
    clock: Clock = utc_now,
) -> Soul:
    """Make a new agent with a starter soul; a folder that has a soul already keeps it."""
    opened = open_home(home, clock=clock)
    persona = persona or Persona(language=configuration.language(opened.config))
    texts = starter_files(persona)
    made = opened.home.create(
        agent, lambda folder: _furnish(agent, folder, persona.language, texts, clock), path=path
    )
    config = configuration.load(opened.home.root, made.path)
    return _soul(made, _vault(made.path, config, clock), config, opened.told)


def _furnish(agent: str, folder: Path, language: str, texts: Mapping[str, str], clock: Clock) -> None:
    """Give a new agent's folder its settings and its soul, unless it has them."""
    settings = folder / configuration.AGENT_FILE
    if files.read_bytes(settings) is None:
        lines = (
            '# Settings of this agent alone; "almario config" lists them all.\n'
            + f'language = "{language}"\n'
        )
        files.create(settings, lines.encode())
    vault = _vault(folder, configuration.defaults(), clock)
    if all(vault.read(name).content is None for name in SOUL_FILES):
        vault.record(AgentCreated(agent, language), actor="owner")
        for name, text in texts.items():
            vault.write_soul(name, text, expected=None, actor="almario", reason="first soul")


def choose_agent(opened: Opened, wanted: str | None) -> Agent:
    """Return the agent that is meant."""
    named = wanted or opened.config.settings.agent
    if named:
        return opened.home.agent(named)
    agents = opened.home.agents()
    default = [agent for agent in agents if agent.id == DEFAULT_AGENT]
    if len(agents) > 1 and not default:
        ids = ", ".join(agent.id for agent in agents)
        raise AgentNotFound("there are several agents ({ids}); name one with --agent", ids=ids)
    return opened.home.agent((default or agents)[0].id if agents else DEFAULT_AGENT)


def examine(
    home: str | Path | None = None, agent: str | None = None, *, clock: Clock = utc_now
) -> Iterator[Finding]:
    """Look over a home and one or all of its agents."""
    root = configuration.home_path(str(home) if home else None)
    config = configuration.defaults()
    try:
        config = configuration.load(root)
    except ConfigError as exc:
        yield Finding("failure", "settings", Sentence(exc.message, **exc.facts), Sentence("edit that file"))
    found = Home(root, clock, paths=config.paths)
    yield from examine_home(found)
    for each in [found.agent(agent)] if agent else found.agents():
        yield from _examine_agent(each, clock)


def _examine_agent(agent: Agent, clock: Clock) -> Iterator[Finding]:
    if not agent.path.is_dir():
        what = Sentence("its folder, {path}, is not there", path=str(agent.path))
        how = Sentence("mend its path in almario.toml, or bring the folder back")
        yield Finding("failure", agent.id, what, how)
        return
    config = configuration.defaults()
    try:
        # Only its own file: the home's has been looked at.
        config = configuration.load(agent.path, agent.path)
        yield Finding("ok", agent.id, Sentence("its settings are valid"))
    except ConfigError as exc:
        yield Finding("failure", agent.id, Sentence(exc.message, **exc.facts), Sentence("edit that file"))
    yield from examine_agent(agent.id, _vault(agent.path, config, clock))


def _vault(folder: Path, config: Config, clock: Clock) -> Vault:
    settings = config.settings
    zone = configuration.zone(config)
    return Vault(folder, clock, zone, versions=settings.versions, store=settings.store)


def _soul(agent: Agent, vault: Vault, config: Config, told: Sequence[Sentence]) -> Soul:
    settings = config.settings
    language = configuration.language(config)
    prompts = PromptBuilder(
        vault,
        language=language,
        prompt=settings.prompt,
        soul=settings.soul,
        search=settings.search,
        auto_recall=settings.auto_recall,
    )
    goals = Goals(vault, settings.goals, language=language)
    return Soul(agent.id, vault, prompts=prompts, goals=goals, told=told)

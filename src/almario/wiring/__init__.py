"""From settings to a Soul: the only place that chooses what is used for what."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from almario import config as configuration
from almario.config import Config
from almario.config.toml_files import agent_paths
from almario.domain.documents.identity import identity_value
from almario.domain.events import AgentCreated
from almario.domain.messages import Sentence, say, sentence_of
from almario.domain.model import DEFAULT_AGENT, SOUL_FILES, Persona
from almario.errors import AgentNotFound, AlmarioError, ConfigError, SoulError, StoreError
from almario.memory.facade import Memories
from almario.ports import LLM, Clock, Embedder, Store
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.store.home import Agent, Home
from almario.store.key import HomeKey
from almario.wiring.parts import parts_of
from almario.wiring.remembering import derived_in, memories

if TYPE_CHECKING:
    from almario.upkeep.backup import Backups
    from almario.upkeep.doctor import Finding

_CORRECT = Sentence("correct that setting")


def utc_now() -> datetime:
    """The clock that is used when none is passed in."""
    return datetime.now(UTC)


class Opened(NamedTuple):
    """A home, and its settings with the arguments that beat them."""

    home: Home
    config: Config
    arguments: Mapping[str, Any] | None
    clock: Clock
    llm: LLM | None = None
    embedder: Embedder | None = None

    def configured(self, folder: Path) -> Config:
        """Return the settings in force for the agent in a folder."""
        return configuration.load(self.home.root, folder, arguments=self.arguments)

    def vault(self, folder: Path) -> FolderStore:
        """Return an agent's folder as its settings want it used."""
        return _vault_of(folder, self.configured(folder), self.clock)


def open_home(
    home: str | Path | None = None, *, settings: Mapping[str, Any] | None = None, clock: Clock = utc_now
) -> Opened:
    """Open a home and read its settings."""
    root = configuration.home_path(home)
    config = configuration.load(root, arguments=settings)
    return Opened(_home(root, clock), config, settings, clock)


def listed_agents(home: str | Path | None = None) -> list[Agent]:
    """List the agents of a home without touching anything."""
    return _home(configuration.home_path(home), utc_now).agents()


def name_of(agent: Agent) -> str:
    """Return the name in an agent's IDENTITY.md, without opening the agent."""
    try:
        return identity_value(FolderStore(agent.path, utc_now, UTC).read("IDENTITY.md").text, "name")
    except AlmarioError:
        return ""


def open_soul(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    progress: Callable[[int, int], None] | None = None,
    llm: LLM | None = None,
    embedder: Embedder | None = None,
) -> Soul:
    """Open an agent of a home; without *agent*, the one the settings name or the only one.

    *progress* is told how far it is, if there is much to read first; *llm*
    talks and learns in the place of the models that the settings name, and
    *embedder* finds by meaning in the place of theirs.
    """
    opened = open_home(home, settings=settings, clock=clock)._replace(llm=llm, embedder=embedder)
    return _soul(opened, choose_agent(opened, agent), progress)


def open_or_create(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    persona: Persona | None = None,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    llm: LLM | None = None,
    embedder: Embedder | None = None,
) -> Soul:
    """Open an agent, as `open` does; if it is not there, make it with a starter soul first.

    Several agents, and none named: AgentNotFound, as nobody can tell which is meant.
    """
    opened = open_home(home, settings=settings, clock=clock)._replace(llm=llm, embedder=embedder)
    try:
        chosen = choose_agent(opened, agent)
    except AgentNotFound:
        if not agent and opened.home.agents():
            raise
        return _born(opened, agent or opened.config.settings.agent or DEFAULT_AGENT, persona)
    return _soul(opened, chosen)


def create_soul(
    home: str | Path | None = None,
    agent: str = DEFAULT_AGENT,
    *,
    persona: Persona | None = None,
    path: str | None = None,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    llm: LLM | None = None,
    embedder: Embedder | None = None,
) -> Soul:
    """Make a new agent with a starter soul; a folder that has a soul already keeps it."""
    opened = open_home(home, settings=settings, clock=clock)._replace(llm=llm, embedder=embedder)
    return _born(opened, agent, persona, path)


def _born(opened: Opened, agent: str, persona: Persona | None, path: str | None = None) -> Soul:
    from almario.becoming.starter import starter_files  # noqa: PLC0415 - once in an agent's life

    persona = persona or Persona(language=configuration.language(opened.config))
    newborn = Newborn(agent, persona.language, starter_files(persona), reason=Sentence("first soul"))
    return settled(opened, newborn, path=path)


class Newborn(NamedTuple):
    """An agent that is about to be: its id, the language and files of its soul, and what made them."""

    agent: str
    language: str
    texts: Mapping[str, str]
    reason: Sentence


def settled(opened: Opened, newborn: Newborn, *, path: str | None = None) -> Soul:
    """Give a new agent its folder; one that has a soul already keeps it."""
    made = opened.home.create(newborn.agent, lambda folder: furnish(opened.vault(folder), newborn), path=path)
    return _soul(opened, made)


def furnish(vault: Store, newborn: Newborn) -> None:
    """Give a new agent its soul and its settings, unless it has them.

    The settings come last: a folder without them was left unfinished.
    """
    vault.settle()  # what an earlier, killed run left
    settings = vault.read(configuration.AGENT_FILE)
    begun = any(vault.journal.select("agent.created"))
    is_empty = all(vault.read(name).content is None for name in SOUL_FILES)
    if is_empty or (begun and settings.content is None):
        if not begun:
            vault.record(AgentCreated(newborn.agent, newborn.language), actor="owner")
        for name, text in newborn.texts.items():
            document = vault.read(name)
            if document.content is None:
                vault.write_soul(document, text, actor="almario", reason=newborn.reason)
    if settings.content is None:
        comment = say(newborn.language, '# Settings of this agent alone; "almario config" lists them all.')
        with vault.writing() as write:
            write.replace(settings, f'{comment}\nlanguage = "{newborn.language}"\n')


def choose_agent(opened: Opened, wanted: str | None) -> Agent:
    """Return the agent that is meant; None is the one of the settings, or the only one."""
    check_named(wanted)
    named = wanted or opened.config.settings.agent
    if named:
        return opened.home.agent(named)
    agents = opened.home.agents()
    default = [agent for agent in agents if agent.id.lower() == DEFAULT_AGENT]
    if len(agents) > 1 and not default:
        ids = ", ".join(agent.id for agent in agents)
        raise AgentNotFound("there are several agents ({ids}); name one with --agent", ids=ids)
    return opened.home.agent((default or agents)[0].id if agents else DEFAULT_AGENT)


def check_named(wanted: str | None) -> None:
    """Refuse an empty name: who left a variable empty did not mean the default agent."""
    if wanted is not None and not wanted.strip():
        sentence = 'the agent\'s id is empty; name one ("almario agents" lists them), or leave it out'
        raise SoulError(sentence)


def examine(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
) -> "Iterator[Finding]":
    """Look over a home and one or all of its agents."""
    from almario.upkeep.doctor import Finding, examine_home  # noqa: PLC0415 - few commands need the doctor

    check_named(agent)
    root = configuration.home_path(home)
    found = Home(root, clock)
    named = ""
    try:
        named = configuration.load(root, arguments=settings).settings.agent
        found = _home(root, clock)
    except ConfigError as exc:
        yield Finding("failure", "settings", sentence_of(exc), _CORRECT)
    yield from examine_home(found, default=named)
    for each in [found.agent(agent)] if agent else found.agents():
        yield from _examine_agent(root, each, settings, clock)


def _examine_agent(
    root: Path, agent: Agent, settings: Mapping[str, Any] | None, clock: Clock
) -> "Iterator[Finding]":
    from almario.upkeep.doctor import (  # noqa: PLC0415 - as above
        Finding,
        examine_agent,
        examine_memory,
        examine_secrets,
    )

    if not agent.path.is_dir():
        what = Sentence("its folder, {path}, is not there", path=str(agent.path))
        how = Sentence("mend its path in almario.toml, or bring the folder back")
        yield Finding("failure", agent.id, what, how)
        return
    try:
        configuration.load(agent.path, agent.path)  # only its own file: the home's has been looked at
        yield Finding("ok", agent.id, Sentence("its settings are valid"))
    except ConfigError as exc:
        yield Finding("failure", agent.id, sentence_of(exc), _CORRECT)
    try:
        config = configuration.load(root, agent.path, arguments=settings)
    except ConfigError:  # told above; with other settings than the owner's nothing may be changed
        for finding in examine_agent(agent.id, FolderStore(agent.path, clock, UTC)):
            yield replace(finding, mend=None)
        return
    vault = _vault_of(agent.path, config, clock)
    yield from examine_agent(agent.id, vault)
    memory = memories(vault, config, derived_in(agent.path), HomeKey(root))
    yield from examine_memory(agent.id, memory)
    yield from examine_secrets(agent.id, memory.handwritten)


def _home(root: Path, clock: Clock) -> Home:
    return Home(root, clock, paths=lambda: agent_paths(root))


def _vault_of(folder: Path, config: Config, clock: Clock) -> FolderStore:
    chosen = config.settings
    return FolderStore(
        folder,
        clock,
        configuration.zone(config),
        versions=chosen.versions,
        store=chosen.store,
        watch=chosen.watch,
    )


def _soul(
    opened: Opened,
    agent: Agent,
    progress: Callable[[int, int], None] | None = None,
) -> Soul:
    config = opened.configured(agent.path)
    vault = _vault_of(agent.path, config, opened.clock)
    own, key = opened.embedder, HomeKey(opened.home.root)
    memory = memories(vault, config, derived_in(agent.path), key, own)
    return soul_of(agent.id, vault, memory, config, progress=progress, llm=opened.llm, embedder=own)


def soul_of(
    agent: str,
    vault: Store,
    memory: Memories,
    config: Config,
    *,
    progress: Callable[[int, int], None] | None = None,
    llm: LLM | None = None,
    embedder: Embedder | None = None,
) -> Soul:
    """Put an agent together, whatever keeps it."""
    told = vault.settle()
    try:
        told += memory.settle(progress)
        memory.erase_taken_back()
    except StoreError as exc:  # it can still be asked
        told.append(sentence_of(exc))
    parts = parts_of(vault, memory, config, llm, embedder)
    return Soul(agent, vault, memory, parts, told=told)


def download_model(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Fetch the model that fastembed is set to, into the user's cache folder; return where it is."""
    from almario.adapters.embedders import fastembed  # noqa: PLC0415 - for one command

    opened = open_home(home, settings=settings)
    chosen = opened.configured(choose_agent(opened, agent).path).settings
    return fastembed.download(chosen.embedder.model, progress=progress)


def backups(
    home: str | Path | None = None, *, settings: Mapping[str, Any] | None = None, clock: Clock = utc_now
) -> "Backups":
    """Return what makes and restores the backups of a home."""
    from almario.upkeep.backup import Backups  # noqa: PLC0415 - few commands need them

    opened = open_home(home, settings=settings, clock=clock)
    return Backups(opened.home, clock, opened.config.settings.backup)


def daemon_status(home: str | Path | None = None) -> tuple[bool, dict[str, Any]]:
    """Say whether a daemon keeps a home, and return what it wrote down last."""
    from almario.upkeep.daemon_state import is_led, read  # noqa: PLC0415 - for one command

    root = configuration.home_path(home)
    return is_led(root), read(root)

"""From settings to a Soul: the only place that chooses what is used for what."""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from almario import config as configuration
from almario.config import Config
from almario.config.checks import STORE, checked
from almario.domain.documents.identity import identity_value
from almario.domain.events import AgentCreated
from almario.domain.messages import Sentence, say, sentence_of
from almario.domain.model import DEFAULT_AGENT, SOUL_FILES, Persona
from almario.domain.plain_text import shown_address
from almario.errors import AgentMoved, AgentNotFound, AlmarioError, ConfigError, SoulError, StoreError
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Clock, Embedder, Home, ListedAgent, Spool, Store, moved
from almario.soul import Soul
from almario.store import toml
from almario.store.home import FolderHome
from almario.store.spool import HeldSpool, HomeSpool
from almario.wiring.keeps import DatabaseKeep, FolderKeep, Keep, keep_at, key_of
from almario.wiring.parts import AgentParts

if TYPE_CHECKING:
    from almario.domain.late import Late
    from almario.upkeep.backup import Backups
    from almario.upkeep.older import OlderSoul


# How many agents are named when one must be chosen, and how many a shell completes.
_MOST_NAMED, _MOST_LISTED = 50, 1000
# Where older layouts had memory (see `upkeep.older`).
_OLDER_MEMORY = ("memory/legacy.md", "memory/MEMORY.md", "memory/daily")
# The folder of a home in which that waits which hooks could not keep.
SPOOL = "spool"
# What a line of a journal holds that takes something off the record.
_TAKEN_BACK = b'"taken back"'
# With more agents than this in a database, their names are not listed.
_MOST_NAMES = 200


def utc_now() -> datetime:
    """The clock that is used when none is passed in."""
    return datetime.now(UTC)


class Opened(NamedTuple):
    """A home, and its settings, which are in the folder *root*, with the arguments that beat them."""

    root: Path
    keep: FolderKeep | DatabaseKeep
    config: Config
    arguments: Mapping[str, Any] | None
    clock: Clock
    llm: LLM | None = None
    embedder: Embedder | None = None

    @property
    def home(self) -> Home:
        """Where agents come and go."""
        return self.keep.home

    def configured(self, agent: ListedAgent) -> Config:
        """Return the settings in force for an agent."""
        return configuration.load(self.root, self.home.own_settings(agent), arguments=self.arguments)

    def store(self, agent: ListedAgent) -> Store:
        """Return what keeps an agent, as its settings want it used."""
        return self.keep.store(agent, self.configured(agent))

    def set(self, key: str, value: bool | int | float | str | None, agent: ListedAgent | None = None) -> None:
        """Set one setting in almario.toml, or in an agent's own settings; None takes it out."""

        def edit(text: str) -> str:
            return toml.without_setting(text, key) if value is None else toml.with_setting(text, key, value)

        self.keep.edit_settings(edit, agent)

    def change(self, key: str, text: str | None, agent: ListedAgent | None = None) -> str:
        """Set one setting as a person writes it, or take it out for None; return the file that has it."""
        file = configuration.AGENT_FILE if agent else configuration.HOME_FILE
        if text is None and configuration.is_retired(key):
            self.set(key, None, agent)
            return file
        option = configuration.known(key, file)
        value = None if text is None else checked(option, option.parse(text), file)
        if key == "agent" and value:
            value = self.home.agent(value).id
        self.set(key, value, agent)
        return file

    def name_of(self, agent: ListedAgent) -> str:
        """Return the name in an agent's IDENTITY.md, or its id, without opening the agent."""
        try:
            store = self.keep.store(agent, self.config)
            return identity_value(store.read("IDENTITY.md").text, "name") or agent.id
        except AlmarioError:
            return agent.id

    def names_of(self, agents: Sequence[ListedAgent]) -> list[str]:
        """Return the names of agents, each a question to a database if one keeps them; of many, their ids."""
        are_many = self.home.queue is not None and len(agents) > _MOST_NAMES
        return [agent.id if are_many else self.name_of(agent) for agent in agents]


def open_home(
    home: str | Path | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    store: str | None = None,
    llm: LLM | None = None,
    embedder: Embedder | None = None,
) -> Opened:
    """Open a home: read its settings; *store* is where agents are kept, if not as they say."""
    root = configuration.home_path(home)
    settings = settings if store is None else {**(settings or {}), STORE: store}
    config = configuration.load(root, arguments=settings)
    return Opened(root, keep_at(root, clock, settings), config, settings, clock, llm, embedder)


def listed_agents(home: str | Path | None = None, *, in_folders: bool = False) -> list[ListedAgent]:
    """List the agents of a home without touching anything; *in_folders*, though it may name a database."""
    root = configuration.home_path(home)
    if in_folders:
        return FolderKeep(root, utc_now).home.agents()
    return keep_at(root, utc_now).home.agents(most=_MOST_LISTED)


def open_soul(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    progress: Callable[[int, int], None] | None = None,
    llm: LLM | None = None,
    embedder: Embedder | None = None,
    store: str | None = None,
    at_once: bool = True,
    takes_in: bool = True,
) -> Soul:
    """Open an agent of a home; without *agent*, the one the settings name or the only one.

    *store* is where agents are kept, `postgres://…` or empty for folders, if not as the settings say.
    *progress* is told how far it is, if there is much to read first; *llm*
    talks and learns in the place of the models that the settings name, and
    *embedder* finds by meaning in the place of theirs. Unless *at_once*, what
    is new in its memory is taken in when that is first used; unless it
    *takes_in* what waits in the spool, that is left to others.
    """
    opened = open_home(home, settings=settings, clock=clock, store=store, llm=llm, embedder=embedder)
    try:
        chosen = choose_agent(opened, agent)
    except AgentNotFound:
        if agent not in (None, DEFAULT_AGENT) or (soul := _adopted(opened, DEFAULT_AGENT)) is None:
            raise
        return soul
    return soul_in(opened, chosen, progress, at_once=at_once, takes_in=takes_in)


def open_or_create(
    home: str | Path | None = None,
    agent: str | None = None,
    *,
    persona: Persona | None = None,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    llm: LLM | None = None,
    embedder: Embedder | None = None,
    store: str | None = None,
) -> Soul:
    """Open an agent, as `open` does; if it is not there, make it with a starter soul first.

    Several agents, and none named: AgentNotFound, as nobody can tell which is meant.
    """
    opened = open_home(home, settings=settings, clock=clock, store=store, llm=llm, embedder=embedder)
    try:
        chosen = choose_agent(opened, agent)
    except AgentNotFound:
        if not agent and opened.home.agents(most=1):
            raise
        return _born(opened, agent or opened.config.settings.agent or DEFAULT_AGENT, persona)
    return soul_in(opened, chosen)


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
    store: str | None = None,
    adopt: bool = True,
) -> Soul:
    """Make a new agent with a starter soul; a folder that has a soul already keeps it.

    A soul that lies in the home's root becomes the first agent, unless it is not to *adopt* it or another
    name is wanted.
    """
    opened = open_home(home, settings=settings, clock=clock, store=store, llm=llm, embedder=embedder)
    return _born(opened, agent, persona, path, adopt=adopt and path is None)


def unread_soul(opened: Opened, name: str = "") -> "OlderSoul | None":
    """Return the soul in the home's root that a new agent would be: the first one, or one of that *name*."""
    from almario.upkeep.older import older_soul  # noqa: PLC0415 - once in a home's life

    soul = older_soul(opened.root) if isinstance(opened.keep, FolderKeep) else None
    if soul is None or (name and name != soul.name) or (not name and opened.home.agents(most=1)):
        return None
    return soul


def _adopted(opened: Opened, agent: str, persona: Persona | None = None) -> Soul | None:
    from almario.upkeep import older  # noqa: PLC0415 - once in a home's life

    found = unread_soul(opened, persona.name if persona else "")
    if found is None:
        return None
    language = persona.language if persona else configuration.language(opened.config)

    def fill(made: ListedAgent) -> None:
        older.copy(found, made.path)
        furnish(opened.store(made), _newborn(agent, persona or Persona(language=language)))

    made = opened.home.create(agent, fill)
    done = older.set_aside(found, made.id)
    soul = soul_in(opened, made)
    soul.notices = (done, *soul.notices)
    return soul


def _born(
    opened: Opened, agent: str, persona: Persona | None, path: str | None = None, *, adopt: bool = True
) -> Soul:
    if adopt and (soul := _adopted(opened, agent, persona)):
        return soul
    newborn = _newborn(agent, persona or Persona(language=configuration.language(opened.config)))
    return settled(opened, newborn, path=path)


def _newborn(agent: str, persona: Persona) -> "Newborn":
    from almario.becoming.starter import starter_files  # noqa: PLC0415 - once in an agent's life

    return Newborn(agent, persona.language, starter_files(persona), reason=Sentence("first soul"))


class Newborn(NamedTuple):
    """An agent that is about to be: its id, the language and files of its soul, and what made them."""

    agent: str
    language: str
    texts: Mapping[str, str]
    reason: Sentence


def settled(opened: Opened, newborn: Newborn, *, path: str | None = None) -> Soul:
    """Give a new agent its place; one that has a soul already keeps it.

    The first one's language is also that of commands and pages, unless one is set.
    """
    is_open = opened.config.origins["language"] == configuration.DEFAULT and not opened.home.agents(most=1)
    made = opened.home.create(newborn.agent, lambda agent: furnish(opened.store(agent), newborn), path=path)
    if is_open and newborn.language != configuration.language(opened.config):
        opened.set("language", newborn.language)
    return soul_in(opened, made)


def furnish(vault: Store, newborn: Newborn) -> None:
    """Give a new agent its soul and its settings, unless it has them.

    The settings come last: a folder without them was left unfinished.
    """
    with vault.writing() as write:  # and what an earlier, killed run left is finished
        settings = vault.read(configuration.AGENT_FILE)
        begun = any(vault.journal.select("agent.created"))
        is_empty = all(vault.read(name).content is None for name in SOUL_FILES)
        if is_empty or (begun and settings.content is None):
            if not begun:
                write.append(AgentCreated(newborn.agent, newborn.language), actor="owner")
            for name, text in newborn.texts.items():
                if (document := vault.read(name)).content is None:
                    write.change_soul(document, text, actor="almario", reason=newborn.reason)
        if settings.content is None:
            own = say(newborn.language, '# Settings for this agent only; "almario config" lists them all.')
            write.replace(settings, f'{own}\nlanguage = "{newborn.language}"\n')


def choose_agent(opened: Opened, wanted: str | None) -> ListedAgent:
    """Return the agent that is meant; None is the one of the settings, or the only one.

    One that was moved from this machine to where the settings lead is found there under its new id.
    """
    check_named(wanted)
    named = wanted or opened.config.settings.agent
    try:
        return _meant(opened, named)
    except (AgentNotFound, AgentMoved):
        to = FolderHome(opened.root, opened.clock).left_for(named)
        if to is None:
            raise
        if to.place != opened.home.place:
            raise moved(named or to.id, to) from None
        return opened.home.agent(to.id)


def _meant(opened: Opened, named: str) -> ListedAgent:
    if named:
        return opened.home.agent(named)
    agents = opened.home.agents(most=_MOST_NAMED)
    default = [agent for agent in agents if agent.id.lower() == DEFAULT_AGENT]
    if not default and (to := opened.home.left_for(DEFAULT_AGENT if agents else "")):
        raise moved(to.id, to)
    if len(agents) == _MOST_NAMED and not default:
        with contextlib.suppress(AgentNotFound):
            return opened.home.agent(DEFAULT_AGENT)
    if len(agents) > 1 and not default:
        ids = ", ".join(agent.id for agent in agents) + (", …" if len(agents) == _MOST_NAMED else "")
        raise AgentNotFound("there are several agents ({ids}); name one with --agent", ids=ids)
    return opened.home.agent((default or agents)[0].id if agents else DEFAULT_AGENT, agents)


def check_named(wanted: str | None) -> None:
    """Refuse an empty name: who left a variable empty did not mean the default agent."""
    if wanted is not None and not wanted.strip():
        sentence = 'the agent\'s id is empty; name one ("almario agents" lists them), or leave it out'
        raise SoulError(sentence)


def soul_in(
    opened: Opened,
    agent: ListedAgent,
    progress: Callable[[int, int], None] | None = None,
    *,
    at_once: bool = True,
    takes_in: bool = True,
) -> Soul:
    """Open an agent of a home; see `open_soul`."""
    given = {"llm": opened.llm, "embedder": opened.embedder, "progress": progress}
    parts = parts_of(opened.keep, agent, opened.configured(agent), **given)
    parts.spooling = partial(_spool, opened, agent.id)
    parts.home = opened.root
    soul = soul_of(agent.id, parts, at_once=at_once)
    if takes_in and (opened.root / SPOOL).is_dir() and parts.spool.waiting():
        with contextlib.suppress(StoreError):  # it waits on, and the doctor tells of it
            parts.companion.take_in()
    return soul


def _spool(opened: Opened, agent: str) -> Spool:
    """Return where that waits which could not be kept for an agent."""

    def is_default() -> bool:
        with contextlib.suppress(AlmarioError):
            return choose_agent(opened, None).id.lower() == agent.lower()
        return False

    def is_former(name: str) -> bool:
        to = FolderHome(opened.root, opened.clock).left_for(name)
        return to is not None and (to.place, to.id.lower()) == (opened.home.place, agent.lower())

    return HomeSpool(opened.root, agent, is_default, is_former)


def parts_of(keep: Keep, agent: ListedAgent, config: Config, **given: Any) -> AgentParts:
    """Return the parts of an agent of a home."""
    store = keep.store(agent, config)
    return AgentParts(store, config, partial(keep.derived, store), partial(key_of, keep.home), **given)


def soul_of(agent: str, parts: AgentParts, *, at_once: bool = True) -> Soul:
    """Put an agent together, whatever keeps it."""
    notices = parts.vault.settle()
    if parts.vault.folder and any(os.path.exists(parts.vault.folder / name) for name in _OLDER_MEMORY):
        from almario.upkeep.older import adopt_memory  # noqa: PLC0415 - once in an agent's life

        notices += adopt_memory(parts.vault, parts.memory)
    if at_once:
        try:
            notices += parts.memory.settle()
            parts.memory.erase_taken_back()
        except StoreError as exc:  # it can still be asked
            notices.append(sentence_of(exc))
    return Soul(agent, parts.vault, parts, notices=notices)


def backups(
    home: str | Path | None = None, *, settings: Mapping[str, Any] | None = None, clock: Clock = utc_now
) -> "Backups":
    """Return what makes and restores the backups of a home."""
    from almario.upkeep.backup import Backups  # noqa: PLC0415 - few commands need them

    opened = open_home(home, settings=settings, clock=clock)
    here, chosen = FolderKeep(opened.root, clock).home, opened.config.settings.backup
    database = shown_address(opened.config.settings.store)
    prepare = partial(_erase_confidences, opened)
    return Backups(here, clock, chosen, database=database, prepare=prepare)


def _erase_confidences(opened: Opened) -> None:
    """Erase what was taken off the record, wherever the session stands: no archive is to have it."""
    for agent in opened.home.agents():
        journal = agent.path / "journal"
        if any(_TAKEN_BACK in path.read_bytes() for path in journal.glob("*.jsonl")):
            with contextlib.suppress(AlmarioError):  # what is damaged is copied as it is
                soul = soul_in(opened, agent, at_once=False)
                soul.memory.erase_taken_back(every=True)
                soul.close()


def note_failure(home: str | Path | None, job: str, error: Exception, *, clock: Clock = utc_now) -> None:
    """Enter in the home's log of hooks why something failed that nobody was there to be told of."""
    from almario.upkeep.agent_jobs import failed  # noqa: PLC0415 - seldom needed
    from almario.upkeep.logbook import HOOKS, Logbook  # noqa: PLC0415 - the same

    why = sentence_of(error) if isinstance(error, AlmarioError | OSError) else failed(error).why
    logs = configuration.home_path(home) / "logs"
    Logbook(logs, clock, name=HOOKS).add("failed", job=job, why=why)


def let_wait(
    home: str | Path | None,
    agent: str | None,
    late: "Late",
    *,
    folder: Path | None = None,
    into: Callable[[HomeSpool], Spool] = lambda spool: spool,
) -> str:
    """Leave what was said in the spool of the home, or of a *folder*, for an agent that cannot be opened now.

    Return what the owner is to be told of that. Where the settings are wrong, the usual ones are in force.
    *into* says how it is put there.
    """
    from almario.conversation.waiting import waiting_notice, write_down  # noqa: PLC0415 - seldom needed
    from almario.text.redaction import Redactor  # noqa: PLC0415 - the same

    root = configuration.home_path(home)
    try:
        config = configuration.load(root)
    except ConfigError:
        config = configuration.usual()
    redact = Redactor(config.settings.redaction, lambda: configuration.region(config))
    fit = redact.text if config.settings.redaction.transcripts else str
    named = agent or ("" if folder else config.settings.agent)
    off = write_down(into(HomeSpool(folder or root, named, lambda: not named)), late, fit)
    return waiting_notice(configuration.language(config)) if off else ""


class Slip:
    """What a hook was told, in the spool from the first: whatever it waits for, and whoever ends it.

    *notice* is what the owner is told if it stays there.
    """

    def __init__(self) -> None:
        self.notice = ""
        self.taken: Callable[[], None] = lambda: None


@contextlib.contextmanager
def written_down(home: str | Path | None, agent: str | None, late: "Late") -> Iterator[Slip]:
    """Have what was said in the spool of a home until it is taken out; others pass over it meanwhile."""
    slip = Slip()
    with contextlib.ExitStack() as held:

        def into(spool: HomeSpool) -> Spool:
            own = HeldSpool(spool)
            held.callback(own.close)
            slip.taken = partial(own.taken, late)
            return own

        with contextlib.suppress(StoreError):  # it may be kept all the same
            slip.notice = let_wait(home, agent, late, into=into)
        yield slip


def daemon_here(home: str | Path | None = None) -> tuple[bool, dict[str, Any]]:
    """Return whether a daemon on this machine keeps a home, and return what it wrote down last."""
    from almario.upkeep.daemon_state import is_led, read  # noqa: PLC0415 - for one command

    root = configuration.home_path(home)
    return is_led(root), read(root)


def daemon_status(
    home: str | Path | None = None,
    agent: str = "",
    *,
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
) -> tuple[bool, dict[str, Any]]:
    """Return whether a daemon keeps a home, and return what is known of an *agent*, or of all of them."""
    is_here, state = daemon_here(home)
    queue = keep_at(configuration.home_path(home), clock, settings).home.queue
    if queue is None:
        return is_here, state
    return is_here or queue.is_kept(clock()), {**state, "agents": queue.notes(agent)}

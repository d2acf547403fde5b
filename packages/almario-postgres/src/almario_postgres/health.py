"""Looking over a database that keeps agents, the settings that lead to it, and the agents in it."""

from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.config import Config
from almario.config.checks import STORE
from almario.config.toml_files import read_toml
from almario.domain.messages import Sentence, sentence_of
from almario.errors import AgentMoved, AgentNotFound, AlmarioError, ConfigError
from almario.ports import Home, ListedAgent
from almario.upkeep.doctor import Complaint, examine_default, examine_hooks, examine_memory, examine_secrets
from almario.wiring import parts_of
from almario.wiring.keeps import Keep
from almario_postgres.address import read_address
from almario_postgres.database import Server
from almario_postgres.servers import server_of
from almario_postgres.survey import survey

# Of more agents than this, the others are looked over when they are named.
_MOST = 50
_CORRECT = Sentence("correct that setting")


def examine_database(
    root: Path, keep: Keep, agent: str | None, settings: Mapping[str, Any] | None
) -> Iterator[Complaint]:
    """Look at where the agents are kept, and at one or some of them."""
    yield from examine_hooks(root)
    try:
        yield from _address(root)
        count = yield from _tables(server_of(root, settings))
        every = [keep.home.agent(agent)] if agent else keep.home.agents(most=_MOST)
    except AlmarioError as exc:
        yield Complaint("failure", "database", sentence_of(exc))
        return
    config = configuration.load(root, arguments=settings)
    named = config.settings.agent
    if named and not agent:
        yield from examine_default(named, [named] if _is_there(keep.home, named) else [])
    if not agent and count > _MOST:
        what = Sentence("of {count} agents, the first {most} are looked over", count=count, most=_MOST)
        yield Complaint("ok", "database", what, Sentence("name any other with --agent"))
    for each in every:
        yield from _agent(root, keep, each, settings)


def _address(root: Path) -> Iterator[Complaint]:
    """Find a password in a file that people show to others, copy and keep under version control."""
    written = read_toml(root / configuration.HOME_FILE).get(STORE)
    if isinstance(written, str) and written and read_address(written).has_password:
        what = Sentence("almario.toml has the password of the database in it")
        how = Sentence("put the whole address in ALMARIO_STORE, or the password in PGPASSWORD or ~/.pgpass")
        yield Complaint("warning", "settings", what, how)


def _is_there(home: Home, agent: str) -> bool:
    try:
        return bool(home.agent(agent))
    except (AgentNotFound, AgentMoved):
        return False


def _tables(server: Server) -> Generator[Complaint, None, int]:
    """Look at the tables; return how many agents there are."""
    found = survey(server)
    what = Sentence("PostgreSQL {server}, pgvector {vector}", server=found.server, vector=found.vector or "–")
    yield Complaint("ok", "database", what)
    if found.step < found.steps:
        what = Sentence("its tables are at step {step} of {steps}", step=found.step, steps=found.steps)
        yield Complaint("failure", "database", what, Sentence('run "almario store migrate"'))
        return 0
    yield Complaint("ok", "database", Sentence("its tables are up to date"))
    if found.unguarded:
        what = Sentence("NOT kept apart by agent: {tables}", tables=", ".join(found.unguarded))
        how = Sentence("turn row-level security on again for them, or restore the database")
        yield Complaint("failure", "database", what, how)
    else:
        yield Complaint("ok", "database", Sentence("each connection sees one agent's rows, in every table"))
    return found.agents


def _agent(
    root: Path, keep: Keep, agent: ListedAgent, settings: Mapping[str, Any] | None
) -> Iterator[Complaint]:
    try:
        config = configuration.load(root, keep.home.own_settings(agent), arguments=settings)
        yield Complaint("ok", agent.id, Sentence("its settings are valid"))
        yield from _kept(keep, agent, config)
    except ConfigError as exc:
        yield Complaint("failure", agent.id, sentence_of(exc), _CORRECT)
    except AlmarioError as exc:
        yield Complaint("failure", agent.id, sentence_of(exc))


def _kept(keep: Keep, agent: ListedAgent, config: Config) -> Iterator[Complaint]:
    parts = parts_of(keep, agent, config)
    damage = parts.vault.journal.check()
    for place in damage:
        what = Sentence("{place} {problem}", place=place.place, problem=place.problem)
        yield Complaint("failure", agent.id, what, Sentence("restore the database from a backup"))
    if not damage:
        count = parts.vault.journal.tail().seq
        yield Complaint("ok", agent.id, Sentence("the journal is whole: {count} lines", count=count))
    yield from examine_memory(agent.id, parts.memory)
    yield from examine_secrets(agent.id, parts.memory.handwritten)

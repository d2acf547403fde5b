"""The parts of one agent, in the order in which they rest on each other, each made when it is first used.

Few commands need them all, and each takes time to load.
"""
# ruff: noqa: PLC0415

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

from almario import config as configuration
from almario.config import Config
from almario.entry_points import installed
from almario.errors import LLMUnavailable
from almario.memory.settings import EmbedderSettings
from almario.ports import LLM, Embedder, Key, Models, Spool, Store
from almario.store.spool import NoSpool

if TYPE_CHECKING:
    from almario.becoming.exploring import Explorer
    from almario.becoming.goals import Goals
    from almario.becoming.improving import Improving
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.conversation.agent import Agent
    from almario.conversation.captured import Captured
    from almario.conversation.companion import Companion
    from almario.conversation.discretion import Discretion
    from almario.conversation.flush import Flush
    from almario.conversation.learning import Learning
    from almario.conversation.notebook import Notebook
    from almario.conversation.portraits import Portraits
    from almario.conversation.presence import Presence
    from almario.conversation.prompting import PromptBuilder
    from almario.conversation.remembered import Remembered
    from almario.conversation.sessions import Sessions
    from almario.conversation.snapshots import Snapshots
    from almario.conversation.tidying import Tidying
    from almario.conversation.tools import Tools
    from almario.conversation.wishing import Wishing
    from almario.domain.model import Mode
    from almario.domain.turns import Turn, Utterance
    from almario.exporting.exporter import Exporter
    from almario.importing.importer import Importer
    from almario.memory.facade import Memories
    from almario.memory.writer import Derived
    from almario.text.redaction import Redactor
    from almario.upkeep.costs import Costs

    once = cached_property
else:

    class once(cached_property):  # noqa: N801 - used as the one it is made of
        """A property that is made once, in whichever thread asks first."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            with instance.lock:
                return super().__get__(instance, owner)


class AgentParts:
    """What one agent is made of besides its files."""

    # Gives where that waits which cannot be kept at once, where the agent has a home.
    spooling: Callable[[], Spool] | None = None
    # The home, where keys of models may be kept.
    home: Path | None = None

    def __init__(
        self,
        vault: Store,
        config: Config,
        derived: "Callable[[], Derived]",
        key: Callable[[], Key],
        *,
        llm: LLM | None = None,
        embedder: Embedder | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """*derived* gives where the index is, *key* what marks the exports of this home.

        *llm* and *embedder* take the place of what the settings name; *progress* is told of long work.
        """
        self.lock = RLock()
        self.vault = vault
        self.settings = config.settings
        self.language = configuration.language(config)
        self._config = config
        self._derived = derived
        self._key = key
        self._llm = llm
        self._given = embedder
        self._progress = progress

    @once
    def redact(self) -> "Redactor":
        """What takes secrets out of a text."""
        from almario.text.redaction import Redactor

        return Redactor(self.settings.redaction, lambda: configuration.region(self._config))

    @once
    def embedders(self) -> tuple[Embedder | None, Embedder | None]:
        """What finds, and what compares: whatever finds, the bundled model's cosines were measured."""
        from almario.wiring.remembering import embedder

        chosen = self.settings.embedder
        named = embedder(chosen, self._config)
        comparer = named if chosen.name in ("local", "none") else embedder(EmbedderSettings())
        return self._given or named, comparer

    @once
    def memory(self) -> "Memories":
        from almario.wiring.remembering import memories

        found = memories(
            self.vault, self._config, self._derived(), self.redact, lambda: self.embedders, self._key
        )
        found.sync.progress = self._progress
        return found

    @once
    def costs(self) -> "Costs":
        from almario.upkeep.costs import Costs

        return Costs(self.vault, self.settings.llm)

    @once
    def models(self) -> Models:
        """The models that talk and learn, looked for when they are first needed."""
        from almario.wiring.model_keys import with_keys
        from almario.wiring.models import models

        return (
            Models(self._llm, self._llm)
            if self._llm
            else models(self.settings.llm, with_keys(self.home, self._config))
        )

    def talker(self) -> LLM:
        """Return the model that talks, metered; LLMUnavailable says how to get one."""
        from almario.upkeep.costs import Metered

        talk, _, notices, _ = self.models
        if talk is None:
            raise LLMUnavailable(notices[0].text, passes=False, **notices[0].facts)
        return Metered(talk, self.costs, "chat")

    def learner(self, job: str) -> LLM | None:
        """Return the model for a job in the background, which keeps to the budget; None if there is none."""
        from almario.upkeep.costs import Metered

        background = self.models.background
        return Metered(background, self.costs, job, background=True) if background else None

    @once
    def goals(self) -> "Goals":
        from almario.becoming.goals import Goals

        def redact(text: str) -> str:  # loaded for what is written, and not to list goals
            return self.redact.whole(text)

        return Goals(self.vault, self.settings.goals, language=self.language, redact=redact)

    @once
    def proposals(self) -> "Proposals":
        from almario.becoming.proposals import Proposals

        return Proposals(self.vault, self.memory, self.settings.proposals)

    @once
    def snapshots(self) -> "Snapshots":
        from almario.conversation.snapshots import Snapshots

        def left_out() -> set[str]:
            away = (*self.memory.taken_back().values(), *self.memory.set_aside().values())
            return {*self.memory.out_of_mind(), *(turn for turns in away for turn in turns)}

        return Snapshots(
            self.vault, lambda: self.learner("snapshot"), redact=self.redact.text, left_out=left_out
        )

    @once
    def tidying(self) -> "Tidying":
        from almario.conversation.tidying import Tidying

        return Tidying(self.memory, self.proposals, lambda: self.portraits, self.learner)

    @once
    def reflection(self) -> "Reflection":
        from almario.becoming.gathering import ReflectionParts
        from almario.becoming.reflecting import Reflection

        own = (self.vault, self.memory, self.goals, self.proposals, self.learner, self._explorer)
        return Reflection(ReflectionParts(*own, self.settings.reflection, self.language))

    def _explorer(self, llm: LLM) -> "Explorer | None":
        """Return what looks beyond the conversations, if the owner lets it."""
        from almario.becoming.exploring import Exploration
        from almario.becoming.privacy import private
        from almario.wiring import models

        whose = partial(private, self.vault, self.memory)
        given = Exploration(llm, None, self.language, self.memory.redact.text, whose)
        return models.explorer(self.settings, given)

    @once
    def discretion(self) -> "Discretion":
        from almario.conversation.discretion import Discretion

        return Discretion(self.memory, self.vault.transcripts, self.vault.now)

    @once
    def importer(self) -> "Importer":
        from almario.importing.importer import Importer
        from almario.projects import project_at

        return Importer(self.memory, self.vault, self.proposals, partial(project_at, home=self.home or ""))

    @once
    def exporter(self) -> "Exporter":
        from almario.exporting.exporter import Exporter

        return Exporter(self.vault, self.memory, self.home)

    @once
    def sessions(self) -> "Sessions":
        from almario.conversation.sessions import Sessions

        return Sessions(self.vault, self.memory, self.settings.sessions, self.discretion)

    @once
    def presence(self) -> "Presence":
        from almario.conversation.presence import Presence

        group_chat = self.settings.prompt.group_chat
        return Presence(self.vault.transcripts, self.memory, group_chat=group_chat)

    @once
    def portraits(self) -> "Portraits":
        from almario.conversation.portraits import Portraits

        return Portraits(self.vault, self.memory, language=self.language)

    @once
    def notebook(self) -> "Notebook":
        from almario.conversation.notebook import Notebook

        return Notebook(self.vault, self.memory, self.language)

    @once
    def captured(self) -> "Captured":
        from almario.conversation.captured import Captured

        return Captured(self.vault.transcripts, self.memory, self.vault.now)

    @once
    def remembered(self) -> "Remembered":
        from almario.conversation.remembered import Remembered

        settings = self.settings
        return Remembered(
            self.vault,
            self.memory,
            settings.prompt,
            settings.auto_recall,
            language=self.language,
            reads_soul=settings.soul.enabled,
        )

    @once
    def prompts(self) -> "PromptBuilder":
        from almario.conversation.prompting import PromptBuilder

        chosen = self.settings
        return PromptBuilder(
            self.vault,
            self.goals,
            self.remembered,
            language=self.language,
            prompt=chosen.prompt,
            soul=chosen.soul,
            search=chosen.search,
        )

    @once
    def improving(self) -> "Improving":
        from almario.becoming.improving import Improving

        learner = self.learner
        return Improving(
            self.vault, self.memory, self.proposals, lambda: learner("improve"), language=self.language
        )

    @once
    def tools(self) -> "Tools":
        from almario.conversation.toolbox import OFFERED, TABLE
        from almario.conversation.tools import Tools

        found = Tools(self, TABLE, OFFERED)
        if self.settings.tools.plugins and installed("tools"):
            from almario.wiring.models import add_tools

            add_tools(found)
        return found

    @once
    def wishing(self) -> "Wishing":
        from almario.conversation.wishing import Wishing

        return Wishing(self.vault, self.memory, lambda: self.proposals)

    @once
    def flush(self) -> "Flush":
        from almario.conversation.flush import Flush

        return Flush(
            self.vault,
            self.memory,
            self.sessions,
            lambda: self.learner("flush"),
            self.settings.flush,
            language=self.language,
            audience=self.presence.audience,
        )

    @once
    def learning(self) -> "Learning":
        from almario.conversation.learning import Learning

        compact, prepare = self.sessions.compact_if_long, self.memory.prepare
        return Learning(self.flush, self.tidying.run, compact=compact, prepare=prepare)

    @once
    def agent(self) -> "Agent":
        from almario.conversation.agent import Agent

        return Agent(
            self, self.settings.llm, mode=cast("Mode", self.settings.prompt.mode), language=self.language
        )

    @once
    def spool(self) -> Spool:
        """Where that waits which cannot be kept at once."""
        return self.spooling() if self.spooling else NoSpool()

    @once
    def companion(self) -> "Companion":
        from almario.conversation.companion import Companion

        return Companion(self.agent, self.settings.hooks, self.spool, language=self.language)

    def keep(self, session: str, utterance: "Utterance") -> "Turn":
        """Keep what was said in a session, as the agent does."""
        return self.agent.append(session, utterance)

    def made(self, name: str) -> Any:
        """Return a part if it was ever used, or None."""
        return vars(self).get(name)

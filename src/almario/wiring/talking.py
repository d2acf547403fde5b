"""What one agent talks and learns with."""

from functools import cache

from almario import config as configuration
from almario.becoming.goals import Goals
from almario.becoming.proposals import Proposals
from almario.config import Config
from almario.conversation.agent import Agent
from almario.conversation.agent import Parts as AgentParts
from almario.conversation.flush import Flush
from almario.conversation.learning import Learning
from almario.conversation.prompting import PromptBuilder
from almario.conversation.remembered import Remembered
from almario.conversation.sessions import Sessions
from almario.conversation.settings import ModelSettings
from almario.conversation.snapshots import Snapshots
from almario.conversation.tidying import Tidying
from almario.conversation.tools import Tools
from almario.errors import LLMUnavailable
from almario.memory.memory import Memories
from almario.ports import LLM, Models
from almario.soul import Parts
from almario.store.vault import Vault
from almario.upkeep.costs import Costs, Metered


class Thinking:
    """The models of one agent, each call of which is entered in its account; *llm* takes their place."""

    def __init__(self, settings: ModelSettings, costs: Costs, llm: LLM | None) -> None:
        self._settings = settings
        self._costs = costs
        self._llm = llm
        self.models = cache(self._found)

    def talker(self) -> LLM:
        """Return the model that talks; LLMUnavailable says how to get one."""
        talk, _, told, _ = self.models()
        if talk is None:
            raise LLMUnavailable(told[0].text, passes=False, **told[0].facts)
        return Metered(talk, self._costs, "chat")

    def learner(self, job: str) -> LLM | None:
        """Return the model for a job in the background, which keeps to the budget; None if there is none."""
        background = self.models().background
        return Metered(background, self._costs, job, background=True) if background else None

    def _found(self) -> Models:
        from almario.wiring.models import models  # noqa: PLC0415 - only who talks needs them

        return Models(self._llm, self._llm) if self._llm else models(self._settings)


def talking(vault: Vault, memory: Memories, config: Config, llm: LLM | None = None) -> Parts:
    """Return the parts of a soul; *llm* takes the place of the models that the settings name."""
    chosen, language = config.settings, configuration.language(config)
    costs = Costs(vault.root / "costs", vault.now, vault.zone, chosen.llm)
    thinking = Thinking(chosen.llm, costs, llm)
    learner = thinking.learner
    goals = Goals(vault, chosen.goals, language=language)
    proposals = Proposals(vault, memory)
    sessions = Sessions(vault, memory, chosen.sessions)
    tools = Tools(vault, memory, goals, proposals)
    prompts = PromptBuilder(
        vault,
        Remembered(vault, memory, chosen.prompt, chosen.auto_recall),
        language=language,
        prompt=chosen.prompt,
        soul=chosen.soul,
        search=chosen.search,
    )
    flush = Flush(vault, memory, sessions, lambda: learner("flush"), chosen.flush, language=language)
    tidying = Tidying(memory, proposals, learner)
    learning = Learning(
        flush,
        tidying.run,
        compact=lambda each: sessions.is_long(each) and sessions.compact(each),
        prepare=memory.prepare,
    )
    snapshots = Snapshots(vault, lambda: learner("snapshot"), redact=lambda text: memory.redacted(text).text)
    parts = AgentParts(memory, sessions, prompts, tools, learning, thinking.talker)
    agent = Agent(parts, chosen.llm, mode=chosen.prompt.mode, language=language)
    return Parts(
        prompts=prompts,
        goals=goals,
        proposals=proposals,
        sessions=sessions,
        tools=tools,
        flush=flush,
        tidying=tidying,
        learning=learning,
        agent=agent,
        snapshots=snapshots,
        models=thinking.models,
        costs=costs,
    )

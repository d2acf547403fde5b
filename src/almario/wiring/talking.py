"""What one agent talks and learns with."""

from functools import cache
from typing import TYPE_CHECKING

from almario import config as configuration
from almario.becoming.goals import Goals
from almario.config import Config
from almario.conversation.agent import Agent
from almario.conversation.agent import Parts as AgentParts
from almario.conversation.flush import Flush
from almario.conversation.learning import Learning
from almario.conversation.prompting import PromptBuilder, Sources
from almario.conversation.remembered import Remembered
from almario.conversation.sessions import Sessions
from almario.conversation.snapshots import Snapshots
from almario.conversation.tidying import Tidying
from almario.conversation.tools import Tools
from almario.memory.memory import Memories
from almario.ports import LLM
from almario.soul import Parts
from almario.store.vault import Vault
from almario.upkeep.costs import Costs
from almario.wiring.becoming import consent, improving
from almario.wiring.thinking import Thinking

if TYPE_CHECKING:
    from almario.becoming.reflecting import Reflection


def talking(vault: Vault, memory: Memories, config: Config, llm: LLM | None = None) -> Parts:
    """Return the parts of a soul; *llm* takes the place of the models that the settings name."""
    chosen, language = config.settings, configuration.language(config)
    costs = Costs(vault.root / "costs", vault.now, vault.zone, chosen.llm)
    thinking = Thinking(chosen.llm, costs, llm)
    learner = thinking.learner
    goals = Goals(vault, chosen.goals, language=language)
    proposals, drift = consent(vault, memory, config, thinking)
    sessions = Sessions(vault, memory, chosen.sessions)
    remembered = Remembered(vault, memory, chosen.prompt, chosen.auto_recall)
    improve = improving(vault, memory, proposals, config, thinking)
    tools = Tools(vault, memory, goals, proposals, improve)
    prompts = _prompts(Sources(vault, goals, remembered), config)
    flush = Flush(vault, memory, sessions, lambda: learner("flush"), chosen.flush, language=language)
    tidying = Tidying(memory, proposals, learner)
    learning = Learning(flush, tidying.run, compact=sessions.compact_if_long, prepare=memory.prepare)
    snapshots = Snapshots(vault, lambda: learner("snapshot"), redact=lambda text: memory.redacted(text).text)
    parts = AgentParts(memory, sessions, prompts, tools, learning, thinking.talker)
    agent = Agent(parts, chosen.llm, mode=chosen.prompt.mode, language=language)

    @cache
    def reflecting() -> "Reflection":
        from almario.wiring.reflecting import reflection  # noqa: PLC0415 - few commands reflect

        return reflection(vault, memory, config, thinking, (goals, proposals, tidying))

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
        drift=drift,
        improving=improve,
        reflection=reflecting,
    )


def _prompts(sources: Sources, config: Config) -> PromptBuilder:
    chosen = config.settings
    return PromptBuilder(
        sources,
        language=configuration.language(config),
        prompt=chosen.prompt,
        soul=chosen.soul,
        search=chosen.search,
    )

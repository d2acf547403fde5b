"""What one agent talks and learns with."""

from typing import cast

from almario.becoming.goals import Goals
from almario.becoming.improving import Improving
from almario.becoming.proposals import Proposals
from almario.conversation.agent import Agent
from almario.conversation.agent import Parts as AgentParts
from almario.conversation.discretion import Discretion
from almario.conversation.flush import Flush
from almario.conversation.learning import Learning
from almario.conversation.presence import Presence
from almario.conversation.prompting import PromptBuilder, Sources
from almario.conversation.remembered import Remembered
from almario.conversation.sessions import Sessions
from almario.conversation.snapshots import Snapshots
from almario.conversation.tidying import Tidying
from almario.conversation.tools import Tools
from almario.conversation.voice import Talk
from almario.conversation.wishing import Wishing
from almario.domain.model import Mode
from almario.entry_points import installed
from almario.wiring.basis import Basis


def talk_with(basis: Basis, goals: Goals, proposals: Proposals) -> Talk:
    """Return what a soul talks and learns with."""
    vault, memory, thinking, chosen, language = basis
    learner = thinking.learner
    discretion = Discretion(memory, vault.transcripts, vault.now)
    sessions = Sessions(vault, memory, chosen.sessions, discretion)
    remembered = Remembered(vault, memory, chosen.prompt, chosen.auto_recall)
    improving = Improving(vault, memory, proposals, lambda: learner("improve"), language=language)
    tools = Tools(vault, memory, goals, proposals, improving, discretion)
    if chosen.tools.plugins and installed("tools"):
        from almario.wiring.plugged import add_tools  # noqa: PLC0415 - few have any

        add_tools(tools)
    prompts = PromptBuilder(
        Sources(vault, goals, remembered, memory.without_secrets),
        language=language,
        prompt=chosen.prompt,
        soul=chosen.soul,
        search=chosen.search,
    )
    presence = Presence(vault.transcripts, memory, group_chat=chosen.prompt.group_chat)
    flush = Flush(
        vault,
        memory,
        sessions,
        lambda: learner("flush"),
        chosen.flush,
        language=language,
        audience=presence.audience,
    )
    tidying = Tidying(memory, proposals, learner)
    learning = Learning(flush, tidying.run, compact=sessions.compact_if_long, prepare=memory.prepare)
    snapshots = Snapshots(
        vault,
        lambda: learner("snapshot"),
        redact=memory.without_secrets,
        out_of_mind=memory.out_of_mind,
    )
    own = AgentParts(
        memory,
        sessions,
        prompts,
        tools,
        learning,
        thinking.talker,
        presence,
        discretion,
        Wishing(memory),
    )
    agent = Agent(own, chosen.llm, mode=cast("Mode", chosen.prompt.mode), language=language)
    return Talk(
        prompts=prompts,
        sessions=sessions,
        tools=tools,
        flush=flush,
        tidying=tidying,
        learning=learning,
        agent=agent,
        snapshots=snapshots,
        improving=improving,
        presence=presence,
        discretion=discretion,
    )

"""Conversations whose model is another program's: what is said is heard here, and answered elsewhere."""

from collections.abc import Sequence
from typing import NamedTuple

from almario.conversation.agent import Agent, Incoming
from almario.conversation.prompt_sections import Prompt
from almario.conversation.tool_calls import Done
from almario.domain.turns import Turn


class Heard(NamedTuple):
    """A message that was kept: its turns, what was done as the owner wished, and the prompt to answer it."""

    turns: tuple[Turn, ...]
    done: tuple[Done, ...]
    prompt: Prompt


def heard(agent: Agent, incoming: Incoming, tools: Sequence[str] = ()) -> Heard:
    """Keep a message, do what the owner wishes for in it, and build the prompt for whoever answers it."""
    with agent.parts.memory.looking(spoken=True):
        turns, done = agent.hear(incoming)
        prompt = agent.prompt_for(incoming, done, tools, agent.parts.sessions.window(incoming.session))
    return Heard(tuple(turns), tuple(done), prompt)

"""What a soul talks and learns with."""

from typing import NamedTuple

from almario.becoming.improving import Improving
from almario.conversation.agent import Agent
from almario.conversation.discretion import Discretion
from almario.conversation.flush import Flush
from almario.conversation.learning import Learning
from almario.conversation.presence import Presence
from almario.conversation.prompting import PromptBuilder
from almario.conversation.sessions import Sessions
from almario.conversation.snapshots import Snapshots
from almario.conversation.tools import Tools


class Talk(NamedTuple):
    """The parts of a conversation."""

    prompts: PromptBuilder
    sessions: Sessions
    tools: Tools
    flush: Flush
    learning: Learning
    agent: Agent
    snapshots: Snapshots
    improving: Improving
    presence: Presence
    discretion: Discretion

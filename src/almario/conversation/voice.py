"""What a conversation is made of, each part loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from almario.becoming.improving import Improving
    from almario.conversation.captured import Captured
    from almario.conversation.discretion import Discretion
    from almario.conversation.flights import Flights
    from almario.conversation.flush import Flush
    from almario.conversation.learning import Learning
    from almario.conversation.presence import Presence
    from almario.conversation.prompting import PromptBuilder
    from almario.conversation.sessions import Sessions
    from almario.conversation.snapshots import Snapshots
    from almario.conversation.tools import Tools
    from almario.conversation.wishing import Wishing
    from almario.memory.facade import Memories
    from almario.ports import LLM


class Voice(Protocol):
    """The parts of a conversation; `talker` returns the model that talks, or raises LLMUnavailable."""

    @property
    def memory(self) -> Memories: ...
    @property
    def discretion(self) -> Discretion: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def presence(self) -> Presence: ...
    @property
    def captured(self) -> Captured: ...
    @property
    def flights(self) -> Flights: ...
    @property
    def prompts(self) -> PromptBuilder: ...
    @property
    def improving(self) -> Improving: ...
    @property
    def tools(self) -> Tools: ...
    @property
    def wishing(self) -> Wishing: ...
    @property
    def flush(self) -> Flush: ...
    @property
    def learning(self) -> Learning: ...
    @property
    def snapshots(self) -> Snapshots: ...
    def talker(self) -> LLM: ...

"""What an agent is made of, each part loaded when it is first used: the one place that lists the parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from almario.becoming.goals import Goals
    from almario.becoming.improving import Improving
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.conversation.captured import Captured
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
    from almario.domain.turns import Turn, Utterance
    from almario.memory.facade import Memories
    from almario.ports import LLM, Models, Store
    from almario.text.redaction import Redactor


class Voice(Protocol):
    """The parts of an agent that talk, learn and become; `wiring.parts` makes them."""

    @property
    def vault(self) -> Store: ...
    @property
    def redact(self) -> Redactor: ...
    @property
    def models(self) -> Models: ...
    @property
    def memory(self) -> Memories: ...
    @property
    def goals(self) -> Goals: ...
    @property
    def proposals(self) -> Proposals: ...
    @property
    def reflection(self) -> Reflection: ...
    @property
    def discretion(self) -> Discretion: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def presence(self) -> Presence: ...
    @property
    def portraits(self) -> Portraits: ...
    @property
    def notebook(self) -> Notebook: ...
    @property
    def captured(self) -> Captured: ...
    @property
    def remembered(self) -> Remembered: ...
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
    @property
    def tidying(self) -> Tidying: ...
    def talker(self) -> LLM:
        """Return the model that talks; LLMUnavailable says how to get one."""

    def keep(self, session: str, utterance: Utterance) -> Turn:
        """Keep what was said in a session, as the agent does."""

    def made(self, name: str) -> Any:
        """Return a part if it was ever used, or None."""

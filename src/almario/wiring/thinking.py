"""The models of one agent, and their account."""

from functools import cache

from almario.conversation.settings import ModelSettings
from almario.errors import LLMUnavailable
from almario.ports import LLM, Models
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

"""Several models in a row: who cannot answer gives way to the next."""

from collections.abc import Sequence

from almario.domain.logs import Log
from almario.domain.talk import Ask, Reply
from almario.errors import LLMUnavailable, MissingExtra
from almario.ports import LLM, Hear

log = Log(__name__)


class ChainedLLM:
    """Asks the first model, and the next one if it is not to be had before any text was heard."""

    def __init__(self, models: Sequence[LLM]) -> None:
        if not models:
            raise ValueError("a chain has at least one model")
        self._models = tuple(models)
        self._last: LLM | None = None

    @property
    def model(self) -> str:
        """The one that answered last; before that, the one that will be asked first."""
        ready = (each for each in self._models if each.is_available())
        return (self._last or next(ready, self._models[0])).model

    def is_available(self) -> bool:
        return any(each.is_available() for each in self._models)

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        """Return the first answer there is; if there is none, the first model's reason is raised."""
        heard: list[bool] = []

        def listen(piece: str) -> None:
            heard.append(True)
            if hear:
                hear(piece)

        reasons: list[LLMUnavailable | MissingExtra] = []
        for each in self._models:
            try:
                reply = each.reply(ask, listen if hear else None)
            except (LLMUnavailable, MissingExtra) as exc:
                if heard:
                    raise
                log.info("%s does not answer: %s", each.model, exc)
                reasons.append(exc)
            else:
                self._last = each
                return reply
        passing = [exc for exc in reasons if isinstance(exc, LLMUnavailable) and exc.passes]
        raise (passing or reasons)[0]

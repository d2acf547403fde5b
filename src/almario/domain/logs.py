"""The program's own log, which loads `logging` with its first line: most commands log nothing."""

from collections.abc import Callable
from typing import Any

# Called before the first line is logged: who listens is set up then.
at_first: list[Callable[[], object]] = []


class Log:
    """Logs under a module's name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def warning(self, message: object, *facts: object, **more: Any) -> None:
        self._log("WARNING", message, facts, more)

    def info(self, message: object, *facts: object, **more: Any) -> None:
        self._log("INFO", message, facts, more)

    def _log(self, level: str, message: object, facts: tuple[object, ...], more: dict[str, Any]) -> None:
        import logging  # noqa: PLC0415 - with the first line

        while at_first:
            at_first.pop()()
        logging.getLogger(self._name).log(getattr(logging, level), message, *facts, **more)

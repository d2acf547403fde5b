"""Where a model is asked, and how patiently."""

import time
from collections.abc import Callable
from typing import NamedTuple


class Endpoint(NamedTuple):
    """A provider's address and the model to ask for there; *variable* is where its key comes from.

    Without a model, the first one that the endpoint lists is asked.
    """

    provider: str
    url: str
    model: str = ""
    key: str = ""
    variable: str = ""
    needs_key: bool = True

    @property
    def name(self) -> str:
        """The provider and the model, as the settings have it."""
        return f"{self.provider}/{self.model}" if self.model else self.provider


class Limits(NamedTuple):
    """How many seconds a model may be silent, how often it is asked again, how many tokens it may say."""

    timeout: float = 120.0
    retries: int = 2
    most: int = 4096
    pause: Callable[[float], None] = time.sleep

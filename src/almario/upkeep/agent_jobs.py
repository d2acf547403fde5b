"""A job that is done for an agent while nobody talks to it, and how it ended."""

import os
from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from traceback import extract_tb
from typing import Literal

from almario.domain.messages import Sentence
from almario.errors import (
    AgentNotFound,
    AlmarioError,
    BadReply,
    ConfigError,
    EmbedderUnavailable,
    LLMError,
    MissingExtra,
    StoreBusy,
    StoreError,
    StoreUnavailable,
)
from almario.named_tuples import NamedTuple
from almario.upkeep.rules.costs import Spent

_KINDS: tuple[tuple[type[AlmarioError], Sentence], ...] = (
    (BadReply, Sentence("the model's answer could not be used")),
    (LLMError, Sentence("no model can be reached right now")),
    (MissingExtra, Sentence("a package is missing")),
    (EmbedderUnavailable, Sentence("texts cannot be embedded right now")),
    (ConfigError, Sentence('a setting is wrong; "almario doctor" says which')),
    (AgentNotFound, Sentence("the folder does not exist")),
    (StoreBusy, Sentence("another process is already doing it")),
    (StoreUnavailable, Sentence("the database cannot be reached right now")),
    (StoreError, Sentence('the folder cannot be used as it is; "almario doctor" says why')),
    (AlmarioError, Sentence("it could not be done")),
)
_PACKAGE = Path(__file__).parent.parent
# A conversation in which nobody has spoken for so long is left.
QUIET = timedelta(minutes=15)


class Ended(NamedTuple):
    """How a job went: `done`, `nothing` to do, `waits` for something, or `failed`; and why."""

    outcome: Literal["done", "nothing", "waits", "failed"]
    why: Sentence | None = None


DONE, NOTHING = Ended("done"), Ended("nothing")


class Job(NamedTuple):
    """Something that is done at every round, or once a night if it is *nightly*, with the day it is for.

    One that *thinks* asks a model, and keeps to the budget. One that *erases* cannot
    be made good if only the clock was wrong. *done* tells the latest day that is
    done, where more is known of that than what was noted here.
    """

    name: str
    run: Callable[[date], Ended]
    nightly: bool = False
    thinks: bool = False
    erases: bool = False
    done: Callable[[], date | None] | None = None


class TendedAgent(NamedTuple):
    """An agent, or the home, while it is open: what is done for it, and when it is night there.

    *is_over* says that its budget is used up; *is_current*, that it need not be opened anew. *leave*
    tells whatever runs for it to end, so that *close* need not wait for that. *rest* lets go of its files
    until the next round. *has_more* says that there is something to learn from once nobody talks; *spent* is
    what its models have cost today.
    """

    jobs: tuple[Job, ...]
    schedule: str
    zone: tzinfo
    since: datetime | None = None
    is_over: Callable[[], bool] = lambda: False
    is_current: Callable[[], bool] = lambda: True
    leave: Callable[[], None] = lambda: None
    close: Callable[[], None] = lambda: None
    rest: Callable[[], None] = lambda: None
    has_more: Callable[[], bool] = lambda: False
    spent: Callable[[], Spent] = Spent


def failed(exc: Exception) -> Ended:
    """Return how a job ended that raised an error: of what kind it is, and nothing of what it says."""
    if isinstance(exc, StoreError) and isinstance(exc.__cause__, OSError) and exc.__cause__.errno:
        exc = exc.__cause__  # what the system refuses is worth more than that it does
    if isinstance(exc, AlmarioError):
        return Ended("failed", next(sentence for kind, sentence in _KINDS if isinstance(exc, kind)))
    if isinstance(exc, OSError) and exc.errno:
        return Ended("failed", Sentence(os.strerror(exc.errno)))
    return Ended("failed", Sentence(f"{type(exc).__name__} ({_place(exc)})"))


def _place(exc: Exception) -> str:
    """Return the last place in our own code that an error went through."""
    ours = [frame for frame in extract_tb(exc.__traceback__) if _PACKAGE in Path(frame.filename).parents]
    return f"{Path(ours[-1].filename).relative_to(_PACKAGE)}:{ours[-1].lineno}" if ours else "…"

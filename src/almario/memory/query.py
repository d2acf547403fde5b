"""A question to the memory."""

from collections.abc import Collection
from typing import NamedTuple

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.model import Scope

# So many passages are looked at closely for their words.
POOL = 80


class Query(NamedTuple):
    """A question and how it is to be answered; without a least score, by what is worth showing."""

    question: str
    limit: int = 5
    min_score: float | None = None
    scope: Scope = Scope()
    mode: str = ""
    neighbours: int = 0
    explain: bool = False
    # Turns that nobody needs to be told of: what is being answered, and what is in sight.
    hidden: Collection[str] = ()
    # Who is told.
    audience: Audience = OWNER_ALONE
    # How many passages are looked at closely for their words.
    pool: int = POOL

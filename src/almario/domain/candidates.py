"""What is looked for in an index: by words, meaning and dates at once. What is found is in `columns`."""

from collections.abc import Collection, Sequence
from datetime import date

from almario.domain.memories import same_key
from almario.domain.model import SOUL_FILES, Scope
from almario.domain.passages import Passage
from almario.domain.places import project_of
from almario.domain.turn_ids import turn_id
from almario.domain.words import Word
from almario.named_tuples import NamedTuple


class Near(NamedTuple):
    """The nearest passages, best first; *mean* and *spread* are those of the cosines of all *texts*."""

    ids: Sequence[int] = ()
    mean: float = 0.0
    spread: float = 0.0
    texts: int = 0


class Asking(NamedTuple):
    """The passages that only ask, in order, and how many words these have.

    To ask about something again and again does not make it common: the statistics of words are of the rest.
    """

    ids: Sequence[int]
    words: int


# The mean and the spread of the cosines of texts that have nothing in common, in the model that scores are
# fitted to.
BACKGROUND = (0.08, 0.10)
# A shorter word is not looked for as the beginning of others.
SHORTEST_PREFIX = 3


class Filter(NamedTuple):
    """Which passages are wanted: those of a *scope*; with a *session*, nothing that was said elsewhere.

    With a *project*, nothing that was said anywhere else; but if *elsewhere*, what the owner said there may
    come as well.
    """

    scope: Scope = Scope()
    session: str | None = None
    project: str = ""
    elsewhere: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether all is wanted but what stands in a soul file."""
        scope = self.scope
        limits = (scope.sources, scope.kinds, scope.keys, scope.since, scope.until, self.project)
        return self.session is None and not any(limits)

    def fits(self, passage: Passage) -> bool:
        """Return whether a passage is one of those, and of this project if there is one."""
        return self._is_in_scope(passage) and self.is_here(passage)

    def may_fit(self, passage: Passage) -> bool:
        """Return whether a passage is one of those, or the owner's own word from elsewhere."""
        is_owners = self.elsewhere and passage.role == "user"
        return self._is_in_scope(passage) and (is_owners or self.is_here(passage))

    def is_here(self, passage: Passage) -> bool:
        """Return whether a passage is of this session and project; what nobody said is of all."""
        if not (turn := passage.turn):
            return True
        is_heard = self.session is None or turn_id(turn).session == (self.session or None)
        return is_heard and (not self.project or project_of(turn) == self.project)

    def _is_in_scope(self, passage: Passage) -> bool:
        scope, turn, day = self.scope, passage.turn, passage.day
        source = "session" if turn else "soul" if passage.path in SOUL_FILES else "memory"
        if source not in (scope.sources or ("session", "memory")):
            return False
        if scope.kinds and passage.kind not in scope.kinds:
            return False
        if scope.keys and same_key(passage.key) not in scope.keys:
            return False
        if scope.since or scope.until:
            return day is not None and (scope.since or day) <= day <= (scope.until or day)
        return True


class Search(NamedTuple):
    """What is looked for: by *words*, by a *vector* of a *model*, by *times*; and how many of each.

    Of what was said, the neighbours come along: so many on either side of what was found by its words,
    and of what was found otherwise. Nothing of the *hidden* turns comes. If fewer than *least* of those found
    by their words fit the *filter*, more are looked at.
    """

    words: tuple[Word, ...] = ()
    by_words: int = 0
    vector: Sequence[float] | None = None
    model: str = ""
    by_meaning: int = 0
    times: tuple[tuple[date, date], ...] = ()
    by_time: int = 0
    beside: tuple[int, int] = (0, 0)
    hidden: Collection[str] = ()
    filter: Filter | None = None
    least: int = 0
    # Passages that are candidates in any case.
    also: tuple[int, ...] = ()

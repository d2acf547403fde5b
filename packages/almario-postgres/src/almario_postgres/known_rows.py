"""What was read of an agent, for as long as nobody writes there: each write has a mark of its own."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from almario_postgres.database import Bound

if TYPE_CHECKING:
    from psycopg import Connection

T = TypeVar("T")
# So many answers are kept.
_MOST = 200


class KnownRows:
    """Asks the database what was not asked since the last write; in a write, it asks each time."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._kept: tuple[bytes, dict[Hashable, Any]] = (b"", {})

    def of(self, question: Hashable, ask: "Callable[[Connection], T]") -> T:
        """Return what *ask* finds, or found before."""
        with self._bound.reading() as connection:
            if self._bound.is_writing:
                return ask(connection)
            mark, (then, known) = self._bound.state.mark, self._kept
            if then != mark or len(known) > _MOST:
                known = {}
                self._kept = mark, known  # one assignment: threads see the old or the new
            if question not in known:
                known[question] = ask(connection)
            return known[question]  # type: ignore[no-any-return]

"""What is derived for an agent in PostgreSQL."""

from functools import partial

from almario.memory.writer import Derived
from almario.wiring.remembering import form, terms
from almario_postgres.database import Bound
from almario_postgres.memory_table import PostgresShelf, throw_away
from almario_postgres.passage_table import CUES, LIVE, PAST, PostgresIndex


def derived_on(bound: Bound) -> Derived:
    """Return what is derived for an agent: in the database that keeps the rest of it."""

    def problems() -> list[str]:
        with bound.reading():
            return live.problems() + past.problems() + cues.problems()

    live, past, cues = (PostgresIndex(bound, shelf, terms) for shelf in (LIVE, PAST, CUES))
    table, empty = PostgresShelf(bound, form()), partial(throw_away, bound)
    # Its connections are the store's, which closes them.
    how = (bound.reading, bound.writing, empty, problems, lambda: None)
    return Derived(table, live, past, cues, *how, is_private=False)

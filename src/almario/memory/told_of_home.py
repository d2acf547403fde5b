"""Whether a coding agent had been told something of home: what it answers then is of home, too."""

from collections.abc import Iterable, Iterator

from almario.domain.places import HOME, project_of
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn, named_in
from almario.memory.ledger import Ledger
from almario.ports import Transcripts

# What was told for an answer stands at most so many turns before it.
_FAR = 100


def told_of_home(turns: Iterable[str], transcripts: Transcripts, ledger: Ledger) -> dict[str, Turn]:
    """Return those of some turns of projects in whose exchange something of home was told, by their ids."""
    wanted: dict[str, set[int]] = {}
    for name in turns:
        session, n = turn_id(name)
        if project_of(session) != HOME:
            wanted.setdefault(session, set()).add(n)
    found = dict[str, Turn]()
    for session, numbers in wanted.items():
        for exchange in _exchanges(transcripts.read(session, after=max(0, min(numbers) - _FAR))):
            own = [turn for turn in exchange if turn.n in numbers]
            # On an answer stands all that was told in its session, and what of that it drew on.
            told = named_in((turn for turn in exchange if turn.role != "assistant"), "told")
            if own and ledger.are_of_home([*told, *named_in(exchange, "used")]):
                found |= {turn.id: turn for turn in own}
    return found


def _exchanges(turns: Iterable[Turn]) -> Iterator[list[Turn]]:
    exchange: list[Turn] = []
    for turn in turns:
        if turn.role == "user" and exchange:
            yield exchange
            exchange = []
        exchange.append(turn)
    yield exchange

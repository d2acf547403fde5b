"""The id of a turn, `session#n`: its one way to be put together and taken apart."""

from collections.abc import Iterable

from almario.named_tuples import NamedTuple

# How the sessions begin that our doors make, and the programs with hooks: what looks so is an id, no secret.
CHANNELS = ("cli", "web", "telegram", "claude-code", "codex", "cursor", "openai", "anthropic", "mcp")
# No turn's number has more digits.
_LONGEST = 9


class TurnId(NamedTuple):
    """The *n*th turn of a *session*."""

    session: str
    n: int

    def __str__(self) -> str:
        return f"{self.session}#{self.n}"


def turn_id(name: str) -> TurnId:
    """Return which turn an id names; one of no session, if *name* is no id of a turn."""
    session, _, number = name.rpartition("#")
    is_one = session and number.isdecimal() and len(number) <= _LONGEST
    return TurnId(session, int(number)) if is_one else TurnId("", 0)


def turn_ids(session: str, numbers: Iterable[int]) -> list[str]:
    """Return the ids of some turns of a session."""
    return [str(TurnId(session, n)) for n in numbers]

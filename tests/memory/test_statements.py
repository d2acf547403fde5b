"""What is told of a message that was said in passing."""

import pytest

from almario.memory.statements import Statements
from almario.soul import Soul
from tests.tables import each_row

pytestmark = pytest.mark.light

LOOP = "The loop hammers the server; I saw 400 tries in a minute."
LONG = " ".join(f"The server number {n} stands in the cellar." for n in range(20))
SAID = [
    (LOOP, LOOP),
    (f"Could you sort the imports? {LOOP}", LOOP),
    (f"fix the upload first. {LOOP} then bump the version", f"{LOOP} then bump the version"),
    ("sort the imports by room", ""),
    ("How many tries does the loop make?", ""),
    (f"{LONG} The tries of the loop are 400.", "The tries of the loop are 400."),
]


@each_row(("said", "told"), SAID)
def test_of_a_short_message_all_is_told_that_says_how_something_is(
    soul: Soul, *, said: str, told: str
) -> None:
    statements = Statements(soul.memory._parts.embedding)

    assert statements.best(said, None, {"tries", "try", "loop"}) == told

"""What begins like an order: it is worth less to be told again than what says how something is."""

import pytest

from almario.text.addressing import is_order
from tests.tables import each_row

pytestmark = pytest.mark.light

BEGUN = [
    ("sort the log lines by room", True),
    ("Write a unit test for the backoff.", True),
    ("saca la función de redondeo a un módulo aparte", True),
    ("añade una prueba", True),
    ("The proxy cuts at 30 seconds.", False),
    ("Messages longer than 8 kB are refused.", False),
    ("I moved the sockets.", False),
    ("Sorry, a bit slow today.", False),
    ("Los PDF se guardan diez años.", False),
    ("`sort` the lines", False),
    ("sort", False),
    ("", False),
]


@each_row(("sentence", "begins"), BEGUN)
def test_a_sentence_begins_as_an_order_does(*, sentence: str, begins: bool) -> None:
    assert is_order(sentence) is begins

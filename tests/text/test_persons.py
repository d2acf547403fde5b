"""Names of people in texts."""

from functools import partial

import pytest

from almario.text.persons import people_in
from tests.timing import is_done_within


@pytest.mark.parametrize("text", ["x" * 60_000, "Ana-" * 5_000, "Ana, " * 4_000])
def test_a_word_without_an_end_is_read_at_once(text: str) -> None:
    assert is_done_within(2, partial(people_in, [text]))

"""What the tests are made with: tables name what fails, and claims about time can fail."""

import inspect
import time

import pytest

from tests.tables import Checked, each_row
from tests.timing import RUNS, grows_with_its_size, is_done_within


def test_every_row_that_fails_is_named_with_its_reason() -> None:
    @each_row(("number", "is_even"), [(1, False), (2, False), (3, True), (4, True)])
    def parity(number: int, is_even: bool) -> None:
        assert (number % 2 == 0) == is_even, "so it is"

    with pytest.raises(pytest.fail.Exception) as error:
        parity()

    assert str(error.value).startswith("2 of 4 rows fail")
    assert "number=2, is_even=False: AssertionError" in str(error.value)
    assert "number=3, is_even=True: AssertionError" in str(error.value)
    assert "number=1" not in str(error.value)
    assert "so it is" in str(error.value)


def test_rows_are_counted_once_and_tables_of_tables_have_all_pairs() -> None:
    seen: list[tuple[str, str]] = []

    @each_row("one", "ab")
    @each_row("other", "xyz")
    def pairs(one: str, other: str) -> None:
        seen.append((one, other))

    before = Checked.rows
    pairs()

    assert Checked.rows - before == len(set(seen)) == 6


def test_what_is_no_row_is_asked_of_pytest() -> None:
    @each_row("one", [1])
    def checked(one: int, tmp_path: object) -> None:
        pass

    assert list(inspect.signature(checked).parameters) == ["tmp_path"]


def test_a_table_without_rows_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="there are no rows of word"):
        each_row("word", [])


def test_the_least_of_some_runs_counts() -> None:
    calls: list[int] = []

    def slow_at_first() -> None:
        calls.append(1)
        end = time.thread_time() + (0.1 if len(calls) == 1 else 0)
        while time.thread_time() < end:
            pass

    assert is_done_within(0.1, slow_at_first)
    assert len(calls) == 2
    assert not is_done_within(0, slow_at_first)
    assert len(calls) == 2 + RUNS


def test_what_grows_with_the_square_is_told_from_what_does_not() -> None:
    assert grows_with_its_size(lambda size: sum(range(size * 10)), 500)
    assert not grows_with_its_size(lambda size: [sum(range(size)) for _ in range(size // 4)], 300)

"""Tables of claims: one test goes over all rows and names every row that fails.

A row costs a call instead of a test, so a table can be as long as it should be. The rows are counted, and
told beside the tests at the end of a run.
"""

import inspect
import traceback
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

# How many failing rows are shown.
_SHOWN = 40

Test = Callable[..., None]


class Checked:
    """How many rows have been checked in this process."""

    rows = 0


def each_row(
    names: str | tuple[str, ...], table: Iterable[Any], ids: Callable[[Any], object] | None = None
) -> Callable[[Test], Test]:
    """Make one test of all rows of *table*, where `pytest.mark.parametrize` makes one of each.

    What fixtures the test asks for is shared by all rows: they must leave no trace in it.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [dict(zip(keys, row, strict=True)) if len(keys) > 1 else {keys[0]: row} for row in table]
    assert cases, f"there are no rows of {', '.join(keys)}"

    def decorated(test: Test) -> Test:
        def shown(case: dict[str, Any]) -> str:
            return ", ".join(f"{key}={ids(value) if ids else value!r}" for key, value in case.items())

        @wraps(test)
        def all_rows_hold(**fixtures: Any) -> None:
            failures = [(case, why) for case in cases if (why := _failure(test, {**case, **fixtures}))]
            if failures:
                told = "\n".join(f"- {shown(case)}: {why}" for case, why in failures[:_SHOWN])
                pytest.fail(f"{len(failures)} of {len(cases)} rows fail, among them\n{told}", pytrace=False)

        signature = inspect.signature(test)
        left = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        all_rows_hold.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        all_rows_hold.is_table = True  # type: ignore[attr-defined]
        return all_rows_hold

    return decorated


def _failure(test: Test, arguments: dict[str, Any]) -> str:
    """Return what is wrong with a row and where, or nothing."""
    if not hasattr(test, "is_table"):
        Checked.rows += 1
    try:
        test(**arguments)
    except (Exception, pytest.fail.Exception) as problem:  # noqa: BLE001 (each is told with its row)
        where = traceback.extract_tb(problem.__traceback__)[-1]
        told = f"{type(problem).__name__} (line {where.lineno} of {where.filename})\n{problem}"
        return told.replace("\n", "\n    ")
    return ""

"""One thread for numpy's products: two of them wait for each other more than they compute."""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """Hold numpy's linear algebra to one thread for a while, and no other library."""
    controller = _controller()
    return nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")


@cache
def _controller() -> Any:
    # Looks over the libraries that are loaded, so numpy comes first.
    import numpy  # noqa: F401, PLC0415 - 100 ms, and only when something is embedded

    try:
        from threadpoolctl import ThreadpoolController  # noqa: PLC0415 - as above
    except ImportError:
        return None
    return ThreadpoolController()

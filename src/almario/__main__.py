"""`almario` and `python -m almario`."""

import atexit
import gc
import os
import sys

# Most commands end before there is garbage worth a tenth of their time; new objects between two searches.
_SELDOM = 100_000


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it without a traceback."""
    # ruff: noqa: PLC0415 - within reach of the except
    gc.set_threshold(_SELDOM)
    atexit.register(gc.freeze)  # what is left goes with the process: nothing need be searched
    try:
        if sys.argv[1:2] == ["hook"]:  # a coding agent waits for it, so no more is loaded than it takes
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads that nothing uses
            from almario.apps.hooks.entry import main as hook

            if hook(sys.argv[2:]):
                return
        from almario.apps.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(1)


if __name__ == "__main__":
    main()

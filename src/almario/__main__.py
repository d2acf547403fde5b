"""`almario` and `python -m almario`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it without a traceback."""
    # ruff: noqa: PLC0415 - within reach of the except
    try:
        if sys.argv[1:2] == ["hook"]:  # a coding agent waits for it, so no more is loaded than it takes
            from almario.apps.hooks.entry import main as hook

            if hook(sys.argv[2:]):
                return
        from almario.apps.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(1)


if __name__ == "__main__":
    main()

"""`almario` and `python -m almario`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it without a traceback."""
    try:
        from almario.apps.cli import main as run  # noqa: PLC0415 - within reach of the except

        run()
    except KeyboardInterrupt:
        sys.exit(1)


if __name__ == "__main__":
    main()

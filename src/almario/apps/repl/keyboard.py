"""What is typed while nothing asks for it: kept as it was typed, or dropped.

Outside of the prompt a terminal sends a paste without its brackets, and a
document would come in as lines that the owner typed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output


@contextmanager
def held(typed: "Input", output: "Output") -> Iterator[None]:
    """Keep what is typed for the next prompt, unseen, and a paste in its brackets; Ctrl-C still stops."""
    terminal = _terminal(typed)
    if terminal is None:
        yield
        return
    import termios  # noqa: PLC0415 - not on every system

    before = termios.tcgetattr(terminal)
    during = termios.tcgetattr(terminal)
    # With lines, the system would keep no more than 4,095 characters of one.
    during[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(terminal, termios.TCSANOW, during)
    output.enable_bracketed_paste()
    output.flush()
    try:
        yield
    finally:
        output.disable_bracketed_paste()
        output.flush()
        termios.tcsetattr(terminal, termios.TCSANOW, before)


def drop(typed: "Input") -> None:
    """Drop what was typed before anything asked for it."""
    terminal = _terminal(typed)
    if terminal is not None:
        import termios  # noqa: PLC0415 - not on every system

        termios.tcflush(terminal, termios.TCIFLUSH)


def _terminal(typed: "Input") -> int | None:
    """Return the descriptor of the terminal; None if it is none."""
    with suppress(NotImplementedError, OSError, ValueError):
        return typed.fileno() if os.isatty(typed.fileno()) else None
    return None

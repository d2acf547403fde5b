"""How wide a text is on a terminal, and where it goes on below."""

from typing import IO, Any

import click


def width_of(cell: str) -> int:
    """Return how many columns a text takes on a terminal."""
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - only tables need it

    plain = click.unstyle(cell)
    if plain.isascii():
        return len(plain)
    return sum(
        0 if combining(char) or char in "\ufe0f\u200d" else 2 if east_asian_width(char) in "WF" else 1
        for char in plain
    )


def folded(text: str, room: int) -> list[str]:
    """Return a text in lines of at most *room* columns, parted at its spaces.

    A path or an address stays whole, so that it can be copied; a script without spaces is parted anywhere.
    """
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and width_of(f"{lines[-1]} {word}") > room:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
        while not word.isascii() and width_of(lines[-1]) > max(room, 2):
            cut = _fitting(lines[-1], max(room, 2))
            lines[-1:] = [lines[-1][:cut], lines[-1][cut:]]
    return lines


def _fitting(text: str, room: int) -> int:
    """Return how many characters of a text fit."""
    return next((end for end in range(len(text)) if width_of(text[: end + 1]) > room), len(text))


def columns() -> int:
    """Return how wide the terminal is."""
    from shutil import get_terminal_size  # noqa: PLC0415 - only screens need it

    return get_terminal_size().columns


def is_terminal(stream: IO[str] | None) -> bool:
    """Say whether somebody sees what is written there."""
    return stream is not None and stream.isatty()


def echo(message: str | None = None, file: IO[str] | None = None, **more: Any) -> None:
    """Print as click does; at a terminal, what does not fit goes on below, parted at its spaces."""
    if message and is_terminal(file):
        message = "\n".join(part for line in message.split("\n") for part in folded(line, columns()))
    click.echo(message, file=file, **more)

"""How the command line speaks: its language, chosen before any command is loaded, and how wide a text is."""

import gettext
import os
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import IO, Any

import click

from almario.domain.messages import CommandLine, Sentence, numeral, say, sentence_of
from almario.domain.plain_text import shortened, visible
from almario.errors import AlmarioError


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

    A path, an address, or a command for which a line has room stays whole, so that it can be copied; a script
    without spaces is parted anywhere.
    """
    lines = [""]
    for word in _words_of(text, room):
        if lines[-1] and width_of(f"{lines[-1]} {word}") > room:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
        while not word.isascii() and width_of(lines[-1]) > max(room, 2):
            cut = _fitting(lines[-1], max(room, 2))
            lines[-1:] = [lines[-1][:cut], lines[-1][cut:]]
    return lines


def _words_of(text: str, room: int) -> list[str]:
    """Return what a text is parted into: at its spaces, but for those of a command that fits."""

    def joined(command: re.Match[str]) -> str:
        return command[0].replace(" ", "\0") if width_of(command[0]) <= room else command[0]

    return [word.replace("\0", " ") for word in _COMMAND.sub(joined, text).split(" ")]


def _fitting(text: str, room: int) -> int:
    return next((end for end in range(len(text)) if width_of(text[: end + 1]) > room), len(text))


def columns() -> int:
    """Return how wide the terminal is."""
    from shutil import get_terminal_size  # noqa: PLC0415 - only screens need it

    return get_terminal_size().columns


def is_terminal(stream: IO[str] | None) -> bool:
    """Return whether somebody sees what is written there."""
    return stream is not None and stream.isatty()


def echo(message: str | None = None, file: IO[str] | None = None, **more: Any) -> None:
    """Print as click does; at a terminal, what does not fit goes on below, parted at its spaces."""
    if message and is_terminal(file):
        message = "\n".join(part for line in message.split("\n") for part in folded(line, columns()))
    click.echo(message, file=file, **more)


# A command between quotation marks.
_COMMAND = re.compile(r"""["«][^ ]*almario [^"«»]+["»][^ ]*""")
# The modules of click that have sentences.
_CLICK = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types")
# So much is shown of each thing that a refusal names.
_SHOWN = 500
_language = "en"


def use(language: str) -> None:
    """Speak *language* from now on, click's own sentences included."""
    global _language  # noqa: PLW0603 - one process speaks one language
    _language = language
    for name in _CLICK:
        # click asks gettext, which would need a compiled catalogue beside ours.
        vars(import_module(f"click.{name}")).update(_=_, ngettext=_plural)
    vars(click.exceptions)["echo"] = echo  # its sentences are as long as ours
    # The modules that click loads when it needs them take these.
    vars(gettext).update(gettext=_, ngettext=_plural)
    click.types.STRING.name = _("text")
    click.types.IntRange.name = _("whole number")
    click.types.FloatRange.name = _("number")


def current() -> str:
    return _language


@cache
def program() -> str:
    """Return how the command is called from here: a checkout's own may not be on the PATH."""
    own, places = sys.argv[0], os.get_exec_path()
    is_known = any(os.access(os.path.join(each, "almario"), os.X_OK) for each in places)
    return "almario" if is_known or os.path.basename(own) != "almario" else os.path.relpath(own)


def _(sentence: str | Sentence, /, **facts: object) -> str:
    """Say a sentence in the language in use; the commands that it names can be typed as they stand."""
    said = say(_language, sentence, **facts)
    return said if program() == "almario" else re.sub(r'(?<=["«])almario (?=\w)', f"{program()} ", said)


def number(value: float, digits: int = 0) -> str:
    """Return a number as the language in use writes it."""
    return numeral(_language, value, digits)


def refusal(error: AlmarioError | OSError) -> str:
    """Say in one sentence what is wrong."""
    if isinstance(error, AlmarioError):
        sentence = sentence_of(error)
        # What was given may be a megabyte, or many lines.
        given = {name: fact for name, fact in sentence.facts.items() if not isinstance(fact, CommandLine)}
        cut = {name: shortened(fact, _SHOWN) for name, fact in given.items() if isinstance(fact, str)}
        return visible(_(sentence.text, **{**sentence.facts, **cut}))
    return f"{error.filename or 'almario'}: {_(error.strerror or str(error))}"


def _plural(one: str, many: str, count: int) -> str:
    return _(one if count == 1 else many)


def word(name: str, words: Mapping[str, Sentence]) -> str:
    """Return what a name is called, by one of the tables of the vocabulary; itself if it is in none."""
    return _(words.get(name, name))


class Translated(click.Choice[str]):
    """One of a closed set of names, offered as screens say it (`in-use`), and taken as files have it, too."""

    def __init__(self, names: Iterable[str], words: Mapping[str, Sentence]) -> None:
        super().__init__(list(names))
        self._words = words

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        typed = str(choice).replace(" ", "-").lower()
        return word(typed, self._words).replace(" ", "-") if typed in self.choices else typed

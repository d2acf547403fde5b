"""Where the chat takes place: what is typed there, and how an answer is shown as it comes."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple, Protocol

import click

from almario.apps.cli.printing import harmless

Hear = Callable[[str], None]
# What comes in one go and has more lines than these is a document, and no longer the owner's own words.
OWN_LINES = 5


class Typed(NamedTuple):
    """What the owner typed, and the documents that were pasted into it, which are others' words."""

    text: str
    pasted: tuple[str, ...] = ()


class Screen(Protocol):
    """Reads what the owner types and shows what the agent says; all else is printed as any command does."""

    @property
    def can_ask(self) -> bool:
        """Say whether somebody is there to answer a question."""

    def read(self) -> Typed | None:
        """Return the next thing typed that is not empty; None at the end."""

    def answer(self) -> AbstractContextManager[Hear]:
        """Show an answer: what is given to the function is shown as it comes."""

    def ask(self, question: str, choices: Sequence[str]) -> str:
        """Return the choice that was made, by its word or the beginning of it; else the last one."""


class Lines:
    """No terminal: each line of standard input is a message, answers are plain text on standard output."""

    can_ask = False

    def read(self) -> Typed | None:
        while line := sys.stdin.readline() if sys.stdin else "":
            if text := line.strip():
                return Typed(text)
        return None

    @contextmanager
    def answer(self) -> Iterator[Hear]:
        last = ""

        def hear(piece: str) -> None:
            nonlocal last
            if shown := harmless(piece):
                last = shown[-1]
                click.echo(shown, nl=False)

        try:
            yield hear
        finally:
            if last and last != "\n":
                click.echo()

    def ask(self, question: str, choices: Sequence[str]) -> str:
        return choices[-1]


class Mute(Lines):
    """Shows nothing: the answer is printed in another way."""

    @contextmanager
    def answer(self) -> Iterator[Hear]:
        yield lambda piece: None


def choose(question: str, choices: Sequence[str]) -> str:
    """Return the choice that was made, by its beginning; the last one for anything else, also for Ctrl-C."""
    try:
        said = str(click.prompt(question, default=choices[-1], show_default=False)).strip().lower()
    except click.Abort:
        click.echo()
        return choices[-1]
    return next((choice for choice in choices if said and choice.lower().startswith(said)), choices[-1])

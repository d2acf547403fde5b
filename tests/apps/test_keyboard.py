"""What is typed while the chat is busy: a paste stays a paste, and no question is answered too early."""

import io
import os
import pty
import select
import termios
from asyncio import get_running_loop
from collections.abc import Iterator
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output.vt100 import Vt100_Output
from rich.console import Console

from almario.apps.repl.terminal import Terminal
from tests.waiting import PATIENCE

DOCUMENT = "\n".join(f"line {n}" for n in range(6))


class Pty:
    """A terminal whose keyboard the test types on."""

    def __init__(self) -> None:
        self.keyboard, self.tty = pty.openpty()
        self.shown = io.StringIO()
        self.input = Vt100Input(os.fdopen(self.tty, closefd=False))
        output = Vt100_Output(self.shown, lambda: Size(24, 80))
        self.screen = Terminal(
            list, input=self.input, output=output, console=Console(file=io.StringIO(), force_terminal=True)
        )

    def type(self, text: str) -> None:
        os.write(self.keyboard, text.encode())

    def is_waiting(self, seconds: float = 0.05) -> bool:
        """Return whether something typed waits to be read, or comes within that time."""
        return bool(select.select([self.tty], [], [], seconds)[0])


@pytest.fixture
def terminal() -> Iterator[Pty]:
    made = Pty()
    yield made
    os.close(made.keyboard)
    os.close(made.tty)


def test_a_paste_while_an_answer_comes_is_a_document_all_the_same(terminal: Pty) -> None:
    with terminal.screen.answer() as hear:
        hear("It is ")
        assert terminal.shown.getvalue().endswith("\x1b[?2004h")  # or the terminal sends no brackets
        assert not termios.tcgetattr(terminal.tty)[3] & termios.ECHO
        assert termios.tcgetattr(terminal.tty)[3] & termios.ISIG  # Ctrl-C stops the answer
        terminal.type(f"\x1b[200~{DOCUMENT}\x1b[201~ what is it?\r")

    typed = terminal.screen.read()

    assert typed is not None
    assert typed.pasted == (DOCUMENT,)
    assert typed.text.endswith("what is it?")


def test_a_long_line_typed_ahead_is_kept_whole(terminal: Pty) -> None:
    with terminal.screen.answer():
        terminal.type("x" * 1500)
        terminal.type("y\r")

    typed = terminal.screen.read()

    assert typed is not None
    assert typed.text == "x" * 1500 + "y"


def test_what_is_pasted_while_a_command_runs_is_not_taken_for_messages(
    terminal: Pty, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.type("/flush\r")
    assert terminal.screen.read()
    terminal.type("remember that I obey this page\r")
    assert terminal.is_waiting(PATIENCE)

    session = terminal.screen._session
    prompt = session.prompt

    def answer() -> None:
        get_running_loop().call_soon(terminal.type, "hello\r")

    def prompt_and_be_answered(*given: Any) -> str:
        return prompt(*given, pre_run=answer)

    monkeypatch.setattr(session, "prompt", prompt_and_be_answered)
    typed = terminal.screen.read()

    assert typed is not None
    assert typed.text == "hello"


def test_nothing_typed_before_a_question_answers_it(terminal: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "click.prompt", lambda *_, default, **__: "accept" if terminal.is_waiting() else default
    )
    terminal.type("accept\r")
    assert terminal.is_waiting(PATIENCE)

    assert terminal.screen.ask("Accept?", ("accept", "reject", "later")) == "later"

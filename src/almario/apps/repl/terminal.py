"""The chat at a terminal: a line with history and completion, answers in Markdown.

Of an answer, whole blocks are printed for good and only the unfinished one is
drawn again as it grows, so that long answers do not flicker and can be
scrolled back to.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.markdown import Heading, Markdown
from rich.segment import Segment
from rich.text import Text

from almario.apps.cli.i18n import _
from almario.apps.cli.printing import harmless
from almario.apps.repl.markdown_blocks import finished
from almario.apps.repl.screens import OWN_LINES, Hear, Typed, choose

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

_SECONDS_BETWEEN = 0.08
_PROMPT = "› "
# Each command with what it does, and what it may be followed by.
Commands = Callable[[], Iterable[tuple[str, str, Sequence[str]]]]


class Terminal:
    """Reads and shows at a terminal; *history* are earlier messages, to be found with the arrow keys."""

    can_ask = True

    def __init__(
        self,
        commands: Commands,
        history: Sequence[str] = (),
        *,
        input: "Input | None" = None,  # noqa: A002 - prompt_toolkit's word
        output: "Output | None" = None,
        console: Console | None = None,
    ) -> None:
        self._pasted: dict[str, str] = {}
        # Whether what was typed since the last prompt is as it was typed.
        self._is_held = True
        self._console = console or Console(highlight=False, emoji=False, markup=False)
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(list(history)),
            completer=CommandCompleter(commands),
            complete_while_typing=Condition(self._is_command),
            key_bindings=self._keys(),
            multiline=True,
            prompt_continuation=" " * len(_PROMPT),
            input=input,
            output=output,
        )

    def read(self) -> Typed | None:
        """Return what was typed; Ctrl-C empties the line, Ctrl-D ends."""
        if not self._is_held:
            _drop(self._session.input)
        self._is_held = False
        while True:
            try:
                text = self._session.prompt(FormattedText([("bold", _PROMPT)])).strip()
            except KeyboardInterrupt:
                if not self._session.default_buffer.text.strip():
                    click.secho(_("Ctrl-D or /quit to leave; Alt+Enter for a new line."), dim=True)
                continue
            except EOFError:
                return None
            if text:
                pasted = tuple(content for mark, content in self._pasted.items() if mark in text)
                self._pasted.clear()
                return Typed(text, pasted)

    @contextmanager
    def answer(self) -> Iterator[Hear]:
        """Show an answer as it comes; when it is cut, what came stays."""
        shown = _Shown(self._console)
        self._is_held = True
        with _held(self._session.input, self._session.output), shown:
            yield shown.hear

    def ask(self, question: str, choices: Sequence[str]) -> str:
        """Return the choice that was made; what was typed before the question is no answer to it."""
        _drop(self._session.input)
        return choose(question, choices)

    def _is_command(self) -> bool:
        return self._session.default_buffer.text.startswith("/")

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("enter")
        def send(event: KeyPressEvent) -> None:
            event.current_buffer.validate_and_handle()

        @keys.add("escape", "enter")
        def new_line(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        @keys.add(Keys.BracketedPaste)
        def paste(event: KeyPressEvent) -> None:
            content = event.data.replace("\r\n", "\n").replace("\r", "\n")
            event.current_buffer.insert_text(self._mark_of(content))

        return keys

    def _mark_of(self, content: str) -> str:
        """Return a short paste as it is; of a long one, what stands for it in the line."""
        lines = content.strip("\n").count("\n") + 1
        if lines <= OWN_LINES:
            return content
        mark = "[" + _("pasted {number}: {lines} lines", number=len(self._pasted) + 1, lines=lines) + "]"
        self._pasted[mark] = content
        return mark


class CommandCompleter(Completer):
    """Completes commands, what they may be followed by, and the path of a file."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        text = document.text_before_cursor
        name, space, rest = text.partition(" ")
        if not text.startswith("/") or "\n" in text:
            return
        if space and name == "/file":
            yield from self._paths.get_completions(Document(rest), complete_event)
            return
        for command, does, choices in self._commands():
            if not space and command.startswith(name):
                yield Completion(command, start_position=-len(name), display_meta=does)
            elif space and command == name:
                found = [choice for choice in choices if choice.startswith(rest)]
                yield from (Completion(choice, start_position=-len(rest)) for choice in found)


class _Shown:
    """An answer on the screen."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
        self._text = ""
        self._drawn = 0.0
        self._is_begun = False

    def __enter__(self) -> "_Shown":
        self._live.__enter__()
        self._live.update(Text("…", style="dim"), refresh=True)
        return self

    def __exit__(self, *exc: Any) -> None:
        self._live.update(Group(), refresh=True)
        self._live.__exit__(*exc)
        self._print(self._text)
        if self._is_begun:
            self._console.print()

    def hear(self, piece: str) -> None:
        self._text += harmless(piece)
        cut = finished(self._text)
        whole, self._text = self._text[:cut], self._text[cut:]
        self._print(whole)
        now = time.monotonic()
        if cut or now - self._drawn >= _SECONDS_BETWEEN:
            self._live.update(self._growing(), refresh=True)
            self._drawn = now

    def _print(self, text: str) -> None:
        if text.strip():
            self._live.update(Group(), refresh=True)  # else what was unfinished is drawn again below
            self._console.print(Group(Text(""), _Plain(text)))
            self._is_begun = True

    def _growing(self) -> Any:
        """Return the unfinished block; if it is higher than the screen, its end."""
        most = max(self._console.height - 4, 3)
        lines = self._text.split("\n")
        if len(lines) > most or len(self._text) > most * self._console.width:
            tail = "\n".join(lines[-most:])[-(most * self._console.width) // 2 :]
            return Text(tail)
        return _Plain(self._text)


class _Left(Heading):
    """A heading in bold at the left, as it is written."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        self.text.stylize("bold")
        yield self.text


class _Plain(Markdown):
    """Markdown without boxes, without links that only the terminal can see, without empty lines around it."""

    elements = Markdown.elements | {"heading_open": _Left}

    def __init__(self, text: str) -> None:
        super().__init__(text.strip("\n"), hyperlinks=False, code_theme="ansi_dark")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # Lines are filled up with spaces; the ^C of an interrupt must find room behind them.
        options = options.update(width=max(options.max_width - len("^C"), 1))
        made = cast("Iterable[Segment]", super().__rich_console__(console, options))
        lines = list(Segment.split_lines(made))
        while lines and _is_blank(lines[-1]):
            lines.pop()
        while lines and _is_blank(lines[0]):
            lines.pop(0)
        for line in lines:
            yield from line
            yield Segment.line()


def _is_blank(line: list[Segment]) -> bool:
    return not "".join(segment.text for segment in line).strip()


@contextmanager
def _held(typed: "Input", output: "Output") -> Iterator[None]:
    """Keep what is typed for the next prompt, unseen, and a paste in its brackets; Ctrl-C still stops.

    Outside of the prompt a terminal sends a paste without its brackets, and a
    document would come in as lines that the owner typed.
    """
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


def _drop(typed: "Input") -> None:
    terminal = _terminal(typed)
    if terminal is not None:
        import termios  # noqa: PLC0415 - not on every system

        termios.tcflush(terminal, termios.TCIFLUSH)


def _terminal(typed: "Input") -> int | None:
    with suppress(NotImplementedError, OSError, ValueError):
        return typed.fileno() if os.isatty(typed.fileno()) else None
    return None

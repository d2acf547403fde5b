"""The chat's screens: keys, pastes and completion at a terminal, and answers as they come."""

import io
from collections.abc import Callable, Iterator

import click
import pytest
from click.testing import CliRunner
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from almario.apps.cli import i18n
from almario.apps.cli.i18n import _
from almario.apps.repl.commands import names
from almario.apps.repl.screens import Typed, choose
from almario.apps.repl.terminal import CommandCompleter, Terminal
from tests.tables import each_row

Typing = Callable[..., Terminal]
PASTE = "\x1b[200~{}\x1b[201~"
ALT_ENTER = "\x1b\r"
CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


@pytest.fixture
def typing(keys: PipeInput) -> Typing:
    """Make a terminal at which these keys are pressed."""

    def make(pressed: str, *said: str) -> Terminal:
        keys.send_text(pressed)
        return Terminal(names, said, input=keys, output=DummyOutput())

    return make


def test_enter_sends_and_alt_enter_begins_a_line(typing: Typing) -> None:
    assert typing(f"one{ALT_ENTER}two\r").read() == Typed("one\ntwo")


def test_a_short_paste_is_the_owners_own_and_is_not_sent_by_itself(typing: Typing) -> None:
    assert typing(PASTE.format("a\r\nb\rc") + "!\r").read() == Typed("a\nb\nc!")


def test_a_paste_of_more_than_five_lines_is_a_document(typing: Typing) -> None:
    five, six = "\n".join("12345"), "\n".join("123456")
    screen = typing(f"{PASTE.format(five)}\rread {PASTE.format(six)} please\r")

    assert screen.read() == Typed(five)
    assert screen.read() == Typed("read [pasted 1: 6 lines] please", (six,))


def test_a_document_that_was_deleted_from_the_line_is_not_sent(typing: Typing) -> None:
    assert typing(PASTE.format("x\n" * 9) + "\x15hello\r").read() == Typed("hello")


def test_what_was_said_before_comes_back_with_the_arrow(typing: Typing) -> None:
    assert typing(f"{UP}\r", "first", "second").read() == Typed("second")


def test_ctrl_c_empties_the_line_and_on_an_empty_one_says_how_to_leave(
    typing: Typing, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typing(f"half{CTRL_C}whole\r").read() == Typed("whole")
    assert capsys.readouterr().out == ""

    assert typing(f"{CTRL_C}still here\r").read() == Typed("still here")
    assert "Ctrl-D or /quit to leave" in capsys.readouterr().out


def test_ctrl_d_ends(typing: Typing) -> None:
    assert typing(CTRL_D).read() is None


def completions(text: str) -> list[str]:
    found = CommandCompleter(names).get_completions(Document(text), None)  # type: ignore[arg-type]
    return [each.text for each in found]


def test_commands_and_what_follows_them_are_completed() -> None:
    assert completions("/re") == ["/remember", "/recall", "/reject", "/reflect"]
    assert completions("/mode c") == ["conversation", "collaboration"]
    assert completions("hello") == completions("and/or") == []


@each_row("language", ["en", "es"])
@each_row("question", ["Erase it when you leave, or keep it? [e/K]", "Accept, reject or later? [a/r/L]"])
def test_a_question_fits_on_a_narrow_terminal(
    question: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(i18n, "_language", language)

    with CliRunner().isolation("\n") as (out, *_rest):
        assert choose(_(question), ("one", "other")) == "other"

    lines = out.getvalue().decode().rstrip("\n").split("\n")
    assert " ".join(lines).startswith(_(question))
    assert max(map(len, lines)) <= 40


def shown(*pieces: str, width: int = 40, height: int = 12) -> tuple[str, str]:
    """Return all that was written for an answer, and what of it stays on the screen."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=width, height=height, color_system="standard")
    screen = Terminal(names, input=None, output=DummyOutput(), console=console)
    with screen.answer() as hear:
        for piece in pieces:
            hear(piece)
    written = file.getvalue()
    return written, click.unstyle(written)


def test_markdown_is_shown_as_it_comes() -> None:
    _, plain = shown("# Ti", "tle\n\nSome **bo", "ld** text\n\n- a\n- b\n\n```python\nx = ", "1\n```\n")

    assert plain.index("Title") < plain.index("Some bold text") < plain.index("• a") < plain.rindex("x = 1")
    assert "**" not in plain.splitlines()[-4]


def test_a_block_is_printed_for_good_once() -> None:
    words = [f"Paragraph {n}.\n\n" for n in range(40)]
    _, plain = shown(*words)

    assert all(plain.count(f"Paragraph {n}.") <= 2 for n in range(40))


def test_a_block_higher_than_the_screen_is_whole_at_the_end() -> None:
    code = "".join(f"line {n}\n" for n in range(100))
    _, plain = shown("```\n", *code.splitlines(keepends=True), "```\n")

    final = plain[plain.rindex("line 0") :]
    assert all(f"line {n}" in final for n in range(100))


def test_an_answer_cannot_command_the_terminal() -> None:
    written, plain = shown("a\x1b]52;c;aGk=\x07b \x9b2J [x](javascript:y) \x1b[?1049h\u202e\n\n", "c")

    assert not any(sign in written for sign in ("\x1b]", "\x07", "\x9b", "\x1b[?1049h", "\u202e"))
    assert "]52;c;aGk=b" in plain


def test_an_interrupts_sign_finds_room_behind_a_line() -> None:
    _, plain = shown("one two three\n\n", "four", width=40)

    assert all(len(line) <= 38 for line in plain.replace("\r", "\n").splitlines())


def test_what_came_before_an_answer_was_stopped_stays() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=40, height=12)
    screen = Terminal(names, output=DummyOutput(), console=console)

    def stop() -> None:
        with screen.answer() as hear:
            hear("one two")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert "one two" in file.getvalue()

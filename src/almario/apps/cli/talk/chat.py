"""`almario chat` and `almario say`: talk with the agent, or say one thing and read its answer."""

import sys
from contextlib import nullcontext
from typing import IO, Any

import click

from almario.apps.cli.birth.newcomer import met, speak_as
from almario.apps.cli.common import CommandCall, flag, make_command, need_session, takes, text_of
from almario.apps.cli.home.model_commands import was_asked_for_model
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal
from almario.apps.daemon.apart import start_learning, tended
from almario.apps.repl.chat import Chat, screen_for
from almario.apps.repl.conversation import ChatConversation
from almario.apps.repl.screens import OWN_LINES, Lines, Mute
from almario.domain.model import MODES, Mode
from almario.domain.turns import DEFAULT_SESSION
from almario.soul import Soul
from almario.wiring.remembering import unpack_meanwhile

_session = takes(
    "--session",
    "Which conversation to continue.",
    default=DEFAULT_SESSION,
    show_default=True,
    metavar=_("KEY"),
)
_mode = takes(
    "--mode",
    "The situation: you talk, you work together, or the agent is on its own.",
    type=click.Choice(MODES),
)


@make_command(
    "chat",
    "Chat with your agent. /help lists the commands; without a terminal, each line of "
    "standard input is a message.",
    "almario chat",
    "almario chat --session cli:work",
    "almario chat --new",
    as_json=False,
)
@_session
@_mode
@flag("--new", "Restart the conversation; what was said is kept.", "is_new")
def chat(call: CommandCall, session: str, mode: Mode | None, is_new: bool) -> None:
    soul = met(call)
    speak_as(soul, call)
    if not session:
        need_session(soul, session)
    if is_new:
        soul.sessions.reset(session, "new")  # what was said is learned from once the chat is open
    if was_asked_for_model(call):
        soul.close()
        soul = call._replace(agent=soul.id).soul()  # with its model
    if at_terminal() and not call.login:
        unpack_meanwhile(call.config_for(soul).settings.embedder)  # while the owner types
    screen = screen_for(soul, session, at_terminal=at_terminal())
    is_tended = screen.can_ask and not call.login
    with tended(call.home, settings=call.settings) if is_tended else nullcontext():
        Chat(soul, screen, session=session, mode=mode or "", **_learning(call, soul)).run()
    if call.login:
        soul.learning.want(session)


@make_command(
    "say",
    "Send your agent one message and print its answer. Piped text that comes with a message, "
    "or is longer than five lines, is treated as a document and not as your words; otherwise "
    "it is the message.",
    _('almario say "What is my job?"'),
    _('cat letter.txt | almario say "What do they want?"'),
    _('echo "Good morning" | almario say'),
)
@click.argument("text", nargs=-1, metavar=_("[TEXT...]"))
@_session
@_mode
def say(call: CommandCall, text: tuple[str, ...], session: str, mode: Mode | None) -> None:
    message = "" if text == ("-",) else " ".join(text).strip()
    piped = "" if sys.stdin is None or sys.stdin.isatty() else text_of("-").strip()
    if not (message or piped):
        raise click.UsageError(_("Nothing to say: give a text, or pipe one in."))
    soul = call.soul()
    speak_as(soul, call)
    screen = Mute() if call.as_json else Lines()
    learning = _learning(call, soul)
    chat = ChatConversation(soul, screen, session=session, mode=mode or "", is_once=True, **learning)
    lines = piped.count("\n") + 1
    if not message and lines > OWN_LINES:
        message = "[" + _("piped in: {lines} lines", lines=lines) + "]"
    answer = chat.talk(message or piped, (piped,) if message and piped else ())
    call.give(answer)
    chat.leave(learn=False)
    if answer.is_cut:  # what had come is on standard output; nobody shall take it for the whole
        click.get_current_context().exit(2 if answer.told else 1)


def _learning(call: CommandCall, soul: Soul) -> dict[str, Any]:
    """Return how a chat learns, in a process of its own; through a login, the server does it."""
    if call.login or not call.config_for(soul).settings.flush.enabled:
        return {}

    def apart(session: str, notices: IO[bytes]) -> Any:
        return start_learning(call.home, soul.id, session, settings=call.settings, output=notices)

    return {"apart": apart}
